#pragma once
// The SM's side of address translation: where a line of the load/store unit lies in memory.
//
// Without translation the MMU passes lines through: locate() tells at once. With it, it holds them: a line asks the SM's
// TLB, `latency` cycles before it comes to L1.
//
//     hold() ──> TLB ── hit ──────────────────────────> on the way ──┐
//                  └─ miss ──> waits with its page ──> replay list ──┴─> first(), replays before others
//
// A line that misses waits and the unit goes on with the next one (hits under misses); lines of one page stay in the
// order of the program, for they wait in one list and replays go before new lines. Lines of different pages may pass
// each other, as they may behind L1 anyway. Whatever is full (L1, MSHRs, room for waiting lines) stops what is behind;
// with l1_tlb.blocking so does a miss, whose cycles then count as a standstill for want of an MSHR.

#include <string>
#include <vector>

#include "core/coalescer.h"
#include "core/memory_access.h"
#include "core/sm_wiring.h"
#include "sim/ring.h"
#include "sim/stall_clock.h"
#include "vm/mapping.h"

namespace heddle {

class L1Tlb;
class PageMoves;

class Mmu {
  public:
    Mmu(const SmWiring& wiring, u32 lines_per_cycle);

    /// False: it passes lines through, and is asked for nothing but locate().
    bool holds_lines() const { return translation_ != nullptr; }
    /// Where an address lies, whether or not a TLB knows it.
    PhysAddr locate(u8 app, VirtAddr address) {
        return holds_lines() ? walk(app, address) : memory_.translate(app, address);
    }

    // -- lines that come from the unit
    /// Whether lines, or shared memory, can have their turn in this cycle. What stood still at the TLB tries again.
    bool begin_lookups(Cycle now) {
        if (!holds_lines()) return true;
        if (blocked_until() > now || blocked()) return false;
        stall_.end(now);
        return true;
    }
    /// For another line among those on the way to L1, which leave as L1 takes them.
    bool has_room() const { return !holds_lines() || (found_.size() < room_ && !blocked()); }
    /// Takes a line for which there is room. False if it has to wait at the TLB: then nothing has changed, and the cycles
    /// until the next lookups count as a standstill.
    bool hold(const MemoryAccess& inst, const LineAccess& access, Cycle now);
    /// No lookups before.
    Cycle blocked_until() const;

    // -- lines that it holds
    struct Line {
        PhysAddr line;
        LineAccess access;
        u32 flight = 0;  // of its instruction
    };
    /// Takes in the translations that have arrived.
    void take_answers(Cycle now);
    /// A line comes to L1 now: first(), until L1 has taken it with pop().
    bool due(Cycle now) const {
        return replay_head_ != kNone || (!found_.empty() && found_.front().at <= now);
    }
    Line first() const;
    void pop();
    /// When there is something to do, as far as known; the lines for L1 do not count if it is stalled.
    Cycle next(bool l1_stalled, Cycle now) const;

    bool quiet() const;
    /// What waits here, for deadlock reports; empty if nothing does.
    std::string describe() const;

  private:
    static constexpr u32 kNone = ~u32{0};
    /// A line that waits for its translation, or has it and comes to L1 again.
    struct WaitingLine {
        Cycle known;  // its own lookup has ended
        LineAccess access;
        u32 flight = 0;
        Mapping mapping;
        u32 next = kNone;
        bool writes = false;
    };
    /// A line on its way from the TLB to L1.
    struct FoundLine {
        Cycle at;
        Line line;
    };

    /// A line that missed stops all behind it, until L1 has it.
    bool blocked() const { return blocking_ && waiting_count_ != 0; }
    bool has_to_wait(PageKey page, bool writes);
    PhysAddr walk(u8 app, VirtAddr address);
    u32 found_in_lookup(u32 k, Mapping mapping);
    void free_waiting(u32 k);
    u32 take_waiting();

    Translation* const translation_;
    L1Tlb* const tlb_;
    PageMoves* const moves_;
    LinearMemory& memory_;
    const u16 sm_;
    const u32 room_;  // lines on their way from the TLB to L1
    const bool blocking_;

    std::vector<WaitingLine> waiting_;
    u32 free_waiting_ = kNone, waiting_count_ = 0;
    u32 replay_head_ = kNone, replay_tail_ = kNone;  // lines that come to L1 again, ahead of others
    Ring<FoundLine> found_;
    StallClock stall_;
};

}  // namespace heddle
