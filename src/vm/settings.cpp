#include "vm/settings.h"

namespace heddle {

using config::Schema;
using config::Unit;

namespace {

constexpr const char* kMask = "Ausavarungnirun, CMU 2017, ch. 6";
constexpr const char* kSimulator = "public simulator of MASK and Mosaic";

/// In what the levels' keys differ.
struct TlbDefaults {
    const char *entries, *ways, *latency, *most_latency, *invalidate;
    const char* lookup;  // what the latency is of
};

/// What every TLB has.
template <class S>
Schema<S> tlb_keys(Schema<S> schema, const TlbDefaults& d) {
    return std::move(schema)
        .key(
            "entries", &S::entries,
            {.def = d.entries, .min = "1", .max = "65536", .about = "translations it holds", .source = kMask})
        .key("ways", &S::ways,
             {.def = d.ways, .max = "65536", .about = "associativity; 0: fully associative", .source = kMask})
        .key("latency", &S::latency,
             {.unit = Unit::cycles,
              .clock = "core",
              .def = d.latency,
              .min = "1",
              .max = d.most_latency,
              .about = d.lookup,
              .source = kMask})
        .key("invalidate", &S::invalidate,
             {.unit = Unit::cycles,
              .clock = "core",
              .def = d.invalidate,
              .max = "100000",
              .about = "cycles without lookups when translations are invalidated",
              .source = kSimulator})
        .check_all([](const S& t) -> config::Complaint {
            return {{"ways", "entries"}, t.ways != 0 && t.entries % t.ways != 0 ? "must divide entries" : ""};
        });
}

}  // namespace

TlbFillPoint& tlb_fill_policies() {
    static TlbFillPoint point("TLB fill policy");
    return point;
}

const char* name(TranslationDesign design) {
    constexpr const char* names[] = {"none",     "ideal",      "pwcache",   "shared-tlb", "static",
                                     "mask-tlb", "mask-cache", "mask-dram", "mask"};
    return names[static_cast<std::size_t>(design)];
}

const Schema<L1TlbSettings>& L1TlbSettings::schema() {
    using S = L1TlbSettings;
    static const auto s = tlb_keys(Schema<S>("l1_tlb", "first-level TLB of one SM"),
                                   {.entries = "64",
                                    .ways = "0",
                                    .latency = "1",
                                    .most_latency = "1000",
                                    .invalidate = "15",
                                    .lookup = "lookup before the L1 lookup; pipelined"})
                              .key("mshrs", &S::mshrs,
                                   {.def = "64",
                                    .min = "1",
                                    .max = "4096",
                                    .about = "pages whose translation may be outstanding; when all are in "
                                             "use, the load/store unit stops at the next page that misses"})
                              .key("waiting", &S::waiting,
                                   {.def = "1024",
                                    .min = "1",
                                    .max = "65536",
                                    .about = "lines of memory instructions that may wait for translations "
                                             "while the load/store unit continues with others"});
    return s;
}

const Schema<L2TlbSettings>& L2TlbSettings::schema() {
    using S = L2TlbSettings;
    static const auto s =
        tlb_keys(Schema<S>("l2_tlb", "TLB that all SMs share"), {.entries = "512",
                                                                 .ways = "16",
                                                                 .latency = "10",
                                                                 .most_latency = "10000",
                                                                 .invalidate = "200",
                                                                 .lookup = "lookup, hit or miss; pipelined"})
            .key("ports", &S::ports,
                 {.def = "2", .min = "1", .max = "64", .about = "lookups started per cycle", .source = kMask})
            .key("bypass_entries", &S::bypass_entries,
                 {.def = "32",
                  .min = "1",
                  .max = "4096",
                  .about = "translations in the fully associative bypass cache beside it, which keeps what "
                           "the fill policy does not admit; looked up in parallel",
                  .source = kMask});
    return s;
}

const Schema<WalkerSettings>& WalkerSettings::schema() {
    using S = WalkerSettings;
    static const auto s =
        Schema<S>("walker", "page walker that all SMs share")
            .key("walks", &S::walks,
                 {.def = "64",
                  .min = "1",
                  .max = "256",
                  .about = "walks in progress at once; more wait",
                  .source = kMask})
            .key("mshrs", &S::mshrs,
                 {.def = "512",
                  .min = "1",
                  .max = "65536",
                  .about = "pages being walked or waiting for a walk; misses to the same page join. When all "
                           "are in use, further misses wait in order, and hits pass them"})
            .key("first_at_l2", &S::first_at_l2,
                 {.def = "false",
                  .about = "its reads go before data at their L2 bank; false: the bank serves both in order "
                           "of arrival"});
    return s;
}

const Schema<WalkCacheSettings>& WalkCacheSettings::schema() {
    using S = WalkCacheSettings;
    static const auto s =
        Schema<S>("walk_cache",
                  "page-walk cache of the design pwcache: entries of page tables, of every level")
            .key("size", &S::size_bytes,
                 {.unit = Unit::bytes,
                  .def = "8KiB",
                  .min = "8B",
                  .max = "8MiB",
                  .about = "capacity, 8 bytes per entry",
                  .source = kMask})
            .key("ways", &S::ways,
                 {.def = "16",
                  .max = "65536",
                  .about = "associativity; 0: fully associative",
                  .source = kMask})
            .key("latency", &S::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "10",
                  .min = "1",
                  .max = "10000",
                  .about = "lookup before each read of a walk; pipelined",
                  .source = kMask})
            .check_all([](const S& c) -> config::Complaint {
                const u64 entries = c.size_bytes / kEntryBytes;
                const bool odd = c.size_bytes % kEntryBytes != 0 || (c.ways != 0 && entries % c.ways != 0);
                return {{"size", "ways"}, odd ? "must be a multiple of ways x 8 bytes" : ""};
            });
    return s;
}

