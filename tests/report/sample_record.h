#pragma once
// A hand-made result whose figures are round.

#include "sim/record.h"

namespace heddle {

inline RunRecord sample_record() {
    RunRecord r;
    r.version = "9.9.9";
    r.seed = 7;
    r.machine_name = "toy";
    r.cycles = 1'000'000;
    r.core_hz = 500'000'000;  // 2 ms
    r.apps = {
        {"gather", 1'000'000, 2'500'000, 80'000'000, {{"k", 1, 10, 999'990, 64, 2'500'000, 80'000'000}}}};
    // 200 MB in 2 ms are 100 GB/s; the bus could have moved 400 MB.
    r.memories = {{"gddr5", "GDDR5", 6, 5'000'000, 1'250'000, 160'000'000, 40'000'000, 1'000'000, 1'000'000,
                   1'000'000, 200'000'000'000, 400'000'000}};
    r.caches = {{"l1", 8'000'000, 2'000'000}, {"l2", 6'000'000, 1'000'000}};
    r.stalls = {{"issue", 1}, {"dependency", 1}, {"memory", 1}, {"barrier", 0}};
    r.load_latency_cycles = DistributionRecord{1000, 612'345, 500, 1'200, 2'400, 9'999};
    r.requests_per_load = DistributionRecord{1000, 31'500, 32, 32, 32, 32};
    r.hot_loads = {{"k", 0x48, 1000, 31'500, 600'000}};
    r.counters = {{"sm.loads", "warp instructions", 1000}, {"l2.reads", "lines", 6'000'000}};
    r.simulation = {1'250'000, 48 * 1024 * 1024};
    return r;
}

}  // namespace heddle
