#pragma once
// One L2 slice between the crossbars of a few SMs, a walker, and a memory that whoever uses the rig puts behind it. The
// work is a script: what each SM and the walker send, and when.

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cache/l2_hit_rates.h"
#include "cache/slice.h"
#include "memory/client_contract.h"

namespace heddle::test {

class SliceRig final : public ClientRig, private Domain, private WalkReader {
  public:
    static constexpr u32 kSms = 3;
    static constexpr u32 kWalker = kSms;  // as a sender

    struct Work {
        u32 sender = 0;
        u64 at = 0;  // not before
        u64 line = 0;
        RequestKind kind = RequestKind::read;
        u8 sectors = kAllSectors;
        u8 partial = 0;
        u8 lanes = 0;
    };
    struct Answer {
        u64 work = 0;  // its number
        u64 at = 0;    // cycle in which it was whole
        WalkSource source = WalkSource::dram;
    };

    /// Small, and each thing that can be full is full now and then.
    static L2Settings small_l2() {
        L2Settings s;
        s.size_bytes = 4096;
        s.ways = 4;
        s.write = WritePolicy::back;
        s.write_allocate = true;
        s.mshrs = 8;
        s.mshr_merges = 4;
        s.front_latency = Cycle(5);
        s.hit_latency = Cycle(20);
        s.banks = 2;
        s.bank_queue = 4;
        s.bank_occupancy = Cycle(2);
        s.dram_queue = 4;
        s.reply_queue = 4;
        s.replacement = replacement_policies().choose("lru");
        s.insertion = insertion_policies().choose("mru");
        s.bypass = bypass_policies().choose("none");
        return s;
    }
    /// Reads, writes, atomics and walks of few lines at random times.
    static std::vector<Work> random_work(u32 seed, u32 count) {
        Random random(seed);
        std::vector<Work> all;
        std::array<u64, kSms + 1> at{};
        for (u32 k = 0; k < count; ++k) {
            Work w;
            w.sender = static_cast<u32>(random.below(8) == 0 ? kWalker : random.below(kSms));
            at[w.sender] += random.below(10) == 0 ? random.below(300) : random.below(12);
            w.at = at[w.sender];
            w.line = random.below(96);
            w.sectors = static_cast<u8>(1 + random.below(15));
            if (w.sender == kWalker) {
                w.sectors = static_cast<u8>(1u << random.below(4));
            } else if (const u64 kind = random.below(8); kind < 3) {
                w.kind = RequestKind::write;
                w.partial = static_cast<u8>(w.sectors & random.below(16));
            } else if (kind == 3) {
                w.kind = random.below(2) == 0 ? RequestKind::atomic : RequestKind::reduction;
                w.lanes = static_cast<u8>(1 + random.below(32));
            }
            all.push_back(w);
        }
        return all;
    }

    SliceRig(const Clock& clock, const L2Settings& settings, std::vector<Work> work)
        : Domain(clock, kSms + 2),
          settings_(settings),
          work_(std::move(work)),
          requests_(crossbar(), Crossbar::Carries::requests, kSms, 1, agenda(), 0, kSms),
          responses_(crossbar(), Crossbar::Carries::responses, 1, kSms, agenda(), kSms, 0),
          slice_(settings, wiring(), *this, kSms) {
        slice_.applications(1, {});
        for (std::size_t k = 0; k < work_.size(); ++k) to_send_[work_[k].sender].push_back(k);
        for (u32 k = 0; k < kSms; ++k) agenda().wake(k, Cycle(1));
        agenda().wake(kSms + 1, Cycle(1));
    }

    static CrossbarSettings crossbar() { return {}; }
    Domain& domain() override { return *this; }
    MemoryClient& client() override { return slice_; }
    void stop() override {
        for (auto& list : to_send_) list.clear();
    }
    u64 begun() const override { return begun_; }
    u64 done() const override { return answers_.size(); }
    /// What L2 checks before it takes a request, and what fills may add: a line that they drive out, and the atomics that
    /// waited for them if L2 writes through.
    u32 most_outgoing() const override {
        return settings_.dram_queue + kMemoryLatency + settings_.mshrs * (1 + settings_.mshr_merges);
    }
    bool quiet() const override {
        return slice_.quiet() && requests_.empty() && responses_.empty() && pool_.live() == 0;
    }
    std::string wrong() const override { return wrong_; }

