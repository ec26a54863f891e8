#pragma once
// What a machine file says about address translation.

#include "config/schema.h"
#include "vm/entry_key.h"
#include "vm/fill_policy.h"
#include "vm/memory_manager.h"
#include "vm/shootdown_policy.h"

namespace heddle {

enum class TranslationDesign : u8 {
    none,        // no translation: addresses are physical from the start
    ideal,       // every access hits in the L1 TLB
    pwcache,     // a page-walk cache instead of an L2 TLB
    shared_tlb,  // one L2 TLB for all SMs
    fixed,       // "static": the same, L2 ways and channels divided
    mask_tlb,    // shared-tlb and the parts of MASK, one by one and together
    mask_cache,
    mask_dram,
    mask,
};
/// As machine files write it.
const char* name(TranslationDesign design);

struct TlbSettings {
    u32 entries = 0, ways = 0;
    Cycle latency, invalidate;
};

/// Whether the load/store unit goes on behind a miss.
enum class TlbBlocking : u8 {
    no,
    core,  // it stands still until the translation is there
    gpu,   // and while another SM waits for the same page
};

struct L1TlbSettings : TlbSettings {
    u32 mshrs = 0;
    u32 waiting = 0;
    TlbBlocking blocking = TlbBlocking::no;
    Cycle kept_out;  // 0: L1 TLBs keep what the fill policy kept out of the L2 TLB as anything else

    static const config::Schema<L1TlbSettings>& schema();
};

/// What L1 TLBs look into in their own lookup.
enum class BesideL1 : u8 { none, bypass, all };

struct L2TlbSettings : TlbSettings {
    u32 ports = 0;
    u32 bypass_entries = 0;
    BesideL1 beside_l1 = BesideL1::none;
    bool hit_fills_l1 = true;

    static const config::Schema<L2TlbSettings>& schema();
};

/// How a walk's reads come to L2, and by which address to their slice.
enum class WalkWay : u8 { l2, sm };
enum class WalkRoute : u8 { entry, data };

struct WalkerSettings {
    u32 walks = 0, mshrs = 0;
    bool first_at_l2 = false;
    WalkWay path = WalkWay::l2;
    WalkRoute route = WalkRoute::entry;

    static const config::Schema<WalkerSettings>& schema();
};

struct WalkCacheSettings {
    u64 size_bytes = 0;
    u32 ways = 0;
    Cycle latency;
    static constexpr u32 kEntryBytes = 8;  // of one page-table entry

    static const config::Schema<WalkCacheSettings>& schema();
};

struct TranslationSettings {
    TranslationDesign design = TranslationDesign::none;
    PageSize page_size = PageSize::small;
    TableLayout table_layout = TableLayout::radix;
    u32 level_bits = 9;  // of an address, for each level of the page table
    config::Choice memory_manager, fill, shootdown;
    Cycle epoch;
    L1TlbSettings l1_tlb;
    L2TlbSettings l2_tlb;
    WalkerSettings walker;
    WalkCacheSettings walk_cache;

    bool on() const { return design != TranslationDesign::none; }

    static const config::Schema<TranslationSettings>& schema();
};

}  // namespace heddle
