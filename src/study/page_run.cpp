#include "study/page_run.h"

#include "sim/rates.h"
#include "study/page_kernels.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

ordered_json gigabytes_per_s(u64 bytes, u64 cycles, u64 hz) {
    const Rate rate = bandwidth(bytes, cycles, hz);
    return rate ? ordered_json(rate.value(kGiga)) : ordered_json();
}

ordered_json dram_bandwidth(const ordered_json& record, const char* direction, u64 hz) {
    u64 bytes = 0;
    for (const ordered_json& memory : record.at("memories")) bytes += memory.at(direction).get<u64>();
    return gigabytes_per_s(bytes, record.at("cycles").get<u64>(), hz);
}

ordered_json bandwidth_over_time(const ordered_json& timeline, u64 hz) {
    const auto grown = [&timeline](const char* counter, std::size_t k) {
        const ordered_json& values = timeline.at(counter);
        return values.at(k).get<u64>() - (k == 0 ? 0 : values.at(k - 1).get<u64>());
    };
    ordered_json out = ordered_json::array();
    for (std::size_t k = 0; k < timeline.at("cycle").size(); ++k)
        out.push_back(
            gigabytes_per_s(grown("read_bytes", k) + grown("write_bytes", k), grown("cycle", k), hz));
    return out;
}

}  // namespace

ordered_json page_run(const ordered_json& record) {
    const u64 hz = record.at("core_hz").get<u64>();
    ordered_json out = ordered_json::object();
    for (const char* key : {"cycles", "stalls", "load_latency_cycles", "caches", "memories", "timeline"})
        if (const auto it = record.find(key); it != record.end()) out[key] = *it;
    if (!record.at("memories").empty())
        out["dram_bandwidth"] = {{"read", dram_bandwidth(record, "read_bytes", hz)},
                                 {"written", dram_bandwidth(record, "write_bytes", hz)}};
    if (const auto timeline = record.find("timeline"); timeline != record.end())
        out["bandwidth_over_time"] = bandwidth_over_time(*timeline, hz);
    out["kernels"] = page_kernels(record);
    return out;
}

}  // namespace heddle::study
