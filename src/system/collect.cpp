#include "system/collect.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "dram/energy.h"
#include "dram/geometry.h"
#include "dram/statistics.h"
#include "system/collect_translation.h"
#include "system/field.h"

namespace heddle {

namespace {

constexpr Field<SmStats> kSmFields[] = {
    {"warp_instructions", "warp instructions", &SmStats::warp_instructions},
    {"thread_instructions", "thread instructions", &SmStats::thread_instructions},
    {"ctas", "CTAs", &SmStats::ctas},
    {"warps", "warps", &SmStats::warps},
    {"cta_cycles", "CTA cycles", &SmStats::cta_cycles},
    {"loads", "warp instructions", &SmStats::loads},
    {"load_requests", "lines", &SmStats::load_requests},
    {"load_sectors", "sectors", &SmStats::load_sectors},
    {"stores", "warp instructions", &SmStats::stores},
    {"store_requests", "lines", &SmStats::store_requests},
    {"store_sectors", "sectors", &SmStats::store_sectors},
    {"atomics", "warp instructions", &SmStats::atomics},
    {"reductions", "warp instructions", &SmStats::reductions},
    {"atomic_requests", "lines", &SmStats::atomic_requests},
    {"prefetches", "warp instructions", &SmStats::prefetches},
    {"constant_loads", "warp instructions", &SmStats::constant_loads},
    {"shared_accesses", "warp instructions", &SmStats::shared_accesses},
    {"shared_extra_passes", "passes", &SmStats::shared_extra_passes},
    {"null_page_accesses", "warp instructions", &SmStats::null_page_accesses},
    {"misaligned_accesses", "warp instructions", &SmStats::misaligned_accesses},
    {"barriers", "warp instructions", &SmStats::barriers},
    {"fences", "warp instructions", &SmStats::fences},
    {"edges_waited", "warp instructions", &SmStats::edges_waited},
    {"l1.reads", "lines", &SmStats::l1_reads},
    {"l1.read_hits", "lines", &SmStats::l1_read_hits},
    {"l1.read_merges", "lines", &SmStats::l1_read_merges},
    {"l1.read_misses", "lines", &SmStats::l1_read_misses},
    {"l1.read_sectors", "sectors", &SmStats::l1_read_sectors},
    {"l1.read_sector_hits", "sectors", &SmStats::l1_read_sector_hits},
    {"l1.writes", "lines", &SmStats::l1_writes},
    {"l1.write_hits", "lines", &SmStats::l1_write_hits},
    {"l1.write_backs", "lines", &SmStats::l1_write_backs},
    {"l1.bypassed", "lines", &SmStats::l1_bypassed},
    {"l1.stall_mshr_cycles", "cycles", &SmStats::stall_mshr_cycles},
    {"l1.stall_merge_cycles", "cycles", &SmStats::stall_merge_cycles},
    {"l1.stall_line_cycles", "cycles", &SmStats::stall_line_cycles},
    {"l1.stall_port_cycles", "cycles", &SmStats::stall_port_cycles},
};

/// Those that an application's own record has.
constexpr Field<SmStats> kAppSmFields[] = {
    {"sm.loads", "warp instructions", &SmStats::loads},
    {"sm.load_requests", "lines", &SmStats::load_requests},
    {"sm.stores", "warp instructions", &SmStats::stores},
    {"sm.store_requests", "lines", &SmStats::store_requests},
    {"l1.read_sectors", "sectors", &SmStats::l1_read_sectors},
    {"l1.read_sector_hits", "sectors", &SmStats::l1_read_sector_hits},
};

constexpr Field<SliceStats> kSliceFields[] = {
    {"reads", "lines", &SliceStats::reads},
    {"read_hits", "lines", &SliceStats::read_hits},
    {"read_merges", "lines", &SliceStats::read_merges},
    {"read_misses", "lines", &SliceStats::read_misses},
    {"read_sectors", "sectors", &SliceStats::read_sectors},
    {"read_sector_hits", "sectors", &SliceStats::read_sector_hits},
    {"writes", "lines", &SliceStats::writes},
    {"write_hits", "lines", &SliceStats::write_hits},
    {"write_sectors", "sectors", &SliceStats::write_sectors},
    {"atomics", "lines", &SliceStats::atomics},
    {"atomic_hits", "lines", &SliceStats::atomic_hits},
    {"atomic_lanes", "lane operations", &SliceStats::atomic_lanes},
    {"bypassed", "lines", &SliceStats::bypassed},
    {"fetches", "requests", &SliceStats::fetches},
    {"fetched_sectors", "sectors", &SliceStats::fetched_sectors},
    {"write_backs", "requests", &SliceStats::write_backs},
    {"written_back_sectors", "sectors", &SliceStats::written_back_sectors},
    {"queue_wait_cycles", "cycles", &SliceStats::queue_wait_cycles},
    {"stall_mshr_cycles", "cycles", &SliceStats::stall_mshr_cycles},
    {"stall_merge_cycles", "cycles", &SliceStats::stall_merge_cycles},
    {"stall_line_cycles", "cycles", &SliceStats::stall_line_cycles},
    {"stall_dram_queue_cycles", "cycles", &SliceStats::stall_dram_queue_cycles},
    {"stall_reply_queue_cycles", "cycles", &SliceStats::stall_reply_queue_cycles},
};

constexpr Field<DivergenceStats> kDivergenceFields[] = {
    {"loads", "loads", &DivergenceStats::loads},
    {"requests", "requests", &DivergenceStats::requests},
    {"channels", "channels", &DivergenceStats::channels},
    {"banks", "banks", &DivergenceStats::banks},
    {"rows", "rows", &DivergenceStats::rows},
    {"multi_loads", "loads", &DivergenceStats::multi_loads},
    {"first_cycles", "cycles", &DivergenceStats::first_cycles},
    {"last_cycles", "cycles", &DivergenceStats::last_cycles},
    {"last_over_first", "thousandths", &DivergenceStats::last_over_first},
};

static_assert(kWarpStates == std::tuple_size_v<decltype(MemoryCounts::warp_cycles)>);

constexpr const char* kOpNames[] = {"int_add",  "int_mul",  "int_mad", "int_div", "fp32_add", "fp32_mul",
                                    "fp32_mad", "fp32_div", "fp64",    "sfu",     "tensor",   "branch",
                                    "texture",  "memory",   "barrier", "fence",   "exit",     "other"};
static_assert(std::size(kOpNames) == static_cast<std::size_t>(OpClass::count_));

constexpr const char* kCommandNames[] = {"activates",
                                         "precharges",
                                         "precharges_all",
                                         "reads",
                                         "reads_auto_precharge",
                                         "writes",
                                         "writes_auto_precharge",
                                         "refreshes_all_bank",
                                         "refreshes_same_bank",
                                         "refreshes_per_bank"};
static_assert(std::size(kCommandNames) == static_cast<std::size_t>(dram::CommandKind::count_));
constexpr const char* kBusNames[] = {"data", "turnaround", "refresh", "bank", "idle"};

DistributionRecord distribution(const Histogram& h) {
    return {h.count(), h.sum(), h.quantile(500), h.quantile(900), h.quantile(990), h.max()};
}

class Collector {
  public:
    explicit Collector(Gpu& gpu) : gpu_(gpu) {}

