#include <nlohmann/json.hpp>

#include "study/comparison.h"

namespace heddle::study {

std::string comparison_json(const Comparison& c, const Matrix& matrix) {
    using json = nlohmann::ordered_json;
    const MatrixSpec& spec = matrix.spec();
    json out;
    out["baseline"] = c.variants[c.baseline];
    out["variants"] = json::array();
    for (const Variant& v : spec.variants)
        out["variants"].push_back({{"name", v.name}, {"machine", v.machine}, {"settings", v.sets}});
    out["workloads"] = json::array();
    for (const Workload& w : spec.workloads) {
        json apps = json::array();
        for (const AppSpec& a : w.apps) apps.push_back(a.word);
        json workload{{"name", w.name}, {"applications", apps}};
        if (!w.sms.empty()) workload["sms"] = w.sms;
        out["workloads"].push_back(workload);
    }
    out["metrics"] = json::array();
    for (const MetricTable& t : c.tables) {
        json m{{"name", t.metric.name}};
        if (!t.metric.unit.empty()) m["unit"] = t.metric.unit;
        if (t.metric.better != Better::neither)
            m["better"] = t.metric.better == Better::more ? "more" : "less";
        json values = json::object(), ratios = json::object(), means = json::object();
        for (std::size_t v = 0; v < c.variants.size(); ++v) {
            for (std::size_t w = 0; w < c.workloads.size(); ++w) {
                if (t.values[w][v]) values[c.workloads[w]][c.variants[v]] = *t.values[w][v];
                if (t.ratios[w][v]) ratios[c.workloads[w]][c.variants[v]] = *t.ratios[w][v];
            }
            if (t.geomean[v]) means[c.variants[v]] = *t.geomean[v];
        }
        m["values"] = values;
        m["ratios"] = ratios;
        m["geometric_mean"] = means;
        out["metrics"].push_back(m);
    }
    out["runs"] = json::array();
    for (const PlannedRun& r : matrix.runs()) {
        json run{{"workload", r.spec.workload.name}, {"variant", r.spec.variant.name}};
        if (r.spec.alone != 0) run["alone"] = r.spec.alone;
        run["key"] = r.key;
        run["from_store"] = r.from_store;
        if (!r.from_store && r.result) run["seconds"] = r.seconds;
        if (!r.error.empty()) run["error"] = r.error;
        out["runs"].push_back(run);
    }
    return out.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::study
