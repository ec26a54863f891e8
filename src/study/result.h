#pragma once
// A run's record as figures that have names, and what a name means.
//
//   of a run         cycles, seconds, ipc, warp_ipc, mpki, l1.hit_rate, l2.hit_rate, row_hit_rate, bandwidth, ...
//                    (kMetrics in result.cpp; `heddle list metrics` shows them)
//   of application N ipc.N, warp_ipc.N, cycles.N, mpki.N, bandwidth.N, slowdown.N; any counter of its own: l2.reads.N
//   of several       it, ws, hs, antt, unfairness (study/metrics.h)
//   counters         as `heddle run --stats` names them; the start may be left out where that is clear

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::study {

enum class Better : u8 { more, less, neither };

/// A record's text as it is stored. Throws InputError if it is none.
nlohmann::ordered_json parse_record(const std::string& text);

class Result {
  public:
    /// From a record's text. Throws InputError if it is none.
    explicit Result(const std::string& text);
    static Result of(const nlohmann::ordered_json& record);

    /// Of each application.
    const std::vector<double>& ipc() const { return ipc_; }
    /// A figure of this run alone; nothing if it does not exist (no loads, so no latency).
    std::optional<double> figure(const std::string& name) const;
    const std::map<std::string, double>& figures() const { return figures_; }

  private:
    Result() = default;
    void read(const nlohmann::ordered_json& record);
    void applications(const nlohmann::ordered_json& apps, u64 hz);
    void memories(const nlohmann::ordered_json& record);
    void caches(const nlohmann::ordered_json& record);
    void counters(const nlohmann::ordered_json& counters, double cycles, double hz);

    std::map<std::string, double> figures_;
    std::vector<double> ipc_;
};

/// A metric name as the user gave it, resolved.
struct Metric {
    std::string name;  ///< in full
    std::string unit;
    Better better = Better::neither;
    bool needs_alone = false;
};

/// Throws InputError with the nearest right name. `counters`: names that the machine's runs have; `apps`: the most
/// applications that one of them has.
Metric find_metric(const std::string& name, const std::vector<std::string>& counters, std::size_t apps);

/// Its value. `alone`: each application's IPC by itself, needed by some; nothing if the run has no such figure.
std::optional<double> value(const Metric& metric, const Result& result, const std::vector<double>& alone);

/// Every metric that is not a counter: name, unit, meaning.
std::vector<std::vector<std::string>> metric_manual();

}  // namespace heddle::study
