#include "study/model_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/table.h"
#include "sim/rates.h"
#include "study/bandwidth_model.h"
#include "study/comparison.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

using report::Table;
using enum Table::Align;

/// Relative to what was simulated.
double error_of(const AloneReport& a) {
    return a.model_ipc / a.ipc - 1;
}

double mean_error(const std::vector<AloneReport>& alone) {
    std::vector<double> errors;
    for (const AloneReport& a : alone) errors.push_back(std::abs(error_of(a)));
    return mean(errors);
}

/// Of MPKI and IPC; NaN where there is none.
double correlation(const std::vector<AloneReport>& alone) {
    std::vector<double> x, y;
    for (const AloneReport& a : alone) x.push_back(a.mpki), y.push_back(a.ipc);
    const double mx = mean(x), my = mean(y);
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xy += (x[k] - mx) * (y[k] - my);
        xx += (x[k] - mx) * (x[k] - mx);
        yy += (y[k] - my) * (y[k] - my);
    }
    return xy / std::sqrt(xx * yy);
}

void sums(Shared& s, const std::vector<double>& alone) {
    s.it = throughput(s.ipc);
    s.ws = weighted_speedup(s.ipc, alone);
    s.hs = harmonic_speedup(s.ipc, alone);
}

std::string percent(double part) {
    return fmt::format("{:+.1f} %", 100 * part);
}

Table alone_table(const std::vector<AloneReport>& alone) {
    Table table({left, right, right, right, right, right});
    table.add({"application alone", "L2 MPKI", "GB/s", "IPC simulated", "IPC of the model", "error"});
    for (const AloneReport& a : alone)
        table.add({a.name, figure_text(a.mpki), figure_text(a.bandwidth), figure_text(a.ipc),
                   figure_text(a.model_ipc), percent(error_of(a))});
    return table;
}

std::string mix_text(const MixReport& m) {
    std::string out = m.name + '\n' + alone_table(m.apps).text(2);
    double wanted = 0;
    for (const AloneReport& a : m.apps) wanted += a.bandwidth;
    out += fmt::format("\n  {} GB/s to divide, {} demanded{}\n", figure_text(m.capacity), figure_text(wanted),
                       wanted <= m.capacity ? ": the model expects no loss" : "");
    Table table({left, right, right, right, right, right, right});
    table.add({"divided", "IT model", "simulated", "WS model", "simulated", "HS model", "simulated"});
    Table parts({left, left, right, right, right, right});
    parts.add({"divided", "application", "GB/s model", "simulated", "IPC model", "simulated"});
    auto text = [](const std::optional<Shared>& s, auto figure) {
        return s ? figure_text(figure(*s)) : std::string("-");
    };
    for (const auto& d : m.divisions) {
        std::vector<std::string> row{d.name};
        for (const auto figure : {&Shared::it, &Shared::ws, &Shared::hs})
            for (const auto* s : {&d.model, &d.simulated})
                row.push_back(text(*s, [figure](const Shared& x) { return x.*figure; }));
        table.add(std::move(row));
        for (std::size_t k = 0; k < m.apps.size(); ++k) {
            std::vector<std::string> part{k == 0 ? d.name : "", m.apps[k].name};
            for (const auto figure : {&Shared::bandwidth, &Shared::ipc})
                for (const auto* s : {&d.model, &d.simulated})
                    part.push_back(text(*s, [figure, k](const Shared& x) { return (x.*figure)[k]; }));
            parts.add(std::move(part));
        }
    }
    out += table.text(2) + '\n' + parts.text(2);
    out += fmt::format("\n  for IT favor {} (lower MPKI), for WS {} (less bandwidth alone)\n",
                       m.apps[m.favour_it].name, m.apps[m.favour_ws].name);
    return out;
}

/// Applications as the workload's name has them, "a + b", each with its number where another has the same name.
std::vector<std::string> names_of(const Workload& w) {
    std::vector<std::string> names;
    const std::string rest = w.name + " + ";
    for (std::size_t at = 0, end; (end = rest.find(" + ", at)) != std::string::npos; at = end + 3)
        names.push_back(rest.substr(at, end - at));
    if (names.size() != w.apps.size()) {
        names.clear();
        for (const AppSpec& a : w.apps) names.push_back(a.word);
    }
    std::vector<std::string> out = names;
    for (std::size_t k = 0; k < names.size(); ++k)
        if (std::count(names.begin(), names.end(), names[k]) > 1) out[k] += fmt::format(" ({})", k + 1);
    return out;
}

using Json = nlohmann::ordered_json;

Json json_of(const AloneReport& a) {
    return {{"name", a.name},           {"ipc", a.ipc},        {"mpki", a.mpki}, {"bandwidth", a.bandwidth},
            {"model_ipc", a.model_ipc}, {"error", error_of(a)}};
}

Json json_of(const Shared& s) {
    return {{"it", s.it}, {"ws", s.ws}, {"hs", s.hs}, {"bandwidth", s.bandwidth}, {"ipc", s.ipc}};
}

}  // namespace

