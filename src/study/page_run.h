#pragma once
// What a page shows of a single run.

#include <nlohmann/json.hpp>

namespace heddle::study {

/// Of a run's record: cycles, stalls, load_latency_cycles, caches, memories and timeline as they are there;
/// dram_bandwidth {read, written}, GB/s; bandwidth_over_time [GB/s of each interval of the timeline]; kernels
/// (page_kernels.h).
nlohmann::ordered_json page_run(const nlohmann::ordered_json& record);

}  // namespace heddle::study
