#pragma once
// Whose data go to MASK's silver queue now. Applications take turns in the order of their ids; a turn ends when its owner
// has put its quota of requests there. Quotas follow how much each application suffers from address translation:
//     quota_i = floor(most x walks_i x stalled_warps_i / sum over all j of walks_j x stalled_warps_j)
// Source: Ausavarungnirun, PhD thesis, CMU 2017, eq. 6.1. Choices: equal quotas while the sum is 0; an application whose
// quota is 0 is passed over; a quota is taken from the pressure at the moment its turn begins; an owner that has put
// nothing there for `idle_limit` clocks loses its turn when another application's request comes.

#include <span>

#include "mem/translation_pressure.h"
#include "sim/types.h"

namespace heddle::dram {

/// The quota of one of `count` applications; those beyond the end of `pressure` suffer nothing.
u32 silver_quota(std::span<const TranslationPressure::App> pressure, u32 count, u32 app, u32 most);

class SilverTurns {
  public:
    /// `pressure` null: equal quotas. Everything is by clocks of the memory.
    SilverTurns(u32 most, u64 idle_limit, const TranslationPressure* pressure)
        : most_(most), idle_limit_(idle_limit), pressure_(pressure) {}

    /// At least so many applications take turns.
    void applications(u32 count) { count_ = count > count_ ? count : count_; }
    bool owns(u8 app) const { return app == owner_; }
    u8 owner() const { return owner_; }
    /// A data request of the application has come; to be called before it is asked whose turn it is.
    void arrives(u8 app, Cycle now);
    /// The owner's request has been put into the silver queue.
    void insert(Cycle now);

    u64 begun() const { return begun_; }
    u64 lost() const { return lost_; }
    /// Sum of the quotas of turns begun, and turns begun, of an application.
    struct Share {
        u64 quotas = 0, turns = 0;
    };
    Share share(u8 app) const { return app < shares_.size() ? shares_[app] : Share{}; }

  private:
    void begin(u32 app, Cycle now);
    void pass(Cycle now);
    u32 quota_of(u32 app) const;

    const u32 most_;
    const u64 idle_limit_;
    const TranslationPressure* const pressure_;
    u32 count_ = 1;
    u8 owner_ = 0;
    u32 left_ = 0;  // of the owner's quota; 0 before the first turn
    Cycle last_;    // the owner's last insertion, or the beginning of its turn
    u64 begun_ = 0, lost_ = 0;
    std::vector<Share> shares_;
};

}  // namespace heddle::dram
