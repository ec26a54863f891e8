#include "study/result.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "config/manual.h"
#include "sim/error.h"
#include "sim/rates.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

struct Entry {
    const char* name;
    const char* unit;
    Better better;
    const char* about;
    bool needs_alone = false;
};

constexpr Entry kMetrics[] = {
    {"performance", "IPC; weighted speed-up of several applications", Better::more,
     "ipc of one application, ws of several", true},
    {"ipc", "thread instructions/cycle", Better::more,
     "all applications together (with several, equal to the metric it)"},
    {"warp_ipc", "warp instructions/cycle", Better::more, "all applications together"},
    {"cycles", "core cycles", Better::less, "of the whole run"},
    {"seconds", "s", Better::less, "simulated time"},
    {"mpki", "misses/1000 thread instructions", Better::less, "reads that miss in L2"},
    {"bandwidth", "GB/s", Better::more, "DRAM traffic while the applications ran"},
    {"utilization", "", Better::more, "share of the DRAM's peak bandwidth"},
    {"l1.bandwidth", "GB/s", Better::more, "sectors that loads looked up in L1, of all SMs"},
    {"l1.utilization", "", Better::more, "share of the peak, one line per cycle and port"},
    {"l2.bandwidth", "GB/s", Better::more, "sectors that L2 was asked to read or write"},
    {"l2.utilization", "", Better::more, "share of the peak of L2's banks"},
    {"crossbar.bandwidth", "GB/s", Better::more, "flits of both directions"},
    {"crossbar.utilization", "", Better::more, "share of the peak of both directions"},
    {"peak_bandwidth", "GB/s", Better::neither, "peak bandwidth of the DRAM's data buses"},
    {"row_hit_rate", "", Better::more, "DRAM requests that found their row open"},
    {"requests_per_activation", "requests", Better::more,
     "DRAM requests per activated row: one more than its row hits"},
    {"l1.hit_rate", "", Better::more, "read sectors"},
    {"l2.hit_rate", "", Better::more, "read sectors"},
    {"l1_tlb.hit_rate", "", Better::more, "lookups, not counting those that join a miss"},
    {"l2_tlb.hit_rate", "", Better::more, "lookups"},
    {"walk_cache.hit_rate", "", Better::more, "lookups of page walks"},
    {"load_latency", "core cycles", Better::less, "mean of global loads, from issue to last data"},
    {"load_latency.p50", "core cycles", Better::less, "median"},
    {"load_latency.p90", "core cycles", Better::less, "90th percentile"},
    {"load_latency.p99", "core cycles", Better::less, "99th percentile"},
    {"load_latency.max", "core cycles", Better::less, "the longest"},
    {"requests_per_load", "requests", Better::neither, "mean after coalescing"},
    {"dram.energy", "J", Better::less, "commands and background of all memories, where currents are known"},
    {"dram.power", "W", Better::less, "dram.energy divided by simulated time"},
    {"it", "thread instructions/cycle", Better::more,
     "instruction throughput: sum of the applications' IPCs"},
    {"ws", "", Better::more, "weighted speed-up: sum of IPC together / IPC alone", true},
    {"hs", "", Better::more, "harmonic speed-up: 1 / sum of IPC alone / IPC together", true},
    {"antt", "", Better::less, "turnaround time: sum of IPC alone / IPC together", true},
    {"unfairness", "", Better::less, "largest IPC alone / IPC together", true},
};

/// Of one application: the name goes on with ".N".
constexpr Entry kAppMetrics[] = {
    {"ipc", "thread instructions/cycle", Better::more, "of application N until it first ends"},
    {"warp_ipc", "warp instructions/cycle", Better::more, "the same in warp instructions"},
    {"cycles", "core cycles", Better::less, "until it first ends"},
    {"mpki", "misses/1000 thread instructions", Better::less, "its reads that miss in L2"},
    {"bandwidth", "GB/s", Better::more, "its DRAM traffic"},
    {"requests_per_activation", "requests", Better::more, "its DRAM requests for each row opened for it"},
    {"slowdown", "", Better::less, "its IPC alone / its IPC beside the others", true},
};

double number(const ordered_json& at, const char* name) {
    return at.at(name).get<double>();
}

u64 count(const ordered_json& at, const char* name) {
    return at.at(name).get<u64>();
}

void ratio(std::map<std::string, double>& to, const std::string& name, double part, double whole) {
    if (whole != 0) to[name] = part / whole;
}
void rate(std::map<std::string, double>& to, const std::string& name, const Rate& rate, double unit = 1) {
    if (rate) to[name] = rate.value(unit);
}

