#include <nlohmann/json.hpp>

#include "study/comparison.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

/// Figures and their margins, which only those over seeds have.
struct Both {
    ordered_json values = ordered_json::object(), margins = ordered_json::object();
};

Both by_variant(const Comparison& c, const FigureRow& row) {
    Both out;
    for (std::size_t v = 0; v < row.size(); ++v) {
        if (!row[v]) continue;
        out.values[c.variants[v]] = row[v]->value;
        if (row[v]->over_seeds) out.margins[c.variants[v]] = row[v]->over_seeds->margin;
    }
    return out;
}

Both by_workload(const Comparison& c, const std::vector<FigureRow>& rows) {
    Both out;
    for (std::size_t w = 0; w < rows.size(); ++w) {
        Both row = by_variant(c, rows[w]);
        if (!row.values.empty()) out.values[c.workloads[w]] = std::move(row.values);
        if (!row.margins.empty()) out.margins[c.workloads[w]] = std::move(row.margins);
    }
    return out;
}

void put(ordered_json& to, const char* values, const char* margins, Both both) {
    to[values] = std::move(both.values);
    if (!both.margins.empty()) to[margins] = std::move(both.margins);
}

}  // namespace

ordered_json comparison_tree(const Comparison& c, const Matrix& matrix) {
    const MatrixSpec& spec = matrix.spec();
    ordered_json out;
    out["baseline"] = c.variants[c.baseline];
    if (!c.seeds.empty()) {
        out["seeds"] = c.seeds;
        out["confidence"] = kConfidence;
    }
    out["variants"] = ordered_json::array();
    for (const Variant& v : spec.variants)
        out["variants"].push_back({{"name", v.name}, {"machine", v.machine}, {"settings", v.sets}});
    out["workloads"] = ordered_json::array();
    for (const Workload& w : spec.workloads) {
        ordered_json apps = ordered_json::array();
        for (const AppSpec& a : w.apps) apps.push_back(a.word);
        ordered_json workload{{"name", w.name}, {"applications", apps}};
        if (!w.sms.empty()) workload["sms"] = w.sms;
        out["workloads"].push_back(workload);
    }
    out["metrics"] = ordered_json::array();
    for (const MetricTable& t : c.tables) {
        ordered_json m{{"name", t.metric.name}};
        if (!t.metric.unit.empty()) m["unit"] = t.metric.unit;
        if (t.metric.better != Better::neither)
            m["better"] = t.metric.better == Better::more ? "more" : "less";
        put(m, "values", "value_margins", by_workload(c, t.values));
        put(m, "ratios", "ratio_margins", by_workload(c, t.ratios));
        put(m, "geometric_mean", "geometric_mean_margins", by_variant(c, t.geomean));
        if (!c.seeds.empty()) {
            ordered_json samples = ordered_json::object();
            for (std::size_t w = 0; w < c.workloads.size(); ++w)
                for (std::size_t v = 0; v < c.variants.size(); ++v)
                    if (!t.samples[w][v].empty()) samples[c.workloads[w]][c.variants[v]] = t.samples[w][v];
            m["samples"] = samples;
        }
        out["metrics"].push_back(m);
    }
    out["runs"] = ordered_json::array();
    for (const PlannedRun& r : matrix.runs()) {
        ordered_json run{{"workload", r.spec.workload.name}, {"variant", r.spec.variant.name}};
        if (r.spec.alone != 0) run["alone"] = r.spec.alone;
        if (r.spec.seed) run["seed"] = *r.spec.seed;
        run["key"] = r.key;
        run["from_store"] = r.from_store;
        if (!r.from_store && r.result) run["seconds"] = r.seconds;
        if (!r.error.empty()) run["error"] = r.error;
        out["runs"].push_back(run);
    }
    return out;
}

std::string json_text(const ordered_json& tree) {
    return tree.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::study
