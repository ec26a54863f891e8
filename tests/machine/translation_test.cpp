// Address translation in the whole machine: what it costs when nothing else runs, what fits where, what holds for every
// design.

#include <gtest/gtest.h>

#include "dram/scheduler.h"
#include "machine/knob_programs.h"
#include "trace/pattern.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

constexpr u64 kPage = 4096;

std::vector<std::string> with(std::string_view design, std::vector<std::string> more = {}) {
    more.push_back("translation.design=" + std::string(design));
    return more;
}

/// Cycles of a kernel of dependent loads of lane 0 at these addresses, after a host copy of the first 256 KiB.
u64 chain(const std::vector<std::string>& sets, const std::vector<u64>& addresses, bool copied = true) {
    std::vector<ScriptSource::Event> events;
    if (copied) events.push_back(copy_in(64 * 1024));
    events.push_back(kernel({}, [&](WarpWriter& w) {
        for (const u64 a : addresses) w.load1(1, {1}, kData + a);
        w.use(1);
    }));
    return run(small_machine(sets), program(std::move(events))).apps.at(0).kernels.at(0).cycles;
}
/// What the last of the loads adds.
u64 last(const std::vector<std::string>& sets, std::vector<u64> addresses) {
    const u64 all = chain(sets, addresses);
    addresses.pop_back();
    return all - chain(sets, addresses);
}

constexpr const char* kDesigns[] = {"ideal",    "pwcache",    "shared-tlb", "static",
                                    "mask-tlb", "mask-cache", "mask-dram",  "mask"};

}  // namespace

TEST(Translation, AWalkWhoseReadsHitL2TakesTheSumOfThemAndTheTlbs) {
    // L1 TLB 1, L2 TLB 10, four reads of 10.
    const u64 plain = last(with("none"), {0, kPage + 128});
    EXPECT_EQ(last(with("shared-tlb"), {0, kPage + 128}), plain + 1 + 10 + 4 * 10);
    EXPECT_EQ(last(with("shared-tlb", {"l2.hit_latency=7", "l2_tlb.latency=5", "l1_tlb.latency=3"}),
                   {0, kPage + 128}),
              last(with("none", {"l2.hit_latency=7"}), {0, kPage + 128}) + 3 + 5 + 4 * 7);
    // Reads of walks take L2's pipeline as data do; its first cycle is that in which the walker makes them.
    EXPECT_EQ(last(with("shared-tlb", {"l2.front_latency=21"}), {0, kPage + 128}),
              last(with("none", {"l2.front_latency=21"}), {0, kPage + 128}) + 1 + 10 + 4 * (10 + 20));
    // A page whose translation an L1 TLB has, and one that the L2 TLB has.
    EXPECT_EQ(last(with("shared-tlb"), {0, 128}), plain + 1);
    EXPECT_EQ(last(with("shared-tlb", {"l1_tlb.entries=1"}), {0, kPage, 128}), plain + 1 + 10);
    EXPECT_EQ(last(with("ideal"), {0, kPage + 128}), plain + 1);
}

TEST(Translation, ThePageWalkCacheTakesItsLatencyForEachLevelAndL2OnlyWhatItLacks) {
    // Three levels hit and the last reads L2: 1 + 3 x 10 + (10 + 10); all four hit: 1 + 4 x 10.
    const u64 plain = last(with("none"), {0, kPage + 128});
    EXPECT_EQ(last(with("pwcache"), {0, kPage + 128}), plain + 51);
    EXPECT_EQ(last(with("pwcache", {"l1_tlb.entries=1"}), {0, kPage, 128}), plain + 41);
}