    RunRecord run() {
        record_.cycles = gpu_.finished() ? gpu_.ended().v : gpu_.now().v;
        record_.core_hz = gpu_.clock().hertz();
        gpu_.settle_kernels();
        apps();
        sms();
        slices();
        crossbar();
        throughputs();
        memory();
        if (gpu_.load_stats().latency.count() != 0) {
            record_.load_latency_cycles = distribution(gpu_.load_stats().latency);
            record_.requests_per_load = distribution(gpu_.load_stats().requests_per_load);
        }
        count("sm.multi_request_loads", "loads", gpu_.load_stats().multi_request_loads);
        collect_translation(gpu_, record_);
        return std::move(record_);
    }

  private:
    void count(const std::string& name, const char* unit, u64 value) {
        record_.counters.push_back({gpu_.name() + "." + name, unit, value});
    }

    void apps() {
        std::map<std::pair<std::string, u64>, HotLoadRecord> sites;
        std::map<std::string, u64> unknown;
        for (const auto& app : gpu_.applications()) {
            AppRecord a;
            a.name = app->name();
            a.launches = app->launches();
            a.first_sm = app->share().first_sm;
            a.sms = app->share().sms;
            const AppTotals totals = gpu_.totals(*app);
            app_counters(a, totals);
            collect_translation(gpu_, totals, a);
            for (const auto& k : app->kernels()) {
                k->retire();  // of a run that was cut off, some have not been
                KernelRecord r;
                r.name = k->info().name;
                r.index = k->index;
                r.ctas = k->ctas_done;
                r.warp_instructions = k->warp_instructions;
                r.thread_instructions = k->thread_instructions;
                r.memory = k->memory;
                r.shared = k->shared;
                if (k->first_cta != kNever) {
                    r.start_cycle = k->first_cta.v;
                    r.cycles = (k->ended == kNever ? gpu_.now() : k->ended) - k->first_cta;
                    a.cycles = std::max(a.cycles, r.start_cycle + r.cycles);
                }
                a.warp_instructions += r.warp_instructions;
                a.thread_instructions += r.thread_instructions;
                for (const auto& [pc, site] : k->finished_sites) {
                    r.loads += site.executions;
                    r.load_latency_cycles += site.latency_cycles;
                    HotLoadRecord& h = sites[{k->info().name, pc}];
                    h.kernel = k->info().name;
                    h.pc = pc;
                    h.executions += site.executions;
                    h.requests += site.requests;
                    h.wait_cycles += site.wait_cycles;
                }
                a.kernels.push_back(std::move(r));
                for (const auto& [opcode, n] : k->unknown_opcodes) unknown[opcode] += n;
                for (const std::string& w : k->warnings)
                    if (std::find(record_.warnings.begin(), record_.warnings.end(), w) ==
                        record_.warnings.end())
                        record_.warnings.push_back(w);
            }
            record_.apps.push_back(std::move(a));
        }
        for (const auto& [opcode, n] : unknown) record_.unknown_opcodes.push_back({opcode, n});
        for (auto& [key, site] : sites) record_.hot_loads.push_back(site);
        std::stable_sort(record_.hot_loads.begin(), record_.hot_loads.end(),
                         [](const auto& a, const auto& b) { return a.wait_cycles > b.wait_cycles; });
        if (record_.hot_loads.size() > 10) record_.hot_loads.resize(10);
    }

