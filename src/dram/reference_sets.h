#pragma once
// Parameter sets and request streams on which the model is compared with other DRAM simulators
// (docs/dram.md has their results).

#include <string_view>
#include <vector>

#include "dram/alone.h"

namespace heddle::dram {

/// What another simulator needs for a stream of 1,000,000 requests on a set. Source: Ramulator 2.1, built and
/// run with the same parameters, one request offered a clock.
struct PeerCycles {
    std::string_view stream;
    u64 cycles;
};
struct ReferenceSet {
    std::string_view name;
    MemorySettings settings;
    std::vector<PeerCycles> peer;
};

/// HBM2 2 Gb/s with one and with two pseudo-channels, GDDR6 14 Gb/s x16; FR-FCFS, open page, all-bank
/// refresh, 32 + 32 entries, drain from 26 writes to 6.
std::vector<ReferenceSet> reference_sets();
/// stream_rd (linear), random_rd, random_rw70 (70 % reads): 32-byte requests in 256 MiB.
std::vector<StreamEntry> reference_stream(std::string_view name, u64 requests);

}  // namespace heddle::dram
