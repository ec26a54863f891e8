#pragma once
// The load/store unit: memory instructions in their order, coalesced into lines; shared memory. A line asks the MMU where
// it lies and comes to L1, at once or when the MMU gives it back.

#include <string>
#include <vector>

#include "core/l1_cache.h"
#include "core/mmu.h"
#include "core/settings.h"
#include "sim/ring.h"

namespace heddle {

/// A memory instruction as the front end issues it: to shared, global or local memory, with active lanes.
struct MemoryIssue {
    u32 warp = 0;
    KernelRun& kernel;
    const DynInst& dynamic;
    const StaticInst& inst;
    u32 edge = 0;                // edge+1 to signal when performed; 0: none
    u32 group = Load::kNoGroup;  // of an asynchronous copy
};

class LoadStoreUnit {
  public:
    LoadStoreUnit(const SmSettings& settings, const SmWiring& wiring, SmStats& stats, LoadTable& loads,
                  LoadGroups& groups, Mmu& mmu, L1Cache& l1);

    /// For another instruction.
    bool has_room() const { return queue_.size() < settings_.queue; }
    /// What the instruction's warp has in flight because of it.
    struct Started {
        u32 loads = 0;   // with a result or without
        u32 writes = 0;  // lines of stores and reductions not yet performed
    };
    Started issue(const MemoryIssue& issue, Cycle now);

    bool busy() const { return !queue_.empty() || mmu_.holds_lines(); }
    /// Does what can be done now; when there is more, or kNever if something else must move first.
    Cycle step(Cycle now);

    /// Asks the observer about each instruction from now on; null: none.
    void trace(LifetimeObserver* lifetimes) { lifetimes_ = lifetimes; }
    bool drained() const { return queue_.empty() && lines_.empty(); }
    /// What is here, for deadlock reports; empty if nothing is.
    std::string describe() const;

  private:
    /// An instruction whose lines the MMU holds, from its first line's lookup to its last line's outcome in L1.
    struct Flight {
        MemoryAccess inst;
        u32 lines = 0;  // without an outcome in L1
        u32 next_free = kNone;
    };
    static constexpr u32 kNone = ~u32{0};

    Started issue_shared(MemoryAccess& todo, const MemoryIssue& issue, Cycle now);
    void queue_lines(const MemoryIssue& issue, std::span<const LineAccess> lines, AccessKind kind);
    u32 take_load(const MemoryIssue& issue, Cycle now);
    bool traced(const MemoryIssue& issue, MemoryAccess& todo, Cycle now);

    void take_lines(Cycle now);
    void take_held_lines(Cycle now);
    bool to_l1(const MemoryAccess& inst, const LineAccess& access, PhysAddr line, Cycle now);
    void begin(MemoryAccess& inst);
    u32 take_flight();
    void line_of_flight_taken(u32 flight, Cycle now);
    void access_shared(const MemoryAccess& inst, Cycle now);
    void all_sent(const MemoryAccess& inst, Cycle now) {
        if (inst.load != Request::kNoLoad) loads_.all_sent(inst.load, now);
    }

    const LsuSettings settings_;
    const SharedMemorySettings shared_;
    const SmWiring wiring_;
    SmStats& stats_;
    LoadTable& loads_;
    LoadGroups& groups_;
    Mmu& mmu_;
    L1Cache& l1_;

    Coalescer coalescer_;
    Ring<MemoryAccess> queue_;
    Ring<LineAccess> lines_;  // of the instructions in the queue
    Cycle free_{0};           // takes no line before
    bool stopped_ = false;    // the queue's first line was refused when it last came
    std::vector<Flight> flights_;
    u32 free_flight_ = kNone;
    LifetimeObserver* lifetimes_ = nullptr;
    u32 traced_ = 0;  // instructions
};

}  // namespace heddle
