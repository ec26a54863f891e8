// What the public simulator of MASK does otherwise than its text, key by key, each where it can be worked out by hand.

#include <gtest/gtest.h>

#include "machine/knob_programs.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

constexpr u64 kRegimePage = 4096;
using Sets = std::vector<std::string>;

Sets shared_tlb(Sets more) {
    more.emplace_back("translation.design=shared-tlb");
    return more;
}
Sets plus(Sets sets, const Sets& more) {
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

RunRecord loads(const Sets& sets, const std::vector<u64>& addresses, bool copied = true) {
    std::vector<ScriptSource::Event> events;
    if (copied) events.push_back(copy_in(64 * 1024));
    events.push_back(kernel({}, [&](WarpWriter& w) {
        for (const u64 a : addresses) w.load1(1, {1}, kData + a);
        w.use(1);
    }));
    return run(small_machine(sets), program(std::move(events)));
}
u64 cycles_of(const Sets& sets, const std::vector<u64>& addresses) {
    return loads(sets, addresses).apps.at(0).kernels.at(0).cycles;
}
/// What the last of these dependent loads adds.
u64 last_takes(const Sets& sets, std::vector<u64> addresses) {
    const u64 all = cycles_of(sets, addresses);
    addresses.pop_back();
    return all - cycles_of(sets, addresses);
}

const Sets kBlocking = {"l1_tlb.mshrs=1", "l1_tlb.blocking=core"};

}  // namespace

TEST(TranslationRegime, AWalkThatLeavesTheSmTakesItsWayToL2ForEachLevel) {
    const Sets way = {"l1.miss_latency=3", "crossbar.latency=20", "l2.front_latency=50"};
    const u64 plain = last_takes(way, {0, kRegimePage + 128});
    // L1 TLB 1, L2 TLB 10, four levels of the way there and 10 in L2; back they take none.
    EXPECT_EQ(last_takes(shared_tlb(plus(way, {"walker.path=sm"})), {0, kRegimePage + 128}),
              plain + 1 + 10 + 4 * (3 + 20 + 50 + 10));
    EXPECT_EQ(last_takes(shared_tlb(way), {0, kRegimePage + 128}), plain + 1 + 10 + 4 * (49 + 10));
}

TEST(TranslationRegime, ReadsOfWalksWaitForRoomAmongTheMissesOfL1) {
    // Eight warps' walks at once, in a queue of one besides the pipeline.
    const auto run_with = [](const std::string& queue) {
        const RunRecord r =
            run(small_machine(shared_tlb({"walker.path=sm", "crossbar.credits=1", "crossbar.latency=30",
                                          "crossbar.output_queue=" + queue})),
                program({kernel({.threads = 8 * 32}, [](WarpWriter& w) {
                    w.load1(1, {}, kData + w.warp * kRegimePage);
                    w.use(1);
                })}));
        EXPECT_EQ(counter(r, "gpu.translation.walks.count"), 8u);
        EXPECT_EQ(counter(r, "gpu.translation.walks.reads"), 32u);
        return r.cycles;
    };
    EXPECT_GE(run_with("1"), run_with("8"));
}

TEST(TranslationRegime, ABlockingTlbStopsHitsAndSharedMemoryUntilTheWalkIsOver) {
    // Warp 0 knows its page, then misses; what warp 1 does next is a hit, or shared memory.
    const auto program_of = [](bool misses, bool shared) {
        return program({copy_in(64 * 1024), kernel({.threads = 64, .shared_bytes = 1024}, [=](WarpWriter& w) {
                            if (w.warp == 0) {
                                w.load1(1, {}, kData);
                                w.use(1);
                            }
                            w.barrier();
                            if (w.warp == 0) {
                                if (misses) w.load1(2, {}, kData + 8 * kRegimePage);
                                return;
                            }
                            for (u32 k = 0; k < 5; ++k) w.alu(OpClass::int_add, 4, {4});
                            if (shared)
                                w.shared(MemOp::load, 3, {4}, w.lanes(0, 4));
                            else
                                w.load1(3, {4}, kData + 128);
                            for (u32 k = 0; k < 200; ++k) w.alu(OpClass::int_add, 3, {3});
                        })});
    };
    for (const bool shared : {false, true}) {
        const auto cost = [&](const Sets& sets) {
            const MachineSettings machine = small_machine(shared_tlb(plus(sets, {"l2_tlb.latency=300"})));
            return run(machine, program_of(true, shared)).cycles -
                   run(machine, program_of(false, shared)).cycles;
        };
        EXPECT_LE(cost({}), 2u) << shared;
        EXPECT_LE(cost({"l1_tlb.mshrs=1"}), 2u) << shared;
        EXPECT_GT(cost(kBlocking), 250u) << shared;
        EXPECT_LT(cost(kBlocking), 700u) << shared;
    }
    const RunRecord r = run(small_machine(shared_tlb(kBlocking)), program_of(true, false));
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.stall_mshr_cycles"),
              counter(r, "gpu.translation.l1_tlb.wait_cycles"));
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.merges"), 0u);
}

