// The page walker: at most `walks` walks at once, others wait in their order. A walk asks the next node for one entry of
// the page table after the other; what the last one says is the answer. A walk whose page's entry has changed meanwhile
// begins again.

#include <algorithm>
#include <fmt/format.h>

#include "sim/ring.h"
#include "vm/node.h"
#include "vm/process.h"
#include "vm/translation_stats.h"

namespace heddle {
namespace {

class Walker final : public TranslationNode {
  public:
    explicit Walker(const TranslationNodeContext& c)
        : TranslationNode(c),
          processes_(*c.processes),
          stats_(c.counts->all),
          walks_(c.settings->walker.walks) {
        for (u32 k = c.settings->walker.walks; k-- > 0;) free_.push_back(k);
    }

    bool steps() const override { return true; }
    void step(Cycle now) override {
        while (!ended_.empty() && ended_.front().at <= now + 1) {
            const Ended e = ended_.pop();
            finish(e.slot, e.at);
        }
        due_at(ended_.empty() ? kNever : ended_.front().at - 1);
    }

    void changed(const PageSet& pages, Cycle) override {
        for (Walk& w : walks_) w.stale = w.stale || (w.of.key.any() && pages.holds(w.of.key));
    }

    std::string describe() const override {
        return fmt::format("{} of them wait for the walker", waiting_.size());
    }

  private:
    struct Walk {
        PageMiss of;  // key: none if the slot is free
        u32 level = 0;
        bool stale = false;
        WalkPath path;
    };
    struct Ended {
        Cycle at;
        u32 slot = 0;
    };

    void miss(const PageMiss& m, Cycle now) override {
        if (free_.empty()) {
            waiting_.push(m);
            return;
        }
        const u32 slot = free_.back();
        free_.pop_back();
        stats_.most_walking = std::max<u64>(stats_.most_walking, walks_.size() - free_.size());
        begin(slot, m, m.at, now);
    }

    void begin(u32 slot, const PageMiss& m, Cycle at, Cycle now) {
        Walk& w = walks_[slot];
        w.of = m;
        w.level = 1;
        w.stale = false;
        w.path = processes_.path(m.key.app(), m.key.address());
        read(w, slot, at, now);
    }

    /// The walk's next entry is wanted from `at` on.
    void read(const Walk& w, u32 slot, Cycle at, Cycle now) {
        const VirtAddr line = w.of.key.address() + u64{w.of.line} * kLineBytes;
        next().ask({at, entry_key(w.of.key.app(), w.path.entry[w.level - 1], w.path.layout), slot,
                    static_cast<u8>(w.level), w.of.sm, w.of.line, line_number(w.path.mapping.physical(line))},
                   now);
    }

    void answer(const PageAnswer& a, Cycle now) override {
        for (const PageMiss& m : a.to) {
            Walk& w = walks_[m.from];
            if (w.level != w.path.levels) {
                ++w.level;
                read(w, m.from, a.time(m), now);
            } else if (const Cycle at = a.time(m); at <= now + 1) {
                finish(m.from, at);
            } else {
                end_later(m.from, at);
            }
        }
    }

    /// The walk will know its translation at `at`. Out of line, for only a page-walk cache answers so early.
    [[gnu::noinline]] void end_later(u32 slot, Cycle at) {
        ended_.push_by_time({at, slot});
        wake(at - 1);
    }

    /// Done in the cycle before `at`, so that whoever waits has the translation at `at`.
    void finish(u32 slot, Cycle at) {
        Walk& w = walks_[slot];
        const PageMiss of = w.of;
        if (w.stale) {
            ++stats_.restarts;
            begin(slot, of, at, at - 1);
            return;
        }
        const Mapping mapping = w.path.mapping;
        if (waiting_.empty()) {
            w.of.key = PageKey();
            free_.push_back(slot);
        } else {
            const PageMiss first = waiting_.pop();
            stats_.walker_wait_cycles += at > first.at ? at - first.at : 0;
            begin(slot, first, std::max(at, first.at), at - 1);
        }
        reply({of.key, mapping, at, {&of, 1}}, at - 1);
    }

    Processes& processes_;
    TranslationStats& stats_;
    std::vector<Walk> walks_;
    std::vector<u32> free_;
    Ring<PageMiss> waiting_;  // for a slot
    Ring<Ended> ended_;
};

const bool walker_registered = translation_nodes().add<Walker>("walker", "reads page tables level by level",
                                                               "Ausavarungnirun, CMU 2017, ch. 6");

}  // namespace
}  // namespace heddle
