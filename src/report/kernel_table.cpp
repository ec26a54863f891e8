#include "report/kernel_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

#include "report/figures.h"
#include "report/table.h"

namespace heddle::report {
namespace {

constexpr std::size_t kRows = 20;
constexpr std::size_t kWidth = 32;  // longer names are cut

/// Launches of one name.
struct Group {
    std::string name;
    u64 launches = 0, cycles = 0, loads = 0, latency_cycles = 0;
    MemoryCounts memory;

    void add(const Group& other) {
        launches += other.launches;
        cycles += other.cycles;
        loads += other.loads;
        latency_cycles += other.latency_cycles;
        auto sum = memory.all();
        const auto more = other.memory.all();
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
        memory = MemoryCounts::from(sum);
    }
};

std::vector<Group> groups_of(const RunRecord& record, bool& shared) {
    std::vector<Group> groups;
    std::map<std::string, std::size_t> by_name;
    for (const AppRecord& app : record.apps)
        for (const KernelRecord& k : app.kernels) {
            const std::string name = record.apps.size() > 1 ? app.name + ": " + k.name : k.name;
            const auto [at, is_new] = by_name.try_emplace(name, groups.size());
            if (is_new) groups.push_back({.name = name, .memory = {}});
            groups[at->second].add({name, 1, k.cycles, k.loads, k.load_latency_cycles, k.memory});
            shared |= k.shared;
        }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& a, const Group& b) { return a.cycles > b.cycles; });
    if (groups.size() <= kRows) return groups;
    Group others{.name = fmt::format("{} others", groups.size() - kRows), .memory = {}};
    for (std::size_t k = kRows; k < groups.size(); ++k) others.add(groups[k]);
    groups.resize(kRows);
    groups.push_back(std::move(others));
    return groups;
}

std::string rate(u64 part, u64 whole) {
    return whole == 0 ? "" : percent(part, whole);
}

}  // namespace

std::string kernel_table(const RunRecord& record) {
    using enum Table::Align;
    std::size_t memory_state = record.stalls.size();
    for (std::size_t s = 0; s < record.stalls.size(); ++s)
        if (record.stalls[s].cause == "memory") memory_state = s;
    Table table({left, right, right, right, right, right, right, right, right, right});
    table.add({"kernel", "launches", "cycles", "L1 hits", "L2 hits", "row hits", "DRAM traffic", "bandwidth",
               "load latency", "memory waits"});
    bool shared = false;
    const std::vector<Group> groups = groups_of(record, shared);
    for (const Group& g : groups) {
        const MemoryCounts& m = g.memory;
        const u64 bytes = m.dram_read_bytes + m.dram_write_bytes;
        u64 resident = 0;
        for (const u64 n : m.warp_cycles) resident += n;
        const u64 waited = memory_state < m.warp_cycles.size() ? m.warp_cycles[memory_state] : 0;
        table.add(
            {g.name.size() <= kWidth ? g.name : g.name.substr(0, kWidth - 3) + "...", grouped(g.launches),
             grouped(g.cycles), rate(m.l1_read_sector_hits, m.l1_read_sectors),
             rate(m.l2_read_sector_hits, m.l2_read_sectors),
             rate(m.row_hits, m.row_hits + m.row_misses + m.row_conflicts), bytes_text(bytes),
             g.cycles == 0 || record.core_hz == 0 ? "" : bandwidth_text(bytes, g.cycles, record.core_hz),
             g.loads == 0 ? "" : grouped_decimal(g.latency_cycles, g.loads, 1), rate(waited, resident)});
    }
    if (groups.empty()) return {};
    std::string out =
        "\nkernels, launches of the same name combined (latency in cycles; waits of resident warps)\n";
    out += table.text(2);
    if (shared)
        out +=
            "  Some kernels overlapped; counts from those times are divided in proportion to each kernel's "
            "instructions.\n";
    return out;
}

}  // namespace heddle::report
