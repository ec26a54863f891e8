#pragma once
// One streaming multiprocessor, composed of
//
//     Residency      CTAs: what they occupy, their barriers, start and end
//     FrontEnd       warps: scoreboard, schedulers, issue, what each waits for
//     LoadStoreUnit  memory instructions in their order, as lines; shared memory
//     Mmu            where a line lies; without translation it passes lines through
//     L1Cache        L1, its misses up to the crossbar port, the answers
//     LoadTable      loads from issue to their last data
//     LoadGroups     how many requests of a load go to each channel
//
//     Residency <──> FrontEnd ──> LoadStoreUnit ──> Mmu, L1Cache ──> crossbar
//                       ▲                              │
//                       └───────── LoadTable <─────────┘ <── crossbar
//
// Each keeps its state to itself and adds to its own counters of SmStats. In a cycle: the response from the crossbar, warps
// whose operands have become ready, one instruction from each scheduler, one line from the load/store unit, the crossbar
// port.

#include "core/front_end.h"
#include "core/load_store.h"
#include "core/residency.h"

namespace heddle {

class Sm {
  public:
    Sm(const SmSettings& settings, const L1Settings& l1, const SmWiring& wiring);
    // Its parts know each other.
    Sm(const Sm&) = delete;
    Sm& operator=(const Sm&) = delete;

    /// Does what is possible at `now`; the next cycle with something to do (kNever: until woken).
    Cycle step(Cycle now);

    // -- CTAs
    /// The most CTAs of this kernel that fit an empty SM; 0 if none, then `why` says what is too large.
    static u32 occupancy(const SmSettings& settings, const KernelInfo& kernel, std::string* why = nullptr) {
        return Residency::occupancy(settings, kernel, why);
    }
    bool fits(const KernelInfo& kernel) const { return residency_.fits(kernel); }
    /// The buffer that the next CTA is to be read into.
    CtaStream& next_cta(KernelRun& kernel) { return residency_.next_cta(kernel); }
    /// Starts the CTA in next_cta(); its warps can issue from `now` + 1.
    void launch(KernelRun& kernel, Cycle now) { residency_.launch(kernel, now); }
    /// Before the first CTA of a kernel starts here: L1 is flushed, the unified array divided.
    void begin_kernel(const KernelRun& kernel, Cycle now);
    u32 resident_ctas() const { return residency_.ctas(); }
    /// The warp slots of each CTA that starts are told to the observer.
    void observe(WarpSlotObserver& observer) { residency_.observe(observer); }
    void edge_signalled(u32 warp, Cycle now) { front_.edge_signalled(warp, now); }

    /// Adds the cycles of resident warps up to `now` (for a run that is cut short).
    void settle(Cycle now) { front_.settle(now); }
    /// From now on no warp issues anything; what is in flight still arrives and the SM becomes drained.
    void halt() { front_.halt(); }
    /// Nothing is in flight, whether or not warps are resident.
    bool drained() const { return lsu_.drained() && l1_.drained() && mmu_.quiet(); }
    bool quiet() const { return residency_.ctas() == 0 && drained(); }
    const SmStats& stats() const { return stats_; }
    /// Tells the observer of memory instructions issued from now on; null: none.
    void trace(LifetimeObserver* lifetimes);
    u32 outstanding_l1() const { return l1_.outstanding(); }
    /// One line for each waiting warp: what it waits for. For deadlock reports.
    std::string describe(Cycle now) const;

  private:
    const L1Settings l1_settings_;
    const bool unified_;  // L1 and shared memory share an array
    SmStats stats_;
    Residency residency_;
    FrontEnd front_;
    LoadTable loads_;
    LoadGroups groups_;
    Mmu mmu_;
    L1Cache l1_;
    LoadStoreUnit lsu_;
};

}  // namespace heddle
