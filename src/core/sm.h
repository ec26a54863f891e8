#pragma once
// One streaming multiprocessor: warps, schedulers, scoreboard, load/store unit with L1 and shared memory.
//
// In a cycle: responses from the crossbar, warps whose operands have become ready, one instruction from each scheduler,
// one line from the load/store unit, the crossbar port. A result whose time is known when it starts is written into the
// scoreboard as a cycle number; nothing is counted down.

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "cache/cache.h"
#include "core/coalescer.h"
#include "core/kernel_run.h"
#include "core/settings.h"
#include "core/sm_stats.h"
#include "core/warp_scheduler.h"
#include "mem/address_map.h"
#include "mem/lifetime_observer.h"
#include "mem/request_pool.h"
#include "noc/crossbar.h"
#include "sim/ring.h"
#include "sim/stall_clock.h"
#include "vm/address_space.h"

namespace heddle {

class L1Tlb;
class Translation;

/// What an SM reports to the machine it is part of. Calls come during step().
class SmOwner {
  public:
    virtual ~SmOwner() = default;
    virtual void cta_done(u16 sm, KernelRun& kernel, Cycle now) = 0;
    /// An edge's signal has been performed: wakes the kernel's waiting warps (through Sm::edge_signalled).
    virtual void signalled(KernelRun& kernel, u32 edge, Cycle now) = 0;
    /// All lines of a load that belong to a channel have their outcome in L1, and `requests` (not 0) of them went
    /// there. Called only if wants_groups.
    virtual void load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) = 0;
};

struct SmWiring {
    Crossbar* requests = nullptr;
    Crossbar* responses = nullptr;
    RequestPool* pool = nullptr;
    const AddressMap* map = nullptr;
    LinearMemory* memory = nullptr;
    LoadStats* load_stats = nullptr;
    SmOwner* owner = nullptr;
    Translation* translation = nullptr;  // null: none, addresses are placed by `memory`
    u16 index = 0;
    u32 channels = 1;
    u32 slices_per_channel = 1;
    u32 miss_queue = 8;  // requests between L1 and the crossbar port, besides those in its pipeline
    bool wants_groups = false;
    bool wants_busiest_words = false;  // of atomics
};

class Sm {
  public:
    Sm(const SmSettings& settings, const L1Settings& l1, const SmWiring& wiring);

    /// Does what is possible at `now`; the next cycle with something to do (kNever: until woken).
    Cycle step(Cycle now);

    // -- CTAs
    bool fits(const KernelInfo& kernel) const;
    /// The buffer that the next CTA is to be read into.
    CtaStream& next_cta(KernelRun& kernel);
    /// Starts the CTA in next_cta(); its warps can issue from `now` + 1.
    void launch(KernelRun& kernel, Cycle now);
    /// Before the first CTA of a kernel starts here: L1 is flushed, the unified array divided.
    void begin_kernel(const KernelRun& kernel, Cycle now);
    u32 resident_ctas() const { return resident_ctas_; }
    void edge_signalled(u32 warp, Cycle now);

    /// Adds the cycles of resident warps up to `now` (for a run that is cut short).
    void settle(Cycle now);
    bool quiet() const;
    /// From now on no warp issues anything; what is in flight still arrives and the SM becomes drained.
    void halt() { settings_.schedulers = 0; }
    /// Nothing is in flight, whether or not warps are resident.
    bool drained() const;
    const SmStats& stats() const { return stats_; }
    /// Tells the observer of memory instructions issued from now on; null: none.
    void trace(LifetimeObserver* lifetimes) { lifetimes_ = lifetimes; }
    u32 outstanding_l1() const { return l1_.outstanding(); }
    /// One line for each waiting warp: what it waits for. For deadlock reports.
    std::string describe(Cycle now) const;
    /// The most CTAs of this kernel that fit an empty SM; 0 if none, then `why` says what is too large.
    static u32 occupancy(const SmSettings& settings, const KernelInfo& kernel, std::string* why = nullptr);

