#include "system/collect_translation.h"

#include <fmt/format.h>

#include "system/field.h"

namespace heddle {

namespace {

constexpr Field<L1TlbStats> kL1Fields[] = {
    {"l1_tlb.accesses", "lines", &L1TlbStats::accesses},
    {"l1_tlb.hits", "lines", &L1TlbStats::hits},
    {"l1_tlb.merges", "lines", &L1TlbStats::merges},
    {"l1_tlb.misses", "pages", &L1TlbStats::misses},
    {"l1_tlb.wait_cycles", "cycles", &L1TlbStats::wait_cycles},
    {"l1_tlb.stalled_warps", "warps", &L1TlbStats::stalled_warps},
    {"l1_tlb.most_stalled_warps", "warps", &L1TlbStats::most_stalled_warps},
    {"l1_tlb.stall_mshr_cycles", "cycles", &L1TlbStats::stall_mshr_cycles},
    {"l1_tlb.stall_waiting_cycles", "cycles", &L1TlbStats::stall_waiting_cycles},
};

constexpr Field<SharedTlbStats> kSharedFields[] = {
    {"l2_tlb.accesses", "pages", &SharedTlbStats::accesses},
    {"l2_tlb.hits", "pages", &SharedTlbStats::hits},
    {"walks.merges", "pages", &SharedTlbStats::merges},
    {"walks.count", "walks", &SharedTlbStats::walks},
    {"walks.cycles", "cycles", &SharedTlbStats::walk_cycles},
    {"walks.reads", "requests", &SharedTlbStats::reads},
    {"walks.reads_in_dram", "requests", &SharedTlbStats::reads_in_dram},
};

/// Where not every walk fills the L2 TLB.
constexpr Field<SharedTlbStats> kBypassFields[] = {
    {"l2_tlb.bypass_hits", "pages", &SharedTlbStats::bypass_hits},
    {"l2_tlb.bypass_fills", "pages", &SharedTlbStats::bypass_fills},
};

constexpr Field<WalkLevelStats> kLevelFields[] = {
    {"reads", "requests", &WalkLevelStats::reads},          {"cycles", "cycles", &WalkLevelStats::cycles},
    {"cache_hits", "lookups", &WalkLevelStats::cache_hits}, {"l2_hits", "requests", &WalkLevelStats::l2_hits},
    {"l2_merges", "requests", &WalkLevelStats::l2_merges},  {"dram", "requests", &WalkLevelStats::dram},
};

constexpr Field<TranslationStats> kFields[] = {
    {"walks.busy_cycles", "cycles", &TranslationStats::busy_cycles},
    {"walks.over_cycles", "walk cycles", &TranslationStats::walks_over_cycles},
    {"walks.most_walking", "walks", &TranslationStats::most_walking},
    {"walks.wait_cycles", "cycles", &TranslationStats::walker_wait_cycles},
    {"walks.restarts", "walks", &TranslationStats::restarts},
    {"walks.stall_mshr_cycles", "cycles", &TranslationStats::stall_mshr_cycles},
    {"walk_cache.accesses", "lookups", &TranslationStats::walk_cache_accesses},
    {"walk_cache.hits", "lookups", &TranslationStats::walk_cache_hits},
    {"shootdowns", "times", &TranslationStats::shootdowns},
    {"pages_taken_back", "pages", &TranslationStats::pages_taken_back},
};

L1TlbStats l1_stats(const Gpu& gpu) {
    L1TlbStats sum;
    for (u32 s = 0; s < gpu.sms().size(); ++s) sum.merge(gpu.translation()->l1(static_cast<u16>(s)).stats);
    return sum;
}

bool fills_all(const Gpu& gpu) {
    return gpu.translation()->settings().fill.name() == "all";
}

u64 sum_of(const Gpu& gpu, u64 SharedTlbStats::*member) {
    u64 n = 0;
    for (const auto& app : gpu.applications()) n += gpu.translation()->stats(app->id()).*member;
    return n;
}

}  // namespace

void collect_translation(const Gpu& gpu, RunRecord& record) {
    const Translation* t = gpu.translation();
    if (t == nullptr) return;
    auto count = [&](const std::string& name, const char* unit, u64 value) {
        record.counters.push_back({gpu.name() + ".translation." + name, unit, value});
    };
    const L1TlbStats l1 = l1_stats(gpu);
    for (const auto& f : kL1Fields) count(f.name, f.unit, l1.*f.member);
    for (const auto& f : kSharedFields) count(f.name, f.unit, sum_of(gpu, f.member));
    if (!fills_all(gpu))
        for (const auto& f : kBypassFields) count(f.name, f.unit, sum_of(gpu, f.member));
    const TranslationStats& stats = t->stats();
    for (const auto& f : kFields) count(f.name, f.unit, stats.*f.member);
    const Histogram& latency = stats.walk_latency;
    count("walks.ended", "walks", latency.count());
    const std::pair<const char*, u64> latencies[] = {{"min", latency.min()},
                                                     {"p50", latency.quantile(500)},
                                                     {"p90", latency.quantile(900)},
                                                     {"p99", latency.quantile(990)},
                                                     {"max", latency.max()}};
    for (const auto& [name, value] : latencies) count(std::string("walks.latency_") + name, "cycles", value);
    for (u32 level = 1; level < TranslationStats::kLevels; ++level) {
        const std::string of = fmt::format("walks.level_{}.", level);
        for (const auto& f : kLevelFields) count(of + f.name, f.unit, stats.level[level].*f.member);
        u64 bypassed = 0;
        for (const auto& slice : gpu.slices()) bypassed += slice->walk_stats(level).bypassed;
        count(of + "l2_bypassed", "requests", bypassed);
    }
    count("pages", "pages", t->tables().pages());
    count("table_frames", "frames", t->tables().table_frames());
    auto cache = [&](const char* name, u64 accesses, u64 hits) {
        if (accesses != 0) record.caches.push_back({name, accesses, hits});
    };
    cache("l1_tlb", l1.accesses, l1.hits);
    cache("l2_tlb", sum_of(gpu, &SharedTlbStats::accesses), sum_of(gpu, &SharedTlbStats::hits));
    cache("walk_cache", stats.walk_cache_accesses, stats.walk_cache_hits);
}

void collect_translation(const Gpu& gpu, const AppTotals& totals, AppRecord& app) {
    if (gpu.translation() == nullptr) return;
    auto count = [&](const std::string& name, const std::string& unit, u64 value) {
        app.counters.push_back({"translation." + name, unit, value});
    };
    for (const auto& f : kL1Fields) count(f.name, f.unit, totals.l1_tlb.*f.member);
    for (const auto& f : kSharedFields) count(f.name, f.unit, totals.tlb.*f.member);
    count("walks.most", "walks", totals.tlb.most_walks);
    if (!fills_all(gpu))
        for (const auto& f : kBypassFields) count(f.name, f.unit, totals.tlb.*f.member);
    for (const CounterRecord& c : totals.fill) count("fill." + c.name, c.unit, c.value);
}

void sample_translation(Gpu& gpu, std::vector<std::pair<std::string, u64>>& to) {
    if (gpu.translation() == nullptr) return;
    const L1TlbStats l1 = l1_stats(gpu);
    to.emplace_back("l1_tlb_accesses", l1.accesses);
    to.emplace_back("l1_tlb_hits", l1.hits);
    to.emplace_back("l2_tlb_accesses", sum_of(gpu, &SharedTlbStats::accesses));
    to.emplace_back("l2_tlb_hits", sum_of(gpu, &SharedTlbStats::hits));
    to.emplace_back("walks", gpu.translation()->walks());
    if (fills_all(gpu)) return;
    for (const auto& app : gpu.applications()) {
        const AppTotals totals = gpu.totals(*app);
        for (const CounterRecord& c : totals.fill)
            to.emplace_back(fmt::format("fill.{}.{}", c.name, app->id() + 1), c.value);
    }
}

}  // namespace heddle