TEST(TranslationRegime, AGlobalListOfWalksHoldsBackTheSecondSmThatMissesOnAPage) {
    const auto two = [](const char* list) {
        return run(small_machine(shared_tlb({"l1_tlb.mshrs=1", std::string("l1_tlb.blocking=") + list})),
                   program({copy_in(64 * 1024), kernel({.ctas = 2}, [](WarpWriter& w) {
                                w.load1(1, {}, kData + w.cta * 1024);
                                w.use(1);
                            })}));
    };
    const RunRecord core = two("core"), gpu = two("gpu");
    EXPECT_EQ(counter(core, "gpu.translation.walks.count"), 1u);
    EXPECT_EQ(counter(core, "gpu.translation.walks.merges"), 1u);
    EXPECT_EQ(counter(core, "gpu.translation.l2_tlb.hits"), 0u);
    // The second looks up when the walk is over, and the L2 TLB has it.
    EXPECT_EQ(counter(gpu, "gpu.translation.walks.count"), 1u);
    EXPECT_EQ(counter(gpu, "gpu.translation.walks.merges"), 0u);
    EXPECT_EQ(counter(gpu, "gpu.translation.l2_tlb.hits"), 1u);
    EXPECT_EQ(counter(gpu, "gpu.translation.l1_tlb.wait_cycles"),
              counter(core, "gpu.translation.l1_tlb.wait_cycles") + 10);
}

TEST(TranslationRegime, WhatIsBesideL1CostsNothing) {
    const Sets far = {"l2_tlb.latency=77"}, beside = {"l2_tlb.latency=77", "l2_tlb.beside_l1=all"};
    const u64 plain = last_takes({}, {0, kRegimePage, 128});
    const Sets one = {"l1_tlb.entries=1"};
    EXPECT_EQ(last_takes(shared_tlb(plus(far, one)), {0, kRegimePage, 128}), plain + 1 + 77);
    EXPECT_EQ(last_takes(shared_tlb(plus(beside, one)), {0, kRegimePage, 128}), plain + 1);
    // A walk begins in the cycle after its miss is known.
    EXPECT_EQ(last_takes(shared_tlb(beside), {0, kRegimePage + 128}),
              last_takes({}, {0, kRegimePage + 128}) + 1 + 1 + 4 * 10);
    const RunRecord r = loads(shared_tlb(plus(beside, one)), {0, kRegimePage, 128, 256});
    EXPECT_EQ(counter(r, "gpu.translation.l2_tlb.accesses"), 3u);
    EXPECT_EQ(counter(r, "gpu.translation.l2_tlb.hits"), 1u);
    EXPECT_EQ(counter(r, "gpu.translation.l1_tlb.misses"), 2u);
}

TEST(TranslationRegime, AnL1TlbThatAHitInL2DoesNotFillKeepsWhatItHad) {
    const std::vector<u64> there_and_back = {0, kRegimePage, 128, kRegimePage + 128};
    for (const char* beside : {"none", "all"}) {
        const auto l2_hits = [&](const char* fills) {
            return counter(loads(shared_tlb({"l1_tlb.entries=1", std::string("l2_tlb.beside_l1=") + beside,
                                             std::string("l2_tlb.hit_fills_l1=") + fills}),
                                 there_and_back),
                           "gpu.translation.l2_tlb.hits");
        };
        EXPECT_EQ(l2_hits("true"), 2u);
        EXPECT_EQ(l2_hits("false"), 1u);  // the second page stayed in L1
    }
}

TEST(TranslationRegime, TheLayoutOfPageTablesDecidesHowManyLinesTheirEntriesTake) {
    const auto in_dram = [](const Sets& sets, u64 stride, const char* level) {
        return counter(
            run(small_machine(shared_tlb(plus(sets, {"l2.sectored=false"}))), program(chase(stride, 64))),
            std::string("gpu.translation.walks.level_") + level + ".dram");
    };
    const std::string layout = "translation.table_layout=";
    // 64 pages in a row: 16 entries of 8 bytes a line, 64 a line, one a line.
    EXPECT_EQ(in_dram({layout + "radix"}, kRegimePage, "4"), 4u);
    EXPECT_EQ(in_dram({layout + "packed"}, kRegimePage, "4"), 1u);
    EXPECT_EQ(in_dram({layout + "line"}, kRegimePage, "4"), 64u);
    EXPECT_EQ(in_dram({layout + "line"}, kRegimePage, "3"), 1u);
    // Pages 2 MiB apart have leaf nodes of their own in a tree, but stay neighbours where entries are packed.
    EXPECT_EQ(in_dram({layout + "radix"}, u64{2} << 20, "4"), 64u);
    EXPECT_EQ(in_dram({layout + "packed"}, u64{2} << 20, "4"), 1u);
    // With 5 bits a level an entry of the third reaches over 32 pages, not 512.
    EXPECT_EQ(in_dram({layout + "line"}, 32 * kRegimePage, "3"), 4u);
    EXPECT_EQ(in_dram({layout + "line", "translation.level_bits=5"}, 32 * kRegimePage, "3"), 64u);
}

