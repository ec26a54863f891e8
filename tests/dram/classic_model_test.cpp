// Each classic scheduler beside a plain model of its order: whatever comes, in every clock the request that it offers for
// a bank is the model's pick.

#include "classic_model.h"

#include <gtest/gtest.h>

#include "scheduler_rig.h"
#include "service_order.h"
#include "sim/random.h"

namespace heddle::dram {
namespace {

struct ModelCase {
    const char* scheduler;
    const char* parameters;
    std::unique_ptr<model::Order> (*make)(const Resolved&);
};

template <class M>
std::unique_ptr<model::Order> plain_model(const Resolved&) {
    return std::make_unique<M>();
}
template <class M>
std::unique_ptr<model::Order> metered_model(const Resolved& r) {
    return std::make_unique<M>(r.read_latency(), r.write_latency());
}

const ModelCase kModelCases[] = {
    {"fcfs", "", plain_model<model::Fcfs>},
    {"fr-fcfs", "", plain_model<model::FrFcfs>},
    {"fr-fcfs-cap", "", plain_model<model::Cap>},
    {"par-bs", "", plain_model<model::ParBs>},
    {"bliss", "clearing_interval: 1000", plain_model<model::Bliss>},
    {"atlas", "{quantum: 2000, starvation: 300}", metered_model<model::Atlas>},
    {"tcm",
     "{quantum: 2000, sample_interval: 100, shuffle_interval: 1000000, cluster_threshold: 0.25, alpha: 0.5}",
     metered_model<model::Tcm>},
};

/// Reads, and writes if the queue is unified, of six applications with habits of their own in `banks` banks; what
/// differed first, or nothing.
std::string first_difference(const ModelCase& c, u32 banks, QueueForm form, u64 seed) {
    MemorySettings settings = small_memory();
    settings.queues = form;
    settings.channels = 1;
    SchedulerRig rig(c.scheduler, c.parameters, settings);
    const auto order = c.make(rig.resolved());
    auto* tcm = dynamic_cast<model::Tcm*>(order.get());
    Random random(seed);
    std::array<u64, kMaxBanks> free_at{};
    for (u64 now = 0; now < 20'000; ++now) {
        order->clock(now);
        if (tcm != nullptr && now % 2'000 == 1'999) {
            std::vector<AppSignals> signals(8);
            for (u32 a = 0; a < 8; ++a)
                signals[a].instructions = tcm->instructions[a] += 1'000 + random.next() % 9'000;
            rig.scheduler().signals(signals, rig.now());
        }
        rig.step(1);  // now the rig is at now + 1, and has done what was due at `now`
        if (order->waiting.size() < 40 && random.next() % 8 < 3) {
            // The applications from 3 on come later, and application 0 stays away for a while.
            u32 app = static_cast<u32>(random.next() % std::min<u64>(6, 3 + now / 4'000));
            if (app == 0 && now > 6'000 && now < 12'000) app = 2;
            const u32 bank = static_cast<u32>(random.next() % (1 + app) % banks);
            const u32 row = app * 4 + static_cast<u32>(random.next() % (1 + app % 3));
            const bool write = form == QueueForm::unified && random.next() % 3 == 0;
            rig.add("", bank, row, SchedulerRig::kNoLoad, write, static_cast<u8>(app));
            order->waiting.push_back({&rig.newest(), bank, row, app, write, rig.now().v});
            order->arrived(order->waiting.back());
        }
        for (u32 bank = 0; bank < banks; ++bank) {
            const void* pick = order->pick(bank, rig.open_row(bank));
            if (rig.head(bank) != pick) return "bank " + std::to_string(bank) + " at " + std::to_string(now);
            if (pick == nullptr || free_at[bank] > now) continue;
            free_at[bank] = now + 2 + random.next() % 8;
            const auto w = std::find_if(order->waiting.begin(), order->waiting.end(),
                                        [pick](const model::Waiting& x) { return x.id == pick; });
            const bool opens = rig.open_row(bank) == kNoRow, serves = rig.open_row(bank) == w->row;
            const u64 at = rig.now().v;
            rig.command(bank);
            order->command(*w, at);
            if (opens) order->activated(bank);
            if (!serves) continue;
            const model::Waiting gone = *w;
            order->waiting.erase(w);
            order->served(gone, at);
        }
    }
    return "";
}

TEST(DramClassicModel, EverySchedulerOffersExactlyWhatAPlainModelOfItsOrderPicks) {
    for (const ModelCase& c : kModelCases)
        for (const QueueForm form : {QueueForm::separate, QueueForm::unified})
            for (const u32 banks : {1u, 4u})
                EXPECT_EQ(first_difference(c, banks, form, 7 + banks), "")
                    << c.scheduler << (form == QueueForm::unified ? " unified" : "") << ", banks " << banks;
}

}  // namespace
}  // namespace heddle::dram