    static void app_counters(AppRecord& app, const AppTotals& t) {
        auto count = [&](const char* name, const char* unit, u64 value) {
            app.counters.push_back({name, unit, value});
        };
        for (const auto& f : kAppSmFields) count(f.name, f.unit, t.sm.*f.member);
        count("sm.wait_memory", "warp cycles", t.sm.warp_cycles[static_cast<std::size_t>(WarpState::memory)]);
        count("l2.reads", "lines", t.l2.reads);
        count("l2.hits", "lines", t.l2.hits);
        count("l2.misses", "lines", t.l2.misses);
        count("l2.writes", "lines", t.l2.writes);
        count("dram.reads", "requests", t.dram.reads);
        count("dram.writes", "requests", t.dram.writes);
        count("dram.read_bytes", "bytes", t.dram.read_bytes);
        count("dram.write_bytes", "bytes", t.dram.written_bytes);
        count("dram.activates", "commands", t.dram.activates);
        count("dram.read_latency_clocks", "clocks", t.dram.latency_cycles);
        const char* const outcomes[] = {"dram.row_hits", "dram.row_misses", "dram.row_conflicts"};
        for (std::size_t k = 0; k < std::size(outcomes); ++k) count(outcomes[k], "requests", t.dram.rows[k]);
        for (const dram::PolicyCounter& c : t.scheduler)
            app.counters.push_back({std::string("dram.scheduler.") + c.name, c.unit, c.value});
    }

