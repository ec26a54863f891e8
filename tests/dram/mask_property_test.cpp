// What MASK's DRAM scheduler must keep whatever comes: each request is done once, walks of a bank stay in order, no
// command breaks a rule, and stepping more often changes nothing. And how long a request may wait.

#include <gtest/gtest.h>

#include "dram/audited.h"
#include "dram/geometry.h"
#include "mem/request_pool.h"
#include "service_order.h"
#include "sim/random.h"

namespace heddle::dram {
namespace {

struct Traffic {
    u32 requests = 0;
    u64 most_gap = 6;  // clocks between arrivals: 0 to this
    u32 writes_of_16 = 4, walks_of_16 = 3;
    u32 banks = 16;
};

struct MaskOutcome {
    u64 done = 0, walks = 0, writes = 0, sum = 0;
    u64 longest_walk = 0;  // from acceptance to data
    bool walks_in_order = true;
    std::vector<PolicyCounter> counters;
    u64 counter(std::string_view name) const {
        for (const PolicyCounter& c : counters)
            if (c.name == name) return c.value;
        return ~u64{0};
    }
};

/// Requests of four applications to random places at random times, under a pressure that changes now and then.
MaskOutcome run_walks(const MemorySettings& settings, const Traffic& traffic, bool every_cycle) {
    constexpr u32 kApps = 4;
    TranslationPressure pressure;
    pressure.apps.resize(kApps);
    Channel channel(settings, 0, &pressure);
    channel.applications(kApps);
    Audit audit(settings, "random");
    channel.observe(&audit);
    RequestPool pool;
    Random random(7);
    std::vector<AppSignals> totals(kApps);
    std::vector<u32> last_walk(traffic.banks);
    MaskOutcome out;
    u32 made = 0;
    Cycle now{0}, next = kNever, arrival{1}, window{500};
    Request* waiting = nullptr;
    while (out.done < traffic.requests) {
        if (now >= window) {
            channel.signals(totals, now);
            for (auto& app : pressure.apps)
                app = random.next() % 3 == 0 ? TranslationPressure::App{}
                                             : TranslationPressure::App{static_cast<u8>(random.next() % 64),
                                                                        static_cast<u8>(random.next() % 64)};
            window = window + 500;
        }
        while ((waiting != nullptr || made < traffic.requests) && now >= arrival) {
            if (waiting == nullptr) {
                Request* r = waiting = pool.take();
                r->app = static_cast<u8>(random.next() % kApps);
                const u64 row = r->app * 100u + random.next() % (r->app + 1u);
                const u64 bank = random.next() % traffic.banks;
                r->local = PhysAddr((row * 16 + bank) * 2048 + random.next() % 64 * 32);
                r->line = r->local;
                r->sectors = 1;
                const u64 what = random.next() % 16;
                if (what < traffic.writes_of_16)
                    r->kind = RequestKind::write;
                else if (what < traffic.writes_of_16 + traffic.walks_of_16)
                    r->cls = RequestClass::page_walk;
                r->load = ++made;
                out.walks += r->cls == RequestClass::page_walk;
                out.writes += r->is_write();
            }
            if (!channel.can_accept(*waiting)) {
                arrival = now + 1;
                break;
            }
            next = std::min(next, channel.accept(waiting, now));
            waiting = nullptr;
            arrival = now + random.next() % (traffic.most_gap + 1);
        }
        if (every_cycle || next <= now) next = channel.step(now);
        while (const auto* done = channel.completion()) {
            if (done->at > now) break;
            const Request& r = *done->request;
            ++out.done;
            out.sum += r.load * done->at.v;
            if (r.cls == RequestClass::page_walk && served_by_dram(r)) {
                out.longest_walk = std::max(out.longest_walk, done->at - r.arrived);
                if (std::exchange(last_walk[r.bank], r.load) > r.load) out.walks_in_order = false;
            }
            pool.give(done->request);
            channel.pop_completion();
        }
        now = now + 1;
        if (now.v > 10'000'000) break;
    }
    audit.finish(now);
    out.counters = channel.policy_counters();
    return out;
}

TEST(MaskProperty, EachOfManyRandomRequestsIsDoneOnceWalksStayInOrderAndExtraStepsChangeNothing) {
    for (const char* parameters : {"thresh_max: 40", "{thresh_max: 40, order: weis}",
                                   "{thresh_max: 3, golden: 1, silver: 2, normal: 2}"})
        for (const QueueForm form : {QueueForm::separate, QueueForm::unified})
            for (const RefreshMode refresh : {RefreshMode::off, RefreshMode::all_bank}) {
                SCOPED_TRACE(parameters);
                MemorySettings s = small_memory();
                s.scheduler = schedulers().choose("mask", parameters);
                s.queues = form;
                s.refresh = refresh;
                s.forward_writes = false;
                const Traffic traffic{.requests = 4'000};
                const MaskOutcome told = run_walks(s, traffic, false), every = run_walks(s, traffic, true);
                EXPECT_EQ(told.done, traffic.requests);
                EXPECT_EQ(told.sum, every.sum);
                EXPECT_TRUE(told.walks_in_order);
                EXPECT_EQ(told.counter("golden_requests"), told.walks);
                const u64 apart = form == QueueForm::separate ? told.writes : 0;
                EXPECT_EQ(told.counter("silver_requests") + told.counter("normal_requests"),
                          told.done - told.walks - apart);
                EXPECT_GT(told.counter("silver_requests"), 100u);
                EXPECT_GT(told.counter("normal_requests"), 100u);
                EXPECT_GT(told.counter("turns"), 3u);
            }
}

/// Clocks from one request of a bank to the next if each needs a row of its own and others are always in the way.
u64 row_cycle(const MemorySettings& s) {
    const Resolved r = resolve(s);
    const u64 open = std::max<u64>(r.time(Param::RAS), r.time(Param::RCDRD) + r.time(Param::RTP));
    const u64 others = r.time(Param::FAW) + r.time(Param::RRDL) + 2 * r.time(Param::CCDL);
    return std::max<u64>(r.time(Param::RC), open + r.time(Param::RP)) + others;
}

// Before a walk go no more than the walks that were in the golden queue when it came, in the worst case all of its bank,
// and what is under way. (Without writes: a drain holds up all reads, as under any scheduler.)
TEST(MaskProperty, AWalkWaitsForTheGoldenQueueAtMostHoweverMuchDataComes) {
    for (const u32 banks : {1u, 16u}) {
        MemorySettings s = small_memory();
        s.scheduler = schedulers().choose("mask");
        const Traffic full{
            .requests = 30'000, .most_gap = 0, .writes_of_16 = 0, .walks_of_16 = 2, .banks = banks};
        const MaskOutcome o = run_walks(s, full, false);
        EXPECT_EQ(o.done, full.requests);
        EXPECT_LE(o.longest_walk, 17 * row_cycle(s) + resolve(s).read_latency());
    }
}

/// The wait of one request of application 0, which suffers nothing, behind row hits of application 1, which suffers.
u64 wait_behind(u32 hits) {
    const TranslationPressure pressure{{{0, 0}, {1, 1}}};
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose("mask");
    Channel channel(s, 0, &pressure);
    channel.applications(2);
    RequestPool pool;
    Cycle now{0}, next = kNever;
    for (u32 made = 0;; now = now + 1) {
        while (made < hits) {
            Request* r = pool.take();
            r->app = made == 10 ? 0 : 1;
            r->local = PhysAddr(made == 10 ? u64{1} << 20 : made % 64 * 32);
            r->line = r->local;
            r->sectors = 1;
            if (!channel.can_accept(*r)) {
                pool.give(r);
                break;
            }
            next = std::min(next, channel.accept(r, now));
            ++made;
        }
        if (next <= now) next = channel.step(now);
        while (const auto* done = channel.completion()) {
            const Request* r = done->request;
            if (r->app == 0) return done->at - r->arrived;
            pool.give(done->request);
            channel.pop_completion();
        }
    }
}

// Neither the thesis nor the paper bounds it.
TEST(MaskProperty, DataOfAnApplicationWithoutATurnWaitUntilTheOwnersHitsEnd) {
    const u64 few = wait_behind(2'000), many = wait_behind(8'000);
    EXPECT_GT(few, 1'500 * resolve(small_memory()).time(Param::CCDL));
    EXPECT_GT(many, 3 * few);
}

}  // namespace
}  // namespace heddle::dram
