#include "study/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "report/figures.h"
#include "report/table.h"
#include "sim/text.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

using report::Table;
using enum Table::Align;

std::vector<bool> best_of(const std::vector<std::optional<double>>& row, Better better) {
    std::vector<bool> best(row.size());
    if (better == Better::neither) return best;
    std::optional<double> top;
    bool differ = false;
    for (const auto& v : row) {
        if (!v) continue;
        if (top && *v != *top) differ = true;
        if (!top || (better == Better::more ? *v > *top : *v < *top)) top = *v;
    }
    for (std::size_t k = 0; k < row.size() && differ; ++k) best[k] = row[k] == top;
    return best;
}

/// `share` of the longest bar, which has `longest` characters.
std::string bar(double share, std::size_t longest, bool unicode) {
    const auto length = static_cast<double>(longest);
    if (!unicode) return std::string(static_cast<std::size_t>(std::lround(share * length)), '#');
    constexpr const char* parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::lround(share * length * 8));
    std::string out;
    for (std::size_t k = 0; k < eighths / 8; ++k) out += "█";
    return out + parts[eighths % 8];
}

std::string cell(const std::optional<double>& value, bool ratio, bool best, bool marks) {
    const std::string text = !value ? "-" : ratio ? fmt::format("{:.3f}", *value) : figure_text(*value);
    return text + (!marks ? "" : best ? "*" : " ");
}

std::string title(const Metric& m) {
    return m.unit.empty() ? m.name : fmt::format("{} ({})", m.name, m.unit);
}

class Text {
  public:
    Text(const Comparison& c, bool unicode) : c_(c), unicode_(unicode) {}

    std::string values(const MetricTable& t) const {
        Table table = head({});
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) {
            std::vector<std::string> row{c_.workloads[w]};
            for (std::size_t v = 0; v < c_.variants.size(); ++v)
                row.push_back(cell(t.values[w][v], false, t.best[w][v], marks(t)));
            table.add(std::move(row));
        }
        return title(t.metric) + '\n' + table.text(2);
    }

    /// Ratios to the baseline, whose own value stands beside the workload if `with_value`.
    std::string ratios(const MetricTable& t, bool with_value) const {
        Table table = head(with_value ? t.metric.name : std::string{});
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) {
            std::vector<std::string> row{c_.workloads[w]};
            if (with_value) row.push_back(cell(t.values[w][c_.baseline], false, false, false));
            for (std::size_t v = 0; v < c_.variants.size(); ++v)
                row.push_back(cell(t.ratios[w][v], true, t.best[w][v], marks(t)));
            table.add(std::move(row));
        }
        std::vector<std::string> row{"geometric mean"};
        if (with_value) row.push_back("");
        const std::vector<bool> best = best_of(t.geomean, t.metric.better);
        for (std::size_t v = 0; v < c_.variants.size(); ++v)
            row.push_back(cell(t.geomean[v], true, best[v], marks(t)));
        table.add(std::move(row));
        return fmt::format("{} relative to {}{}\n", with_value ? title(t.metric) : t.metric.name,
                           c_.variants[c_.baseline], marks(t) ? ", best marked *" : "") +
               table.text(2);
    }

    /// What "-" stands for in a metric's tables, as far as there is one.
    std::string gaps(const MetricTable& t) const {
        bool figure = false, zero = false, mean = false;
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) {
            const auto& base = t.values[w][c_.baseline];
            for (const auto& value : t.values[w]) {
                figure |= !value;
                zero |= value && base && *base == 0;
            }
        }
        for (std::size_t v = 0; v < c_.variants.size(); ++v)
            for (std::size_t w = 0; w < c_.workloads.size(); ++w)
                mean |= t.ratios[w][v] && !(*t.ratios[w][v] > 0);
        std::string out;
        if (figure) out += "  -: the run failed or has no such figure\n";
        if (c_.variants.size() == 1) return out;
        if (zero) out += fmt::format("  -: the value of {} is 0\n", c_.variants[c_.baseline]);
        if (mean) out += "  -: a geometric mean takes ratios above 0\n";
        return out;
    }

    std::string bars(const MetricTable& t) const {
        double longest = 0;
        for (const auto& g : t.geomean)
            if (g) longest = std::max(longest, *g);
        const std::size_t most = longest_bar();
        Table table({left, left, left});
        for (std::size_t v = 0; v < c_.variants.size() && longest > 0; ++v)
            table.add({c_.variants[v], t.geomean[v] ? bar(*t.geomean[v] / longest, most, unicode_) : "",
                       t.geomean[v] ? fmt::format("{:.3f}", *t.geomean[v]) : "-"});
        return table.empty() ? "" : fmt::format("geometric mean of {}\n", t.metric.name) + table.text(2);
    }

  private:
    /// Characters, as far as the screen has room beside names and numbers.
    std::size_t longest_bar() const {
        constexpr std::size_t kUsual = 40, kLeast = 5, kNumberAndGaps = 2 + 2 + 2 + 6;
        if (report::screen_width() == 0) return kUsual;
        std::size_t names = 0;
        for (const std::string& v : c_.variants) names = std::max(names, width_of(v));
        const std::size_t taken = names + kNumberAndGaps;
        return report::screen_width() < taken + kLeast ? kLeast
                                                       : std::min(kUsual, report::screen_width() - taken);
    }

    static bool marks(const MetricTable& t) { return t.metric.better != Better::neither; }

    Table head(const std::string& value) const {
        std::vector<Table::Align> align{left};
        std::vector<std::string> row{"workload"};
        if (!value.empty()) {
            align.push_back(right);
            row.push_back(value);
        }
        for (const std::string& v : c_.variants) {
            align.push_back(right);
            row.push_back(v + " ");
        }
        Table table(std::move(align));
        table.add(std::move(row));
        return table;
    }

    const Comparison& c_;
    bool unicode_;
};

}  // namespace

