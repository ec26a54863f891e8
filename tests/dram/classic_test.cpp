// Worked examples of the classic schedulers; expected orders follow from the papers' rules by hand.

#include <gtest/gtest.h>

#include "dram/alone.h"
#include "dram/reference_sets.h"
#include "dram/scheduler/atlas_rank.h"
#include "dram/scheduler/par_bs_rank.h"
#include "dram/scheduler/tcm_rank.h"
#include "scheduler_rig.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

MemorySettings memory_with(std::string_view scheduler) {
    MemorySettings s = small_memory();
    s.scheduler = scheduler_choice(scheduler);
    return s;
}

TEST(DramClassic, FrFcfsServesRowHitsThenTheOldest) {
    ServiceOrder order(memory_with("fr-fcfs"));
    order.open(0, 1);
    order.add({{"r1", 0, 2}, {"r2", 0, 1}, {"r3", 0, 1}, {"r4", 0, 2}});
    order.run();
    EXPECT_EQ(order.served(), "r2 r3 r1 r4");
}

TEST(DramClassic, FcfsServesEachBankInOrder) {
    ServiceOrder order(memory_with("fcfs"));
    order.open(0, 1);
    order.add({{"r1", 0, 2}, {"r2", 0, 1}, {"r3", 0, 1}, {"r4", 0, 2}});
    order.run();
    EXPECT_EQ(order.served(), "r1 r2 r3 r4");
}

TEST(DramClassic, ACapLetsAnOlderConflictGoAfterFourRequestsOfARow) {
    ServiceOrder order(memory_with("fr-fcfs-cap"));
    order.add({{"r0", 0, 1}});
    order.run(1);  // its row opens
    order.add({{"c", 0, 2}, {"r1", 0, 1}, {"r2", 0, 1}, {"r3", 0, 1}, {"r4", 0, 1}});
    order.run();
    EXPECT_EQ(order.served(), "r0 r1 r2 r3 c r4");
}

TEST(DramClassic, ParBsFinishesABatchShortestJobFirst) {
    ServiceOrder order(memory_with("par-bs"));
    // A request in service in another bank is the first batch; all others form the second.
    order.add({{"x", 5, 1, 9}});
    order.run(1);
    for (u32 k = 0; k < 6; ++k) order.add({{"b" + std::to_string(k), 0, 10 + k, 2}});
    order.add({{"a0", 0, 20, 1}, {"a1", 0, 21, 1}, {"a2", 1, 22, 1}});
    order.run(60);  // x is served, the batch is formed
    order.add({{"late", 0, 30, 1}});
    order.run();
    // Bank 0: thread 1 (at most 2 in a bank) before thread 2 (5 marked); the sixth of thread 2 is not marked, and
    // the late request of thread 1 waits for the batch; then both are one batch of one each, ranked by number.
    EXPECT_EQ(order.served(), "x a0 a2 a1 b0 b1 b2 b3 b4 late b5");
}

TEST(DramClassic, ParBsBreaksTiesByTotalThenNumber) {
    std::vector<ThreadLoad> loads(3);
    loads[0].add_bank(2), loads[0].add_bank(1);
    loads[1].add_bank(2), loads[1].add_bank(0);
    loads[2].add_bank(2), loads[2].add_bank(0);
    EXPECT_EQ(max_total_ranks(loads), (std::vector<u8>{2, 0, 1}));
}