std::vector<Variant> mix_variants(const Variant& machine, std::size_t apps) {
    std::vector<Variant> out{machine};
    for (std::size_t k = 1; k <= apps; ++k) {
        Variant v = machine;
        v.name = fmt::format("application {} first", k);
        v.sets.push_back("dram.scheduler=prior-app");
        v.sets.push_back(fmt::format("dram.prior-app.order=[{}]", k));
        out.push_back(std::move(v));
    }
    Variant turns = machine;
    turns.name = "in turns";
    turns.sets.push_back("dram.scheduler=rr-fr-fcfs");
    out.push_back(std::move(turns));
    return out;
}

std::optional<AloneReport> alone_report(const std::string& name, const PlannedRun& run) {
    if (!run.result) return std::nullopt;
    const auto mpki = run.result->figure("mpki.1"), bandwidth = run.result->figure("bandwidth.1"),
               ipc = run.result->figure("ipc.1"), cycles = run.result->figure("cycles"),
               seconds = run.result->figure("seconds");
    if (!mpki || !bandwidth || !ipc || !cycles || !seconds || !(*mpki > 0) || !(*ipc > 0) || !(*seconds > 0))
        return std::nullopt;
    const double bytes_a_cycle = *bandwidth * kGiga * *seconds / *cycles;
    return AloneReport{name, *ipc, *mpki, *bandwidth, model_ipc(bytes_a_cycle, *mpki, kModelLine)};
}

std::optional<MixReport> mix_report(const Matrix& matrix, std::size_t w, double capacity,
                                    const std::string& own) {
    const Workload& workload = matrix.spec().workloads[w];
    const std::size_t n = workload.apps.size();
    MixReport m;
    m.name = workload.name;
    m.capacity = capacity;
    std::vector<ModelApp> model;
    std::vector<double> simulated_alone, model_alone;
    const std::vector<std::string> names = names_of(workload);
    for (std::size_t k = 0; k < n; ++k) {
        const PlannedRun* run = matrix.alone(w, 0, k);
        auto alone = run == nullptr ? std::nullopt : alone_report(names[k], *run);
        if (!alone) return std::nullopt;
        if (m.capacity == 0) m.capacity = run->result->figure("peak_bandwidth").value_or(0);
        model.push_back({alone->mpki, alone->bandwidth});
        simulated_alone.push_back(alone->ipc);
        model_alone.push_back(alone->model_ipc);
        m.apps.push_back(std::move(*alone));
    }
    m.favour_it = favour_throughput(model);
    m.favour_ws = favour_speedup(model);
    for (std::size_t v = 0; v < n + 2; ++v) {
        MixReport::Division d;
        d.name = v == 0 ? own : v <= n ? m.apps[v - 1].name + " first" : "in turns";
        if (v != 0) {
            Shared s;
            s.bandwidth = v <= n ? divide_first(model, m.capacity, v - 1) : divide_equally(model, m.capacity);
            // IPC is proportional to bandwidth: the same formula with the part of the bandwidth alone.
            for (std::size_t k = 0; k < n; ++k)
                s.ipc.push_back(model_alone[k] * s.bandwidth[k] / model[k].bandwidth);
            sums(s, model_alone);
            d.model = std::move(s);
        }
        if (const auto& result = matrix.cell(w, v).result) {
            Shared s;
            s.ipc = result->ipc();
            for (std::size_t k = 1; k <= n; ++k)
                s.bandwidth.push_back(result->figure(fmt::format("bandwidth.{}", k)).value_or(0));
            if (s.ipc.size() == n) {
                sums(s, simulated_alone);
                d.simulated = std::move(s);
            }
        }
        m.divisions.push_back(std::move(d));
    }
    return m;
}

std::string model_text(const std::vector<AloneReport>& alone, const std::vector<MixReport>& mixes) {
    std::string out;
    if (!alone.empty()) {
        out += alone_table(alone).text(0);
        if (alone.size() > 1) {
            out += fmt::format("mean absolute error {:.1f} %", 100 * mean_error(alone));
            if (const double c = correlation(alone); !std::isnan(c))
                out += fmt::format(", correlation of MPKI and IPC {:+.1f} %", 100 * c);
            out += '\n';
        }
    }
    for (const MixReport& m : mixes) out += (out.empty() ? "" : "\n") + mix_text(m);
    return out;
}

std::string model_json(const std::vector<AloneReport>& alone, const std::vector<MixReport>& mixes) {
    Json out;
    out["alone"] = Json::array();
    for (const AloneReport& a : alone) out["alone"].push_back(json_of(a));
    if (!alone.empty()) out["mean_error"] = mean_error(alone);
    if (const double c = alone.empty() ? NAN : correlation(alone); !std::isnan(c)) out["correlation"] = c;
    out["mixes"] = Json::array();
    for (const MixReport& m : mixes) {
        Json mix{{"name", m.name}, {"capacity", m.capacity}};
        for (const AloneReport& a : m.apps) mix["applications"].push_back(json_of(a));
        mix["favour"] = {{"it", m.apps[m.favour_it].name}, {"ws", m.apps[m.favour_ws].name}};
        for (const auto& d : m.divisions) {
            Json division{{"name", d.name}};
            if (d.model) division["model"] = json_of(*d.model);
            if (d.simulated) division["simulated"] = json_of(*d.simulated);
            mix["divisions"].push_back(std::move(division));
        }
        out["mixes"].push_back(std::move(mix));
    }
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::study
