#pragma once
// Address translation of one GPU, as its SMs and the machine see it: an L1 TLB for each SM, behind them the nodes of the
// design (vm/design.h, vm/node.h), and the control port through which changes of page tables reach both. Core clock.
//
//     SM ── miss(page) ──> node ──> node ──> ... ──> reads of L2
//      ^                     │
//      └─ L1Tlb::answer ─────┘
//
// The SMs' misses are messages: they come at least a cycle after they were sent, in the order of their time.

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "mem/translation_pressure.h"
#include "vm/control_port.h"
#include "vm/fill_policy.h"
#include "vm/l1_tlb.h"
#include "vm/process.h"
#include "vm/shootdown_policy.h"
#include "vm/table_reader.h"

namespace heddle {

class PageMoves;

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

class Translation final : private TranslationAsker {
  public:
    Translation(const TranslationSettings& settings, const TranslationWiring& wiring);

    void attach(Slice* slice) { memory_.slices.push_back(slice); }
    /// To whom slices answer.
    WalkReader* reader() { return &reader_; }
    /// Before the first access.
    void start(Processes& processes, std::span<const FillApp> apps);

    const TranslationSettings& settings() const { return settings_; }
    L1Tlb& l1(u16 sm) { return *l1_[sm]; }
    const L1Tlb& l1(u16 sm) const { return *l1_[sm]; }
    Processes& processes() { return *processes_; }
    const Processes& processes() const { return *processes_; }

    // -- from an SM
    /// Once, in the order of SMs.
    void attach(WalkPort& sm) { memory_.sms.push_back(&sm); }
    /// In its step: its L1 TLB has missed a line, counted within its page; the lookup here can begin at `at`, later than
    /// now.
    void miss(u16 sm, PageKey page, u16 line, Cycle at);
    /// So many of its warps wait for one page.
    void stalled(u8 app, u8 warps) {
        u8& most = wiring_.pressure->apps[app].stalled_warps;
        if (warps > most) most = warps;
    }

    /// Does what is due; the next cycle with something to do.
    Cycle step(Cycle now);

    // -- translations that no longer hold
    /// Valid page-table entries have changed: TLBs forget what `translation.shootdown` says, at least the changed pages,
    /// and nodes forget what they have read of these pages' tables. Whoever changes entries (a free, a migration, a
    /// change of rights) changes them in processes() first and calls this once for all of them.
    void changed(const TranslationChange& change, Cycle now);
    /// Forgets all that TLBs hold of an application.
    void flush(u8 app, Cycle now) { shoot_down(PageSet::of(app), now); }
    /// `pages` whole pages within [first, first + bytes) have been unmapped; no change if that is none.
    void unmapped(u8 app, VirtAddr first, u64 bytes, u64 pages, Cycle now);

    // -- pages that move (vm/page_moves.h)
    /// Before the first access; null: none does.
    void moves(PageMoves* moves) { moves_ = moves; }
    PageMoves* moves() const { return moves_; }
    /// No SM looks a translation up before `until`.
    void stall(Cycle until) { cores_.stall(until); }
    /// Nobody uses what is known of the page again; takes no time.
    void forget(PageKey page, Cycle now);
    /// No answer for the page, which moves, is on its way to an SM.
    bool settled(PageKey page) const;
    /// Those that asked for the page while it moved ask again.
    void opened(PageKey page, Cycle now);

    bool quiet() const;
    std::string describe() const;
    /// InvariantError unless what was asked was answered.
    void check_conservation() const;

    const TranslationStats& stats() const { return counts_.all; }
    const SharedTlbStats& stats(u8 app) const { return counts_.apps[app]; }
    const TlbFillPolicy& fill_policy() const { return *fill_; }
    u64 walks() const;
    /// Reads of walks that SMs sent through the crossbar; they are not answered there.
    u64 reads_by_sms() const { return reader_.sent_by_sms(); }

  private:
    TranslationNodeContext context();
    void compose();
    void ask(const PageMiss& miss, Cycle now);
    void answer(const PageAnswer& answer, Cycle now) override;
    u64 waiting_warps(const PageMiss& miss) const override;
    void end_epoch(Cycle now);
    void shoot_down(const PageSet& pages, Cycle now);

    TranslationSettings settings_;
    TranslationWiring wiring_;
    TableReaderWiring memory_;
    std::vector<std::unique_ptr<L1Tlb>> l1_;
    ControlPort cores_;
    std::unique_ptr<TlbFillPolicy> fill_;
    std::unique_ptr<ShootdownPolicy> shootdown_;
    Processes* processes_ = nullptr;
    TranslationCounts counts_;
    TableReader reader_;
    std::vector<std::unique_ptr<TranslationNode>> of_design_;
    std::vector<TranslationNode*> nodes_;  // those, and the reader
    // From the far end, so that answers find the nodes before as they were.
    std::vector<TranslationNode*> stepped_;

    Ring<PageMiss> arrivals_;  // from SMs, by time
    // With l1_tlb.blocking: gpu, pages that were asked for and have no answer, and the misses that wait for each.
    std::unordered_map<u64, std::vector<PageMiss>> under_walk_;
    PageMoves* moves_ = nullptr;
    std::unordered_map<u64, std::vector<PageMiss>> closed_;  // misses of pages that move, by page
    u64 asked_ = 0, answered_ = 0;
    Cycle epoch_end_ = kNever;
};

}  // namespace heddle
