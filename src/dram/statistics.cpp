#include "dram/statistics.h"

#include <algorithm>

namespace heddle::dram {

namespace {

template <std::size_t N>
void add(std::array<u64, N>& to, const std::array<u64, N>& from) {
    for (std::size_t k = 0; k < N; ++k) to[k] += from[k];
}

}  // namespace

void Statistics::merge(const Statistics& o) {
    cycles = std::max(cycles, o.cycles);
    reads += o.reads;
    writes += o.writes;
    read_bytes += o.read_bytes;
    written_bytes += o.written_bytes;
    read_bursts += o.read_bursts;
    write_bursts += o.write_bursts;
    forwarded_reads += o.forwarded_reads;
    add(commands, o.commands);
    add(rows, o.rows);
    add(bus_cycles, o.bus_cycles);
    read_latency.merge(o.read_latency);
    refresh_read_latency.merge(o.refresh_read_latency);
    write_latency.merge(o.write_latency);
    occupancy_cycles += o.occupancy_cycles;
    open_cycles += o.open_cycles;
    refreshes_due += o.refreshes_due;
    if (apps.size() < o.apps.size()) apps.resize(o.apps.size());
    for (std::size_t k = 0; k < o.apps.size(); ++k) apps[k].merge(o.apps[k]);
    walks.reads += o.walks.reads;
    walks.read_bytes += o.walks.read_bytes;
    walks.latency_cycles += o.walks.latency_cycles;
}

void AppCounts::merge(const AppCounts& o) {
    reads += o.reads;
    writes += o.writes;
    read_bytes += o.read_bytes;
    written_bytes += o.written_bytes;
    activates += o.activates;
    latency_cycles += o.latency_cycles;
    add(rows, o.rows);
}

}  // namespace heddle::dram