TEST(Translation, AColdWalkTakesTheSumOfItsReadsFromDram) {
    const std::vector<std::string> timing = {"dram.timing.RCD=12cycles", "dram.timing.CL=13cycles",
                                             "dram.timing.RAS=16cycles", "dram.timing.RP=8cycles",
                                             "dram.timing.RC=28cycles",  "dram.page_policy=closed",
                                             "memory_latency=6"};
    // Each read finds its bank closed: activate, read, two clocks of data, the path of 6 cycles; what is there strictly
    // after the last beat is known to the walker one cycle later. All clocks are 1 GHz.
    const u64 read = 6 + 12 + 13 + 2 + 1 + 1;
    std::vector<std::string> sets = with("shared-tlb", timing);
    const u64 plain = chain(with("none", timing), {0}, false);
    EXPECT_EQ(chain(sets, {0}, false), plain + 1 + 10 + 4 * read);
    sets.emplace_back("translation.page_size=2MiB");
    EXPECT_EQ(chain(sets, {0}, false), plain + 1 + 10 + 3 * read);
    const RunRecord r =
        run(small_machine(sets), program({kernel({}, [&](WarpWriter& w) { w.load1(1, {}, kData); })}));
    EXPECT_EQ(counter(r, "gpu.translation.walks.cycles"), 3 * read);
    EXPECT_EQ(counter(r, "dram.walks.reads"), 3u);
    for (const char* level : {"1", "2", "3"})
        EXPECT_EQ(counter(r, std::string("gpu.translation.walks.level_") + level + ".cycles"), read);
    // Reads of walks are no reads of the application.
    EXPECT_EQ(counter(r, "gpu.l2.reads"), 1u);
    EXPECT_EQ(counter(r.apps[0], "l2.misses"), 1u);
}

TEST(Translation, WarpsThatMissOnOnePageShareOneWalkAndAreCounted) {
    const RunRecord r = run(small_machine(with("shared-tlb", {"sm.schedulers=1"})),
                            program({kernel({.threads = 5 * 32}, [](WarpWriter& w) {
                                w.load1(1, {}, kData + w.warp * 256);
                                w.use(1);
                            })}));
    EXPECT_EQ(counter(r, "gpu.translation.walks.count"), 1u);
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), 1u);
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.merges"), 4u);
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.most_stalled_warps"), 5u);
    // Two SMs that miss on one page share the walk behind the L2 TLB.
    const RunRecord two =
        run(small_machine(with("shared-tlb")), program({kernel({.ctas = 2}, [](WarpWriter& w) {
                w.load1(1, {}, kData);
                w.use(1);
            })}));
    EXPECT_EQ(counter(two, "gpu.translation.walks.count"), 1u);
    EXPECT_EQ(counter(two, "gpu.translation.walks.merges"), 1u);
}

TEST(Translation, AChaseMissesExactlyWhenItsPagesExceedTheReach) {
    for (const u64 pages : {7u, 8u, 9u}) {
        const RunRecord r = run(small_machine(with("shared-tlb", {"l1_tlb.entries=8"})),
                                program(chase(kPage, static_cast<u32>(pages), 4, true)));
        EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), pages <= 8 ? pages : 4 * pages) << pages;
        EXPECT_EQ(counter(r, "gpu.translation.walks.count"), pages);
    }
    for (const u64 pages : {15u, 16u, 17u}) {
        const RunRecord r =
            run(small_machine(with("shared-tlb", {"l1_tlb.entries=1", "l2_tlb.entries=16", "l2_tlb.ways=0"})),
                program(chase(kPage, static_cast<u32>(pages), 3, true)));
        EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), 3 * pages);
        EXPECT_EQ(counter(r, "gpu.translation.walks.count"), pages <= 16 ? pages : 3 * pages) << pages;
    }
    // Larger pages reach further.
    for (const auto& [size, reach] : {std::pair<const char*, u64>{"64KiB", 65536}, {"2MiB", u64{2} << 20}}) {
        const RunRecord r =
            run(small_machine(
                    with("shared-tlb", {"l1_tlb.entries=8", "translation.page_size=" + std::string(size)})),
                program(chase(kPage, static_cast<u32>(8 * reach / kPage), 1, true)));
        EXPECT_EQ(counter(r, "gpu.translation.walks.count"), 8u) << size;
        EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), 8u) << size;
    }
}

