#include "cache/settings.h"

#include "mem/geometry.h"

namespace heddle {

using config::Schema;
using config::Unit;

ReplacementPoint& replacement_policies() {
    static ReplacementPoint point("cache replacement policy");
    return point;
}
InsertionPoint& insertion_policies() {
    static InsertionPoint point("cache insertion policy");
    return point;
}
BypassPoint& bypass_policies() {
    static BypassPoint point("cache bypass policy");
    return point;
}

namespace {

/// The keys of CacheSettings, for a section whose struct derives from it.
template <class S>
Schema<S> cache_schema(const char* name, const char* about) {
    return Schema<S>(name, about)
        .key("size", &S::size_bytes,
             {.unit = Unit::bytes,
              .min = "1KiB",
              .max = "64MiB",
              .about = "capacity: of one SM's L1, of one L2 slice"})
        .key("ways", &S::ways, {.min = "1", .max = "64", .about = "associativity"})
        .key("sectored", &S::sectored,
             {.def = "true", .about = "fetch only the 32-byte sectors requested, not whole 128-byte lines"})
        .one_of("write", &S::write,
                {{"through", WritePolicy::through, "every write also goes to the next level"},
                 {"back", WritePolicy::back, "written sectors stay dirty until eviction"}},
                {.def = "through", .about = "where a write goes after the lookup"})
        .key("write_allocate", &S::write_allocate,
             {.def = "false",
              .about = "a write miss allocates a line (bytes not written are fetched when they are read, or "
                       "at once: l2.write_miss)"})
        .one_of("allocate", &S::allocate,
                {{"on_miss", AllocatePolicy::on_miss,
                  "a read miss reserves its line; a set whose lines are all reserved stalls"},
                 {"on_fill", AllocatePolicy::on_fill, "the line is allocated when the data return"}},
                {.def = "on_fill", .about = "when a read miss allocates a line"})
        .key("mshrs", &S::mshrs,
             {.def = "64", .min = "1", .max = "65536", .about = "lines that may be outstanding at once"})
        .key("mshr_merges", &S::mshr_merges,
             {.def = "32",
              .min = "1",
              .max = "65535",
              .about = "requests that may wait for one outstanding line, including the first"})
        .choice("replacement", &S::replacement, replacement_policies(),
                {.def = "lru", .about = "which line of a set is evicted"});
}

}  // namespace

const Schema<L1Settings>& L1Settings::schema() {
    static const auto s =
        cache_schema<L1Settings>("l1", "first-level data cache of one SM")
            .key("enabled", &L1Settings::enabled,
                 {.def = "true", .about = "false: global accesses bypass L1"})
            .key("latency", &L1Settings::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "30",
                  .min = "1",
                  .max = "10000",
                  .about = "load-to-use latency of a one-line hit, from issue to issue"})
            .key("miss_latency", &L1Settings::miss_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "10000",
                  .about = "from the lookup that misses to the crossbar port"})
            .key("fill_latency", &L1Settings::fill_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "10000",
                  .about =
                      "from the last flit of the response to the issue of an instruction that uses the data"})
            .key("flush_at_kernel_start", &L1Settings::flush_at_kernel_start,
                 {.def = "true", .about = "invalidate L1 when a kernel begins"})
            .check_all([](const L1Settings& l) -> config::Complaint {
                const bool whole = l.size_bytes % (u64{l.ways} * kLineBytes) == 0;
                return {{"size", "ways"}, whole ? "" : "must be a multiple of ways x 128 bytes"};
            });
    return s;
}

