#pragma once
// The TLB of one SM with its MSHRs: which pages it waits for and which warps wait for each. It is the first node of every
// design (vm/node.h): the load/store unit looks into it in the same cycle, so its lookup is a plain call; its misses go
// to Translation::miss, and answers come into `fills`. The SM keeps what waits in lists that begin and end in an Mshr.
// What is told to the core from outside (vm/control_port.h) arrives here.

#include <algorithm>
#include <bit>
#include <vector>

#include "sim/ring.h"
#include "vm/control_port.h"
#include "vm/kept_out.h"
#include "vm/node.h"
#include "vm/settings.h"
#include "vm/tlb.h"
#include "vm/translation_stats.h"

namespace heddle {

class L1Tlb final : public CoreControl {
  public:
    static constexpr u32 kNone = ~u32{0};

    /// A page whose translation is in flight.
    struct Mshr {
        PageKey page;
        Cycle since;
        u64 warps = 0;                   // bit w: warp w waits
        u8 stalled = 0;                  // warps that wait; a counter of 6 bits, which saturates
        u32 head = kNone, tail = kNone;  // the SM's list of waiting lines
    };
    /// A translation at the SM at cycle `at`. One that has been taken back meanwhile still serves those that wait, but
    /// is not kept.
    struct Fill {
        Cycle at;
        PageKey page;
        Mapping mapping;
        bool keep = true;
        bool aside = false;  // where what the fill policy kept out is
    };

    explicit L1Tlb(const L1TlbSettings& s)
        : settings_(s), tlb_(s.entries, s.ways), kept_out_(s.kept_out), mshrs_(s.mshrs), by_page_(s.mshrs) {
        for (u32 k = s.mshrs; k-- > 0;) free_.push_back(k);
    }

    const L1TlbSettings& settings() const { return settings_; }

    /// A node that may know in the same lookup what this TLB does not hold; null: none does.
    void look_beside(TranslationNode* node) { beside_ = node; }

    /// None if the page misses.
    Mapping probe(PageKey page, Cycle now) {
        const Mapping held = tlb_.probe(page);
        return held.any() ? held : probe_beside(page, now);
    }
    /// What the TLB itself holds, without a trace.
    Mapping find(PageKey page) const { return tlb_.find(page); }

    bool waits_for(PageKey page) const { return by_page_.find(page.v) != PageMap::kNone; }
    Mshr* waiting_for(PageKey page) {
        const u32 k = by_page_.find(page.v);
        return k == PageMap::kNone ? nullptr : &mshrs_[k];
    }
    bool full() const { return free_.empty(); }
    Mshr& wait_for(PageKey page, Cycle now) {
        const u32 k = free_.back();
        free_.pop_back();
        by_page_.insert(page.v, k);
        mshrs_[k] = Mshr{};
        mshrs_[k].page = page;
        mshrs_[k].since = now;
        return mshrs_[k];
    }
    /// One more warp waits; false if it did already.
    static bool add_warp(Mshr& m, u8 warp) {
        const u64 bit = u64{1} << warp;
        if ((m.warps & bit) != 0) return false;
        m.warps |= bit;
        if (m.stalled < 63) ++m.stalled;
        return true;
    }

    /// An answer, in the order of time.
    void answer(const Fill& fill) { fills_.push_by_time(fill); }
    Cycle next_fill() const { return fills_.empty() ? kNever : fills_.front().at; }
    /// Takes the first answer in; `take(mshr, mapping)` gets what waited for it, whose MSHR is then free.
    template <class Take>
    void take_fill(Take take) {
        const Fill fill = fills_.pop();
        if (fill.keep && fill.aside)
            kept_out_.insert(fill.page, fill.mapping, fill.at);
        else if (fill.keep)
            tlb_.insert(fill.page, fill.mapping);
        const u32 k = by_page_.find(fill.page.v);
        Mshr& m = mshrs_[k];
        ++stats.fills;
        stats.wait_cycles += fill.at - m.since;
        stats.stalled_warps += m.stalled;
        stats.most_stalled_warps = std::max<u64>(stats.most_stalled_warps, m.stalled);
        take(m, fill.mapping);
        by_page_.erase(fill.page.v);
        m.page = PageKey();
        free_.push_back(k);
    }

    void flush(const PageSet& pages) override {
        const auto gone = [&](PageKey page) { return pages.holds(page); };
        tlb_.remove_if(gone);
        kept_out_.remove_if(gone);
        for (u32 k = 0; k < fills_.size(); ++k)
            if (pages.holds(fills_[k].page)) fills_[k].keep = false;
    }
    void stall(Cycle until) override { blocked_until_ = std::max(blocked_until_, until); }
    /// No lookup before.
    Cycle blocked_until() const { return blocked_until_; }

    /// Visits every page that warps wait for.
    template <class Visit>
    void each_wait(Visit visit) const {
        for (const Mshr& m : mshrs_)
            if (m.page.any()) visit(m);
    }
    u32 outstanding() const { return settings_.mshrs - static_cast<u32>(free_.size()); }
    bool quiet() const { return outstanding() == 0 && fills_.empty(); }

    L1TlbStats stats;
    u64 active = 0;  // bit w: warp w has asked in this epoch

  private:
    Mapping probe_beside(PageKey page, Cycle now) {
        if (const Mapping aside = kept_out_.find(page, now); aside.any()) return aside;
        if (beside_ == nullptr) return {};
        const Mapping found = beside_->look(page, now);
        if (found.any() && beside_->l1_keeps()) tlb_.insert(page, found);
        return found;
    }

    L1TlbSettings settings_;
    Tlb tlb_;
    KeptOut kept_out_;
    TranslationNode* beside_ = nullptr;
    std::vector<Mshr> mshrs_;
    PageMap by_page_;
    std::vector<u32> free_;
    Ring<Fill> fills_;
    Cycle blocked_until_{0};
};

}  // namespace heddle
