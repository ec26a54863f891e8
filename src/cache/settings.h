#pragma once
// What a machine file says about a cache.

#include "cache/replacement.h"
#include "config/schema.h"

namespace heddle {

enum class WritePolicy : u8 { through, back };
enum class AllocatePolicy : u8 { on_miss, on_fill };
/// What a write that allocates does about the bytes that it does not write.
enum class WriteMiss : u8 { no_fetch, fetch };

/// The settings that L1 and L2 have in common. Lines are 128 bytes, sectors 32 bytes.
struct CacheSettings {
    u64 size_bytes = 0;  // L1: of an SM; L2: of one slice
    u32 ways = 0;
    bool sectored = true;
    WritePolicy write = WritePolicy::through;
    bool write_allocate = false;
    WriteMiss write_miss = WriteMiss::no_fetch;  // L2 only
    AllocatePolicy allocate = AllocatePolicy::on_fill;
    u32 mshrs = 0;
    u32 mshr_merges = 0;
    config::Choice replacement;
};

struct L1Settings : CacheSettings {
    bool enabled = true;
    Cycle latency, miss_latency, fill_latency;
    bool flush_at_kernel_start = true;

    static const config::Schema<L1Settings>& schema();
};

struct L2Settings : CacheSettings {
    u32 slices_per_channel = 1;
    Cycle front_latency, hit_latency;
    u32 banks = 1, bank_ports = 1, bank_queue = 8;
    Cycle bank_occupancy;
    u32 port_bytes = 32;
    Cycle atomic_interval;
    Cycle same_word_interval;
    u32 dram_queue = 8;
    u32 reply_queue = 8;
    bool fill_on_host_copy = true;
    bool bypass_probes = false;
    config::Choice insertion, bypass;

    static const config::Schema<L2Settings>& schema();
};

class L2HitRates;

/// The cache that a policy serves.
struct CacheContext {
    u32 sets = 0, ways = 0;
    u32 index = 0;                    // SM or slice number
    L2HitRates* hit_rates = nullptr;  // of the GPU; only L2 has them
};

using ReplacementPoint = config::PolicyPoint<ReplacementPolicy, const CacheContext&>;
using InsertionPoint = config::PolicyPoint<InsertionPolicy, const CacheContext&>;
using BypassPoint = config::PolicyPoint<BypassPolicy, const CacheContext&>;
ReplacementPoint& replacement_policies();
InsertionPoint& insertion_policies();
BypassPoint& bypass_policies();

}  // namespace heddle