const Schema<L2Settings>& L2Settings::schema() {
    static const auto s =
        cache_schema<L2Settings>("l2", "second-level cache: slices in front of the DRAM channels")
            .one_of("write_miss", &L2Settings::write_miss,
                    {{"no_fetch", WriteMiss::no_fetch, "nothing, until they are read"},
                     {"fetch", WriteMiss::fetch,
                      "the line (sectored: the sectors written) is fetched at once into an MSHR of its own, "
                      "and counts as a miss"}},
                    {.def = "no_fetch",
                     .about = "what a write miss that allocates does about bytes that are not here",
                     .source = "fetch: GPGPU-Sim 3.x (write-allocate with fetch on write)"})
            .key("slices_per_channel", &L2Settings::slices_per_channel,
                 {.def = "1", .min = "1", .max = "64", .about = "L2 slices that share one DRAM channel"})
            .key("front_latency", &L2Settings::front_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "0",
                  .max = "10000",
                  .about =
                      "pipeline between the crossbar port and the slice's bank queue, one request per cycle"})
            .key("hit_latency", &L2Settings::hit_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "10",
                  .min = "1",
                  .max = "10000",
                  .about = "from the bank access to the response at the crossbar"})
            .key("banks", &L2Settings::banks,
                 {.def = "1",
                  .min = "1",
                  .max = "16",
                  .about = "banks in a slice, chosen by the lowest line-number bits"})
            .key("bank_ports", &L2Settings::bank_ports,
                 {.def = "1", .min = "1", .max = "16", .about = "accesses that a bank serves at once"})
            .key(
                "bank_queue", &L2Settings::bank_queue,
                {.def = "8", .min = "1", .max = "4096", .about = "requests that may wait in front of a bank"})
            .key("bank_occupancy", &L2Settings::bank_occupancy,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "10000",
                  .about = "cycles for which an access holds its port"})
            .key("port_bytes", &L2Settings::port_bytes,
                 {.unit = Unit::bytes,
                  .def = "32B",
                  .min = "8B",
                  .max = "128B",
                  .power_of_two = true,
                  .about = "bytes that a port moves per cycle; a larger access holds the port longer"})
            .key("atomic_interval", &L2Settings::atomic_interval,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "10000",
                  .about = "cycles for which each lane's atomic operation holds a bank port"})
            .key("same_word_interval", &L2Settings::same_word_interval,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "0",
                  .min = "0",
                  .max = "10000",
                  .about = "cycles from one lane's atomic operation on a word to the next on the same word, "
                           "of any request; 0: atomic_interval alone applies"})
            .key("dram_queue", &L2Settings::dram_queue,
                 {.def = "8",
                  .min = "2",
                  .max = "4096",
                  .about = "requests that may wait between a slice and its DRAM controller"})
            .key("reply_queue", &L2Settings::reply_queue,
                 {.def = "8",
                  .min = "1",
                  .max = "4096",
                  .about = "responses that may wait for the crossbar before the banks stall"})
            .key(
                "fill_on_host_copy", &L2Settings::fill_on_host_copy,
                {.def = "true",
                 .about = "a host-to-device copy leaves its last lines clean in L2; false: kernels read them "
                          "from DRAM",
                 .source = "Accel-Sim's GPU_Microbenchmark l2_copy_engine, whose configurations of cards set "
                           "gpgpu_perf_sim_memcpy: loads after a copy take the L2 hit latency"})
            .choice("insertion", &L2Settings::insertion, insertion_policies(),
                    {.def = "mru", .about = "where in the recency order a filled line enters"})
            .choice("bypass", &L2Settings::bypass, bypass_policies(),
                    {.def = "none", .about = "which requests bypass L2, decided before the bank queue"})
            .key("bypass_probes", &L2Settings::bypass_probes,
                 {.def = "false",
                  .about = "a read that bypasses L2 skips only its front pipeline: it looks up, and where it "
                           "misses goes to DRAM and fills nothing; false: it does not look up",
                  .source = "public simulator of MASK and Mosaic"})
            .check_all([](const L2Settings& l) -> config::Complaint {
                const bool lost = l.write_miss == WriteMiss::fetch && !l.write_allocate;
                return {{"write_miss", "write_allocate"},
                        lost ? "fetch needs write_allocate: without it there is no line to fetch into" : ""};
            })
            .check_all([](const L2Settings& l) -> config::Complaint {
                const bool whole = l.size_bytes % (u64{l.ways} * kLineBytes) == 0;
                return {{"size", "ways"}, whole ? "" : "must be a multiple of ways x 128 bytes"};
            });
    return s;
}

}  // namespace heddle
