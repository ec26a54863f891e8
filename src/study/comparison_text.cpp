// The comparison for a terminal.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "report/figures.h"
#include "report/table.h"
#include "sim/text.h"
#include "study/comparison.h"

namespace heddle::study {
namespace {

using report::Table;
using enum Table::Align;

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

/// Cells of a column, whose margins stand below each other.
class Column {
  public:
    Column(bool ratios, bool marks, bool unicode)
        : ratios_(ratios), marks_(marks), sign_(unicode ? "±" : "+-") {}

    void add(const std::optional<Figure>& f, bool best) {
        const bool interval = f && f->over_seeds;
        values_.push_back(!f ? "-" : ratios_ ? fmt::format("{:.3f}", f->value) : figure_text(f->value));
        margins_.push_back(interval ? " " + sign_ + margin_text(f->over_seeds->margin) : "");
        best_.push_back(best);
        widest_ = std::max(widest_, width_of(margins_.back()));
    }
    std::string text(std::size_t row) const {
        const std::string mark = !marks_ ? "" : best_[row] ? "*" : " ";
        return values_[row] + mark + margins_[row] + std::string(widest_ - width_of(margins_[row]), ' ');
    }

  private:
    bool ratios_, marks_;
    std::string sign_;
    std::vector<std::string> values_, margins_;
    std::vector<bool> best_;
    std::size_t widest_ = 0;
};

std::string title(const Metric& m) {
    return m.unit.empty() ? m.name : fmt::format("{} ({})", m.name, m.unit);
}

class Text {
  public:
    Text(const Comparison& c, bool unicode) : c_(c), unicode_(unicode) {}

    std::string values(const MetricTable& t) const {
        Table table = head({});
        const std::vector<Column> columns = columns_of(t.values, t, false, false);
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) {
            std::vector<std::string> row{c_.workloads[w]};
            for (const Column& column : columns) row.push_back(column.text(w));
            table.add(std::move(row));
        }
        return title(t.metric) + over_seeds() + '\n' + table.text(2);
    }

    /// Ratios to the baseline, whose own value stands beside the workload if `with_value`.
    std::string ratios(const MetricTable& t, bool with_value) const {
        Table table = head(with_value ? t.metric.name : std::string{});
        Column baseline(false, false, unicode_);
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) baseline.add(t.values[w][c_.baseline], false);
        const std::vector<Column> columns = columns_of(t.ratios, t, true, true);
        for (std::size_t w = 0; w <= c_.workloads.size(); ++w) {
            const bool mean = w == c_.workloads.size();
            std::vector<std::string> row{mean ? "geometric mean" : c_.workloads[w]};
            if (with_value) row.push_back(mean ? "" : baseline.text(w));
            for (const Column& column : columns) row.push_back(column.text(w));
            table.add(std::move(row));
        }
        return fmt::format("{} relative to {}{}{}\n", with_value ? title(t.metric) : t.metric.name,
                           c_.variants[c_.baseline], marks(t) ? ", best marked *" : "", over_seeds()) +
               table.text(2);
    }

    /// What "-" stands for in a metric's tables, as far as there is one.
    std::string gaps(const MetricTable& t) const {
        bool figure = false, zero = false, mean = false;
        for (std::size_t w = 0; w < c_.workloads.size(); ++w) {
            const auto& base = t.values[w][c_.baseline];
            for (const auto& value : t.values[w]) {
                figure |= !value;
                zero |= value && base && base->value == 0;
            }
        }
        for (std::size_t v = 0; v < c_.variants.size(); ++v)
            for (std::size_t w = 0; w < c_.workloads.size(); ++w)
                mean |= t.ratios[w][v] && !(t.ratios[w][v]->value > 0);
        std::string out;
        if (figure && c_.failures)
            out += "  -: the run failed or has no such figure\n";
        else if (figure && t.metric.needs_alone)
            out += fmt::format("  -: no {}: it needs several applications that execute instructions\n",
                               t.metric.name);
        else if (figure)
            out += fmt::format("  -: no {}: the machine lacks the part or its data, or nothing used it\n",
                               t.metric.name);
        if (c_.variants.size() == 1) return out;
        if (zero) out += fmt::format("  -: the value of {} is 0\n", c_.variants[c_.baseline]);
        if (mean) out += "  -: a geometric mean needs ratios above 0\n";
        return out;
    }

    std::string bars(const MetricTable& t) const {
        double longest = 0;
        for (const auto& g : t.geomean)
            if (g) longest = std::max(longest, g->value);
        const std::size_t most = longest_bar();
        Table table({left, left, left});
        for (std::size_t v = 0; v < c_.variants.size() && longest > 0; ++v)
            table.add({c_.variants[v], t.geomean[v] ? bar(t.geomean[v]->value / longest, most, unicode_) : "",
                       t.geomean[v] ? fmt::format("{:.3f}", t.geomean[v]->value) : "-"});
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

    /// What the margins are.
    std::string over_seeds() const {
        if (c_.seeds.empty()) return {};
        return fmt::format("; mean of {} seeds {} {:.0f} % confidence", c_.seeds.size(),
                           unicode_ ? "±" : "+-", kConfidence * 100);
    }

    std::vector<Column> columns_of(const std::vector<FigureRow>& rows, const MetricTable& t, bool ratios,
                                   bool geomean) const {
        std::vector<Column> columns(c_.variants.size(), Column(ratios, marks(t), unicode_));
        for (std::size_t v = 0; v < c_.variants.size(); ++v) {
            for (std::size_t w = 0; w < rows.size(); ++w) columns[v].add(rows[w][v], t.best[w][v]);
            if (geomean) columns[v].add(t.geomean[v], t.best_geomean[v]);
        }
        return columns;
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

std::string margin_text(double margin) {
    if (margin >= 10) return figure_text(std::round(margin));
    return fmt::format("{:.2g}", margin);
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

}  // namespace heddle::study