TEST(Translation, HitsGoOnUnderMisses) {
    // One warp's page is known; the other's is not, and asks first.
    auto cycles_of = [](bool both) {
        return run(small_machine(with("shared-tlb", {"sm.schedulers=1"})),
                   program({copy_in(64 * 1024), kernel({.threads = 64},
                                                       [=](WarpWriter& w) {
                                                           if (w.warp == 0) {
                                                               w.load1(1, {}, kData);
                                                               w.use(1);
                                                               if (both) w.load1(2, {}, kData + 8 * kPage);
                                                               for (u32 k = 0; k < 20; ++k)
                                                                   w.load1(3, {3}, kData + 128);
                                                           }
                                                       })}))
            .cycles;
    };
    // Twenty dependent hits hide the walk behind them.
    EXPECT_LE(cycles_of(true), cycles_of(false) + 2);
}

TEST(Translation, AMergedMissIsAnsweredNotBeforeItsOwnLookupEnds) {
    // Two SMs ask for one page; the second lookup begins 500 cycles later, while the first one's walk is under way or
    // just before its end. Each access takes at least its own lookups.
    constexpr u64 kLatency = 1000;
    const auto stagger = [&](u32 delay) {
        return run(small_machine(with("shared-tlb", {"l2_tlb.latency=1000"})),
                   program({copy_in(64 * 1024), kernel({.ctas = 2}, [=](WarpWriter& w) {
                                if (w.cta == 1)
                                    for (u32 k = 0; k < delay; ++k) w.alu(OpClass::int_add, 2, {2});
                                w.load1(1, {}, kData);
                                w.use(1);
                            })}));
    };
    u32 merged = 0;
    for (u32 delay = 0; delay < 400; delay += 20) {
        const RunRecord r = stagger(delay);
        merged += counter(r, "gpu.translation.walks.merges") == 1;
        // Both misses together wait for at least two lookups and the one walk of the first.
        EXPECT_GE(counter(r, "gpu.translation.l1_tlb.wait_cycles"), 2 * kLatency) << delay;
        EXPECT_GE(r.load_latency_cycles->sum, 2 * kLatency) << delay;
        // Each by itself: the sooner of the two as well.
        EXPECT_GE(r.load_latency_cycles->sum - r.load_latency_cycles->max, kLatency) << delay;
    }
    EXPECT_GT(merged, 0u);
}

TEST(Translation, HitsInTheL2TlbPassMissesThatWaitForAnMshr) {
    // One MSHR, always in use by an application whose every load misses. The other one asks the L2 TLB 400 times for two
    // pages that it holds: only its two first accesses may wait for walks.
    constexpr u64 kVictimPages = 2, kRounds = 200;
    const auto victim = [&](bool flooded) {
        Simulation simulation(small_machine(
            with("shared-tlb", {"walker.mshrs=1", "walker.walks=1", "l1_tlb.entries=1", "l2_tlb.ways=0"})));
        auto hits = [] { return program(chase(kPage, kVictimPages, kRounds, true)); };
        auto misses = [] {
            return program({kernel({}, [](WarpWriter& w) {
                for (u64 k = 0; k < 2000; ++k)
                    w.load1(static_cast<int>(k % 8), {}, kData + (k % 600) * kPage);
            })});
        };
        simulation.add(hits(), hits, {.first_sm = 0, .sms = 1, .part = 0, .parts = 2});
        if (flooded) simulation.add(misses(), misses, {.first_sm = 1, .sms = 1, .part = 1, .parts = 2});
        const RunRecord r = simulation.run({});
        if (flooded) {
            EXPECT_GT(counter(r, "gpu.translation.walks.stall_mshr_cycles"), r.cycles / 2);
        }
        EXPECT_EQ(counter(r.apps[0], "translation.walks.count"), kVictimPages);
        return r.apps[0].cycles;
    };
    const u64 alone = victim(false), flooded = victim(true);
    // A walk of four cold reads takes some 250 cycles; at most 65 misses are ahead of either of the two.
    EXPECT_LT(flooded, alone + kVictimPages * 66 * 250 + kVictimPages * kRounds * 20);
}