  private:
    /// Scoreboard entries and ready times are cycle << 2 | cause of the wait, so that the latest decides both.
    enum : u64 { kArithmetic = 0, kSharedMemory = 1, kMemory = 2 };
    static constexpr u64 kPending = ~u64{0};  // data on the way, time not known yet
    static constexpr u64 key(Cycle at, u64 cause) { return at.v << 2 | cause; }
    static constexpr u32 kWheel = 256;
    static constexpr u8 kNoWarp = 0xff;  // Request::warp of a write-back

    struct alignas(64) Warp {
        WarpCursor cursor;
        DynInst inst;  // the next instruction
        KernelRun* kernel = nullptr;
        u64 ready = 0;                    // key of the cycle from which it may issue
        u64 since = 0;                    // cycles before this one are accounted for
        u64 held = 0;                     // PipeTime::held of its pipe up to `ready`
        LoadSiteStats* waited = nullptr;  // of the load whose data it waits for, once their time is known
        Pipe pipe = Pipe::alu;
        u8 scheduler = 0;
        u8 lanes = 0;  // of the full mask
        u16 cta = 0;
        bool active = false;
        bool done = false;  // has issued its last instruction
        bool at_fence = false, at_barrier = false, at_edge = false, at_copies = false;
        u32 loads = 0;   // outstanding, with a result or without
        u32 writes = 0;  // stores and reductions not yet performed
    };
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
    /// A load or atomic with a result, from issue to its last data.
    struct Load {
        KernelRun* kernel = nullptr;
        u32 id = 0;  // its index, and above it how often the slot has been used: names it outside the SM
        u64 issued = 0;
        u64 last = 0;    // latest known arrival
        u32 pieces = 0;  // lines not yet arrived
        u32 static_index = 0;
        u32 requests = 0;  // lines after coalescing
        u32 edge = 0;      // edge+1 to signal when performed; 0: none
        u8 warp = 0;
        bool sent = false;    // the load/store unit has finished with it
        bool counts = true;   // enters the latency statistics (not prefetches, not stores that signal)
        bool copies = false;  // an asynchronous copy, of the warp's group `group`
        u32 group = 0;
        u32 touched = DivergenceMeter::kNone;  // its requests that DRAM has served
        u32 next_free = 0;
    };
    /// A warp's asynchronous copies, in groups: `first` is the oldest unfinished one, new copies join `open`.
    /// Groups are done in order, as a wait counts them.
    struct Copies {
        // A wait names at most 255 groups, and the one before them must not share its place with the open one.
        static constexpr u32 kGroups = 512;
        u32 first = 0, open = 0;
        std::array<u32, kGroups> pending{};  // copies of the group in flight
        std::array<u64, kGroups> arrived{};  // last arrival; of a finished group, that of all up to it
        void advance();
    };
    enum class LsuKind : u8 { load, store, atomic, reduction, shared, prefetch };
    struct LsuInst {
        LsuKind kind = LsuKind::load;
        u8 warp = 0;
        bool bypass = false;
        u32 load = 0;
        u32 pieces = 0;  // lines, or passes of shared memory
        u8 app = 0;
        bool traced = false;
        bool counted = false;    // its lines, by channel
        u32 trace = 0;           // its number among the SM's traced instructions
        u32 flight = kNoFlight;  // with translation, once its first line has been looked up
    };
    static constexpr u32 kNoFlight = ~u32{0};
    /// With translation: a memory instruction from its first line's lookup in the TLB to its last line's outcome in L1.
    struct Flight {
        LsuInst inst;
        u32 lines = 0;  // without an outcome in L1
        u32 next_free = kNoFlight;
    };
    /// A line that waits for its translation, or has it and comes to L1 again.
    struct WaitingLine {
        Cycle known;  // its own lookup has ended
        LineAccess access;
        u32 flight = 0;
        u32 frame = 0;
        u32 next = kNoFlight;
    };
    /// A line on its way from the TLB to L1.
    struct TranslatedLine {
        Cycle at;
        PhysAddr line;
        LineAccess access;
        u32 flight = 0;
    };