    void sms() {
        SmStats sum;
        u64 read_hits = 0, reads = 0;
        for (const auto& f : kSmFields) {
            u64 total = 0;
            for (const auto& sm : gpu_.sms()) total += sm->stats().*f.member;
            count(std::string("sm.") + f.name, f.unit, total);
            if (f.member == &SmStats::l1_read_sectors) reads = total;
            if (f.member == &SmStats::l1_read_sector_hits) read_hits = total;
        }
        for (const auto& sm : gpu_.sms()) {
            for (std::size_t s = 0; s < kWarpStates; ++s) sum.warp_cycles[s] += sm->stats().warp_cycles[s];
            for (std::size_t c = 0; c < sum.issued_by_class.size(); ++c)
                sum.issued_by_class[c] += sm->stats().issued_by_class[c];
        }
        for (std::size_t c = 0; c < sum.issued_by_class.size(); ++c)
            count(std::string("sm.issued.") + kOpNames[c], "warp instructions", sum.issued_by_class[c]);
        for (std::size_t s = 0; s < kWarpStates; ++s) {
            const char* state = name(static_cast<WarpState>(s));
            count(std::string("sm.warp_cycles.") + state, "warp cycles", sum.warp_cycles[s]);
            record_.stalls.push_back({state, sum.warp_cycles[s]});
        }
        if (reads != 0) record_.caches.push_back({"l1", reads, read_hits});
    }

    void slices() {
        u64 reads = 0, hits = 0;
        for (const auto& f : kSliceFields) {
            u64 total = 0;
            for (const auto& slice : gpu_.slices()) total += slice->stats().*f.member;
            count(std::string("l2.") + f.name, f.unit, total);
            if (f.member == &SliceStats::read_sectors) reads = total;
            if (f.member == &SliceStats::read_sector_hits) hits = total;
        }
        u64 dirty = 0;
        for (const auto& slice : gpu_.slices()) dirty += slice->dirty_lines();
        count("l2.dirty_lines", "lines", dirty);
        if (reads != 0) record_.caches.push_back({"l2", reads, hits});
    }

    void crossbar() {
        const std::pair<const char*, const Crossbar*> ways[] = {{"crossbar.requests.", &gpu_.requests()},
                                                                {"crossbar.responses.", &gpu_.responses()}};
        for (const auto& [way, network] : ways) {
            count(std::string(way) + "packets", "packets", network->packets());
            count(std::string(way) + "flits", "flits", network->flits_moved());
            count(std::string(way) + "blocked_cycles", "cycles", network->blocked_cycles());
        }
    }

    /// An L1 looks up a line a cycle on each port of the load/store unit; a port of an L2 bank is held by a line for
    /// its bytes or the bank's occupancy; of a crossbar each port moves a flit a cycle, the fewer ports limit.
    void throughputs() {
        const GpuSettings& s = gpu_.settings();
        SmStats sm;
        for (const auto& part : gpu_.sms()) sm.merge(part->stats());
        u64 l2_sectors = 0;
        for (const auto& slice : gpu_.slices())
            l2_sectors += slice->stats().read_sectors + slice->stats().write_sectors;
        const u64 cycles = gpu_.drained().v, slices = gpu_.slices().size();
        const u64 line_bytes = u64{kSectors} * kSectorBytes;
        const u64 held = std::max<u64>({1, ceil_div(line_bytes, s.l2.port_bytes), s.l2.bank_occupancy.v});
        const u64 flits = gpu_.requests().flits_moved() + gpu_.responses().flits_moved();
        record_.throughputs = {
            {"l1", sm.l1_read_sectors * kSectorBytes, cycles * s.sms * s.sm.lsu.lines_per_cycle * line_bytes},
            {"l2", l2_sectors * kSectorBytes,
             cycles * slices * s.l2.banks * s.l2.bank_ports * line_bytes / held},
            {"crossbar", flits * s.crossbar.flit_bytes,
             cycles * 2 * std::min<u64>(s.sms, slices) * s.crossbar.flit_bytes}};
    }