const Schema<TranslationSettings>& TranslationSettings::schema() {
    using S = TranslationSettings;
    using D = TranslationDesign;
    static const auto s =
        Schema<S>("translation", "virtual memory: page tables, TLBs and the page walker")
            .one_of("design", &S::design,
                    {{name(D::none), D::none, "addresses are physical; each 4 GiB region is contiguous"},
                     {name(D::ideal), D::ideal, "page tables, but every translation hits in the L1 TLB"},
                     {name(D::pwcache), D::pwcache,
                      "L1 TLB misses go to the walker, which looks in a page-walk cache before each read"},
                     {name(D::shared_tlb), D::shared_tlb,
                      "L1 TLB misses go to an L2 TLB, and its misses to the walker"},
                     {name(D::fixed), D::fixed,
                      "shared-tlb with split_l2_ways and split_channels: applications share nothing else"},
                     {name(D::mask_tlb), D::mask_tlb, "shared-tlb with fill: tokens"},
                     {name(D::mask_cache), D::mask_cache, "shared-tlb with l2.bypass: mask"},
                     {name(D::mask_dram), D::mask_dram, "shared-tlb with the memory's scheduler: mask"},
                     {name(D::mask), D::mask, "all three"}},
                    {.def = "none", .about = "how addresses are translated", .source = kMask})
            .one_of("page_size", &S::page_size,
                    {{"4KiB", PageSize::small, "four reads per walk"},
                     {"64KiB", PageSize::medium, "four reads per walk; one TLB entry, 16 page-table entries"},
                     {"2MiB", PageSize::large, "three reads per walk"}},
                    {.def = "4KiB", .about = "size of every page", .source = kMask})
            .choice("memory_manager", &S::memory_manager, memory_managers(),
                    {.def = "in-order", .about = "which frames pages and page tables get at their first use"})
            .choice(
                "fill", &S::fill, tlb_fill_policies(),
                {.def = "all", .about = "which walks fill the L2 TLB; the others fill only its bypass cache"})
            .choice("shootdown", &S::shootdown, shootdown_policies(),
                    {.def = "full",
                     .about = "what TLBs forget when a valid page-table entry is removed or changes",
                     .source = kMask})
            .key("epoch", &S::epoch,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "100000",
                  .min = "100",
                  .max = "1000000000",
                  .about = "period after which the fill policy decides again, and the walk and waiting-warp "
                           "maxima for DRAM schedulers restart",
                  .source = kMask})
            .section("l1_tlb", &S::l1_tlb, L1TlbSettings::schema())
            .section("l2_tlb", &S::l2_tlb, L2TlbSettings::schema())
            .section("walker", &S::walker, WalkerSettings::schema())
            .section("walk_cache", &S::walk_cache, WalkCacheSettings::schema());
    return s;
}

}  // namespace heddle
