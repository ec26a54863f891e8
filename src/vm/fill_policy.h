#pragma once
// Policy point: which translations the shared L2 TLB takes. A walk's translation always goes to the L1 TLBs that asked
// for it; whether the L2 TLB keeps it, or only the small bypass cache beside it, is decided here. A policy is one file
// in src/vm/policy; machines select it as `translation.fill`.

#include <memory>
#include <span>
#include <vector>

#include "config/policy.h"
#include "sim/record.h"
#include "sim/types.h"

namespace heddle {

/// An application and the SMs that are its own.
struct FillApp {
    u8 app = 0;
    u32 first_sm = 0, sms = 0;
};

/// An SM that waits for a walk, and which of its warps do.
struct FillRequester {
    u16 sm = 0;
    u64 warps = 0;  // bit w: warp slot w
};

struct FillContext {
    u32 sms = 0;           // of the GPU
    u32 warps_per_sm = 0;  // warp slots
};

class TlbFillPolicy {
  public:
    virtual ~TlbFillPolicy() = default;

    /// Called once, before anything happens.
    virtual void applications(std::span<const FillApp> apps) { (void)apps; }
    /// An application's lookup in the L2 TLB; a hit in the bypass cache is a hit.
    virtual void on_access(u8 app, bool hit, Cycle now) { (void)app, (void)hit, (void)now; }
    /// A walk has ended: true puts its translation into the L2 TLB, false only into the bypass cache. `requesters` is
    /// not empty and in the order of their arrival.
    virtual bool fills(u8 app, std::span<const FillRequester> requesters, Cycle now) = 0;
    /// Every `translation.epoch` cycles. `active`: by SM, bit w: its warp slot w has asked the L1 TLB in the epoch.
    virtual void end_epoch(std::span<const u64> active, Cycle now) { (void)active, (void)now; }

    /// What the policy has counted of an application, for the run record and over time (`fill.NAME.APPLICATION`); always
    /// the same names in the same order.
    virtual void report_app(u8 app, std::vector<CounterRecord>& to) const { (void)app, (void)to; }
};

using TlbFillPoint = config::PolicyPoint<TlbFillPolicy, const FillContext&>;
TlbFillPoint& tlb_fill_policies();

}  // namespace heddle
