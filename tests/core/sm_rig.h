#pragma once
// One SM between two crossbars, and behind them a memory of the test's making: it takes requests when it is told to, and
// answers each after a random time, whoever came first. A kernel's CTAs start as they fit, one a cycle.

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "core/sm.h"
#include "machine/random_program.h"

namespace heddle::test {

struct StubMemory {
    u64 seed = 1;
    u64 shortest = 5, spread = 200;  // cycles until an answer is ready: shortest to shortest + spread - 1
    Cycle deaf_from = kNever;        // takes nothing from here on ...
    Cycle deaf_until{0};             // ... before this cycle
};

class SmRig final : public SmOwner, public WarpSlotObserver {
  public:
    static constexpr u32 kChannels = 4;

    /// A write or atomic of a warp, as it comes to memory.
    struct Write {
        RequestKind kind = RequestKind::write;
        PhysAddr line;
        friend bool operator==(const Write&, const Write&) = default;
    };
    /// Of one warp to one channel.
    struct Path {
        u32 cta = 0, warp = 0, channel = 0;
        friend auto operator<=>(const Path&, const Path&) = default;
    };

    SmRig(const std::vector<std::string>& sets, std::shared_ptr<const ScriptKernel> script,
          const StubMemory& memory = {})
        : settings_(small_machine(sets).gpus.at("gpu")),
          memory_(memory),
          random_(memory.seed, "stub memory"),
          script_(std::move(script)),
          router_({{settings_.address_map, kChannels, 1}}),
          agenda_(kChannels + 2),
          requests_(settings_.crossbar, Crossbar::Carries::requests, 1, kChannels, agenda_, 0, 1),
          responses_(settings_.crossbar, Crossbar::Carries::responses, kChannels, 1, agenda_, 1, 0),
          sm_(settings_.sm, settings_.l1, wiring()) {
        kernel.stream = std::make_unique<ScriptStream>(script_);
        sm_.observe(*this);
        agenda_.wake(kFeeder, Cycle(0));
        // Its own line of the address space, so that the place of the data is known from the start.
        linear_.translate(0, VirtAddr(kData));
    }

    /// Steps what is due, up to and with cycle `last`. False if nothing will ever be due again.
    bool run_to(Cycle last = kNever - 1) {
        for (Cycle at = agenda_.next(); at <= last; at = agenda_.next()) {
            now = at;
            agenda_.run(at, [&](u32 part) {
                if (part == 0)
                    step_sm();
                else if (part == kFeeder)
                    feed();
                else
                    step_memory(part - 1);
            });
            if (step_always && !sm_.quiet()) agenda_.wake(0, at + 1);
            if (at.v > 500'000) {
                ADD_FAILURE() << "does not end\n" << sm_.describe(at);
                return false;
            }
        }
        return agenda_.next() != kNever;
    }
    /// From now on nothing is issued or started.
    void halt() {
        sm_.halt();
        halted_ = true;
    }

    Sm& sm() { return sm_; }
    const SmStats& stats() const { return sm_.stats(); }
    const GpuSettings& settings() const { return settings_; }
    const LoadStats& load_stats() const { return load_stats_; }
    const RequestPool& pool() const { return pool_; }
    const std::map<Path, std::vector<Write>>& writes() const { return writes_; }

    /// What every warp has to write, in the order of the program.
    std::map<Path, std::vector<Write>> expected_writes() {
        std::map<Path, std::vector<Write>> all;
        Coalescer coalescer;
        each_instruction([&](u32 cta, u32 warp, const DynInst& dynamic, const StaticInst& inst) {
            if (inst.space != MemSpace::global || dynamic.form == AddressForm::none) return;
            const RequestKind kind = inst.mem == MemOp::store       ? RequestKind::write
                                     : inst.mem == MemOp::atomic    ? RequestKind::atomic
                                     : inst.mem == MemOp::reduction ? RequestKind::reduction
                                                                    : RequestKind::read;
            if (kind == RequestKind::read) return;
            for (const LineAccess& line : coalescer.coalesce(dynamic, inst.access_bytes, true)) {
                const PhysAddr at = linear_.translate(0, VirtAddr(line.line << kLineShift));
                all[{cta, warp, router_.route(at).channel}].push_back({kind, at});
            }
        });
        return all;
    }
    u64 expected_instructions() const {
        u64 n = 0;
        each_instruction([&](u32, u32, const DynInst&, const StaticInst&) { ++n; });
        return n;
    }
    /// Of warps that have got a slot: cycles from then to their CTA's end, or to `end`.
    u64 residency(Cycle end) const {
        u64 n = ended_cycles_;
        for (const auto& [cta, since] : resident_) n += (end - 1 - since) * script_->info.warps_per_cta();
        return n;
    }
    void expect_conserved() {
        const SmStats& s = stats();
        EXPECT_EQ(pool_.live(), 0u);
        EXPECT_TRUE(sm_.drained());
        EXPECT_TRUE(requests_.empty());
        EXPECT_TRUE(responses_.empty());
        EXPECT_EQ(sm_.outstanding_l1(), 0u);
        EXPECT_EQ(taken_[RequestKind::read], s.l1_read_misses + s.l1_bypassed);
        EXPECT_EQ(taken_[RequestKind::atomic] + taken_[RequestKind::reduction], s.atomic_requests);
        if (settings_.l1.write == WritePolicy::through) {
            EXPECT_EQ(taken_[RequestKind::write], s.l1_writes);
        } else {
            EXPECT_LE(taken_[RequestKind::write], s.l1_writes + s.l1_write_backs);
        }
        EXPECT_EQ(s.l1_reads, s.l1_read_hits + s.l1_read_merges + s.l1_read_misses);
        EXPECT_EQ(load_stats_.latency.count(), s.loads + s.atomics);
    }