TEST(Translation, EveryDesignRunsEveryPatternAndAnswersAllThatItAsks) {
    for (const std::string design : kDesigns)
        for (const PatternKind kind : {PatternKind::stream, PatternKind::strided, PatternKind::random,
                                       PatternKind::chase, PatternKind::gather, PatternKind::hotset}) {
            PatternSettings p;
            p.kind = kind;
            p.footprint = u64{4} << 20;
            p.stride = 1056;
            p.ctas = 4;
            p.threads = 96;
            p.accesses = 3;
            p.read_percent = kind == PatternKind::chase ? 100 : 70;
            // Everything is small, so that everything is full at times.
            const std::vector<std::string> sets =
                with(design, {"l1_tlb.entries=4", "l1_tlb.mshrs=3", "l1_tlb.waiting=20", "l2_tlb.entries=16",
                              "walker.walks=2", "walker.mshrs=5", "translation.epoch=500", "dram.channels=2",
                              "l2.banks=2", "l2.size=16KiB", "dram.read_queue=8", "l2.dram_queue=2",
                              "l1.mshrs=4", "lsu.lines_per_cycle=2"});
            const MachineSettings machine = small_machine(sets);
            const RunRecord r = run(machine, make_pattern(p));  // checks conservation
            EXPECT_EQ(text_of(run(machine, make_pattern(p))), text_of(r)) << design;
            EXPECT_EQ(r.apps[0].warp_instructions,
                      run(small_machine(), make_pattern(p)).apps[0].warp_instructions);
            const bool walks = design != "ideal";
            EXPECT_EQ(counter(r, "gpu.translation.walks.count") > 0, walks) << design;
            EXPECT_EQ(counter(r, "gpu.translation.walks.ended"), counter(r, "gpu.translation.walks.count"));
            EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.accesses"),
                      counter(r, "gpu.sm.load_requests") + counter(r, "gpu.sm.store_requests"));
        }
}

TEST(Translation, WarpGroupsAreCompleteAlsoWhereTheirLinesWaitForTranslations) {
    PatternSettings p;
    p.kind = PatternKind::gather;
    p.footprint = u64{4} << 20;
    p.ctas = 8;
    p.threads = 96;
    p.accesses = 4;
    for (const char* scheduler : {"wg", "wg-w"}) {
        const RunRecord r =
            run(small_machine(with("shared-tlb", {"dram.channels=2", "l1_tlb.entries=4",
                                                  std::string("dram.scheduler=") + scheduler})),
                make_pattern(p));
        EXPECT_GT(counter(r, "dram.groups_completed"), 0u);
    }
}

TEST(Translation, EveryDramSchedulerServesWalks) {
    PatternSettings p;
    p.kind = PatternKind::random;
    p.footprint = u64{8} << 20;
    p.ctas = 4;
    p.threads = 64;
    p.accesses = 2;
    u32 ran = 0;
    for (const auto& [scheduler, entry] : dram::schedulers().entries()) {
        if (scheduler.starts_with("prior")) continue;  // want to be told of applications
        const RunRecord r = run(
            small_machine(with("shared-tlb", {"dram.channels=2", "l1_tlb.entries=4", "l2_tlb.entries=16",
                                              "l2.size=4KiB", "dram.scheduler=" + std::string(scheduler)})),
            make_pattern(p));
        EXPECT_GT(counter(r, "dram.walks.reads"), 100u) << scheduler;
        ++ran;
    }
    EXPECT_GE(ran, 15u);
}

TEST(Translation, FreedPagesAreForgottenAndTheirFramesUsedAgain) {
    auto touch = [](u64 first, u64 pages) {
        return kernel({}, [=](WarpWriter& w) {
            for (u64 k = 0; k < pages; ++k) w.load1(1, {1}, kData + first + k * kPage);
            w.use(1);
        });
    };
    const u64 pages = 10;
    auto run_with = [&](bool frees) {
        std::vector<ScriptSource::Event> events = {AllocEvent{kData, pages * kPage + 100}, touch(0, pages)};
        if (frees) events.emplace_back(FreeEvent{kData});
        events.emplace_back(touch(0, pages));
        return run(small_machine(with("shared-tlb")), program(std::move(events)));
    };
    const RunRecord kept = run_with(false), freed = run_with(true);
    EXPECT_EQ(counter(kept, "gpu.translation.walks.count"), pages);
    EXPECT_EQ(counter(freed, "gpu.translation.walks.count"), 2 * pages);
    EXPECT_EQ(counter(freed, "gpu.translation.pages_taken_back"), pages);
    EXPECT_EQ(counter(freed, "gpu.translation.shootdowns"), 1u);
    EXPECT_EQ(counter(freed, "gpu.translation.pages"), pages);
    // The L1 TLBs stand still for 15 cycles, the L2 TLB for 200 (public simulator of Mosaic).
    auto costs = [&](u64 l1, u64 l2) {
        return run(small_machine(with("shared-tlb", {"l1_tlb.invalidate=" + std::to_string(l1),
                                                     "l2_tlb.invalidate=" + std::to_string(l2)})),
                   program({AllocEvent{kData, kPage}, touch(0, 1), FreeEvent{kData}, touch(0, 1)}))
            .cycles;
    };
    EXPECT_EQ(costs(0, 1000), costs(0, 2000) - 1000);
    EXPECT_EQ(costs(1000, 0), costs(2000, 0) - 1000);
}

