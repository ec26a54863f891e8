// Counters over time.

#include <fmt/format.h>

#include "cache/slice_counters.h"
#include "core/sm_counters.h"
#include "dram/counters.h"
#include "machine/collect.h"
#include "machine/collect_translation.h"
#include "vm/page_moves_counters.h"

namespace heddle {

namespace {

using Samples = std::vector<std::pair<std::string, u64>>;

/// With several applications: what a scheduler may go by, each until it first ends, and how its ranking changed.
void sample_applications(const Machine& machine, Samples& to) {
    u64 rank_changes = 0;
    for (const auto& memory : machine.memories()) {
        const auto policy = memory->policy_counters();
        if (const auto* changes = dram::find(policy, dram::CounterMeaning::rank_changes))
            rank_changes += changes->value;
    }
    to.emplace_back("rank_changes", rank_changes);
    for (const auto& app : machine.applications()) {
        const AppTotals t = machine.totals(*app);
        const std::pair<const char*, u64> values[] = {
            {"thread_instructions", t.sm.thread_instructions},
            {"l2_misses", t.l2.misses},
            {"dram_bytes", t.dram.read_bytes + t.dram.written_bytes},
            {"dram_requests", t.dram.reads + t.dram.writes},
            {"activates", t.dram.activates},
        };
        for (const auto& [name, value] : values)
            to.emplace_back(fmt::format("{}.{}", name, app->id() + 1), value);
        for (const dram::PolicyCounter& c : t.scheduler)
            to.emplace_back(fmt::format("scheduler.{}.{}", c.name, app->id() + 1), c.value);
    }
}

/// With several memories: what each moves, and how pages come from one to the other.
void sample_memories(const Machine& machine, Samples& to) {
    for (const auto& node : machine.memories())
        to.emplace_back(node->name() + ".bytes", node->moved_bytes(machine.now_of(*node)));
    if (const PageMoves* moves = machine.home().moves())
        for (const auto& f : kPageMoveSeries) to.emplace_back(f.name, f.read(moves->stats()));
}

}  // namespace

void sample(const Machine& machine, TimelineRecord& timeline) {
    SmStats sm;
    dram::Statistics memory;
    for (const auto& gpu : machine.gpus())
        for (const auto& part : gpu->sms()) sm.merge(part->stats());
    for (const auto& node : machine.memories())
        for (const auto& p : node->partitions()) memory.merge(p->channel().statistics(machine.now_of(*node)));
    Samples all;
    for (const auto& f : kSmSeries) all.emplace_back(f.name, f.read(sm));
    for (const auto& f : kSliceSeries) {
        u64 sum = 0;
        for (const auto& gpu : machine.gpus())
            for (const auto& slice : gpu->slices()) sum += f.read(slice->stats());
        all.emplace_back(f.name, sum);
    }
    for (const auto& f : dram::kMemorySeries) all.emplace_back(f.name, f.read(memory));
    sample_translation(machine, all);
    if (machine.memories().size() > 1) sample_memories(machine, all);
    if (machine.applications().size() > 1) sample_applications(machine, all);
    if (timeline.series.empty())
        for (const auto& [name, value] : all) timeline.series.push_back({name, {}});
    timeline.cycles.push_back(machine.now().v);
    for (std::size_t k = 0; k < all.size(); ++k) timeline.series[k].values.push_back(all[k].second);
}

}  // namespace heddle
