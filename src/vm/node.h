#pragma once
// Translation is a chain of nodes of one interface, from the SMs' side to the memory that holds the page tables. A node is
// asked for a page, or for an entry of a page table; what it does not know it asks the next one, and an answer comes back
// to the one that asked:
//
//     L1 TLBs ── ask(miss) ──> node ── ask(miss) ──> node ──> ...
//             <── answer ────       <── answer ────
//
// Calls take no time themselves: questions and answers carry the cycle from which they hold, which may lie ahead. So
// - a node is told of a miss as soon as it is certain, and may reserve what it needs then; its own lookup begins at
//   `at`, or later if it is busy. It refuses nothing: what it has no room for it keeps in order.
// - every miss is answered exactly once, at max(answer's at, its own at): one answer may serve many misses of a key.
//
// A node is one file that registers itself in translation_nodes(); a design (vm/design.h) is a list of their names.
// Nothing is visited in vain: a node is stepped when it has said that it is due.

#include <algorithm>
#include <span>
#include <string>

#include "config/policy.h"
#include "sim/agenda.h"
#include "vm/entry_key.h"
#include "vm/mapping.h"
#include "vm/page_set.h"

namespace heddle {

class Processes;
class TlbFillPolicy;
struct TranslationCounts;
struct TranslationPressure;
struct TranslationSettings;

/// A question.
struct PageMiss {
    Cycle at;      // the asker's lookup has ended: no answer before
    PageKey key;   // of a page, or of a page-table entry (entry_key)
    u32 from = 0;  // the asker's own number for it
    u8 level = 0;  // of a page-table entry, 1 = root
    u16 sm = 0;    // whose access missed, the first one of those that joined
    u16 line = 0;  // that access's line, counted within its page
    u32 data = 0;  // of a page-table entry: the number of that line in physical memory

    PageMiss starting(Cycle cycle) const {
        PageMiss m = *this;
        m.at = cycle;
        return m;
    }
};

/// What L1 TLBs do with an answer.
enum class L1Keep : u8 { yes, no, aside };  // aside: among those that the fill policy kept out of the L2 TLB

/// An answer to all of `to`, which asked for the same key, in the order in which they did. Of a page-table entry `mapping`
/// is the frame that holds it.
struct PageAnswer {
    PageKey key;
    Mapping mapping;
    Cycle at;
    std::span<const PageMiss> to;
    L1Keep l1 = L1Keep::yes;
    Cycle time(const PageMiss& miss) const { return std::max(at, miss.at); }
};

/// Who asks a node.
class TranslationAsker {
  public:
    virtual ~TranslationAsker() = default;
    /// Answers come in any order of `at`, which is later than now.
    virtual void answer(const PageAnswer& answer, Cycle now) = 0;
    /// Bit w: warp w waits for this miss.
    virtual u64 waiting_warps(const PageMiss& miss) const = 0;
};

/// What nodes are made of and with.
struct TranslationNodeContext {
    const TranslationSettings* settings = nullptr;
    TranslationCounts* counts = nullptr;
    TranslationPressure* pressure = nullptr;
    TlbFillPolicy* fill = nullptr;
    Processes* processes = nullptr;
    Agenda* agenda = nullptr;
    u32 part = 0;         // of the agenda: steps those that are due
    u32 most_misses = 0;  // that the L1 TLBs can have outstanding
};

class TranslationNode : public TranslationAsker {
  public:
    explicit TranslationNode(const TranslationNodeContext& c) : agenda_(c.agenda), part_(c.part) {}
    void connect(TranslationAsker& asker, TranslationNode* next) {
        asker_ = &asker;
        next_ = next;
    }

    void ask(const PageMiss& m, Cycle now) {
        ++asked_;
        miss(m, now);
    }
    /// Does what is due. Only of nodes that have times of their own.
    virtual void step(Cycle) {}
    virtual bool steps() const { return false; }
    /// The next cycle in which it wants to be stepped.
    Cycle due() const { return due_; }

    /// What it knows of a page itself, at once and without a trace; none if it would have to ask.
    virtual Mapping probe(PageKey) { return {}; }
    /// True if it can answer every probe: L1 TLBs look into it beside their own and never miss.
    virtual bool instant() const { return false; }
    /// L1 TLBs look into it in their own lookup, and ask it for what it does not know then.
    virtual bool beside_l1() const { return instant(); }
    /// Such a lookup, which counts. Whether L1 TLBs keep what it finds.
    virtual Mapping look(PageKey key, Cycle /*now*/) { return probe(key); }
    virtual bool l1_keeps() const { return false; }
    virtual void insert(PageKey, Mapping, Cycle /*now*/) {}
    /// The node before it has evicted this.
    virtual void evicted(PageKey, Mapping, Cycle /*now*/) {}
    /// Translations of these pages are not to be used again, though what is under way may still be answered with them.
    virtual void remove(const PageSet&, Cycle /*now*/) {}
    /// The page tables have changed for these pages: neither is what has been read of them.
    virtual void changed(const PageSet&, Cycle /*now*/) {}
    virtual void end_epoch(Cycle /*now*/) {}

    u64 waiting_warps(const PageMiss& m) const override { return asker_->waiting_warps(m); }

    /// All that was asked has been answered, though an answer's time may lie ahead.
    bool quiet() const { return asked_ == answered_; }
    u64 asked() const { return asked_; }
    u64 answered() const { return answered_; }
    /// What waits in it, for diagnosis; empty if it has nothing to tell.
    virtual std::string describe() const { return {}; }
    /// InvariantError unless its own counts agree.
    virtual void check() const {}

  protected:
    virtual void miss(const PageMiss& m, Cycle now) = 0;
    /// A node that asks no other gets no answer.
    void answer(const PageAnswer&, Cycle /*now*/) override {}

    void reply(const PageAnswer& a, Cycle now) {
        answered_ += a.to.size();
        asker_->answer(a, now);
    }
    TranslationAsker& asker() { return *asker_; }
    TranslationNode& next() { return *next_; }
    void due_at(Cycle at) { due_ = at; }
    /// Is due at `at` if not before; for calls outside its step.
    void wake(Cycle at) {
        due_ = std::min(due_, at);
        agenda_->wake(part_, at);
    }

  private:
    TranslationAsker* asker_ = nullptr;
    TranslationNode* next_ = nullptr;
    Agenda* agenda_;
    u32 part_;
    Cycle due_ = kNever;
    u64 asked_ = 0, answered_ = 0;
};

using TranslationNodePoint = config::PolicyPoint<TranslationNode, const TranslationNodeContext&>;
TranslationNodePoint& translation_nodes();

}  // namespace heddle
