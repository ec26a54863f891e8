#include "machine/collect_translation.h"

#include <fmt/format.h>

#include "machine/counter_list.h"
#include "vm/translation_counters.h"

namespace heddle {

namespace {

L1TlbStats l1_stats(const Gpu& gpu) {
    L1TlbStats sum;
    for (u32 s = 0; s < gpu.sms().size(); ++s) sum.merge(gpu.translation()->l1(static_cast<u16>(s)).stats);
    return sum;
}

bool fills_all(const Gpu& gpu) {
    return gpu.translation()->settings().fill.name() == "all";
}

u64 sum_of(const Machine& machine, const Gpu& gpu, u64 (*read)(const SharedTlbStats&)) {
    u64 n = 0;
    for (const auto& app : machine.applications()) n += read(gpu.translation()->stats(app->id()));
    return n;
}

}  // namespace

void collect_translation(const Machine& machine, const Gpu& gpu, RunRecord& record) {
    const Translation* t = gpu.translation();
    if (t == nullptr) return;
    const CounterList counters(record.counters, gpu.name() + ".translation.");
    const auto shared = [t](const auto& app) -> const SharedTlbStats& { return t->stats(app->id()); };
    const L1TlbStats l1 = l1_stats(gpu);
    counters.add(kL1TlbCounters, l1);
    counters.sums(kSharedTlbCounters, machine.applications(), shared);
    if (!fills_all(gpu)) counters.sums(kTlbBypassCounters, machine.applications(), shared);
    const TranslationStats& stats = t->stats();
    counters.add(kTranslationCounters, stats);
    const Histogram& latency = stats.walk_latency;
    counters.add("walks.ended", "walks", latency.count());
    const std::pair<const char*, u64> latencies[] = {{"min", latency.min()},
                                                     {"p50", latency.quantile(500)},
                                                     {"p90", latency.quantile(900)},
                                                     {"p99", latency.quantile(990)},
                                                     {"max", latency.max()}};
    for (const auto& [name, value] : latencies)
        counters.add(std::string("walks.latency_") + name, "cycles", value);
    for (u32 level = 1; level < TranslationStats::kLevels; ++level) {
        const CounterList of_level = counters.of(fmt::format("walks.level_{}.", level));
        of_level.add(kWalkLevelCounters, stats.level[level]);
        u64 bypassed = 0;
        for (const auto& slice : gpu.slices()) bypassed += slice->walk_stats(level).bypassed;
        of_level.add("l2_bypassed", "requests", bypassed);
    }
    counters.add("pages", "pages", t->processes().pages());
    counters.add("table_frames", "frames", t->processes().table_frames());
    add_cache(record, "l1_tlb", l1.accesses, l1.hits);
    add_cache(record, "l2_tlb", sum_of(machine, gpu, counted<&SharedTlbStats::accesses>),
              sum_of(machine, gpu, counted<&SharedTlbStats::hits>));
    add_cache(record, "walk_cache", stats.walk_cache_accesses, stats.walk_cache_hits);
}

void collect_translation(const Machine& machine, const AppTotals& totals, AppRecord& app) {
    if (machine.processes() == nullptr) return;
    const CounterList counters(app.counters, "translation.");
    counters.add(kL1TlbCounters, totals.l1_tlb);
    counters.add(kSharedTlbCounters, totals.tlb);
    counters.add("walks.most", "walks", totals.tlb.most_walks);
    if (!fills_all(machine.home())) counters.add(kTlbBypassCounters, totals.tlb);
    for (const CounterRecord& c : totals.fill) counters.add("fill." + c.name, c.unit, c.value);
}

void sample_translation(const Machine& machine, std::vector<std::pair<std::string, u64>>& to) {
    if (machine.processes() == nullptr) return;
    L1TlbStats l1;
    u64 walks = 0;
    for (const auto& gpu : machine.gpus()) {
        l1.merge(l1_stats(*gpu));
        walks += gpu->translation()->walks();
    }
    for (const auto& f : kL1TlbSeries) to.emplace_back(f.name, f.read(l1));
    for (const auto& f : kSharedTlbSeries) {
        u64 n = 0;
        for (const auto& gpu : machine.gpus()) n += sum_of(machine, *gpu, f.read);
        to.emplace_back(f.name, n);
    }
    to.emplace_back("walks", walks);
    if (fills_all(machine.home())) return;
    for (const auto& app : machine.applications()) {
        const AppTotals totals = machine.totals(*app);
        for (const CounterRecord& c : totals.fill)
            to.emplace_back(fmt::format("fill.{}.{}", c.name, app->id() + 1), c.value);
    }
}

}  // namespace heddle
