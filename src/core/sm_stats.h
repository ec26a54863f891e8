#pragma once
// What an SM counts.

#include <array>
#include <bit>

#include "core/divergence.h"
#include "sim/histogram.h"
#include "trace/instruction.h"

namespace heddle {

/// Where a resident warp's cycles go. Every cycle of a warp from its CTA's start to its own end is in exactly
/// one of these.
enum class WarpState : u8 {
    issue,          // it issues an instruction
    dependency,     // waits for an arithmetic result (or its own last branch)
    memory,         // waits for data of a load or atomic
    shared_memory,  // waits for data of shared or constant memory
    barrier,
    fence,
    cta_wait,      // waits for another CTA's store (an edge)
    pipe_busy,     // could issue, its pipe is taken
    lsu_full,      // could issue, the load/store unit is full
    not_selected,  // could issue, another warp did
    drain,         // has issued its last instruction, its memory accesses are in flight
    count_
};
inline constexpr std::size_t kWarpStates = static_cast<std::size_t>(WarpState::count_);
const char* name(WarpState state);

struct SmStats {
    std::array<u64, kWarpStates> warp_cycles{};
    std::array<u64, static_cast<std::size_t>(OpClass::count_)> issued_by_class{};
    u64 warp_instructions = 0, thread_instructions = 0;
    u64 loads = 0, load_requests = 0, load_sectors = 0;  // global and local
    u64 stores = 0, store_requests = 0, store_sectors = 0;
    u64 atomics = 0, atomic_requests = 0, reductions = 0;
    u64 shared_accesses = 0, shared_extra_passes = 0;
    u64 constant_loads = 0, prefetches = 0;
    u64 null_page_accesses = 0;   // touch the first 4 KiB, where no GPU has data
    u64 misaligned_accesses = 0;  // the first lane's address is not a multiple of the access size
    u64 barriers = 0, fences = 0, edges_waited = 0;
    u64 l1_reads = 0, l1_read_hits = 0, l1_read_merges = 0, l1_read_misses = 0;
    u64 l1_read_sectors = 0, l1_read_sector_hits = 0;
    u64 l1_writes = 0, l1_write_hits = 0, l1_bypassed = 0;
    u64 l1_write_backs = 0;
    u64 stall_mshr_cycles = 0, stall_merge_cycles = 0, stall_line_cycles = 0, stall_port_cycles = 0;
    u64 ctas = 0, warps = 0;
    u64 cta_cycles = 0;  // residency, summed over CTAs

    void merge(const SmStats& other) {
        // Nothing but sums, so that a new counter needs no line here.
        using All = std::array<u64, sizeof(SmStats) / sizeof(u64)>;
        auto sum = std::bit_cast<All>(*this);
        const auto more = std::bit_cast<All>(other);
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
        *this = std::bit_cast<SmStats>(sum);
    }
};

/// Kept for the whole GPU.
struct LoadStats {
    u64 thread_instructions = 0;  // issued, for instruction limits
    Histogram latency;            // cycles from issue to last data
    Histogram requests_per_load;
    u64 multi_request_loads = 0;  // with more than one request
    DivergenceStats divergence;   // if lsu.divergence
};

}  // namespace heddle
