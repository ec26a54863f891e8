#pragma once
// One translation node between an asker and a next node of this rig, so that nothing else decides what it does.
//
//     NodeRig rig("mshrs", settings);
//     rig.ask(key, at);          // in cycle rig.now; the question's number is the count of those before
//     rig.run();                 // until all is answered
//     rig.answers[k].at

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>

#include "mem/translation_pressure.h"
#include "sim/random.h"
#include "vm/fill_policy.h"
#include "vm/l1_tlb.h"
#include "vm/node.h"
#include "vm/process.h"
#include "vm/translation_stats.h"

namespace heddle::test {

/// What a page's or an entry's answer must be.
inline Mapping truth(Processes& processes, PageKey key, u8 level) {
    return level != 0 ? Mapping(static_cast<u32>(entry_address(key).v >> kFrameShift), PageSize::small)
                      : processes.mapping(key.app(), key.address());
}

/// The next node: answers each question `latency(question)` cycles after it can begin.
class FarNode final : public TranslationNode {
  public:
    FarNode(const TranslationNodeContext& c) : TranslationNode(c), processes_(*c.processes) {}
    std::function<u64(const PageMiss&)> latency = [](const PageMiss&) { return u64{10}; };
    std::vector<PageMiss> asked_for;
    std::vector<PageKey> victims;
    std::size_t outstanding = 0, most = 0;

    void evicted(PageKey key, Mapping, Cycle) override { victims.push_back(key); }
    bool idle() const { return answers_.empty(); }
    /// Answers what is known in the next cycle, as an L2 slice does.
    void tick(Cycle now) {
        while (!answers_.empty() && answers_.begin()->first <= now + 1) {
            const auto [at, m] = *answers_.begin();
            answers_.erase(answers_.begin());
            --outstanding;
            reply({m.key, truth(processes_, m.key, m.level), at, {&m, 1}}, now);
        }
    }

  private:
    void miss(const PageMiss& m, Cycle now) override {
        asked_for.push_back(m);
        most = std::max(most, ++outstanding);
        answers_.emplace(std::max(m.at + latency(m), now + 2), m);
    }
    Processes& processes_;
    std::multimap<Cycle, PageMiss> answers_;
};

/// An L1 TLB in an SM's place: lines of any number wait for a page, and what finds no MSHR comes again in order.
class L1Node final : public TranslationNode {
  public:
    L1Node(const TranslationNodeContext& c) : TranslationNode(c), tlb_(c.settings->l1_tlb) {}
    L1Tlb& tlb() { return tlb_; }

    Mapping probe(PageKey key) override { return tlb_.find(key); }
    void remove(const PageSet& pages, Cycle now) override {
        tlb_.flush(pages);
        tlb_.stall(now + tlb_.settings().invalidate.v);
    }
    void step(Cycle now) override {
        while (tlb_.next_fill() <= now)
            tlb_.take_fill([&](const L1Tlb::Mshr& m, Mapping mapping) {
                std::vector<PageMiss> to = std::move(waiting_[m.page.v]);
                waiting_.erase(m.page.v);
                reply({m.page, mapping, now, to}, now);
            });
        while (!queue_.empty() && queue_.front().at <= now && look_up(queue_.front(), now)) queue_.pop();
        Cycle next = tlb_.next_fill();
        if (!queue_.empty() && (queue_.front().at > now || tlb_.blocked_until() > now))
            next = std::min(next, std::max({queue_.front().at, tlb_.blocked_until(), now + 1}));
        due_at(next);
    }