constexpr std::size_t kMostDigits = 4;  // of an application's number

/// "ipc.2" -> ("ipc", 2); nothing if there is no number of one to four digits at the end.
std::optional<std::pair<std::string, std::size_t>> split_number(const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos || dot + 1 == name.size() || name.size() - dot - 1 > kMostDigits)
        return std::nullopt;
    std::size_t n = 0;
    for (const char c : name.substr(dot + 1)) {
        if (c < '0' || c > '9') return std::nullopt;
        n = n * 10 + static_cast<std::size_t>(c - '0');
    }
    return std::pair(name.substr(0, dot), n);
}

}  // namespace

ordered_json parse_record(const std::string& text) {
    try {
        return ordered_json::parse(text);
    } catch (const ordered_json::exception& error) {
        throw InputError(fmt::format("cannot read a record: {}", error.what()));
    }
}

Result::Result(const std::string& text) : Result(of(parse_record(text))) {}

Result Result::of(const ordered_json& record) {
    Result result;
    try {
        result.read(record);
    } catch (const ordered_json::exception& error) {
        throw InputError(fmt::format("cannot read a record: {}", error.what()));
    }
    return result;
}

void Result::read(const ordered_json& r) {
    const double cycles = number(r, "cycles");
    const u64 hz = count(r, "core_hz");
    figures_["cycles"] = cycles;
    ratio(figures_, "seconds", cycles, static_cast<double>(hz));
    applications(r.at("apps"), hz);
    memories(r);
    caches(r);
    for (const auto& [name, s] : r.at("stalls").items()) figures_["stall." + name] = number(s, "percent");
    if (const auto d = r.find("load_latency_cycles"); d != r.end()) {
        figures_["load_latency"] = number(*d, "mean");
        for (const char* at : {"p50", "p90", "p99", "max"})
            figures_[std::string("load_latency.") + at] = number(*d, at);
    }
    if (const auto d = r.find("requests_per_load"); d != r.end())
        figures_["requests_per_load"] = number(*d, "mean");
    counters(r.at("counters"), cycles, static_cast<double>(hz));
}

void Result::applications(const ordered_json& apps, u64 hz) {
    auto& f = figures_;
    u64 instructions = 0, misses = 0;
    double warp_ipc = 0;
    int n = 0;
    for (const ordered_json& a : apps) {
        const std::string suffix = fmt::format(".{}", ++n);
        const u64 cycles = count(a, "cycles"), thread = count(a, "thread_instructions");
        const double own = static_cast<double>(cycles), warp = number(a, "warp_instructions");
        std::map<std::string, u64> c;
        for (const auto& [name, counter] : a.at("counters").items()) c[name] = count(counter, "value");
        for (const auto& [name, value] : c) f[name + suffix] = static_cast<double>(value);
        ipc_.push_back(cycles == 0 ? 0 : static_cast<double>(thread) / own);
        f["cycles" + suffix] = own;
        ratio(f, "ipc" + suffix, static_cast<double>(thread), own);
        ratio(f, "warp_ipc" + suffix, warp, own);
        rate(f, "mpki" + suffix, mpki(c["l2.misses"], thread));
        rate(f, "bandwidth" + suffix, bandwidth(c["dram.read_bytes"] + c["dram.write_bytes"], cycles, hz),
             kGiga);
        ratio(f, "requests_per_activation" + suffix, static_cast<double>(c["dram.reads"] + c["dram.writes"]),
              static_cast<double>(c["dram.activates"]));
        instructions += thread;
        misses += c["l2.misses"];
        if (cycles != 0) warp_ipc += warp / own;
    }
    f["it"] = f["ipc"] = throughput(ipc_);
    f["warp_ipc"] = warp_ipc;
    rate(f, "mpki", mpki(misses, instructions));
}

void Result::memories(const ordered_json& r) {
    auto& f = figures_;
    u64 bytes = 0;
    double peak = 0, hits = 0, outcomes = 0, activates = 0, peak_rate = 0;
    for (const auto& [name, m] : r.at("memories").items()) {
        bytes += count(m, "read_bytes") + count(m, "write_bytes");
        peak += number(m, "peak_bytes");
        peak_rate += number(m, "peak_bytes_per_s");
        if (const auto c = r.at("counters").find(name + ".commands.activates"); c != r.at("counters").end())
            activates += number(*c, "value");
        hits += number(m, "row_hits");
        outcomes += number(m, "row_hits") + number(m, "row_misses") + number(m, "row_conflicts");
    }
    rate(f, "bandwidth", bandwidth(bytes, count(r, "cycles"), count(r, "core_hz")), kGiga);
    ratio(f, "utilization", static_cast<double>(bytes), peak);
    ratio(f, "row_hit_rate", hits, outcomes);
    ratio(f, "requests_per_activation", outcomes, activates);
    f["peak_bandwidth"] = peak_rate / kGiga;
}

