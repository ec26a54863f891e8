#pragma once
// When a controller with separate queues serves writes instead of reads: a rule, and turns that bound how long the rule
// lets requests wait. After `write_budget` consecutive writes while a read waits, as many reads are served before the
// rule decides again. When the rule serves reads and the oldest write has waited longer than `write_age`, the waiting
// writes, at most `write_budget`, are served, and then as many reads.

#include <memory>

#include "config/policy.h"
#include "dram/settings.h"

namespace heddle::dram {

class WriteDrain {
  public:
    virtual ~WriteDrain() = default;
    /// Called when a write arrives or leaves and when reads begin or cease to wait. Returns whether writes are served
    /// from now on.
    virtual bool update(u32 reads, u32 writes) = 0;
};

using WriteDrainPoint = config::PolicyPoint<WriteDrain, const MemorySettings&>;
WriteDrainPoint& write_drains();

/// The selected rule; an empty choice is watermark.
std::unique_ptr<WriteDrain> make_write_drain(const MemorySettings& settings);

class DrainTurns {
  public:
    /// A turn lasts at least `row_clocks`, so that each bank gets one request of another row served.
    DrainTurns(const MemorySettings& settings, u64 row_clocks);

    void came(bool write, u32 writes, Cycle now) {
        if (write && writes == 1) due_ = now + age_;
    }
    void went(bool write) {
        if (write && drains_) ++spent_;
        if (turn_ != Turn::rule && write == (turn_ == Turn::writes) && left_ != 0) --left_;
    }
    /// Whether a read that comes or goes, neither the first nor the last that waits, may change the direction.
    bool reads_matter(Cycle now) const { return turn_ != Turn::rule || now > due_; }
    /// Whether `oldest_write` must be told before `update`: what is known is a lower bound.
    bool asks_oldest(u32 reads, u32 writes, Cycle now) const {
        return now > due_ && turn_ != Turn::writes && reads != 0 && writes != 0;
    }
    void oldest_write(Cycle arrived) { due_ = arrived + age_; }
    /// Whether writes are served from now on.
    bool update(u32 reads, u32 writes, Cycle now);
    bool in_turn() const { return turn_ != Turn::rule; }
    /// Ends a turn whose requests cannot be served; `update` follows.
    void give_up() {
        turn_ = Turn::rule;
        spent_ = 0;
    }

  private:
    enum class Turn : u8 { rule, reads, writes };
    void begin(Turn turn, u32 requests, Cycle now) {
        turn_ = turn;
        left_ = requests;
        until_ = now + row_clocks_;
        spent_ = 0;
    }

    std::unique_ptr<WriteDrain> rule_;
    const u32 budget_;
    const u64 age_, row_clocks_;
    Turn turn_ = Turn::rule;
    bool drains_ = false;  // what `update` returned last
    u32 left_ = 0;         // requests of the turn
    u32 spent_ = 0;        // consecutive writes while a read waited
    Cycle until_{0};       // a turn does not end before
    Cycle due_ = kNever;   // not after the oldest write is overdue
};

}  // namespace heddle::dram