std::string csv_cell(const std::string& bytes) {
    const std::string text = valid_utf8(bytes);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string figure_text(double v) {
    const double size = std::abs(v);
    if (v == std::floor(v) && size < 1e15) {
        const std::string digits = report::grouped(static_cast<u64>(size));
        return v < 0 ? "-" + digits : digits;
    }
    if (size >= 10'000) return (v < 0 ? "-" : "") + report::grouped(static_cast<u64>(std::llround(size)));
    if (size < 0.001) return fmt::format("{:.3g}", v);
    return fmt::format("{:.{}f}", v, size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4);
}

Comparison compare(const Matrix& matrix) {
    Comparison c;
    for (const Workload& w : matrix.spec().workloads) c.workloads.push_back(w.name);
    for (const Variant& v : matrix.spec().variants) c.variants.push_back(v.name);
    c.baseline = matrix.spec().baseline;
    for (const Metric& metric : matrix.metrics()) {
        MetricTable t{metric, {}, {}, {}, {}};
        for (std::size_t w = 0; w < c.workloads.size(); ++w) {
            auto& values = t.values.emplace_back();
            for (std::size_t v = 0; v < c.variants.size(); ++v) values.push_back(matrix.figure(metric, w, v));
            auto& ratios = t.ratios.emplace_back();
            for (const auto& value : values) {
                const auto& base = values[c.baseline];
                ratios.push_back(value && base && *base != 0 ? std::optional(*value / *base) : std::nullopt);
            }
            t.best.push_back(best_of(values, metric.better));
        }
        for (std::size_t v = 0; v < c.variants.size(); ++v) {
            std::vector<double> column;
            for (const auto& row : t.ratios)
                if (row[v]) column.push_back(*row[v]);
            const double g = geometric_mean(column);
            t.geomean.push_back(column.size() == c.workloads.size() && !std::isnan(g) ? std::optional(g)
                                                                                      : std::nullopt);
        }
        c.tables.push_back(std::move(t));
    }
    return c;
}

std::string comparison_text(const Comparison& c, bool values, bool unicode) {
    const Text text(c, unicode);
    std::string out;
    for (const MetricTable& t : c.tables) {
        if (!out.empty()) out += '\n';
        if (values || c.variants.size() == 1) out += text.values(t);
        if (c.variants.size() == 1) {
            out += text.gaps(t);
            continue;
        }
        if (values) out += '\n';
        out += text.ratios(t, !values) + text.gaps(t);
        if (&t == &c.tables.front()) out += '\n' + text.bars(t);
    }
    return out;
}

std::string comparison_csv(const Comparison& c) {
    std::string out = "workload,variant,metric,unit,value,ratio\n";
    for (const MetricTable& t : c.tables)
        for (std::size_t w = 0; w < c.workloads.size(); ++w)
            for (std::size_t v = 0; v < c.variants.size(); ++v) {
                if (!t.values[w][v]) continue;
                out += fmt::format("{},{},{},{},{},{}\n", csv_cell(c.workloads[w]), csv_cell(c.variants[v]),
                                   csv_cell(t.metric.name), csv_cell(t.metric.unit), *t.values[w][v],
                                   t.ratios[w][v] ? fmt::format("{}", *t.ratios[w][v]) : std::string{});
            }
    return out;
}

}  // namespace heddle::study