    void memory() {
        const Cycle now = gpu_.memory().clock().at_or_after(gpu_.clock().tick(gpu_.now()));
        dram::Statistics sum;
        for (const auto& p : gpu_.memory().partitions()) sum.merge(p->channel().statistics(now));
        const std::string& name = gpu_.settings().memory;
        MemoryRecord m;
        m.name = name;
        m.standard = gpu_.memory().settings().standard;
        m.channels = gpu_.memory().partitions().size();
        m.reads = sum.reads;
        m.writes = sum.writes;
        m.read_bytes = sum.read_bytes;
        m.write_bytes = sum.written_bytes;
        m.row_hits = sum.count(dram::RowOutcome::hit);
        m.row_misses = sum.count(dram::RowOutcome::miss);
        m.row_conflicts = sum.count(dram::RowOutcome::conflict);
        m.peak_bytes_per_s = dram::resolve(gpu_.memory().settings()).peak_bytes_per_s() * m.channels;
        // Traffic is counted until all has drained, which may be after the last kernel's end.
        m.peak_bytes = static_cast<u64>(static_cast<unsigned __int128>(m.peak_bytes_per_s) *
                                        gpu_.drained().v / record_.core_hz);
        record_.memories.push_back(m);
        auto dram = [&](const std::string& what, const char* unit, u64 value) {
            record_.counters.push_back({name + "." + what, unit, value});
        };
        dram("reads", "requests", sum.reads);
        dram("writes", "requests", sum.writes);
        dram("read_bursts", "bursts", sum.read_bursts);
        dram("write_bursts", "bursts", sum.write_bursts);
        dram("forwarded_reads", "requests", sum.forwarded_reads);
        dram("row_hits", "requests", m.row_hits);
        dram("row_misses", "requests", m.row_misses);
        dram("row_conflicts", "requests", m.row_conflicts);
        for (std::size_t c = 0; c < std::size(kCommandNames); ++c)
            dram(std::string("commands.") + kCommandNames[c], "commands", sum.commands[c]);
        for (std::size_t u = 0; u < std::size(kBusNames); ++u)
            dram(std::string("bus_cycles.") + kBusNames[u], "clocks", sum.bus_cycles[u]);
        dram("occupancy_cycles", "request clocks", sum.occupancy_cycles);
        dram("read_latency_clocks", "clocks", sum.read_latency.sum());
        dram("write_latency_clocks", "clocks", sum.write_latency.sum());
        if (gpu_.translation() != nullptr) {
            dram("walks.reads", "requests", sum.walks.reads);
            dram("walks.read_bytes", "bytes", sum.walks.read_bytes);
            dram("walks.read_latency_clocks", "clocks", sum.walks.latency_cycles);
        }
        energy(name, now);
        u64 groups = 0;
        for (const auto& p : gpu_.memory().partitions()) groups += p->groups_completed();
        dram("groups_completed", "loads", groups);
        policy(name);
        divergence();
    }

    /// What only this scheduler counts, summed over the channels.
    void policy(const std::string& name) {
        for (const dram::PolicyCounter& c : gpu_.memory().policy_counters())
            record_.counters.push_back({name + ".scheduler." + c.name, c.unit, c.value});
    }

    /// How the requests of a load fared in DRAM, where that is counted.
    void divergence() {
        if (!gpu_.settings().sm.lsu.divergence) return;
        const DivergenceStats& d = gpu_.load_stats().divergence;
        for (const auto& f : kDivergenceFields)
            count(std::string("divergence.") + f.name, f.unit, d.*f.member);
        // Only controllers with command queues mark what a drain held up.
        for (const dram::PolicyCounter& c : gpu_.memory().policy_counters())
            if (std::string_view(c.name) == "reads_held_by_drain")
                count("divergence.drained_loads", "loads", d.drained_loads);
    }

