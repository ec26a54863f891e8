#include "study/comparison.h"

#include <cmath>
#include <fmt/format.h>

#include "sim/text.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

/// A figure of several repetitions; nothing if one of them lacks it.
std::optional<Figure> figure_of(const std::vector<std::optional<double>>& repetitions) {
    std::vector<double> sample;
    for (const auto& value : repetitions) {
        if (!value) return std::nullopt;
        sample.push_back(*value);
    }
    if (sample.size() == 1) return Figure{sample.front(), {}};
    const Estimate e = estimate(sample);
    return Figure{e.mean, e};
}

std::vector<bool> best_of(const FigureRow& row, Better better) {
    std::vector<bool> best(row.size());
    if (better == Better::neither) return best;
    std::optional<double> top;
    bool differ = false;
    for (const auto& v : row) {
        if (!v) continue;
        if (top && v->value != *top) differ = true;
        if (!top || (better == Better::more ? v->value > *top : v->value < *top)) top = v->value;
    }
    for (std::size_t k = 0; k < row.size() && differ; ++k) best[k] = row[k] && row[k]->value == top;
    return best;
}

/// Values of one metric with one seed, and their ratios and geometric means.
struct Repetition {
    using Values = std::vector<std::vector<std::optional<double>>>;  // [workload][variant]
    Values values, ratios;
    std::vector<std::optional<double>> geomean;
};

Repetition repetition_of(const Matrix& matrix, const Metric& metric, std::size_t repetition) {
    const MatrixSpec& spec = matrix.spec();
    Repetition r;
    for (std::size_t w = 0; w < spec.workloads.size(); ++w) {
        auto& values = r.values.emplace_back();
        for (std::size_t v = 0; v < spec.variants.size(); ++v)
            values.push_back(matrix.figure(metric, w, v, repetition));
        auto& ratios = r.ratios.emplace_back();
        const auto& base = values[spec.baseline];
        for (const auto& value : values)
            ratios.push_back(value && base && *base != 0 ? std::optional(*value / *base) : std::nullopt);
    }
    for (std::size_t v = 0; v < spec.variants.size(); ++v) {
        std::vector<double> column;
        for (const auto& row : r.ratios)
            if (row[v]) column.push_back(*row[v]);
        const double g = geometric_mean(column);
        r.geomean.push_back(column.size() == spec.workloads.size() && !std::isnan(g) ? std::optional(g)
                                                                                     : std::nullopt);
    }
    return r;
}

MetricTable table_of(const Matrix& matrix, const Metric& metric) {
    std::vector<Repetition> all;
    for (std::size_t r = 0; r < matrix.repetitions(); ++r) all.push_back(repetition_of(matrix, metric, r));
    /// Of every repetition what `from` takes of it.
    const auto over_all = [&all](auto from) {
        std::vector<std::optional<double>> repetitions;
        for (const Repetition& r : all) repetitions.push_back(from(r));
        return repetitions;
    };
    MetricTable t;
    t.metric = metric;
    const std::size_t variants = matrix.spec().variants.size();
    for (std::size_t w = 0; w < matrix.spec().workloads.size(); ++w) {
        FigureRow values, ratios;
        auto& samples = t.samples.emplace_back(variants);
        for (std::size_t v = 0; v < variants; ++v) {
            const auto sample = over_all([=](const Repetition& r) { return r.values[w][v]; });
            values.push_back(figure_of(sample));
            ratios.push_back(figure_of(over_all([=](const Repetition& r) { return r.ratios[w][v]; })));
            if (values.back() && all.size() > 1)
                for (const auto& value : sample) samples[v].push_back(*value);
        }
        t.best.push_back(best_of(values, metric.better));
        t.values.push_back(std::move(values));
        t.ratios.push_back(std::move(ratios));
    }
    for (std::size_t v = 0; v < variants; ++v)
        t.geomean.push_back(figure_of(over_all([=](const Repetition& r) { return r.geomean[v]; })));
    t.best_geomean = best_of(t.geomean, metric.better);
    return t;
}

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

Comparison compare(const Matrix& matrix) {
    Comparison c;
    for (const Workload& w : matrix.spec().workloads) c.workloads.push_back(w.name);
    for (const Variant& v : matrix.spec().variants) c.variants.push_back(v.name);
    c.baseline = matrix.spec().baseline;
    c.seeds = matrix.spec().seeds;
    for (const PlannedRun& run : matrix.runs()) c.failures |= !run.result;
    for (const Metric& metric : matrix.metrics()) c.tables.push_back(table_of(matrix, metric));
    return c;
}

std::vector<std::string> untouched_by_seeds(const Comparison& c) {
    std::vector<std::string> lines;
    for (std::size_t w = 0; w < c.workloads.size() && !c.seeds.empty(); ++w) {
        bool same = true, known = false;
        for (const MetricTable& t : c.tables)
            for (const auto& value : t.values[w]) {
                known |= value.has_value();
                same &= !value || value->over_seeds->deviation == 0;
            }
        if (same && known)
            lines.push_back(fmt::format("{}: every seed gives the same figures", c.workloads[w]));
    }
    return lines;
}

std::string comparison_csv(const Comparison& c) {
    const bool seeds = !c.seeds.empty();
    std::string out = "workload,variant,metric,unit,value,ratio";
    out += seeds ? ",seeds,value_margin,ratio_margin\n" : "\n";
    for (const MetricTable& t : c.tables)
        for (std::size_t w = 0; w < c.workloads.size(); ++w)
            for (std::size_t v = 0; v < c.variants.size(); ++v) {
                const auto &value = t.values[w][v], &ratio = t.ratios[w][v];
                if (!value) continue;
                out += fmt::format("{},{},{},{},{},{}", csv_cell(c.workloads[w]), csv_cell(c.variants[v]),
                                   csv_cell(t.metric.name), csv_cell(t.metric.unit), value->value,
                                   ratio ? fmt::format("{}", ratio->value) : std::string{});
                if (seeds)
                    out += fmt::format(",{},{},{}", c.seeds.size(), value->over_seeds->margin,
                                       ratio ? fmt::format("{}", ratio->over_seeds->margin) : std::string{});
                out += '\n';
            }
    return out;
}

}  // namespace heddle::study