TEST(Translation, AWalkOfAPageThatIsTakenBackMeanwhileBeginsAgain) {
    const RunRecord r = run(small_machine(with("shared-tlb")), program(freed_meanwhile()));
    EXPECT_GT(counter(r, "gpu.translation.pages_taken_back"), 0u);
    EXPECT_GT(counter(r, "gpu.translation.walks.restarts"), 0u);
    // What is used again afterwards has pages again.
    EXPECT_GT(counter(r, "gpu.translation.pages"), 0u);
}

TEST(Translation, ApplicationsHaveAddressSpacesOfTheirOwn) {
    Simulation simulation(small_machine(with("shared-tlb", {"gpu.sms=4"})));
    auto make = [] { return program(chase(kPage, 20, 2, true)); };
    for (u32 k = 0; k < 2; ++k)
        simulation.add(make(), make, {.first_sm = 2 * k, .sms = 2, .part = k, .parts = 2});
    const RunRecord r = simulation.run({});
    for (const AppRecord& app : r.apps) EXPECT_EQ(counter(app, "translation.walks.count"), 20u);
    EXPECT_EQ(simulation.gpu().translation()->processes().pages(), 40u);
}

TEST(Translation, StaticGivesEachApplicationItsChannelsAlsoForItsPageTables) {
    Simulation simulation(small_machine(with("static", {"gpu.sms=4", "dram.channels=2"})));
    auto make = [] { return program(chase(kPage, 20, 2, true)); };
    const Share share{.first_sm = 0, .sms = 2, .part = 1, .parts = 2};
    simulation.add(make(), make, share);
    simulation.run({});
    EXPECT_EQ(simulation.memory().partitions()[0]->accepted_reads(), 0u);
    EXPECT_GT(simulation.memory().partitions()[1]->accepted_reads(), 40u);
    EXPECT_TRUE(simulation.settings().gpus.at("gpu").split_l2_ways);
    EXPECT_TRUE(simulation.settings().gpus.at("gpu").split_channels);
}

TEST(Translation, MaskDesignsSetTheirPartsAndTheDescriptionShowsThem) {
    for (const auto& [design, tlb, cache, dram] : {std::tuple{"mask-tlb", true, false, false},
                                                   {"mask-cache", false, true, false},
                                                   {"mask-dram", false, false, true},
                                                   {"mask", true, true, true}}) {
        const Simulation s(small_machine(with(design, {"dram.mask.thresh_max=77"})));
        const GpuSettings& g = s.settings().gpus.at("gpu");
        const dram::MemorySettings& m = s.settings().memories.at("dram");
        EXPECT_EQ(g.translation.fill.name(), tlb ? "tokens" : "all");
        EXPECT_EQ(g.l2.bypass.name(), cache ? "mask" : "none");
        EXPECT_EQ(m.scheduler.name(), dram ? "mask" : "fr-fcfs");
        const std::string text = config::to_yaml(config::describe(MachineSettings::schema(), s.settings()));
        EXPECT_EQ(text.find("fill: tokens") != std::string::npos, tlb);
        // What the machine says about a policy's parameters is kept.
        EXPECT_EQ(text.find("thresh_max: 77") != std::string::npos, dram);
    }
}