    // sm_issue.cpp
    void wake_warps(Cycle now);
    Cycle schedule(Cycle now);
    void issue(u32 warp, Cycle now);
    void prepare(u32 warp, Cycle earliest, Cycle now, Cycle ready_if_by);
    void make_ready(u32 warp);
    void account(Warp& warp, WarpState state, u64 until) {
        if (until <= warp.since) return;
        stats_.warp_cycles[static_cast<std::size_t>(state)] += until - warp.since;
        warp.since = until;
    }
    void account_wait(Warp& warp, u64 until);
    void cut_off(Warp& warp, Cycle now);
    u64 issue_memory(u32 slot, const StaticInst& inst, Cycle now);
    u32* registers(u32 warp) { return registers_[std::size_t{warp} * register_lines_].ready.data(); }
    const u32* registers(u32 warp) const {
        return registers_[std::size_t{warp} * register_lines_].ready.data();
    }
    void set_results(const Decoded& inst, u32 warp, u64 ready) {
        const u32 entry = ready == kPending ? kPendingEntry : static_cast<u32>(ready - (base_ << 2));
        u32* entries = registers(warp);
        for (u32 k = 0; k < inst.results; ++k) entries[inst.registers[k]] = entry;
    }
    u64 operands_ready(const Decoded& inst, u32 warp) const {
        const u32* entries = registers(warp);
        u32 ready = 0;
        for (u32 k = 0; k < inst.checks; ++k) ready = std::max(ready, entries[inst.registers[k]]);
        return ready == kPendingEntry ? kPending : u64{ready} + (base_ << 2);
    }
    void move_base(Cycle now);
    const Decoded& next_inst(const Warp& w) { return w.kernel->decoded(w.inst.static_index, ops_); }
    void look_again(u32 warp, Cycle at, Cycle now);
    Cycle next_look(Cycle now) const;

    // sm_memory.cpp
    void receive(Cycle now);
    void load_store(Cycle now);
    void access_shared(const LsuInst& inst, Cycle now);
    void all_sent(u32 load, Cycle now);
    bool send_piece(const LsuInst& inst, const LineAccess& piece, PhysAddr line, Cycle now);
    bool blocked(u64& counter) {
        lsu_stall_.because(counter);
        return false;
    }
    Request* send_request(const LsuInst& inst, u32 line, u8 sectors, u8 partial, u8 lanes, RequestKind kind,
                          bool bypass, Cycle now);
    void write_back(const Cache<u32>::Evicted& evicted, Cycle now);
    void count_lines(LsuInst& inst);
    void line_settled(const LsuInst& inst, u32 channel, Cycle now);
    bool traced(u32 warp, const StaticInst& inst, LsuInst& todo, Cycle now);
    void tell_returned(const Request& request, Cycle whole, Cycle usable);
    void piece_arrived(u32 load, u64 at, Cycle now);
    void load_finished(u32 load, Cycle now);
    void write_performed(u32 warp, Cycle now);
    static constexpr u32 kLoadBits = 20;
    static u32 index_of(u32 id) { return id & ((1u << kLoadBits) - 1); }
    u32 take_load();
    bool miss_room() const { return misses_.size() + 2 <= l1_settings_.miss_latency.v + wiring_.miss_queue; }
    bool lsu_room() const { return lsu_.size() < settings_.lsu.queue; }

    // sm_translation.cpp
    Cycle translate_and_access(Cycle now);
    void take_translations(Cycle now);
    void look_up_lines(Cycle now);
    bool look_up_line(const LsuInst& inst, const LineAccess& access, Cycle now);
    void access_translated(Cycle now);
    bool access_line(u32 flight, const LineAccess& access, PhysAddr line, Cycle now);
    void begin_flight(LsuInst& inst);
    u32 translated_in_lookup(u32 k, u32 frame);
    void free_waiting_line(u32 k);
    u32 take_waiting();
    bool translations_quiet() const;
    /// Lines on their way from the TLB to L1, at most.
    u32 translated_room() const;
    /// Where a load's counts by channel begin.
    u32 group_of(const LsuInst& inst) const {
        return inst.flight == kNoFlight ? 0 : inst.flight * wiring_.channels;
    }

