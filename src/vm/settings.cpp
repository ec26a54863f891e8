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
    static const auto s =
        tlb_keys(Schema<S>("l1_tlb", "first-level TLB of one SM"),
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
                           "while the load/store unit continues with others"})
            .one_of("blocking", &S::blocking,
                    {{"no", TlbBlocking::no, "hits go on under misses"},
                     {"core", TlbBlocking::core,
                      "after a miss the load/store unit stands still until the translation "
                      "is there: hits and shared memory wait too"},
                     {"gpu", TlbBlocking::gpu,
                      "also, a page that another SM waits for is asked for only when that "
                      "SM has it: one list of pages under walk for all"}},
                    {.def = "no",
                     .about = "whether a miss blocks its SM's load/store unit; with one "
                              "MSHR only",
                     .source = kSimulator})
            .key("kept_out", &S::kept_out,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "0",
                  .max = "1000000000",
                  .about = "translations that the fill policy kept out of the L2 TLB go, "
                           "for this time, into a store of the SM without a limit instead of "
                           "into the TLB; 0: into the TLB",
                  .source = kSimulator})
            .check_all([](const S& t) -> config::Complaint {
                const bool bad = t.blocking != TlbBlocking::no && t.mshrs != 1;
                return {{"blocking", "mshrs"},
                        bad ? "needs mshrs: 1, as a TLB that blocks has one miss at a time" : ""};
            });
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
                  .source = kMask})
            .one_of(
                "beside_l1", &S::beside_l1,
                {{"none", BesideL1::none, "it is asked for what misses in an L1 TLB"},
                 {"bypass", BesideL1::bypass, "its bypass cache is looked up in the cycle of the L1 TLB"},
                 {"all", BesideL1::all,
                  "so is the L2 TLB itself: latency and ports do not apply, and its misses walk at once"}},
                {.def = "none",
                 .about =
                     "what is looked up in the same cycle as an L1 TLB, at no cost and by all SMs at once",
                 .source = kSimulator})
            .key("hit_fills_l1", &S::hit_fills_l1,
                 {.def = "true",
                  .about = "the L1 TLB keeps what the L2 TLB knew; false: only what was walked for it",
                  .source = kSimulator});
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
                           "of arrival"})
            .one_of(
                "path", &S::path,
                {{"l2", WalkWay::l2, "the walker stands beside L2: no crossbar"},
                 {"sm", WalkWay::sm,
                  "each through the L1 miss queue of the SM whose access missed, the crossbar and L2's front "
                  "pipeline; the answer takes no way"}},
                {.def = "l2", .about = "how its reads come to L2", .source = kSimulator})
            .one_of(
                "route", &S::route,
                {{"entry", WalkRoute::entry, "the slice and channel of the page-table entry"},
                 {"data", WalkRoute::data,
                  "those of the data whose translation is wanted, so that several slices may hold a line of "
                  "page tables"}},
                {.def = "entry", .about = "where its reads go", .source = kSimulator})
            .check_all([](const S& w) -> config::Complaint {
                const bool bad = w.first_at_l2 && w.path == WalkWay::sm;
                return {{"first_at_l2", "path"},
                        bad ? "needs path: l2, as reads that come from SMs queue with data" : ""};
            });
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
            .one_of("table_layout", &S::table_layout,
                    {{"radix", TableLayout::radix, "nodes of 512 entries of 8 bytes, a frame each"},
                     {"packed", TableLayout::packed,
                      "entries of a level in the order of first touch, 64 to a frame of 4 KiB, a byte apart "
                      "from its "
                      "start on: one line holds all 64"},
                     {"line", TableLayout::line, "in the order of first touch, each in a line of its own"}},
                    {.def = "radix", .about = "where page-table entries lie in memory", .source = kSimulator})
            .key(
                "level_bits", &S::level_bits,
                {.def = "9",
                 .min = "1",
                 .max = "9",
                 .about =
                     "bits of an address that each level of the page table adds; with table_layout packed or "
                     "line only",
                 .source = kSimulator})
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
            .section("walk_cache", &S::walk_cache, WalkCacheSettings::schema())
            .check_all([](const S& t) -> config::Complaint {
                const bool bad = t.table_layout == TableLayout::radix && t.level_bits != 9;
                return {{"level_bits", "table_layout"}, bad ? "must be 9 where table_layout is radix" : ""};
            });
    return s;
}

}  // namespace heddle
