// What has been counted of applications and of their kernels, over all parts of a machine.

#include <algorithm>

#include "machine/machine.h"

namespace heddle {

namespace {

/// The same names in the same order, unless `sum` is empty.
void add_fill(std::vector<CounterRecord>& sum, const std::vector<CounterRecord>& more) {
    if (sum.empty()) {
        sum = more;
        return;
    }
    for (std::size_t k = 0; k < std::min(sum.size(), more.size()); ++k) sum[k].value += more[k].value;
}

template <class Add>
void each_sm(const Machine& machine, const Application& app, Add add) {
    for (const auto& gpu : machine.gpus())
        for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s) add(*gpu, s);
}

}  // namespace

AppTotals Machine::totals(const Application& app) const {
    if (app.frozen() != nullptr) return *app.frozen();
    AppTotals t;
    t.at = now();
    each_sm(*this, app, [&](const Gpu& gpu, u32 s) {
        t.sm.merge(gpu.sms()[s]->stats());
        if (gpu.translation() != nullptr) t.l1_tlb.merge(gpu.translation()->l1(static_cast<u16>(s)).stats);
    });
    for (const auto& gpu : gpus_) {
        for (const auto& slice : gpu->slices()) t.l2.merge(slice->stats(app.id()));
        if (gpu->translation() == nullptr) continue;
        t.tlb.merge(gpu->translation()->stats(app.id()));
        std::vector<CounterRecord> fill;
        gpu->translation()->fill_policy().report_app(app.id(), fill);
        add_fill(t.fill, fill);
    }
    for (const auto& memory : memories_) {
        dram::AppCounts& counts = t.memories.emplace_back();
        const Cycle dram = std::max(memory->now(), now_of(*memory));
        for (const auto& p : memory->partitions()) {
            const auto& apps = p->channel().statistics(dram).apps;
            if (app.id() < apps.size()) counts.merge(apps[app.id()]);
            dram::add_counters(t.scheduler, p->channel().policy_counters(app.id()));
        }
        t.dram.merge(counts);
    }
    return t;
}

MemoryCounts Machine::memory_counts(const Application& app) const {
    MemoryCounts t;
    each_sm(*this, app, [&](const Gpu& gpu, u32 s) {
        const SmStats& sm = gpu.sms()[s]->stats();
        for (std::size_t k = 0; k < t.warp_cycles.size(); ++k) t.warp_cycles[k] += sm.warp_cycles[k];
        t.load_lines += sm.load_requests;
        t.store_lines += sm.store_requests;
        t.l1_read_sectors += sm.l1_read_sectors;
        t.l1_read_sector_hits += sm.l1_read_sector_hits;
        t.l1_stall_cycles +=
            sm.stall_mshr_cycles + sm.stall_merge_cycles + sm.stall_line_cycles + sm.stall_port_cycles;
    });
    for (const auto& gpu : gpus_)
        for (const auto& slice : gpu->slices()) {
            const SliceAppStats& l2 = slice->stats(app.id());
            t.l2_reads += l2.reads;
            t.l2_hits += l2.hits;
            t.l2_misses += l2.misses;
            t.l2_writes += l2.writes;
            t.l2_read_sectors += l2.read_sectors;
            t.l2_read_sector_hits += l2.read_sector_hits;
            t.l2_write_sectors += l2.write_sectors;
        }
    for (const auto& memory : memories_)
        for (const auto& p : memory->partitions()) {
            const dram::AppCounts dram = p->channel().counts(app.id());
            t.dram_reads += dram.reads;
            t.dram_writes += dram.writes;
            t.dram_read_bytes += dram.read_bytes;
            t.dram_write_bytes += dram.written_bytes;
            t.dram_activates += dram.activates;
            t.dram_read_latency_clocks += dram.latency_cycles;
            t.row_hits += dram.rows[static_cast<std::size_t>(dram::RowOutcome::hit)];
            t.row_misses += dram.rows[static_cast<std::size_t>(dram::RowOutcome::miss)];
            t.row_conflicts += dram.rows[static_cast<std::size_t>(dram::RowOutcome::conflict)];
        }
    return t;
}

void Machine::settle_kernels_of(const Application& app) {
    // For an application that runs again beside others, the first run counts.
    if (app.frozen() != nullptr && applications().size() > 1) return;
    std::vector<KernelRun*> ran;
    for (KernelRun* k : launcher_.running())
        if (k->app == app.id() && k->first_cta != kNever) ran.push_back(k);
    accounts_[app.id()].settle(memory_counts(app), ran);
}

void Machine::settle_kernels() {
    for (const auto& app : applications()) settle_kernels_of(*app);
}

void Machine::settle() {
    for (auto& gpu : gpus_) gpu->settle();
}

}  // namespace heddle
