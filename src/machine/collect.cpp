#include "machine/collect.h"

#include <algorithm>

#include "cache/slice_counters.h"
#include "core/sm_counters.h"
#include "dram/counters.h"
#include "dram/geometry.h"
#include "machine/collect_applications.h"
#include "machine/collect_translation.h"
#include "machine/counter_list.h"
#include "noc/crossbar_counters.h"

namespace heddle {

namespace {

static_assert(kWarpStates == std::tuple_size_v<decltype(MemoryCounts::warp_cycles)>);

constexpr auto kStatsOf = [](const auto& part) -> const auto& {
    return part->stats();
};

DistributionRecord distribution(const Histogram& h) {
    return {h.count(), h.sum(), h.quantile(500), h.quantile(900), h.quantile(990), h.max()};
}

class Collector {
  public:
    explicit Collector(Gpu& gpu) : gpu_(gpu), counters_(record_.counters, gpu.name() + ".") {}

    RunRecord run() {
        record_.cycles = gpu_.finished() ? gpu_.ended().v : gpu_.now().v;
        record_.core_hz = gpu_.clock().hertz();
        gpu_.settle_kernels();
        collect_applications(gpu_, record_);
        for (const auto& sm : gpu_.sms()) sm_.merge(sm->stats());
        sms();
        slices();
        counters_.of("crossbar.requests.").add(kCrossbarCounters, gpu_.requests());
        counters_.of("crossbar.responses.").add(kCrossbarCounters, gpu_.responses());
        throughputs();
        memory();
        const LoadStats& loads = gpu_.load_stats();
        if (loads.latency.count() != 0) {
            record_.load_latency_cycles = distribution(loads.latency);
            record_.requests_per_load = distribution(loads.requests_per_load);
        }
        counters_.add("sm.multi_request_loads", "loads", loads.multi_request_loads);
        collect_translation(gpu_, record_);
        return std::move(record_);
    }

  private:
    void sms() {
        const CounterList counters = counters_.of("sm.");
        counters.add(kSmCounters, sm_);
        for (std::size_t c = 0; c < kOpClassNames.size(); ++c)
            counters.add(std::string("issued.") + kOpClassNames[c], "warp instructions",
                         sm_.issued_by_class[c]);
        for (std::size_t s = 0; s < kWarpStates; ++s) {
            const char* state = name(static_cast<WarpState>(s));
            counters.add(std::string("warp_cycles.") + state, "warp cycles", sm_.warp_cycles[s]);
            record_.stalls.push_back({state, sm_.warp_cycles[s]});
        }
        if (sm_.l1_read_sectors != 0)
            record_.caches.push_back({"l1", sm_.l1_read_sectors, sm_.l1_read_sector_hits});
    }

    void slices() {
        const CounterList counters = counters_.of("l2.");
        counters.sums(kSliceCounters, gpu_.slices(), kStatsOf);
        u64 dirty = 0, read = 0, hit = 0;
        for (const auto& slice : gpu_.slices()) {
            dirty += slice->dirty_lines();
            read += slice->stats().read_sectors;
            hit += slice->stats().read_sector_hits;
        }
        counters.add("dirty_lines", "lines", dirty);
        if (read != 0) record_.caches.push_back({"l2", read, hit});
    }

    /// An L1 looks up a line a cycle on each port of the load/store unit; a port of an L2 bank is held by a line for
    /// its bytes or the bank's occupancy; of a crossbar each port moves a flit a cycle, the fewer ports limit.
    void throughputs() {
        const GpuSettings& s = gpu_.settings();
        u64 l2_sectors = 0;
        for (const auto& slice : gpu_.slices())
            l2_sectors += slice->stats().read_sectors + slice->stats().write_sectors;
        const u64 cycles = gpu_.drained().v, slices = gpu_.slices().size();
        const u64 line_bytes = u64{kSectors} * kSectorBytes;
        const u64 held = std::max<u64>({1, ceil_div(line_bytes, s.l2.port_bytes), s.l2.bank_occupancy.v});
        const u64 flits = gpu_.requests().flits_moved() + gpu_.responses().flits_moved();
        record_.throughputs = {{"l1", sm_.l1_read_sectors * kSectorBytes,
                                cycles * s.sms * s.sm.lsu.lines_per_cycle * line_bytes},
                               {"l2", l2_sectors * kSectorBytes,
                                cycles * slices * s.l2.banks * s.l2.bank_ports * line_bytes / held},
                               {"crossbar", flits * s.crossbar.flit_bytes,
                                cycles * 2 * std::min<u64>(s.sms, slices) * s.crossbar.flit_bytes}};
    }

    void memory() {
        const Cycle now = gpu_.memory().clock().at_or_after(gpu_.clock().tick(gpu_.now()));
        dram::Statistics sum;
        u64 groups = 0;
        for (const auto& p : gpu_.memory().partitions()) {
            sum.merge(p->channel().statistics(now));
            groups += p->groups_completed();
        }
        const auto policy = gpu_.memory().policy_counters();
        summary(sum, policy);
        const CounterList counters(record_.counters, gpu_.settings().memory + ".");
        counters.add(dram::kMemoryCounters, sum);
        if (gpu_.translation() != nullptr) counters.add(dram::kWalkCounters, sum.walks);
        energy(counters, now);
        counters.add("groups_completed", "loads", groups);
        for (const dram::PolicyCounter& c : policy)
            counters.add(std::string("scheduler.") + c.name, c.unit, c.value);
        divergence(policy);
    }

    void summary(const dram::Statistics& sum, const std::vector<dram::PolicyCounter>& policy) {
        MemoryRecord m;
        m.name = gpu_.settings().memory;
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
        if (const auto* changes = dram::find(policy, dram::CounterMeaning::rank_changes))
            m.rank_changes = changes->value;
        record_.memories.push_back(m);
    }

    /// How the requests of a load fared in DRAM, where that is counted.
    void divergence(const std::vector<dram::PolicyCounter>& policy) {
        if (!gpu_.settings().sm.lsu.divergence) return;
        const DivergenceStats& d = gpu_.load_stats().divergence;
        const CounterList counters = counters_.of("divergence.");
        counters.add(kDivergenceCounters, d);
        // Only controllers with command queues mark what a drain held up.
        if (dram::find(policy, dram::CounterMeaning::reads_held_by_drain) != nullptr)
            counters.add("drained_loads", "loads", d.drained_loads);
    }

    void energy(const CounterList& counters, Cycle now) {
        const dram::Resolved resolved = dram::resolve(gpu_.memory().settings());
        const dram::Currents* currents = dram::find_currents(resolved);
        if (currents == nullptr) return;
        dram::Energy sum;
        for (const auto& p : gpu_.memory().partitions())
            sum += dram::energy_of(p->channel().statistics(now), resolved, *currents);
        counters.add(dram::kEnergyCounters, sum);
    }

    Gpu& gpu_;
    RunRecord record_;
    CounterList counters_;
    SmStats sm_;  // of all SMs
};

}  // namespace

RunRecord collect(Gpu& gpu) {
    return Collector(gpu).run();
}

}  // namespace heddle
