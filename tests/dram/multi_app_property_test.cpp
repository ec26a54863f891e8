// Schedulers that hear of windows keep what every scheduler must keep, whatever they hear: no command breaks a rule,
// each request is done once, and stepping more often changes nothing.

#include <gtest/gtest.h>

#include "dram/audited.h"
#include "dram/channel.h"
#include "dram/scheduler.h"
#include "dram/statistics.h"
#include "mem/request_pool.h"
#include "service_order.h"
#include "sim/random.h"

namespace heddle::dram {
namespace {

struct Outcome {
    u64 done = 0, sum = 0;  // of request number x time of completion
    u64 activates = 0;
    std::vector<PolicyCounter> counters;
};

/// Requests of four applications of different habits at random times, with windows of random signals.
Outcome run_random(const MemorySettings& settings, u64 seed, bool every_cycle) {
    constexpr u32 kRequests = 3'000, kApps = 4;
    Channel channel(settings, 0);
    Audit audit(settings, "random");
    channel.observe(&audit);
    RequestPool pool;
    Random random(seed);
    std::vector<AppSignals> totals(kApps);
    Outcome out;
    u32 made = 0;
    Cycle now{0}, next = kNever, arrival{1}, window{500};
    Request* waiting = nullptr;
    while (out.done < kRequests) {
        if (now >= window) {
            for (AppSignals& a : totals) {
                a.instructions += random.next() % 4 * 1'000;
                a.misses += random.next() % 50;
            }
            channel.signals(totals, now);
            window = window + 500;
        }
        while (made < kRequests && now >= arrival) {
            if (waiting == nullptr) {
                const u64 app = random.next() % kApps;
                Request* r = waiting = pool.take();
                r->app = static_cast<u8>(app);
                const u64 row = app * 100 + random.next() % (app + 1), bank = random.next() % 16;
                r->local = PhysAddr((row * 16 + bank) * 2048 + random.next() % 64 * 32);
                r->line = r->local;
                r->sectors = 1;
                r->kind = random.next() % 3 == 0 ? RequestKind::write : RequestKind::read;
                r->load = made;
            }
            if (!channel.can_accept(*waiting)) {
                arrival = now + 1;
                break;
            }
            next = std::min(next, channel.accept(waiting, now));
            waiting = nullptr;
            ++made;
            arrival = now + random.next() % 6;
        }
        if (every_cycle || next <= now) next = channel.step(now);
        while (const auto* done = channel.completion()) {
            if (done->at > now) break;
            ++out.done;
            out.sum += (done->request->load + 1) * done->at.v;
            pool.give(done->request);
            channel.pop_completion();
        }
        // Both ways look at arrivals in the same cycles.
        now = now + 1;
        if (now.v > 10'000'000) break;
    }
    audit.finish(now);
    out.activates = channel.statistics(now).count(CommandKind::activate);
    out.counters = channel.policy_counters();
    return out;
}

TEST(MultiAppProperty, UnderRandomWindowsEachRequestIsDoneOnceNoRuleIsBrokenAndExtraStepsChangeNothing) {
    const std::pair<const char*, const char*> policies[] = {
        {"rr-fr-fcfs", ""},
        {"rr-fr-fcfs", "age_cap: 300"},
        {"its", ""},
        {"its", "age_cap: 300"},
        {"weis", ""},
        {"weis", "age_cap: 300"},
        {"prior-app", "order: [3, 1]"},
        {"prior-low-mpki", "profile: [3, 1, 4, 2]"},
        {"prior-low-bw", "profile: [3GB/s, 1GB/s, 4GB/s, 2GB/s]"},
    };
    for (const auto& [name, parameters] : policies)
        for (const QueueForm form : {QueueForm::separate, QueueForm::unified})
            for (const RefreshMode refresh : {RefreshMode::off, RefreshMode::all_bank}) {
                SCOPED_TRACE(std::string(name) + " " + parameters);
                MemorySettings s = small_memory();
                s.scheduler = schedulers().choose(name, parameters);
                s.queues = form;
                s.refresh = refresh;
                const Outcome told = run_random(s, 11, false), every = run_random(s, 11, true);
                EXPECT_EQ(told.done, 3'000u);
                EXPECT_EQ(told.sum, every.sum);
                EXPECT_EQ(told.activates, every.activates);
                u64 changes = 0;
                for (const PolicyCounter& c : told.counters)
                    if (std::string_view(c.name) == "rank_changes") changes = c.value;
                EXPECT_EQ(changes > 5, !std::string_view(name).starts_with("prior")) << changes;
            }
}

}  // namespace
}  // namespace heddle::dram