TEST(Translation, WhatAnApplicationSuffersReachesTheDramScheduler) {
    // One of two applications walks all the time, the other's two pages are soon known; both read from DRAM. The second has
    // no product of walks and stalled warps to share in (thesis, equation 6.1), so the turn is always the first one's.
    const std::vector<std::string> sets = with(
        "mask-dram", {"gpu.sms=4", "l2.size=4KiB", "l1.enabled=false", "l1_tlb.entries=4", "l2_tlb.entries=4",
                      "l2_tlb.ways=0", "translation.epoch=2000", "dram.mask.thresh_max=10"});
    auto walker = [] { return program(chase(kPage + 128, 600, 2, true)); };
    auto reader = [] { return program(chase(128, 64, 40, true)); };
    Simulation simulation(small_machine(sets));
    simulation.add(walker(), walker, {.first_sm = 0, .sms = 2, .part = 0, .parts = 2});
    simulation.add(reader(), reader, {.first_sm = 2, .sms = 2, .part = 1, .parts = 2});
    const RunRecord r = simulation.run({});
    auto turns = [&](u32 app) { return counter(r.apps[app], "dram.scheduler.turns"); };
    auto quotas = [&](u32 app) { return counter(r.apps[app], "dram.scheduler.quotas"); };
    EXPECT_GT(counter(r.apps[1], "dram.reads"), 1000u);
    EXPECT_GT(turns(0), 30u);
    EXPECT_LT(turns(1), 10u);
    // Ten for a turn, but for those that began when nobody had missed yet.
    EXPECT_GT(quotas(0), 9 * turns(0));
}

TEST(Translation, ALevelWhoseEntriesNeverHitGoesAroundL2UnderMask) {
    // Pages 2 MiB apart: each has a node of the last level to itself, whose entry is read once; data are lines that L2 has.
    const Events events = {copy_in(64 * 1024), kernel({.threads = 64}, [](WarpWriter& w) {
                               for (u32 k = 0; k < 300; ++k) {
                                   w.load1(1, {1}, kData + (w.warp * 300 + k + 1) * (u64{2} << 20), true);
                                   for (u32 n = 0; n < 8; ++n) w.load1(1, {1}, kData + n * 128, true);
                               }
                               w.use(1);
                           })};
    for (const char* design : {"shared-tlb", "mask-cache"}) {
        const RunRecord r = run(
            small_machine(with(design, {"l2.size=64KiB", "l2.mask.epoch=5000", "l2.mask.least_accesses=20"})),
            program(std::vector<ScriptSource::Event>(events)));
        const auto around = [&](u32 level) {
            return counter(r, "gpu.translation.walks.level_" + std::to_string(level) + ".l2_bypassed");
        };
        const bool mask = std::string_view(design) == "mask-cache";
        EXPECT_EQ(around(4) > 200, mask) << around(4);
        for (u32 level = 1; level <= 2; ++level) EXPECT_EQ(around(level), 0u) << level;
    }
}

TEST(Translation, MaskComparesHitRatesOfTheWholeGpuNotOfTheSlice) {
    // Two slices, chosen by bit 8 of an address; a node of page tables, as a page, begins in the first one.
    auto around = [](auto&& body) {
        const RunRecord r =
            run(small_machine(with("mask-cache", {"dram.channels=2", "address_map.hash=modulo",
                                                  "address_map.interleave=256B", "l2.size=64KiB",
                                                  "l2.mask.epoch=5000", "l2.mask.least_accesses=20"})),
                program({copy_in(4096), kernel({}, [&](WarpWriter& w) {
                             for (u32 k = 1; k <= 600; ++k) body(w, k);
                             w.use(1);
                         })}));
        EXPECT_EQ(counter(r, "gpu.translation.walks.level_4.reads"), 601u);
        return counter(r, "gpu.translation.walks.level_4.l2_bypassed");
    };
    // Pages 2 MiB apart, whose entries of the last level all lie in the first slice and are read once; all data lie in the
    // second one, and most hit. The first has no data of its own to compare with. (Every other epoch sees too few of the
    // level's reads, those of one line in 64, and judges nothing.)
    EXPECT_GT(around([](WarpWriter& w, u32 k) {
                  w.load1(1, {1}, kData + k * (u64{2} << 20) + 256, true);
                  for (u32 n = 0; n < 4; ++n) w.load1(1, {1}, kData + n * 512 + 256, true);
              }),
              200u);
    // Pages side by side: 15 of 16 entries hit. Of the data those in the first slice all hit and those in the second never
    // do: 2 of 3.
    EXPECT_EQ(around([](WarpWriter& w, u32 k) {
                  w.load1(1, {1}, kData + k * kPage + 256, true);
                  for (u32 n = 0; n < 2; ++n) w.load1(1, {1}, kData + n * 512, true);
              }),
              0u);
}