    void energy(const std::string& name, Cycle now) {
        const dram::Resolved resolved = dram::resolve(gpu_.memory().settings());
        const dram::Currents* currents = dram::find_currents(resolved);
        if (currents == nullptr) return;
        dram::Energy sum;
        for (const auto& p : gpu_.memory().partitions())
            sum += dram::energy_of(p->channel().statistics(now), resolved, *currents);
        const std::pair<const char*, u64> parts[] = {{"activates", sum.activate},
                                                     {"reads", sum.read},
                                                     {"writes", sum.write},
                                                     {"refreshes", sum.refresh},
                                                     {"background", sum.background}};
        for (const auto& [what, picojoules] : parts)
            record_.counters.push_back({name + ".energy." + what, "pJ", picojoules});
        for (std::size_t a = 0; a < record_.apps.size(); ++a) {
            const AppTotals totals = gpu_.totals(*gpu_.applications()[a]);
            record_.apps[a].counters.push_back(
                {"dram.energy", "pJ", dram::energy_of(totals.dram, resolved, *currents).total()});
        }
    }

    Gpu& gpu_;
    RunRecord record_;
};

}  // namespace

RunRecord collect(Gpu& gpu) {
    return Collector(gpu).run();
}

namespace {

/// With several applications: what a scheduler may go by, each until it first ends, and how its ranking changed.
void applications_sample(Gpu& gpu, std::vector<std::pair<std::string, u64>>& to) {
    u64 rank_changes = 0;
    for (const dram::PolicyCounter& c : gpu.memory().policy_counters())
        if (std::string_view(c.name) == "rank_changes") rank_changes = c.value;
    to.emplace_back("rank_changes", rank_changes);
    for (const auto& app : gpu.applications()) {
        const AppTotals t = gpu.totals(*app);
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

}  // namespace

void sample(Gpu& gpu, TimelineRecord& timeline) {
    SmStats sm;
    for (const auto& part : gpu.sms()) sm.merge(part->stats());
    SliceStats l2;
    for (const auto& slice : gpu.slices()) {
        l2.read_sectors += slice->stats().read_sectors;
        l2.read_sector_hits += slice->stats().read_sector_hits;
    }
    dram::Statistics memory;
    const Cycle now = gpu.memory().clock().at_or_after(gpu.clock().tick(gpu.now()));
    for (const auto& p : gpu.memory().partitions()) memory.merge(p->channel().statistics(now));
    const std::pair<const char*, u64> values[] = {
        {"thread_instructions", sm.thread_instructions},
        {"warp_instructions", sm.warp_instructions},
        {"l1_read_sectors", sm.l1_read_sectors},
        {"l1_read_sector_hits", sm.l1_read_sector_hits},
        {"l2_read_sectors", l2.read_sectors},
        {"l2_read_sector_hits", l2.read_sector_hits},
        {"read_bytes", memory.read_bytes},
        {"write_bytes", memory.written_bytes},
        {"row_hits", memory.count(dram::RowOutcome::hit)},
        {"row_misses", memory.count(dram::RowOutcome::miss)},
        {"row_conflicts", memory.count(dram::RowOutcome::conflict)},
    };
    std::vector<std::pair<std::string, u64>> all(std::begin(values), std::end(values));
    sample_translation(gpu, all);
    if (gpu.applications().size() > 1) applications_sample(gpu, all);
    if (timeline.series.empty())
        for (const auto& [name, value] : all) timeline.series.push_back({name, {}});
    timeline.cycles.push_back(gpu.now().v);
    for (std::size_t k = 0; k < all.size(); ++k) timeline.series[k].values.push_back(all[k].second);
}

}  // namespace heddle
