#include "study/page_kernels.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include "sim/rates.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kNames = 20;

/// Sums over launches, by the names that the record has.
struct KernelSums {
    std::string name;
    u64 launches = 0, cycles = 0, resident_cycles = 0, memory_cycles = 0;
    std::map<std::string, u64> counts = {};
    bool shared = false;

    u64 operator[](const char* count) const {
        const auto it = counts.find(count);
        return it == counts.end() ? 0 : it->second;
    }
    void add(const KernelSums& other) {
        launches += other.launches;
        cycles += other.cycles;
        resident_cycles += other.resident_cycles;
        memory_cycles += other.memory_cycles;
        for (const auto& [count, value] : other.counts) counts[count] += value;
        shared |= other.shared;
    }
};

KernelSums launch_of(const ordered_json& kernel) {
    KernelSums k{.name = {}, .launches = 1, .cycles = kernel.at("cycles").get<u64>()};
    const ordered_json& memory = kernel.at("memory");
    k.shared = memory.value("shared", false);
    for (const auto& [count, value] : memory.items())
        if (value.is_number_integer()) k.counts[count] = value.get<u64>();
    for (const auto& [cause, cycles] : memory.at("warp_cycles").items()) {
        k.resident_cycles += cycles.get<u64>();
        if (cause == "memory") k.memory_cycles = cycles.get<u64>();
    }
    return k;
}

std::vector<KernelSums> sums_of(const ordered_json& record) {
    std::vector<KernelSums> sums;
    std::map<std::string, std::size_t> by_name;
    const ordered_json& apps = record.at("apps");
    for (const ordered_json& app : apps)
        for (const ordered_json& kernel : app.at("kernels")) {
            std::string name = kernel.at("name");
            if (apps.size() > 1) name = fmt::format("{}: {}", app.at("name").get<std::string>(), name);
            const auto [at, fresh] = by_name.try_emplace(name, sums.size());
            if (fresh) sums.push_back({.name = name});
            sums[at->second].add(launch_of(kernel));
        }
    std::stable_sort(sums.begin(), sums.end(),
                     [](const KernelSums& a, const KernelSums& b) { return a.cycles > b.cycles; });
    if (sums.size() <= kNames) return sums;
    KernelSums others{.name = fmt::format("{} others", sums.size() - kNames)};
    for (std::size_t k = kNames; k < sums.size(); ++k) others.add(sums[k]);
    sums.resize(kNames);
    sums.push_back(std::move(others));
    return sums;
}

}  // namespace

ordered_json page_kernels(const ordered_json& record) {
    const u64 hz = record.at("core_hz").get<u64>();
    ordered_json out = ordered_json::array();
    for (const KernelSums& k : sums_of(record)) {
        ordered_json kernel{{"name", k.name}, {"launches", k.launches}, {"cycles", k.cycles}};
        const auto ratio = [&kernel](const char* name, u64 part, u64 whole) {
            if (whole != 0) kernel[name] = static_cast<double>(part) / static_cast<double>(whole);
        };
        const u64 bytes = k["dram_read_bytes"] + k["dram_write_bytes"];
        ratio("l1_hit_rate", k["l1_read_sector_hits"], k["l1_read_sectors"]);
        ratio("l2_hit_rate", k["l2_read_sector_hits"], k["l2_read_sectors"]);
        ratio("row_hit_rate", k["row_hits"], k["row_hits"] + k["row_misses"] + k["row_conflicts"]);
        kernel["dram_bytes"] = bytes;
        if (const Rate rate = bandwidth(bytes, k.cycles, hz)) kernel["dram_bandwidth"] = rate.value(kGiga);
        ratio("load_latency", k["load_latency_cycles"], k["loads"]);
        ratio("memory_waits", k.memory_cycles, k.resident_cycles);
        if (k.shared) kernel["shared"] = true;
        out.push_back(std::move(kernel));
    }
    return out;
}

}  // namespace heddle::study