void Result::caches(const ordered_json& r) {
    for (const auto& [name, c] : r.at("caches").items())
        ratio(figures_, name + ".hit_rate", number(c, "hits"), number(c, "accesses"));
    const auto levels = r.find("throughput");
    if (levels == r.end()) return;
    for (const auto& [name, level] : levels->items()) {
        rate(figures_, name + ".bandwidth",
             bandwidth(count(level, "bytes"), count(r, "cycles"), count(r, "core_hz")), kGiga);
        ratio(figures_, name + ".utilization", number(level, "bytes"), number(level, "peak_bytes"));
    }
}

void Result::counters(const ordered_json& counters, double cycles, double hz) {
    double picojoules = 0;
    for (const auto& [name, c] : counters.items()) {
        const double value = figures_[name] = number(c, "value");
        if (name.find(".energy.") != std::string::npos) picojoules += value;
    }
    if (picojoules <= 0) return;
    figures_["dram.energy"] = picojoules / 1e12;
    ratio(figures_, "dram.power", picojoules / 1e12 * hz, cycles);
}

std::optional<double> Result::figure(const std::string& name) const {
    const auto it = figures_.find(name);
    if (it == figures_.end()) return std::nullopt;
    return it->second;
}

Metric find_metric(const std::string& name, const std::vector<std::string>& counters, std::size_t apps) {
    for (const Entry& e : kMetrics)
        if (name == e.name) return {name, e.unit, e.better, e.needs_alone};
    if (const auto of_app = split_number(name))
        for (const Entry& e : kAppMetrics) {
            if (of_app->first != e.name) continue;
            const std::size_t n = of_app->second;
            if (n == 0 || n > apps)
                throw InputError(fmt::format("metric '{}': there {} {} application{}", name,
                                             apps == 1 ? "is" : "are", apps, apps == 1 ? "" : "s"));
            // "ipc.01" is the figure "ipc.1".
            return {fmt::format("{}.{}", e.name, n), e.unit, e.better, e.needs_alone};
        }
    std::vector<const std::string*> fits;
    for (const std::string& c : counters) {
        if (c == name) return {c, "", Better::neither, false};
        if (c.size() > name.size() && c.ends_with(name) && c[c.size() - name.size() - 1] == '.')
            fits.push_back(&c);
    }
    if (fits.size() == 1) return {*fits.front(), "", Better::neither, false};
    if (fits.size() > 1)
        throw InputError(fmt::format("metric '{}' is ambiguous: {} or {}", name, *fits[0], *fits[1]));
    std::vector<std::string_view> known;
    for (const Entry& e : kMetrics) known.push_back(e.name);
    known.insert(known.end(), counters.begin(), counters.end());
    throw InputError(fmt::format("there is no metric '{}'{}", name, config::suggestion(name, known)));
}

std::optional<double> value(const Metric& metric, const Result& result, const std::vector<double>& alone) {
    const std::string& name = metric.name;
    if (!metric.needs_alone) return result.figure(name);
    const std::vector<double>& together = result.ipc();
    if (name == "performance" && together.size() == 1) return together.front();
    if (alone.size() != together.size() || alone.empty()) return std::nullopt;
    for (std::size_t k = 0; k < alone.size(); ++k)
        if (!(alone[k] > 0) || !(together[k] > 0)) return std::nullopt;
    if (name == "ws" || name == "performance") return weighted_speedup(together, alone);
    if (name == "hs") return harmonic_speedup(together, alone);
    if (name == "antt") return antt(together, alone);
    if (name == "unfairness") return unfairness(together, alone);
    const auto of_app = split_number(name);
    const std::size_t n = of_app ? of_app->second : 0;
    if (n == 0 || n > alone.size()) return std::nullopt;
    return alone[n - 1] / together[n - 1];
}

std::vector<std::vector<std::string>> metric_manual() {
    std::vector<std::vector<std::string>> rows;
    for (const Entry& e : kMetrics) rows.push_back({e.name, e.unit, e.about});
    for (const Entry& e : kAppMetrics) rows.push_back({std::string(e.name) + ".N", e.unit, e.about});
    rows.push_back({"stall.CAUSE", "%", "of the cycles of resident warps"});
    return rows;
}

}  // namespace heddle::study
