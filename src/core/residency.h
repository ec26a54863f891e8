#pragma once
// The CTAs of an SM: what they occupy, their barriers, their start and end.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/settings.h"
#include "core/sm_wiring.h"
#include "mem/warp_slot_observer.h"

namespace heddle {

class FrontEnd;

class Residency {
  public:
    Residency(const SmSettings& settings, const SmWiring& wiring, SmStats& stats, FrontEnd& warps);

    /// The most CTAs of this kernel that fit an empty SM; 0 if none, then `why` says what is too large.
    static u32 occupancy(const SmSettings& settings, const KernelInfo& kernel, std::string* why = nullptr);
    bool fits(const KernelInfo& kernel) const;
    /// What the unified array leaves to L1 while a kernel has it for itself.
    u64 left_for_l1(const KernelInfo& kernel) const;
    u32 ctas() const { return resident_; }

    /// The buffer that the next CTA is to be read into.
    CtaStream& next_cta(KernelRun& kernel);
    /// Starts the CTA in next_cta(); its warps can issue from `now` + 1.
    void launch(KernelRun& kernel, Cycle now);
    /// Tells the observer of each CTA that starts from now on, after those that it has told so far.
    void observe(WarpSlotObserver& observer) { observers_.push_back(&observer); }

    // -- from the front end
    /// A warp arrives at a barrier, and waits there unless the instruction only arrives.
    void arrive(u32 warp, const StaticInst& barrier, Cycle now);
    /// It has no instruction left.
    void warp_ended(u32 warp, Cycle now);
    /// Nor has it anything in flight.
    void warp_drained(u32 warp, Cycle now);

  private:
    struct Cta {
        std::unique_ptr<CtaStream> stream;
        KernelRun* kernel = nullptr;
        Cycle started{0};
        u32 warps = 0, live = 0, undrained = 0;
        u64 slots = 0;  // its warp slots
        u32 registers = 0, shared = 0, threads = 0;
        std::array<u64, 16> arrived{};  // barrier: warp slots that wait
        std::array<u16, 16> count{};    // barrier: warps that have arrived
        u16 whole = 0;                  // barriers in use that expect every live warp
    };

    u32 take_cta(KernelRun& kernel, Cycle now);
    void release(Cta& cta, u32 id, Cycle now);

    const SmSettings settings_;
    const u16 sm_;
    SmOwner& owner_;
    SmStats& stats_;
    FrontEnd& warps_;
    const Cycle barrier_latency_;

    std::vector<Cta> ctas_;
    std::vector<u32> free_ctas_;
    std::vector<u16> cta_of_;  // by warp slot
    u64 free_warps_;
    std::unique_ptr<CtaStream> spare_;
    KernelRun* spare_kernel_ = nullptr;
    u32 resident_ = 0;
    u32 threads_used_ = 0, registers_used_ = 0;
    u64 shared_used_ = 0;
    std::vector<WarpSlotObserver*> observers_;
};

}  // namespace heddle