    // sm_cta.cpp
    bool barrier(u32 warp, const StaticInst& inst, Cycle now);
    void release_barrier(Cta& cta, u32 id, Cycle now);
    void warp_ended(u32 warp, Cycle now);
    void try_drain(u32 warp, Cycle now);
    void try_fence(u32 warp, Cycle now);
    bool holds(u32 warp, const Decoded& inst);
    Copies& copies(u32 warp);
    u64 copies_ready(u32 warp, u32 keep) const;
    void commit_copies(u32 warp);
    void copy_arrived(u32 warp, u32 group, u64 at, Cycle now);
    void go_on(u32 warp, WarpState waited, Cycle now);

    SmSettings settings_;
    L1Settings l1_settings_;
    SmWiring wiring_;
    OpTable ops_;

    // Warps and scoreboard. A warp's register r becomes ready at registers(slot)[r]: a key whose cycle counts from
    // base_, which follows the time. Half the bytes of a whole cycle number, so that the registers that a small
    // kernel uses share one cache line: with many warps in turn, that line is what issue waits for.
    std::vector<Warp> warps_;
    std::vector<u64> age_;
    struct alignas(64) RegisterLine {
        std::array<u32, 16> ready{};
    };
    static constexpr u32 kPendingEntry = ~u32{0};
    static constexpr u64 kBaseSpan = u64{1} << 28;  // base_ is at most this far behind
    u64 base_ = 0;
    u32 register_lines_ = 0;  // of a warp
    std::vector<RegisterLine> registers_;
    u64 free_warps_ = 0;
    u64 waiting_memory_ = 0;      // warps in state memory with unknown end
    std::vector<Copies> copies_;  // by warp, once there are any
    std::vector<Cta> ctas_;
    std::vector<u32> free_ctas_;
    std::unique_ptr<CtaStream> spare_;
    KernelRun* spare_kernel_ = nullptr;
    u32 resident_ctas_ = 0;
    u32 threads_used_ = 0, registers_used_ = 0;
    u64 shared_used_ = 0;
    u64 next_age_ = 0;

    // Schedulers.
    std::vector<std::unique_ptr<WarpScheduler>> policies_;
    std::vector<u64> scheduler_warps_;                // slots that belong to it
    std::array<std::array<u64, kPipes>, 4> ready_{};  // [scheduler][pipe]: warps that may issue
    std::array<u32, 4> ready_pipes_{};                // pipes with such warps
    struct PipeTime {
        u64 free = 0;  // cycle from which the pipe takes another
        u64 held = 0;  // cycles before that in which it took none
    };
    std::array<std::array<PipeTime, kPipes>, 4> pipe_time_{};
    std::array<std::array<PipeTime*, kPipes>, 4> pipe_{};  // the one that counts: scheduler 0's if shared
    u64 lsu_full_until_ = 0;
    bool lsu_wanted_ = false;          // a warp is ready that it has no room for
    std::array<u64, kWheel> wheel_{};  // warps by the cycle in which to look at them again
    std::array<u64, kWheel / 64> wheel_used_{};

    // Load/store unit.
    Coalescer coalescer_;
    Ring<LsuInst> lsu_;
    Ring<LineAccess> pieces_;
    Cycle lsu_free_{0};
    StallClock lsu_stall_;
    std::vector<Load> loads_;
    u32 free_load_ = ~u32{0};
    DivergenceMeter divergence_;
    // Of the load at the head of the load/store unit, if wants_groups: the channel of each line; by channel, lines without
    // an outcome and requests sent.
    std::vector<u16> line_channels_, lines_left_, group_counts_;
    Cache<u32> l1_;
    Ring<std::pair<Cycle, Request*>> misses_;  // on the way from L1 to the crossbar port
    u64 memory_in_flight_ = 0;                 // requests sent and not answered
    LifetimeObserver* lifetimes_ = nullptr;
    u32 traced_ = 0;  // instructions

    // With translation.
    L1Tlb* tlb_ = nullptr;
    std::vector<Flight> flights_;
    u32 free_flight_ = kNoFlight;
    std::vector<WaitingLine> waiting_lines_;
    u32 free_waiting_ = kNoFlight, waiting_count_ = 0;
    u32 replay_head_ = kNoFlight, replay_tail_ = kNoFlight;  // lines that come to L1 again, ahead of others
    Ring<TranslatedLine> translated_;
    StallClock tlb_stall_;

    SmStats stats_;
};

}  // namespace heddle