TEST(TranslationRegime, WalksRoutedByTheirDataBringALineToEachOfItsSlices) {
    const auto roots = [](const char* route) {
        return counter(loads(shared_tlb({"dram.channels=2", "address_map.interleave=256B",
                                         "address_map.hash=modulo", std::string("walker.route=") + route}),
                             {0, kRegimePage + 256, 2 * kRegimePage + 512}, false),
                       "gpu.translation.walks.level_1.dram");
    };
    EXPECT_EQ(roots("entry"), 1u);
    EXPECT_EQ(roots("data"), 2u);
}

TEST(TranslationRegime, WhatTokensKeepOutStaysInTheStoreOfTheSm) {
    // After the first epoch warp 0 has the only token. Then warp 1 goes round three pages, of which L1 holds two.
    const auto misses = [](const Sets& sets) {
        const RunRecord r = run(
            small_machine(shared_tlb(plus(sets, {"translation.fill=tokens", "translation.tokens.initial=0",
                                                 "translation.epoch=2000", "l1_tlb.entries=2"}))),
            program({copy_in(64 * 1024), kernel({.threads = 64}, [](WarpWriter& w) {
                         w.load1(1, {}, kData + 8 * kRegimePage);
                         for (u32 k = 0; k < 600; ++k) w.alu(OpClass::int_add, 1, {1});
                         if (w.warp == 1)
                             for (u32 k = 0; k < 9; ++k) w.load1(1, {1}, kData + k % 3 * kRegimePage);
                         w.use(1);
                     })}));
        return counter(r, "gpu.translation.l1_tlb.misses");
    };
    EXPECT_EQ(misses({}), 1u + 9);
    EXPECT_EQ(misses({"l1_tlb.kept_out=10000"}), 1u + 3);
    // Each is forgotten before its turn comes again.
    EXPECT_EQ(misses({"l1_tlb.kept_out=1"}), 1u + 9);
    // The bypass cache beside L1 has them too: only walks miss.
    EXPECT_EQ(misses({"l2_tlb.beside_l1=bypass"}), 1u + 3);
}

TEST(TranslationRegime, AReadAroundL2ThatLooksUpHitsAndSkipsTheFrontPipeline) {
    const Sets around = {"l2.bypass=reads", "l2.front_latency=40"},
               probing = plus(around, {"l2.bypass_probes=true"});
    EXPECT_EQ(last_takes(probing, {0, 128}), last_takes({"l2.front_latency=1"}, {0, 128}));
    EXPECT_EQ(counter(loads(around, {0, 128}), "gpu.l2.bypassed"), 2u);
    EXPECT_EQ(counter(loads(probing, {0, 128}), "gpu.l2.bypassed"), 0u);
    // What misses fills nothing: L1 off, the same line goes to DRAM each time.
    const RunRecord r = loads(plus(probing, {"l1.enabled=false"}), {0, 0, 0}, false);
    EXPECT_EQ(counter(r, "gpu.l2.bypassed"), 3u);
    EXPECT_EQ(counter(r, "dram.reads"), 3u);
}

TEST(TranslationRegime, LevelsThatAlwaysGoAroundL2AreNotJudged) {
    const RunRecord r = run(small_machine(shared_tlb({"l2.bypass=mask", "l2.mask.always=[1, 3]"})),
                            program(chase(kRegimePage, 20)));
    for (const auto& [level, around] : {std::pair{"1", 20u}, {"2", 0u}, {"3", 20u}, {"4", 0u}})
        EXPECT_EQ(counter(r, std::string("gpu.translation.walks.level_") + level + ".l2_bypassed"), around)
            << level;
}

TEST(TranslationRegime, KeysThatContradictEachOtherAreOneErrorWithItsPlace) {
    const auto error = [](const Sets& sets) { return error_of<InputError>([&] { small_machine(sets); }); };
    EXPECT_NE(error({"l1_tlb.blocking=core"}).find("l1_tlb.blocking"), std::string::npos);
    EXPECT_NE(error({"l1_tlb.blocking=core"}).find("needs mshrs: 1"), std::string::npos);
    EXPECT_NE(error({"l1_tlb.mshrs=2", "l1_tlb.blocking=gpu"}).find("needs mshrs: 1"), std::string::npos);
    EXPECT_EQ(error({"l1_tlb.mshrs=1", "l1_tlb.blocking=gpu"}), "");
    EXPECT_NE(error({"walker.first_at_l2=true", "walker.path=sm"}).find("needs path: l2"), std::string::npos);
    EXPECT_NE(error({"translation.level_bits=5"}).find("must be 9"), std::string::npos);
}
