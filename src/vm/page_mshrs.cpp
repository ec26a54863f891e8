// MSHRs in front of the walker: misses of a page join, so that the next node is asked once. Without a free one a page waits
// aside, in the order of first misses, and whoever asks next may still join it. Who joins is answered when both the
// page's answer has come and its own lookup has ended.

#include <algorithm>
#include <fmt/format.h>

#include "mem/translation_pressure.h"
#include "sim/error.h"
#include "sim/ring.h"
#include "sim/stall_clock.h"
#include "vm/node.h"
#include "vm/page_map.h"
#include "vm/settings.h"
#include "vm/translation_stats.h"

namespace heddle {
namespace {

class PageMshrs final : public TranslationNode {
  public:
    explicit PageMshrs(const TranslationNodeContext& c)
        : TranslationNode(c),
          limit_(c.settings->walker.mshrs),
          counts_(*c.counts),
          pressure_(*c.pressure),
          by_page_(c.most_misses),
          outstanding_of_(c.counts->apps.size()) {
        stall_.because(counts_.all.stall_mshr_cycles);
    }

    void end_epoch(Cycle) override {
        for (std::size_t a = 0; a < outstanding_of_.size(); ++a)
            pressure_.apps[a].walks = saturated(outstanding_of_[a]);
    }

    std::string describe() const override {
        return fmt::format("{} pages wait for an MSHR, {} walks outstanding", waiting_.size(), outstanding_);
    }
    void check() const override {
        u64 outcomes = 0;
        for (const SharedTlbStats& s : counts_.apps) outcomes += s.merges + s.walks;
        if (outcomes != asked())
            throw InvariantError(fmt::format(
                "conservation: pages missed ({}) differ from merges and walks ({})", asked(), outcomes));
    }

  private:
    /// A page that is asked for, or waits for one of `limit_`.
    struct Mshr {
        PageKey page;
        Cycle since;  // when the first miss was known
        std::vector<PageMiss> misses;
    };

    static u8 saturated(u32 walks) {
        return static_cast<u8>(std::min<u32>(walks, TranslationPressure::kMost));
    }

    void miss(const PageMiss& m, Cycle now) override {
        if (const u32 found = by_page_.find(m.key.v); found != PageMap::kNone) {
            mshrs_[found].misses.push_back(m);
            ++counts_.apps[m.key.app()].merges;
            return;
        }
        if (free_.empty()) {
            free_.push_back(static_cast<u32>(mshrs_.size()));
            mshrs_.emplace_back();
        }
        const u32 k = free_.back();
        free_.pop_back();
        by_page_.insert(m.key.v, k);
        mshrs_[k].page = m.key;
        mshrs_[k].since = m.at;
        mshrs_[k].misses.assign(1, m);
        if (outstanding_ < limit_) {
            begin(k, m.at, now);
        } else {
            if (waiting_.empty()) stall_.begin(now);
            waiting_.push(k);
        }
    }

    void begin(u32 k, Cycle from, Cycle now) {
        const PageKey page = mshrs_[k].page;
        count_to(now);
        ++outstanding_;
        SharedTlbStats& stats = counts_.apps[page.app()];
        ++stats.walks;
        const u32 walks = ++outstanding_of_[page.app()];
        stats.most_walks = std::max<u64>(stats.most_walks, walks);
        u8& most = pressure_.apps[page.app()].walks;
        most = std::max(most, saturated(walks));
        PageMiss m = mshrs_[k].misses.front().starting(from);
        m.from = k;
        next().ask(m, now);
    }

    void answer(const PageAnswer& a, Cycle now) override {
        const u32 k = a.to.front().from;
        reply({a.key, a.mapping, a.at, mshrs_[k].misses}, now);
        const u64 cycles = a.at - mshrs_[k].since;
        counts_.all.walk_latency.add(cycles);
        counts_.apps[a.key.app()].walk_cycles += cycles;
        count_to(a.at);
        --outstanding_;
        --outstanding_of_[a.key.app()];
        by_page_.erase(a.key.v);
        mshrs_[k].page = PageKey();
        free_.push_back(k);
        if (waiting_.empty()) return;
        const u32 first = waiting_.pop();
        begin(first, std::max(a.at, mshrs_[first].since), now);
        if (waiting_.empty()) stall_.end(a.at);
    }

    /// The number of outstanding pages is about to change.
    void count_to(Cycle at) {
        if (at <= counted_to_) return;
        if (outstanding_ != 0) counts_.all.busy_cycles += at - counted_to_;
        counts_.all.walks_over_cycles += outstanding_ * (at - counted_to_);
        counted_to_ = at;
    }

    const u32 limit_;
    TranslationCounts& counts_;
    TranslationPressure& pressure_;
    std::vector<Mshr> mshrs_;
    PageMap by_page_;  // each page is outstanding in an L1 TLB, which bounds them
    std::vector<u32> free_;
    Ring<u32> waiting_;  // only with `limit_` outstanding
    StallClock stall_;   // while that is not empty
    u32 outstanding_ = 0;
    std::vector<u32> outstanding_of_;  // by application
    Cycle counted_to_{0};
};

const bool page_mshrs_registered =
    translation_nodes().add<PageMshrs>("mshrs", "misses of one page become one walk", "choice");

}  // namespace
}  // namespace heddle