    KernelRun kernel;
    Cycle now{0};
    bool step_always = false;  // the SM in every cycle, whether or not it has asked for it

  private:
    static constexpr u32 kFeeder = kChannels + 1;
    struct Slot {
        u32 cta = 0, warp = 0;
        u64 in_flight = 0;
    };

    SmWiring wiring() {
        SmWiring w;
        w.requests = &requests_;
        w.responses = &responses_;
        w.pool = &pool_;
        w.router = &router_;
        w.memory = &linear_;
        w.load_stats = &load_stats_;
        w.owner = this;
        w.miss_queue = settings_.crossbar.output_queue;
        return w;
    }
    static u32 slot_of(const Request& r) { return r.origin.slot; }

    template <class Visit>
    void each_instruction(Visit visit) const {
        for (u32 c = 0; c < script_->ctas.size(); ++c) {
            CtaStream cta;
            cta.words = script_->ctas[c].words;
            cta.ranges = script_->ctas[c].ranges;
            for (u32 w = 0; w < script_->info.warps_per_cta(); ++w) {
                WarpCursor cursor = cta.cursor(w, script_->info);
                for (DynInst dynamic; cursor.next(dynamic);)
                    visit(c, w, dynamic, script_->table[dynamic.static_index]);
            }
        }
    }

    void step_sm() { agenda_.wake(0, sm_.step(now)); }

    void feed() {
        if (halted_ || kernel.exhausted || !sm_.fits(kernel.info())) return;
        if (kernel.ctas_started == 0) sm_.begin_kernel(kernel, now);
        if (!kernel.stream->next_cta(sm_.next_cta(kernel))) {
            kernel.exhausted = true;
            return;
        }
        ++kernel.ctas_started;
        sm_.launch(kernel, now);
        agenda_.wake(0, now + 1);
        agenda_.wake(kFeeder, now + 1);
    }

    void step_memory(u32 channel) {
        const bool deaf = now >= memory_.deaf_from && now < memory_.deaf_until;
        Cycle whole, next = deaf ? memory_.deaf_until : kNever;
        if (!deaf) {
            if (Request* r = requests_.receive(channel, now, &whole)) take(channel, r, whole);
            next = requests_.next_arrival(channel, now);
        }
        auto& due = answers_[channel];
        while (!due.empty() && due.begin()->first <= now && responses_.can_send(channel)) {
            Request* r = due.begin()->second;
            due.erase(due.begin());
            EXPECT_EQ(held_.erase(r), 1u);
            if (slot_of(*r) != MemoryAccess::kNoWarp) --slots_[slot_of(*r)].in_flight;
            responses_.send(channel, 0, r);
        }
        next = std::min(next, responses_.pump(channel, now));
        if (!due.empty()) next = std::min(next, std::max(due.begin()->first, now + 1));
        agenda_.wake(channel + 1, next == kNever ? next : std::max(next, now + 1));
    }
    void take(u32 channel, Request* r, Cycle whole) {
        EXPECT_TRUE(held_.insert(r).second) << "sent twice";
        EXPECT_EQ(router_.route(r->line).channel, channel);
        ++taken_[r->kind];
        answers_[channel].emplace(whole + memory_.shortest + random_.below(memory_.spread), r);
        if (slot_of(*r) == MemoryAccess::kNoWarp) return;
        Slot& slot = slots_[slot_of(*r)];
        ++slot.in_flight;
        if (r->kind != RequestKind::read)
            writes_[{slot.cta, slot.warp, channel}].push_back({r->kind, r->line});
    }

    void new_warps(u16, u64 slots, u8, Cycle at) override {
        EXPECT_EQ(static_cast<u32>(std::popcount(slots)), script_->info.warps_per_cta());
        for (u32 warp = 0; slots != 0; slots &= slots - 1, ++warp) {
            Slot& slot = slots_[static_cast<u32>(std::countr_zero(slots))];
            EXPECT_EQ(slot.in_flight, 0u) << "the slot's last warp still waits for something";
            slot = {static_cast<u32>(kernel.ctas_started) - 1, warp, 0};
        }
        resident_.emplace(kernel.ctas_started - 1, at);
    }
    void cta_done(u16, KernelRun&, Cycle at) override {
        agenda_.wake(kFeeder, at + 1);
        // Which one it was does not matter for the sum.
        const auto first = resident_.begin();
        ended_cycles_ += (at - first->second) * script_->info.warps_per_cta();
        resident_.erase(first);
    }
    void signalled(KernelRun& k, u32 edge, Cycle at) override {
        if (edge >= k.signalled.size()) k.signalled.resize(edge + 1);
        k.signalled[edge] = true;
        auto waiting = std::exchange(k.edge_waiters, {});
        for (const auto& w : waiting) {
            if (w.edge != edge) {
                k.edge_waiters.push_back(w);
                continue;
            }
            sm_.edge_signalled(w.warp, at);
            agenda_.wake(0, at + 1);
        }
    }
    void load_complete(u16, u32, u32, u32, Cycle) override {}

    GpuSettings settings_;
    StubMemory memory_;
    Random random_;
    std::shared_ptr<const ScriptKernel> script_;
    Router router_;
    Agenda agenda_;
    RequestPool pool_;
    LinearMemory linear_;
    LoadStats load_stats_;
    Crossbar requests_, responses_;
    Sm sm_;
    bool halted_ = false;

    std::array<std::multimap<Cycle, Request*>, kChannels> answers_;
    std::set<Request*> held_;
    std::map<RequestKind, u64> taken_;
    std::array<Slot, 64> slots_;
    std::map<Path, std::vector<Write>> writes_;
    std::map<u64, Cycle> resident_;
    u64 ended_cycles_ = 0;
};

}  // namespace heddle::test