  private:
    void miss(const PageMiss& m, Cycle now) override {
        queue_.push_by_time(m);
        wake(std::max(m.at, now + 1));
    }
    void answer(const PageAnswer& a, Cycle) override {
        tlb_.answer({a.time(a.to.front()), a.key, a.mapping, true});
        wake(tlb_.next_fill());
    }
    bool look_up(const PageMiss& m, Cycle now) {
        if (tlb_.blocked_until() > now) return false;
        const Cycle known = now + tlb_.settings().latency.v;
        if (const Mapping held = tlb_.probe(m.key, now); held.any()) {
            reply({m.key, held, known, {&m, 1}}, now);
            return true;
        }
        if (tlb_.waiting_for(m.key) == nullptr) {
            if (tlb_.full()) return false;
            tlb_.wait_for(m.key, now);
            next().ask({known, m.key, m.from, 0}, now);
        }
        waiting_[m.key.v].push_back({known, m.key, m.from, m.level});
        return true;
    }

    L1Tlb tlb_;
    Ring<PageMiss> queue_;
    std::map<u64, std::vector<PageMiss>> waiting_;
};

class NodeRig final : public TranslationAsker {
  public:
    struct Got {
        u32 times = 0;
        Cycle at;
        Mapping mapping;
    };

    NodeRig(const std::string& name, TranslationSettings s)
        : settings((s.memory_manager = memory_managers().choose("in-order"), s)),
          processes(settings, {{"first", 0}, {"second", 0}}, 1) {
        counts.apps.resize(2);
        pressure.apps.resize(2);
        fill = tlb_fill_policies().make(tlb_fill_policies().choose("all"), FillContext{});
        context.settings = &settings;
        context.counts = &counts;
        context.pressure = &pressure;
        context.fill = fill.get();
        context.processes = &processes;
        context.agenda = &agenda;
        context.most_misses = 4096;
        far = std::make_unique<FarNode>(context);
        node = name == "l1_tlb" ? std::make_unique<L1Node>(context)
                                : translation_nodes().make(translation_nodes().choose(name), context);
        node->connect(*this, far.get());
        far->connect(*node, nullptr);
    }

    /// In this cycle; its lookup can begin at `at`.
    u32 ask(PageKey key, Cycle at, u8 level = 0) {
        const u32 number = static_cast<u32>(asked.size());
        asked.push_back({at, key, number, level});
        answers.emplace_back();
        node->ask(asked.back(), now);
        return number;
    }
    /// One cycle: what is known, what is due, and what `then` does.
    template <class Then>
    void cycle(Then then) {
        ++now;
        agenda.run(now, [](u32) {});
        far->tick(now);
        if (node->due() <= now) node->step(now);
        then();
    }
    /// Until nothing can happen any more.
    void run() {
        for (u32 idle = 0; idle < 3;) {
            cycle([] {});
            idle = far->idle() && node->due() == kNever ? idle + 1 : 0;
            ASSERT_LT(now.v, 10'000'000u) << "it never ends";
        }
    }

    void answer(const PageAnswer& a, Cycle at) override {
        EXPECT_GE(a.at, at);
        EXPECT_FALSE(a.to.empty());
        for (std::size_t k = 0; k < a.to.size(); ++k) {
            const PageMiss& m = a.to[k];
            ASSERT_LT(m.from, answers.size());
            EXPECT_EQ(m.key, asked[m.from].key);
            EXPECT_EQ(a.key, m.key);
            EXPECT_EQ(m.level, asked[m.from].level);
            if (k > 0 && in_order) {
                EXPECT_GT(m.from, a.to[k - 1].from) << "those of one answer are in their order";
            }
            Got& got = answers[m.from];
            ++got.times;
            got.at = a.time(m);
            got.mapping = a.mapping;
        }
    }
    u64 waiting_warps(const PageMiss&) const override { return 1; }

    TranslationSettings settings;
    TranslationCounts counts;
    TranslationPressure pressure;
    Processes processes;
    Agenda agenda{1};
    std::unique_ptr<TlbFillPolicy> fill;
    TranslationNodeContext context;
    std::unique_ptr<FarNode> far;
    std::unique_ptr<TranslationNode> node;
    std::vector<PageMiss> asked;
    std::vector<Got> answers;
    Cycle now{0};
    bool in_order = true;  // questions' times ascend
};

}  // namespace heddle::test
