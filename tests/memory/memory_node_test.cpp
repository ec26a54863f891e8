// What every client of a memory may rely on, whoever it is, under several schedulers and clocks: each request comes back
// exactly once and not at once, a refused one is not lost, waking a channel needlessly changes nothing, and the memory is
// quiet when all is back, whenever its clients stop. What clients keep to: client_contract.h.

#include "memory/memory_node.h"

#include <gtest/gtest.h>

#include "dram/scheduler.h"
#include "dram/settings.h"
#include "memory/toy_client.h"

namespace heddle {
namespace {

constexpr u32 kChannels = 2, kClients = 2;  // of a channel

using test::ToyClient;

/// The clients' clock.
class Side final : public Domain {
  public:
    Side(const Clock& clock, MemoryNode& memory, u32 seed, u32 requests, bool woken_often)
        : Domain(clock, kChannels * kClients), memory_(memory), woken_often_(woken_often) {
        for (u32 k = 0; k < kChannels * kClients; ++k) {
            clients.push_back(std::make_unique<ToyClient>(*this, k, k / kClients, kChannels, k % kClients,
                                                          seed + k, requests));
            memory.partitions()[k / kClients]->attach(*clients.back());
            agenda().wake(k, Cycle(1));
        }
    }
    std::vector<std::unique_ptr<ToyClient>> clients;

  private:
    void run(Cycle now) override {
        agenda().run(now, [&](u32 k) {
            const Cycle next = clients[k]->step(now);
            clients[k]->announce(now);
            agenda().wake(k, next);
        });
        for (u32 c = 0; woken_often_ && c < kChannels; ++c)
            memory_.agenda().wake(c, memory_.clock().after(clock().tick(now)));
    }

    MemoryNode& memory_;
    bool woken_often_;
};

class NoApplications final : public ApplicationCounters {
  public:
    u32 application_count() const override { return 1; }
    u64 instructions(u32) const override { return 0; }
    u64 misses(u32, u32) const override { return 0; }
};

struct Outcome {
    std::vector<std::vector<ToyClient::Answer>> answers;
    u64 refused = 0;
};

/// `cut`: the clients' cycle from which they send nothing more.
Outcome outcome(const char* scheduler, u64 client_period, u64 memory_period, u32 seed, bool woken_often,
                Cycle cut = kNever) {
    dram::MemorySettings settings;
    settings.standard = "gddr5";
    settings.part = "gddr5_1gb_x32";
    settings.speed = "gddr5_4000";
    settings.channels = kChannels;
    settings.read_queue = 8;
    settings.write_queue = 8;
    settings.write_high = 6;
    settings.write_low = 2;
    settings.scheduler = dram::schedulers().choose(scheduler);
    constexpr u32 kRequests = 300;
    MemoryNode memory("dram", settings, Clock(1'000'000'000, memory_period), nullptr);
    Side side(Clock(1'000'000'000, client_period), memory, seed, kRequests, woken_often);
    const NoApplications counters;
    memory.start(counters, side.clock());
    Engine engine;
    engine.add(memory);
    engine.add(side);
    const auto open = [&] {
        for (const auto& c : side.clients)
            if (!c->all_sent() || c->open() != 0) return true;
        return false;
    };
    const Tick limit = side.clock().tick(Cycle(3'000'000));
    while (open()) {
        const Engine::Due due = engine.next();
        EXPECT_LT(due.at, limit) << "requests were lost";
        if (due.at >= limit) break;
        due.domain->run_next();
        if (side.now() >= cut)
            for (const auto& c : side.clients) c->stop();
    }
    EXPECT_TRUE(memory.quiet());
    u64 sent = 0;
    for (const auto& c : side.clients) sent += c->begun();
    EXPECT_EQ(memory.accepted_reads() + memory.accepted_writes(), sent);
    EXPECT_EQ(sent == kRequests * kChannels * kClients, cut == kNever);
    Outcome out;
    for (const auto& c : side.clients) {
        EXPECT_EQ(c->wrong(), "");
        out.answers.push_back(c->answers());
        out.refused += c->refused();
    }
    return out;
}

class MemoryNodeContract : public testing::TestWithParam<const char*> {};

TEST_P(MemoryNodeContract, EveryRequestComesBackOnceAndNeedlessWakesChangeNothing) {
    u64 refused = 0;
    for (const auto& [client, memory] : {std::pair<u64, u64>{1, 1}, {3, 2}, {2, 7}}) {
        const Outcome once = outcome(GetParam(), client, memory, 7, false);
        EXPECT_EQ(outcome(GetParam(), client, memory, 7, true).answers, once.answers)
            << "clocks " << client << ":" << memory;
        refused += once.refused;
    }
    EXPECT_GT(refused, 0u) << "no client ever had to wait";
}

TEST_P(MemoryNodeContract, DrainsFromAnyCycleInWhichItsClientsStop) {
    for (u64 cut = 1; cut < 3'000; cut += 1 + cut / 2) outcome(GetParam(), 3, 2, 7, false, Cycle(cut));
}

TEST(MemoryNodeGroups, WhatIsToldOfALoadIsKnownInTheNextMemoryCycle) {
    dram::MemorySettings settings;
    settings.standard = "gddr5";
    settings.part = "gddr5_1gb_x32";
    settings.speed = "gddr5_4000";
    settings.channels = 1;
    settings.read_queue = 8;
    settings.write_queue = 8;
    settings.write_high = 6;
    settings.write_low = 2;
    settings.scheduler = dram::schedulers().choose("wg");
    MemoryNode memory("dram", settings, Clock(1'000'000'000, 10), nullptr);
    const NoApplications counters;
    memory.start(counters, memory.clock());
    Partition& channel = *memory.partitions()[0];
    Request settled;
    settled.origin = {3, 0, 1};
    settled.load = 7;
    // At the very instant of a memory cycle, and between two of them: known in cycle 5 and in cycle 6.
    for (const auto& [at, known] : {std::pair<u64, u64>{40, 5}, {59, 6}}) {
        const u64 before = channel.groups_completed();
        channel.settled_in_l2(settled, Tick(at));
        channel.expect(settled.origin, settled.load, 1, Tick(at));
        EXPECT_FALSE(memory.quiet());
        while (memory.next() < Tick(known * 10)) memory.run_next();
        EXPECT_EQ(channel.groups_completed(), before) << at;
        memory.run_next();
        EXPECT_EQ(memory.now(), Cycle(known));
        EXPECT_EQ(channel.groups_completed(), before + 1) << at;
        EXPECT_TRUE(memory.quiet());
    }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, MemoryNodeContract,
                         testing::Values("fcfs", "fr-fcfs", "par-bs", "gmc", "wg-w", "bliss", "sbwas"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace heddle