    const Slice& slice() const { return slice_; }
    const std::vector<Answer>& answers() const { return answers_; }

  private:
    static constexpr u32 kMemoryLatency = 10;

    SliceWiring wiring() {
        SliceWiring w;
        w.requests = &requests_;
        w.responses = &responses_;
        w.pool = &pool_;
        w.router = &router_;
        w.walker = this;
        w.hit_rates = &hit_rates_;
        w.footprint = &footprint_;
        w.memory_latency = Cycle(kMemoryLatency);
        return w;
    }
    void run(Cycle now) override {
        agenda().run(now, [&](u32 part) {
            if (part < kSms) {
                agenda().wake(part, step_sm(part, now));
            } else if (part == kSms) {
                agenda().wake(part, slice_.step(now));
                slice_.announce(now);
            } else {
                agenda().wake(part, step_walker(now));
            }
        });
    }
    Cycle step_sm(u32 sm, Cycle now) {
        Cycle whole;
        if (Request* r = responses_.receive(sm, now, &whole)) {
            if (r->origin.unit != sm) complain("an answer to another SM");
            answered(*r, {r->load, whole.v, WalkSource::dram});
        }
        auto& list = to_send_[sm];
        while (!list.empty() && work_[list.front()].at <= now.v && requests_.can_send(sm)) {
            requests_.send(sm, 0, make(list.front()));
            list.pop_front();
        }
        Cycle next = std::min(requests_.pump(sm, now), responses_.next_arrival(sm, now));
        if (!list.empty() && requests_.can_send(sm))
            next = std::min(next, std::max(now + 1, Cycle(work_[list.front()].at)));
        return next;
    }
    Cycle step_walker(Cycle now) {
        auto& list = to_send_[kWalker];
        while (!list.empty() && work_[list.front()].at <= now.v) {
            slice_.walk(make(list.front()), now + 3);
            agenda().wake(kSms, now + 3);
            list.pop_front();
        }
        return list.empty() ? kNever : Cycle(work_[list.front()].at);
    }
    void walk_read(Request* request, WalkSource source, Cycle at, Cycle now) override {
        if (at <= now) complain("a walk's read that is answered at once");
        answered(*request, {request->load, at.v, source});
    }
    Request* make(std::size_t number) {
        const Work& w = work_[number];
        Request* r = pool_.take();
        router_.send_to(*r, line_address(static_cast<u32>(w.line)));
        r->load = static_cast<u32>(number);
        r->origin.unit = static_cast<u16>(w.sender);
        r->kind = w.kind;
        r->sectors = w.sectors;
        r->partial = w.partial & kAllSectors;
        r->lanes = w.lanes;
        if (w.sender == kWalker) {
            r->cls = RequestClass::page_walk;
            r->origin.unit = Origin::kNoUnit;
            r->level = 2;
        }
        ++begun_;
        open_[number] = r;
        return r;
    }
    void answered(Request& r, const Answer& answer) {
        const auto open = open_.find(answer.work);
        if (open == open_.end() || open->second != &r) {
            complain("an answer to nothing, or a second one");
            return;
        }
        const Work& w = work_[answer.work];
        if (r.kind != w.kind || r.sectors != w.sectors || line_number(r.line) != w.line)
            complain("an answer to something else");
        open_.erase(open);
        answers_.push_back(answer);
        pool_.give(&r);
    }
    void complain(const char* what) {
        if (wrong_.empty()) wrong_ = what;
    }

    L2Settings settings_;
    std::vector<Work> work_;
    std::array<std::deque<std::size_t>, kSms + 1> to_send_;
    RequestPool pool_;
    Router router_{std::vector<RoutedMemory>(1)};
    L2HitRates hit_rates_;
    Footprint footprint_;
    Crossbar requests_, responses_;
    Slice slice_;
    u64 begun_ = 0;
    std::map<std::size_t, const Request*> open_;
    std::vector<Answer> answers_;
    std::string wrong_;
};

}  // namespace heddle::test
