#pragma once
// Kernels of a run as the page has them.

#include <nlohmann/json.hpp>

namespace heddle::study {

/// Of a run's record (report/run_report.h) its kernels, launches of one name together, longest first, at most 20 names and
/// one entry for all others: [{name, launches, cycles, l1_hit_rate, l2_hit_rate, row_hit_rate, dram_bytes, dram_bandwidth
/// (GB/s), load_latency (core cycles), memory_waits (share of the cycles of resident warps), shared}]. What does not exist is
/// left out.
nlohmann::ordered_json page_kernels(const nlohmann::ordered_json& record);

}  // namespace heddle::study