TEST(DramClassic, AtlasPutsTheLeastServedFirst) {
    u64 a = smoothed_service(0, 100, 875'000), b = smoothed_service(0, 20, 875'000);
    EXPECT_EQ(a, 12'800u);  // 12.5
    EXPECT_EQ(b, 2'560u);   // 2.5
    EXPECT_EQ(least_first({a, b}), (std::vector<u16>{1, 0}));
    a = smoothed_service(a, 0, 875'000);
    b = smoothed_service(b, 200, 875'000);
    EXPECT_EQ(a * 100 / 1024, 1'093u);  // 10.94
    EXPECT_EQ(b * 100 / 1024, 2'718u);  // 2.1875 + 25
    EXPECT_EQ(least_first({a, b}), (std::vector<u16>{0, 1}));
    EXPECT_EQ(least_first({5, 5, 1}), (std::vector<u16>{1, 1, 0}));
}

TEST(DramClassic, AtlasRanksAtTheQuantumAndStarvingRequestsGoFirst) {
    ServiceOrder order(memory_with("atlas"));
    order.open(0, 1, 1);
    // Before the first quantum ends all are equal: FR-FCFS.
    order.add({{"b", 0, 2, 2}, {"a", 0, 1, 1}});
    order.run();
    EXPECT_EQ(order.served(), "a b");
}

// Four times what overflowed 64 bits (1.8e10 bank-cycles), and a total beyond what they hold.
TEST(DramClassic, AtlasTotalsOfLongQuantaDoNotOverflow) {
    const u64 much = 72'000'000'000;
    const u64 total = smoothed_service(0, much, 875'000);
    EXPECT_EQ(total, much / 8 * 1024);
    EXPECT_EQ(smoothed_service(total, 0, 875'000), total / 8 * 7);
    EXPECT_GT(smoothed_service(0, much + 8, 875'000), total);
    EXPECT_EQ(smoothed_service(~u64{0}, u64{1} << 60, 875'000), ~u64{0});
}

TEST(DramClassic, AtlasAndTcmAreFrFcfsBeforeTheFirstQuantumEndsInWriteDrainsToo) {
    const auto stream = reference_stream("random_rw70", 10'000);
    auto run = [&stream](const char* scheduler, const char* parameters) {
        MemorySettings s = small_memory();
        s.scheduler = schedulers().choose(scheduler, parameters);
        const AloneResult r = run_alone(s, stream);
        return std::pair(r.cycles, r.total.read_latency.sum());
    };
    const auto plain = run("fr-fcfs", "");
    EXPECT_EQ(run("atlas", "starvation: 100000000"), plain);
    EXPECT_EQ(run("tcm", "quantum: 100000000"), plain);
}

// Kim et al., HPCA 2010: over threshold, then rank, then row hit, then age.
TEST(DramClassic, AtlasRanksStarvingRequestsToo) {
    SchedulerRig rig("atlas", "{quantum: 1000, starvation: 2000}", small_memory());
    const auto add = [&rig](const char* name, u32 row, u8 app) {
        rig.add(name, 0, row, SchedulerRig::kNoLoad, false, app);
    };
    add("", 1, 1);
    rig.serve(0);  // application 1 attains service
    rig.step(1'100);
    rig.activate(0, 5);
    add("a", 5, 1), add("b", 6, 2), add("c", 5, 2);
    rig.step(2'100);
    add("d", 5, 3);  // of the best rank and a row hit, but it does not starve
    EXPECT_EQ(rig.drain(0), "c b a d");
}

TEST(DramClassic, TcmPutsAnApplicationThatSentNothingFirst) {
    MemorySettings s = small_memory();
    s.scheduler = schedulers().choose("tcm", "{quantum: 2000}");
    ServiceOrder order(s);
    for (u32 k = 0; k < 8; ++k) order.add({{"", 0, k, static_cast<u8>(1 + k % 2)}});
    order.run();
    order.run(2'000 - order.now().v + 10);
    EXPECT_EQ(order.channel().ranks()[9], 0);
    EXPECT_NE(order.channel().ranks()[1], 0);
    order.clear();
    order.add({{"a", 0, 7, 1}, {"b", 0, 7, 2}, {"new", 0, 50, 9}});
    order.run(60);
    EXPECT_EQ(order.served().substr(0, 3), "new");
    // Those that send nothing in the next quantum go first, whatever they did before.
    order.run(2'000);
    order.add({{"more", 0, 51, 9}});
    order.run(2'000);
    EXPECT_EQ(order.channel().ranks()[1], 0);
    EXPECT_NE(order.channel().ranks()[9], 0);
}

TEST(DramClassic, TcmSmoothsByAMeanInWhichPastQuantaWeighAlpha) {
    SmoothedMean mean;
    EXPECT_EQ(mean.value(), 0u);
    mean.add(40'000, 875'000);
    EXPECT_EQ(mean.value(), 40'000u);  // the first quantum is all that is known
    mean.add(0, 875'000);
    EXPECT_EQ(mean.value(), 18'667u);  // 0.875 x 40 / (0.875 + 1)
    mean.add(1'000, 0);
    EXPECT_EQ(mean.value(), 1'000u);
}

/// What a write is in a unified queue: the order of reads r and writes w of one bank, each to a row of its own.
std::string unified(std::string_view scheduler, std::string_view parameters,
                    const std::vector<std::vector<ServiceOrder::Ask>>& rounds) {
    MemorySettings s = small_memory();
    s.queues = QueueForm::unified;
    s.scheduler = schedulers().choose(scheduler, parameters);
    ServiceOrder order(s);
    for (const auto& round : rounds) {
        if (order.now() > Cycle{0}) order.run(4'000 - order.now().v % 4'000 + 10);
        order.clear();
        order.add(round);
        order.run();
    }
    return order.served();
}

TEST(DramClassic, ParBsServesMarkedReadsBeforeWritesAndMarksWritesThatABatchPassedOver) {
    std::vector<ServiceOrder::Ask> asks = {{"x", 0, 90, 2}, {"w1", 0, 1, 1, true}, {"w2", 0, 2, 1, true}};
    for (u32 k = 0; k < 13; ++k) asks.push_back({"r" + std::to_string(k), 0, 10 + k, 2});
    // x alone is the first batch. Writes are passed over by the second (r0 to r4), marked with the third (r5 to r9).
    EXPECT_EQ(unified("par-bs", "", {asks}), "x r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 w1 w2 r10 r11 r12");
}

TEST(DramClassic, AtlasGivesAWriteItsApplicationsRank) {
    EXPECT_EQ(unified("atlas", "{quantum: 4000}",
                      {{{"", 0, 1, 1}, {"", 0, 2, 1}},
                       {{"w", 0, 3, 1, true}, {"v", 0, 4, 2, true}, {"r", 0, 5, 2}}}),
              "v r w");
}

TEST(DramClassic, TcmGivesAWriteItsApplicationsRank) {
    EXPECT_EQ(unified("tcm", "{quantum: 4000}",
                      {{{"", 0, 1, 1}, {"", 0, 2, 1}},
                       {{"w", 0, 3, 1, true}, {"v", 0, 4, 2, true}, {"r", 0, 5, 2}}}),
              "v r w");
    // An application that only writes has sent something.
    EXPECT_EQ(
        unified("tcm", "{quantum: 4000}", {{{"", 0, 1, 1, true}}, {{"w", 0, 3, 1, true}, {"r", 0, 5, 2}}}),
        "r w");
}

TEST(DramClassic, BlissPutsWritesOfABlacklistedApplicationLastToo) {
    std::vector<ServiceOrder::Ask> asks;
    for (u32 k = 0; k < 5; ++k) asks.push_back({"a", 0, 1, 1});
    asks.insert(asks.end(), {{"w", 0, 1, 1, true}, {"b", 0, 2, 2}});
    EXPECT_EQ(unified("bliss", "", {asks}), "a a a a a b w");
}

// A flood of writes to one bank, all conflicts: a read among them waits for what is queued at most.
TEST(DramClassic, InAUnifiedQueueAReadAmongConflictingWritesWaitsForTheQueueAtMost) {
    for (const char* scheduler : {"fr-fcfs", "fcfs", "fr-fcfs-cap", "par-bs", "atlas", "tcm", "bliss"})
        for (const u8 app : {u8{0}, u8{1}}) {
            MemorySettings s = small_memory();
            s.queues = QueueForm::unified;
            s.read_queue = 32;
            const bool quanta =
                std::string_view(scheduler) == "atlas" || std::string_view(scheduler) == "tcm";
            s.scheduler = schedulers().choose(scheduler, quanta ? "quantum: 2000" : "");
            std::vector<StreamEntry> stream;
            for (u64 k = 0; k < 2'000; ++k) {
                stream.push_back({k % 500 * 16 * 2048, true, {}, 1});
                if (k == 200) stream.push_back({u64{900} * 16 * 2048, false, {}, app});
            }
            const AloneResult r = run_alone(s, stream);
            const u64 row_cycle = r.cycles / stream.size();
            EXPECT_LE(r.total.read_latency.max(), 33 * (row_cycle + 1)) << scheduler;
        }
}

TEST(DramClassic, TcmClustersByBandwidthUse) {
    const std::vector<ThreadProfile> threads = {
        {0, 500, 5, 0, 0}, {1, 2'000, 10, 0, 0}, {2, 20'000, 100, 0, 0}, {3, 40'000, 85, 0, 0}};
    Clusters c = cluster(threads, 100'000);
    ASSERT_EQ(c.latency.size(), 2u);
    EXPECT_EQ(c.latency[0].id, 0u);
    EXPECT_EQ(c.bandwidth.size(), 2u);
    c = cluster(threads, 20'000);
    EXPECT_TRUE(c.latency.empty());
}

TEST(DramClassic, TcmNicenessIsBankParallelismLessRowLocality) {
    EXPECT_EQ(by_niceness({{3, 0, 0, 6'000, 200}, {4, 0, 0, 2'000, 900}}), (std::vector<u32>{4, 3}));
}

TEST(DramClassic, TcmInsertionShuffleOfFour) {
    std::vector<u32> order = {1, 2, 3, 4};
    const std::vector<std::vector<u32>> expected = {{1, 2, 3, 4}, {1, 2, 4, 3}, {1, 4, 3, 2}, {4, 3, 2, 1},
                                                    {4, 3, 2, 1}, {1, 4, 3, 2}, {1, 2, 4, 3}, {1, 2, 3, 4}};
    for (u64 step = 0; step < 16; ++step) {
        insertion_shuffle(order, step);
        EXPECT_EQ(order, expected[step % 8]) << "step " << step;
    }
}

TEST(DramClassic, BlissPutsAnApplicationLastAfterFiveInARow) {
    ServiceOrder order(memory_with("bliss"));
    order.open(0, 1, 7);
    for (u32 k = 1; k <= 6; ++k) order.add({{"a" + std::to_string(k), 0, 1, 1}});
    order.add({{"b1", 0, 2, 2}});
    order.run();
    EXPECT_EQ(order.served(), "a1 a2 a3 a4 a5 b1 a6");
}

TEST(DramClassic, BlissForgetsAtTheIntervalsEnd) {
    ServiceOrder order(memory_with("bliss"));
    order.open(0, 1, 7);
    for (u32 k = 1; k <= 5; ++k) order.add({{"a" + std::to_string(k), 0, 1, 1}});
    order.run();
    order.run(20'000 - order.now().v);
    order.add({{"b1", 0, 2, 2}, {"a6", 0, 1, 1}});
    order.run();
    EXPECT_EQ(order.served(), "a1 a2 a3 a4 a5 a6 b1");
}

TEST(DramClassic, BlissCountsOnlyRequestsInARow) {
    ServiceOrder order(memory_with("bliss"));
    order.open(0, 1, 7);
    for (const char* who : {"A", "A", "A", "A", "B", "A", "A", "A", "A", "B"}) {
        order.add({{who, 0, 1, static_cast<u8>(who[0] - 'A')}});
        order.run();
    }
    order.add({{"c", 0, 2, 2}, {"a", 0, 1, 0}, {"b", 0, 1, 1}});
    order.run();
    EXPECT_EQ(order.served(), "A A A A B A A A A B a b c");  // nobody is blacklisted
}

TEST(DramClassic, BlissServesAnUnmarkedApplicationBeforeTwoMarkedOnes) {
    ServiceOrder order(memory_with("bliss"));
    order.open(0, 1, 7);
    for (u32 k = 0; k < 5; ++k) order.add({{"a", 0, 1, 0}});
    order.run();
    for (u32 k = 0; k < 5; ++k) order.add({{"b", 0, 1, 1}});
    order.run();
    order.add({{"a6", 0, 1, 0}, {"b6", 0, 1, 1}, {"c", 0, 2, 2}});
    order.run();
    EXPECT_EQ(order.served(), "a a a a a b b b b b c a6 b6");
}

TEST(DramClassic, EverySchedulerServesEachRequestOnceAndSteppingEveryCycleChangesNothing) {
    const auto stream = reference_stream("random_rw70", 4'000);
    for (const auto& [name, entry] : schedulers().entries()) {
        MemorySettings s = reference_sets()[0].settings;
        s.scheduler = scheduler_choice(name);
        for (QueueForm form : {QueueForm::separate, QueueForm::unified}) {
            s.queues = form;
            AloneOptions options;
            const AloneResult told = run_alone(s, stream, options);
            options.step_every_cycle = true;
            const AloneResult every = run_alone(s, stream, options);
            EXPECT_EQ(told.cycles, every.cycles) << name;
            EXPECT_EQ(told.total.reads + told.total.writes + told.total.forwarded_reads, stream.size())
                << name;
            EXPECT_EQ(told.total.read_latency.sum(), every.total.read_latency.sum()) << name;
        }
    }
}

// Of 300 entries 150 are kept for CPUs; 150 GPU requests and 50 CPU requests wait.
TEST(DramClassic, EntriesReservedForCpusAreRefusedToGpusAlthoughOthersAreFree) {
    for (const bool split : {false, true}) {
        MemorySettings s = small_memory();
        s.queues = QueueForm::unified;
        s.read_queue = 300;
        s.cpu_reserve = 150;
        s.cpu_split = split;
        Channel channel(s, 0);
        RequestPool pool;
        Request gpu, cpu;
        cpu.cpu = true;
        auto add = [&](const Request& like, u32 count) {
            for (u32 k = 0; k < count; ++k) {
                ASSERT_TRUE(channel.can_accept(like));
                Request* r = pool.take();
                r->sectors = 1;
                r->cpu = like.cpu;
                r->local = PhysAddr(u64{k} * 32768);
                channel.accept(r, Cycle{0});
            }
        };
        add(gpu, 150);
        add(cpu, 50);
        EXPECT_FALSE(channel.can_accept(gpu));
        add(cpu, 100);
        // With all 300 entries occupied nobody is accepted in either reading.
        EXPECT_FALSE(channel.can_accept(gpu));
        EXPECT_FALSE(channel.can_accept(cpu));
    }
}

// The two readings of "half reserved": CPUs may use all entries, or only their half.
TEST(DramClassic, CpusMayTakeAllEntriesOrWithASplitTheirOwn) {
    MemorySettings s = small_memory();
    s.queues = QueueForm::unified;
    s.read_queue = 4;
    s.cpu_reserve = 2;
    for (const char* policy : {"fr-fcfs", "gmc"})
        for (const bool split : {false, true}) {
            SCOPED_TRACE(policy);
            s.scheduler = scheduler_choice(policy);
            s.cpu_split = split;
            Channel channel(s, 0);
            RequestPool pool;
            for (u32 k = 0; k < 2; ++k) {
                Request* r = pool.take();
                r->sectors = 1;
                r->cpu = true;
                r->local = PhysAddr(u64{k} * 32768);
                channel.accept(r, Cycle{0});
            }
            Request gpu, cpu;
            cpu.cpu = true;
            EXPECT_EQ(channel.can_accept(cpu), !split);
            EXPECT_TRUE(channel.can_accept(gpu));
        }
}

}  // namespace
}  // namespace heddle::dram