TEST(Translation, TheFillPolicyHearsOfEveryEpochAndOfTheWarpsThatWereActive) {
    for (const u64 epoch : {500u, 1000u}) {
        const RunRecord r = run(
            small_machine(with("mask-tlb", {"translation.epoch=" + std::to_string(epoch), "l1_tlb.entries=1",
                                            "l2_tlb.entries=4", "l2_tlb.ways=0", "l2_tlb.bypass_entries=2"})),
            program(pages_of_each_warp()));
        // From the first lookup to the last, each epoch has some.
        EXPECT_NEAR(static_cast<double>(counter(r.apps[0], "translation.fill.epochs")),
                    static_cast<double>(r.cycles / epoch), 1);
        EXPECT_EQ(counter(r.apps[0], "translation.fill.warps"), 8u);
    }
}

TEST(Translation, AFlushForgetsAllOfAnApplicationInEveryTlb) {
    // Nobody calls it yet but tests: between two looks of a run whose eight pages are known long since.
    const u64 pages = 8;
    auto misses = [&](bool flush) {
        Simulation simulation(small_machine(with("shared-tlb")));
        simulation.add(program(chase(kPage, static_cast<u32>(pages), 2000, true)));
        u32 looks = 0;
        RunOptions options;
        options.progress = [&](const RunProgress&) {
            if (++looks == 3 && flush) simulation.gpu().translation()->flush(0, simulation.gpu().now());
        };
        const RunRecord r = simulation.run(options);
        EXPECT_GT(looks, 4u);
        EXPECT_EQ(counter(r, "gpu.translation.shootdowns"), u64{flush});
        EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), counter(r, "gpu.translation.walks.count"));
        return counter(r, "gpu.translation.walks.count");
    };
    EXPECT_EQ(misses(false), pages);
    EXPECT_EQ(misses(true), 2 * pages);
}

TEST(Translation, EpochsAfterTheLastRequestAreNoPartOfTheRun) {
    // One comes every 100,000 cycles, as long as somebody looks.
    const auto work = [] { return program(chase(kPage, 8, 20, true)); };
    RunOptions options;
    const RunRecord r = run(small_machine(with("shared-tlb")), work(), options);
    ASSERT_LT(r.cycles, 50'000u);
    const double seconds =
        static_cast<double>(r.memories[0].peak_bytes) / static_cast<double>(r.memories[0].peak_bytes_per_s);
    EXPECT_NEAR(seconds * static_cast<double>(r.core_hz), static_cast<double>(r.cycles), 1'000);
    options.max_cycles = r.cycles + 1'000;
    EXPECT_FALSE(run(small_machine(with("shared-tlb")), work(), options).partial);
}

TEST(Translation, OffThereIsNothingOfIt) {
    const RunRecord r = run(small_machine(), program(stream(true)));
    for (const CounterRecord& c : r.counters)
        EXPECT_EQ(c.name.find("translation"), std::string::npos) << c.name;
    for (const CacheRecord& c : r.caches) EXPECT_EQ(c.name.find("tlb"), std::string::npos);
}

TEST(Translation, ADesignThatContradictsAKeyIsRefused) {
    EXPECT_EQ(
        error_of<InputError>([] { Simulation s(small_machine(with("mask-dram", {"dram.scheduler=fcfs"}))); }),
        "translation.design mask-dram sets dram.scheduler: mask, but it has been set to fcfs; shared-tlb "
        "with "
        "dram.scheduler: fcfs is the design without it");
}
