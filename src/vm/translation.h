#pragma once
// Address translation behind the L1 TLBs: the L2 TLB with its bypass cache, or the page-walk cache; MSHRs that merge the
// SMs' misses of a page into one walk; the walker, whose reads are requests to the L2 slices (not through the crossbar:
// it stands beside L2) and, where these miss, to DRAM. Core clock.
//
//     SM: miss(page) ──> L2 TLB, `ports` lookups a cycle ── hit ──> SM, `latency` cycles after the lookup began
//                             └─ miss ──> MSHR ──> walker, at most `walks` at once, others wait in their order
//                                                     └─ a read a level, each after the one before ──> SMs, L2 TLB
//
// Lookups do not wait for misses: without a free MSHR a miss waits aside, in the order of the lookups, and hits pass it.
// Who joins a walk is answered when both the walk and its own lookup have ended.
//
// Nothing here is visited in vain: lookups and ends of walks are on the agenda, reads are answered by the slices.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cache/slice.h"
#include "mem/translation_pressure.h"
#include "sim/agenda.h"
#include "sim/stall_clock.h"
#include "vm/fill_policy.h"
#include "vm/l1_tlb.h"
#include "vm/page_table.h"
#include "vm/settings.h"
#include "vm/shootdown_policy.h"
#include "vm/translation_stats.h"

namespace heddle {

struct TranslationWiring {
    Agenda* agenda = nullptr;
    u32 part = 0;  // its own part of the agenda; SM s is part s
    u32 first_slice_part = 0;
    RequestPool* pool = nullptr;
    const Router* router = nullptr;
    u8 device = 0;
    Cycle l2_front;          // from the walker to a slice's banks, beyond the cycle in which a read is made
    u32 sms = 0, warps = 0;  // of the GPU, of an SM
    TranslationPressure* pressure = nullptr;
};

/// An application, told at the start.
struct TranslationApp {
    std::string name;
    FillApp fill;
    u32 part = 0;  // whose frames it gets
};

class Translation final : public WalkReader {
  public:
    Translation(const TranslationSettings& settings, const TranslationWiring& wiring);

    void attach(Slice* slice) { slices_.push_back(slice); }
    /// Before the first access. `parts`: of how many applications each has frames of its own; 1: all share.
    void start(std::span<const TranslationApp> apps, u32 parts);

    const TranslationSettings& settings() const { return settings_; }
    L1Tlb& l1(u16 sm) { return *l1_[sm]; }
    const L1Tlb& l1(u16 sm) const { return *l1_[sm]; }
    PageTables& tables() { return *tables_; }
    const PageTables& tables() const { return *tables_; }

    // -- from an SM, in its step
    /// Its L1 TLB has missed; the lookup here can begin at `at`, later than now.
    void miss(u16 sm, PageKey page, Cycle at);
    /// So many of its warps wait for one page.
    void stalled(u8 app, u8 warps) {
        u8& most = wiring_.pressure->apps[app].stalled_warps;
        if (warps > most) most = warps;
    }

    /// Does what is due; the next cycle with something to do.
    Cycle step(Cycle now);
    /// A slice has, or will at `at` have, the entry that a walk reads.
    void walk_read(Request* request, WalkSource source, Cycle at, Cycle now) override;

    // -- translations that no longer hold
    /// Valid page-table entries have changed: TLBs forget what `translation.shootdown` says, at least the changed pages;
    /// the page-walk cache forgets everything, and walks of these pages begin again. Whoever changes entries (a free,
    /// a migration, a change of rights) changes them in tables() first and calls this once for all of them.
    void changed(const TranslationChange& change, Cycle now);
    /// Forgets all that TLBs hold of an application.
    void flush(u8 app, Cycle now);
    /// Unmaps every whole page within [first, first + bytes); no change if none of them is mapped.
    void unmap(u8 app, VirtAddr first, u64 bytes, Cycle now);

    bool quiet() const { return arrivals_.empty() && outstanding_ == 0 && without_mshr_.empty(); }
    std::string describe() const;
    /// InvariantError unless what was asked was answered.
    void check_conservation() const;

    const TranslationStats& stats() const { return stats_; }
    const SharedTlbStats& stats(u8 app) const { return app_stats_[app]; }
    const TlbFillPolicy& fill_policy() const { return *fill_; }
    u64 walks() const;

  private:
    struct Arrival {
        Cycle at;
        PageKey page;
        u16 sm = 0;
    };
    /// A lookup that missed, known at the lookup's end.
    struct Miss {
        Cycle known;
        PageKey page;
        u16 sm = 0;
    };
    /// A page that is walked for, or waits for one of walker.mshrs.
    struct Mshr {
        PageKey page;
        Cycle since;         // when the first miss was known
        bool stale = false;  // taken back meanwhile
        std::vector<Miss> misses;
    };
    struct Walk {
        u32 mshr = 0;
        u32 level = 0;
        Cycle asked;  // when the entry that it reads now was wanted
        WalkPath path;
    };
    struct Ended {
        Cycle at;
        u32 slot = 0;
    };

    Cycle look_up(Cycle now);
    void miss_in_l2(const Miss& miss, Cycle now);
    void take_mshr(u32 mshr, Cycle from, Cycle now);
    void answer(u16 sm, PageKey page, u32 frame, Cycle at);
    void begin(u32 slot, u32 mshr, Cycle at, Cycle now);
    void next_read(u32 slot, Cycle at, Cycle now);
    bool found_in_walk_cache(Walk& walk, Cycle& at);
    void ended(u32 slot, Cycle at, Cycle now);
    void finish(u32 slot, Cycle at);
    void fill(Mshr& m, u32 frame, Cycle at);
    void count_walks(Cycle at);
    void end_epoch(Cycle now);
    template <class Gone>
    void take_back(Gone gone, Cycle now);

    TranslationSettings settings_;
    TranslationWiring wiring_;
    std::vector<Slice*> slices_;
    std::vector<std::unique_ptr<L1Tlb>> l1_;
    std::unique_ptr<FrameBlocks> blocks_;
    std::unique_ptr<MemoryManager> manager_;
    std::unique_ptr<PageTables> tables_;
    std::unique_ptr<TlbFillPolicy> fill_;
    std::unique_ptr<ShootdownPolicy> shootdown_;
    Tlb l2_, bypass_, walk_cache_;
    bool bypass_used_ = false;

    Ring<Arrival> arrivals_;
    Cycle lookups_from_{0};  // none earlier
    std::vector<Mshr> mshrs_;
    PageMap by_page_;         // each page is outstanding in an L1 TLB, which bounds them
    Ring<u32> without_mshr_;  // in the order of their first lookups; only with walker.mshrs outstanding
    StallClock mshr_stall_;   // while that is not empty
    std::vector<u32> free_mshrs_;
    std::vector<Walk> walks_;
    std::vector<u32> free_walks_;
    Ring<std::pair<Cycle, u32>> waiting_;  // MSHRs that wait for the walker, from when
    Ring<Ended> ended_;
    u32 outstanding_ = 0;
    std::vector<u32> walks_of_;  // outstanding, by application
    std::vector<FillRequester> requesters_;

    Cycle epoch_end_ = kNever;
    Cycle counted_to_{0};
    TranslationStats stats_;
    std::vector<SharedTlbStats> app_stats_;
    u64 asked_ = 0, answered_ = 0, sent_ = 0, returned_ = 0;
};

}  // namespace heddle
