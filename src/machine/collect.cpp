#include "machine/collect.h"

#include <algorithm>

#include "cache/slice_counters.h"
#include "core/sm_counters.h"
#include "dram/counters.h"
#include "dram/geometry.h"
#include "link/link_counters.h"
#include "machine/collect_applications.h"
#include "machine/collect_translation.h"
#include "machine/counter_list.h"
#include "noc/crossbar_counters.h"
#include "vm/page_moves_counters.h"

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
    explicit Collector(Machine& machine) : machine_(machine) {}

    RunRecord run() {
        record_.cycles = machine_.finished() ? machine_.ended().v : machine_.now().v;
        record_.core_hz = machine_.clock().hertz();
        machine_.settle_kernels();
        collect_applications(machine_, record_);
        for (const auto& gpu : machine_.gpus()) this->gpu(*gpu);
        for (const auto& node : machine_.memories()) memory(*node);
        for (const auto& link : machine_.links()) this->link(*link);
        if (!machine_.host_copies().free()) {
            counters_of("host_copies").add("bytes", "bytes", machine_.host_copies().bytes());
            counters_of("host_copies").add("cycles", "cycles", machine_.host_copies().cycles());
        }
        for (const auto& gpu : machine_.gpus()) loads(*gpu);
        if (latency_.count() != 0) {
            record_.load_latency_cycles = distribution(latency_);
            record_.requests_per_load = distribution(requests_per_load_);
        }
        for (const auto& gpu : machine_.gpus()) collect_translation(machine_, *gpu, record_);
        return std::move(record_);
    }

  private:
    CounterList counters_of(const std::string& part) { return {record_.counters, part + "."}; }

    void gpu(const Gpu& gpu) {
        const CounterList counters = counters_of(gpu.name());
        SmStats sum;
        for (const auto& sm : gpu.sms()) sum.merge(sm->stats());
        sms(sum, counters.of("sm."));
        slices(gpu, counters.of("l2."));
        counters.of("crossbar.requests.").add(kCrossbarCounters, gpu.requests());
        counters.of("crossbar.responses.").add(kCrossbarCounters, gpu.responses());
        throughputs(gpu, sum);
        if (gpu.moves() == nullptr) return;
        const CounterList migration = counters.of("migration.");
        migration.add(kPageMoveCounters, gpu.moves()->stats());
        migration.add("queued", "pages", gpu.moves()->queued());
    }

    void link(const Link& link) {
        const CounterList counters = counters_of(link.name());
        counters.of("out.").add(kLinkCounters, link.stats(LinkDirection::out));
        counters.of("back.").add(kLinkCounters, link.stats(LinkDirection::back));
    }

    void sms(const SmStats& sum, const CounterList& counters) {
        counters.add(kSmCounters, sum);
        for (std::size_t c = 0; c < kOpClassNames.size(); ++c)
            counters.add(std::string("issued.") + kOpClassNames[c], "warp instructions",
                         sum.issued_by_class[c]);
        record_.stalls.resize(kWarpStates);
        for (std::size_t s = 0; s < kWarpStates; ++s) {
            const char* state = name(static_cast<WarpState>(s));
            counters.add(std::string("warp_cycles.") + state, "warp cycles", sum.warp_cycles[s]);
            record_.stalls[s].cause = state;
            record_.stalls[s].warp_cycles += sum.warp_cycles[s];
        }
        add_cache(record_, "l1", sum.l1_read_sectors, sum.l1_read_sector_hits);
    }

    void slices(const Gpu& gpu, const CounterList& counters) {
        counters.sums(kSliceCounters, gpu.slices(), kStatsOf);
        u64 dirty = 0, read = 0, hit = 0;
        for (const auto& slice : gpu.slices()) {
            dirty += slice->dirty_lines();
            read += slice->stats().read_sectors;
            hit += slice->stats().read_sector_hits;
        }
        counters.add("dirty_lines", "lines", dirty);
        add_cache(record_, "l2", read, hit);
    }

    /// An L1 looks up a line a cycle on each port of the load/store unit; a port of an L2 bank is held by a line for
    /// its bytes or the bank's occupancy; of a crossbar each port moves a flit a cycle, the fewer ports limit.
    void throughputs(const Gpu& gpu, const SmStats& sm) {
        const GpuSettings& s = gpu.settings();
        u64 l2_sectors = 0;
        for (const auto& slice : gpu.slices())
            l2_sectors += slice->stats().read_sectors + slice->stats().write_sectors;
        const u64 cycles = gpu.clock().at_or_after(machine_.clock().tick(machine_.drained())).v;
        const u64 slices = gpu.slices().size();
        const u64 line_bytes = u64{kSectors} * kSectorBytes;
        const u64 held = std::max<u64>({1, ceil_div(line_bytes, s.l2.port_bytes), s.l2.bank_occupancy.v});
        const u64 flits = gpu.requests().flits_moved() + gpu.responses().flits_moved();
        const ThroughputRecord all[] = {
            {"l1", sm.l1_read_sectors * kSectorBytes, cycles * s.sms * s.sm.lsu.lines_per_cycle * line_bytes},
            {"l2", l2_sectors * kSectorBytes,
             cycles * slices * s.l2.banks * s.l2.bank_ports * line_bytes / held},
            {"crossbar", flits * s.crossbar.flit_bytes,
             cycles * 2 * std::min<u64>(s.sms, slices) * s.crossbar.flit_bytes}};
        record_.throughputs.resize(std::size(all));
        for (std::size_t k = 0; k < std::size(all); ++k) {
            ThroughputRecord& sum = record_.throughputs[k];
            sum.name = all[k].name;
            sum.bytes += all[k].bytes;
            sum.peak_bytes += all[k].peak_bytes;
        }
    }

    void memory(const MemoryNode& node) {
        const Cycle now = machine_.now_of(node);
        dram::Statistics sum;
        u64 groups = 0;
        for (const auto& p : node.partitions()) {
            sum.merge(p->channel().statistics(now));
            groups += p->groups_completed();
        }
        const auto policy = node.policy_counters();
        summary(node, sum, policy);
        const CounterList counters = counters_of(node.name());
        counters.add(dram::kMemoryCounters, sum);
        if (machine_.processes() != nullptr) counters.add(dram::kWalkCounters, sum.walks);
        energy(node, counters, now);
        counters.add("groups_completed", "loads", groups);
        for (const dram::PolicyCounter& c : policy)
            counters.add(std::string("scheduler.") + c.name, c.unit, c.value);
        // Only controllers with command queues mark what a drain held up.
        marks_drains_ |= dram::find(policy, dram::CounterMeaning::reads_held_by_drain) != nullptr;
    }

    void summary(const MemoryNode& node, const dram::Statistics& sum,
                 const std::vector<dram::PolicyCounter>& policy) {
        MemoryRecord m;
        m.name = node.name();
        m.standard = node.settings().standard;
        m.channels = node.channels();
        m.reads = sum.reads;
        m.writes = sum.writes;
        m.read_bytes = sum.read_bytes;
        m.write_bytes = sum.written_bytes;
        m.row_hits = sum.count(dram::RowOutcome::hit);
        m.row_misses = sum.count(dram::RowOutcome::miss);
        m.row_conflicts = sum.count(dram::RowOutcome::conflict);
        m.peak_bytes_per_s = dram::resolve(node.settings()).peak_bytes_per_s() * m.channels;
        // Traffic is counted until all has drained, which may be after the last kernel's end.
        m.peak_bytes = static_cast<u64>(static_cast<unsigned __int128>(m.peak_bytes_per_s) *
                                        machine_.drained().v / record_.core_hz);
        if (const auto* changes = dram::find(policy, dram::CounterMeaning::rank_changes))
            m.rank_changes = changes->value;
        record_.memories.push_back(m);
    }

    void energy(const MemoryNode& node, const CounterList& counters, Cycle now) {
        const dram::Resolved resolved = dram::resolve(node.settings());
        const dram::Currents* currents = dram::find_currents(resolved);
        if (currents == nullptr) return;
        dram::Energy sum;
        for (const auto& p : node.partitions())
            sum += dram::energy_of(p->channel().statistics(now), resolved, *currents);
        counters.add(dram::kEnergyCounters, sum);
    }

    /// What became of a GPU's loads; how their requests fared in DRAM, where that is counted.
    void loads(const Gpu& gpu) {
        const LoadStats& loads = gpu.load_stats();
        const CounterList counters = counters_of(gpu.name());
        if (gpu.settings().sm.lsu.divergence) {
            const CounterList divergence = counters.of("divergence.");
            divergence.add(kDivergenceCounters, loads.divergence);
            if (marks_drains_) divergence.add("drained_loads", "loads", loads.divergence.drained_loads);
        }
        counters.add("sm.multi_request_loads", "loads", loads.multi_request_loads);
        latency_.merge(loads.latency);
        requests_per_load_.merge(loads.requests_per_load);
    }

    Machine& machine_;
    RunRecord record_;
    Histogram latency_, requests_per_load_;
    bool marks_drains_ = false;  // a memory's controllers
};

}  // namespace

RunRecord collect(Machine& machine) {
    return Collector(machine).run();
}

}  // namespace heddle
