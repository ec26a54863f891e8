#pragma once
// The warps of an SM: their next instructions, the scoreboard, the schedulers, issue.
//
// A result whose time is known when its instruction issues is written into the scoreboard as a cycle number; nothing is
// counted down. A warp that waits for a known cycle lies in a timing wheel, one that waits for data of unknown time is
// told by the load/store unit.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/copy_groups.h"
#include "core/load_table.h"
#include "core/scoreboard.h"
#include "core/sm_wiring.h"
#include "core/warp_scheduler.h"

namespace heddle {

class LoadStoreUnit;
class Residency;

class FrontEnd {
  public:
    FrontEnd(const SmSettings& settings, const SmWiring& wiring, SmStats& stats, LoadStoreUnit& lsu,
             Residency& residency);

    // -- a cycle
    /// Before anything else in it.
    void keep_time(Cycle now) { scoreboard_.keep_time(now); }
    /// Issues what can issue; the next cycle in which a warp that is ready now may issue.
    Cycle step(Cycle now) {
        wake_warps(now);
        return schedule(now);
    }
    /// The next cycle in which to look at a warp that waits for a known time.
    Cycle next_look(Cycle now) const;
    /// A warp is ready for which the load/store unit had no room.
    bool wants_lsu() const { return lsu_wanted_; }
    /// From now on no warp issues anything.
    void halt() { issuing_ = 0; }

    // -- from residency: a CTA's warps
    /// Makes room for a kernel's registers; returns what start() wants to know of them. `chunked`: its CTAs may still bring
    /// registers that none has used.
    u32 register_lines(KernelRun& kernel, bool chunked);
    /// A new warp in a free slot. It does nothing yet.
    void start(u32 warp, KernelRun& kernel, const WarpCursor& cursor, u32 register_lines, Cycle now);
    /// It may issue from `earliest`.
    void go(u32 warp, Cycle earliest, Cycle now) { prepare(warp, earliest, now, now); }
    /// The barrier at which it waits lets it issue from `from`.
    void pass_barrier(u32 warp, Cycle from, Cycle now);

    // -- from memory
    /// The time of a load's data is known. `site`: of a load that counts, else null.
    void load_done(const Load& load, LoadSiteStats* site, Cycle now);
    /// One line of a store or reduction has been performed.
    void write_done(u32 warp, Cycle now);
    void edge_signalled(u32 warp, Cycle now);

    /// Adds the cycles of resident warps up to `now` (for a run that is cut short).
    void settle(Cycle now);
    /// One line for each waiting warp: what it waits for.
    std::string describe(Cycle now) const;

  private:
    static constexpr u32 kWheel = 256;
    static constexpr u32 kNone = ~u32{0};

    struct alignas(64) Warp {
        WarpCursor cursor;
        DynInst inst;  // the next instruction
        KernelRun* kernel = nullptr;
        u64 ready = 0;       // key of the cycle from which it may issue
        u64 since = 0;       // cycles before this one are accounted for
        u64 held = 0;        // PipeTime::held of its pipe up to `ready`
        u32 waited = kNone;  // static load whose data it waits for, once their time is known
        Pipe pipe = Pipe::alu;
        u8 scheduler = 0;
        u8 lanes = 0;  // of the full mask
        bool active = false;
        bool done = false;  // has issued its last instruction
        bool at_fence = false, at_barrier = false, at_edge = false, at_copies = false;
        u32 loads = 0;   // outstanding, with a result or without
        u32 writes = 0;  // lines of stores and reductions not yet performed
    };
    struct PipeTime {
        u64 free = 0;  // cycle from which the pipe takes another
        u64 held = 0;  // cycles before that in which it took none
    };

    void wake_warps(Cycle now);
    Cycle schedule(Cycle now);
    void issue(u32 warp, Cycle now);
    void count_issue(const Warp& w, const Decoded& inst);
    u64 issue_memory(u32 slot, const StaticInst& inst, Cycle now);
    bool barrier(u32 warp, Cycle now);
    void prepare(u32 warp, Cycle earliest, Cycle now, Cycle ready_if_by);
    bool waits_at_edge(u32 warp, Cycle earliest);
    bool holds(u32 warp, const Decoded& inst);
    void go_on(u32 warp, WarpState waited, Cycle now);
    void wake_waiting(const Load& load, LoadSiteStats* site, Cycle now);
    void copy_arrived(u32 warp, u32 group, u64 at, Cycle now);
    void try_fence(u32 warp, Cycle now);
    void ended(u32 warp, Cycle now);
    void try_drain(u32 warp, Cycle now);
    void make_ready(u32 warp);
    void look_again(u32 warp, Cycle at, Cycle now);
    const Decoded& next_inst(const Warp& w) { return w.kernel->decoded(w.inst.static_index, ops_); }

    void account(Warp& warp, WarpState state, u64 until) {
        if (until <= warp.since) return;
        stats_.warp_cycles[static_cast<std::size_t>(state)] += until - warp.since;
        warp.since = until;
    }
    void account_wait(Warp& warp, u64 until);
    void cut_off(Warp& warp, Cycle now);

    OpTable ops_;
    const u64 constant_latency_;
    const u16 sm_;
    const u8 device_;
    SmOwner& owner_;
    LoadStats& load_stats_;
    SmStats& stats_;
    LoadStoreUnit& lsu_;
    Residency& residency_;

    std::vector<Warp> warps_;
    std::vector<u64> age_;
    u64 next_age_ = 0;
    Scoreboard scoreboard_;
    CopyGroups copies_;
    u64 waiting_memory_ = 0;  // warps in state memory with unknown end

    u32 issuing_;  // schedulers: all, or none once halted
    std::vector<std::unique_ptr<WarpScheduler>> policies_;
    std::vector<u64> scheduler_warps_;                // slots that belong to it
    std::array<std::array<u64, kPipes>, 4> ready_{};  // [scheduler][pipe]: warps that may issue
    std::array<u32, 4> ready_pipes_{};                // pipes with such warps
    std::array<std::array<PipeTime, kPipes>, 4> pipe_time_{};
    std::array<std::array<PipeTime*, kPipes>, 4> pipe_{};  // the one that counts: scheduler 0's if shared
    u64 lsu_full_until_ = 0;
    bool lsu_wanted_ = false;
    std::array<u64, kWheel> wheel_{};  // warps by the cycle in which to look at them again
    std::array<u64, kWheel / 64> wheel_used_{};
};

}  // namespace heddle
