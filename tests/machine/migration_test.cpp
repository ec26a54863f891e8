// Several memories, links and pages that move: the worked examples of Agarwal et al., HPCA 2015, and closed forms.

#include "machine/numa_lab.h"
#include "machine/random_program.h"

using namespace heddle;
using namespace heddle::test;

namespace {

using Events = std::vector<ScriptSource::Event>;

RunRecord run_numa(const std::vector<std::string>& sets, Events events, const RunOptions& options = {}) {
    return run(numa_machine(sets), program(std::move(events)), options);
}

MemoryRecord memory(const RunRecord& r, const std::string& name) {
    for (const MemoryRecord& m : r.memories)
        if (m.name == name) return m;
    ADD_FAILURE() << "no memory " << name;
    return {};
}

RunOptions limited(u64 cycles) {
    RunOptions options;
    options.max_cycles = cycles;
    return options;
}

/// Loads that each wait for the one before, of one lane, past L1.
auto chase(const std::vector<u64>& addresses) {
    return kernel({}, [&](WarpWriter& w) {
        for (const u64 a : addresses) w.load1(1, {1}, a, true);
        w.use(1);
    });
}
/// So many cycles without memory.
void wait(WarpWriter& w, u32 cycles) {
    for (u32 k = 0; k < cycles / 4; ++k) w.alu(OpClass::int_add, 2, {2});
}

u64 cycles_of(const std::vector<std::string>& sets, const std::shared_ptr<const ScriptKernel>& k) {
    return run_numa(sets, {k}).cycles;
}

}  // namespace

TEST(Numa, AnAccessToTheHostsMemoryCostsTheLink) {
    // Both memories are alike, so that only the link tells them apart: 50 cycles each way, more if it says so.
    const auto one = chase({line_of(0)});
    const u64 own = cycles_of({"placement=device"}, one);
    EXPECT_EQ(cycles_of({}, one), own + 100);
    EXPECT_EQ(cycles_of({"links.link.latency=300"}, one), own + 600);
    // 16 bytes out and 48 back at 1 GB/s and 1 GHz.
    EXPECT_EQ(cycles_of({"links.link.bandwidth=1GB/s"}, one), own + 100 + 16 + 48);
    // Hits in the L2 slices of the host's memory pay it as well: they are at that memory.
    const auto again = chase({line_of(0), line_of(0), line_of(0)});
    EXPECT_EQ(cycles_of({}, again), cycles_of({"placement=device"}, again) + 300);
    const RunRecord r = run_numa({}, {again});
    EXPECT_EQ(counter(r, "link.out.messages"), 3u);
    EXPECT_EQ(counter(r, "link.out.bytes"), 3u * 16);
    EXPECT_EQ(counter(r, "link.back.bytes"), 3u * 48);
    EXPECT_EQ(counter(r, "host.reads"), 1u);
    EXPECT_EQ(counter(r, "own.reads"), 0u);
}

TEST(Numa, ASaturatedLinkGivesItsBandwidth) {
    // Whole lines, each once: 144 bytes back for 128 of data, at 9 bytes a cycle 16 cycles a line.
    const auto work = kernel({.ctas = 16, .threads = 256}, [](WarpWriter& w) {
        for (u32 k = 0; k < 16; ++k)
            w.load(1, {}, w.lanes(kData + ((u64{w.cta} * 8 + w.warp) * 16 + k) * 128, 4));
    });
    const RunRecord r = run_numa({"links.link.bandwidth=9GB/s"}, {work});
    constexpr u64 kLines = 16 * 8 * 16;
    EXPECT_EQ(counter(r, "link.back.bytes"), kLines * 144);
    EXPECT_GE(r.cycles, kLines * 16);
    EXPECT_LE(r.cycles, kLines * 16 * 102 / 100 + 500);
}

TEST(Numa, PagesLieWhereTheirPlacementSays) {
    const auto reads = kernel({.ctas = 70}, [](WarpWriter& w) {
        for (u32 k = 0; k < 32; ++k) w.load(1, {}, w.lanes(line_of(w.cta, k), 4));
    });
    const auto share = [&](const std::string& placement) {
        const RunRecord r = run_numa({"placement=" + placement}, {reads});
        EXPECT_EQ(memory(r, "own").read_bytes + memory(r, "host").read_bytes, 70u * 4096);
        return memory(r, "own").read_bytes / 4096;
    };
    EXPECT_EQ(share("device"), 70u);
    EXPECT_EQ(share("host"), 0u);
    EXPECT_EQ(share("interleave"), 35u);
    EXPECT_EQ(share("first-touch"), 70u);
    // What the host has copied lies with the host, what was allocated there does so whatever the placement.
    const auto bytes = [&](const std::string& placement, const ScriptSource::Event& before) {
        return memory(run_numa({"placement=" + placement, "gpu.l2.fill_on_host_copy=false"}, {before, reads}),
                      "host")
                   .read_bytes /
               4096;
    };
    EXPECT_EQ(bytes("first-touch", CopyEvent{CopyKind::host_to_device, kData, 0, 30 * 4096}), 30u);
    EXPECT_EQ(bytes("device", AllocEvent{kData, 20 * 4096, AllocEvent::Kind::host}), 20u);
}

TEST(Numa, MemoryThatIsFullSpillsAndEndsTheRunWhenAllIs) {
    // Two channels of 128 MiB each: 256 MiB a memory.
    const auto touches = [](u64 mib) {
        return kernel({}, [mib](WarpWriter& w) {
            for (u64 p = 0; p < mib; ++p) w.load1(1, {}, kData + (p << 20));
        });
    };
    const std::vector<std::string> large{"gpu.translation.page_size=2MiB",
                                         "gpu.translation.memory_manager=in-order"};
    const auto moved = [&](const char* placement, u64 mib) {
        std::vector<std::string> sets = large;
        sets.push_back(std::string("placement=") + placement);
        return run_numa(sets, {touches(mib)});
    };
    EXPECT_EQ(counter(moved("host", 200), "own.reads"), 0u);
    EXPECT_EQ(counter(moved("host", 200), "host.reads"), 200u);
    // 128 pages of 2 MiB fit; the host's memory is the second one, and the next is the GPU's. A page-table frame needs one.
    const RunRecord r = moved("host", 300);
    EXPECT_EQ(counter(r, "host.reads"), 256u);
    EXPECT_EQ(counter(r, "own.reads"), 44u);
    const std::string error = error_of<InputError>([&] { moved("device", 600); });
    EXPECT_NE(error.find("out of memory"), std::string::npos) << error;
    EXPECT_NE(error.find("512 MiB"), std::string::npos) << error;
}

TEST(Migration, APageMovesAtItsNthAccessInDram) {  // N-5
    // Lines of one page, each once, past L1 and with time to move between.
    const auto touch = [](u32 times) {
        return kernel({}, [times](WarpWriter& w) {
            for (u32 k = 0; k < times; ++k) {
                w.load1(1, {1}, line_of(0, k), true);
                w.use(1);
                wait(w, 4000);
            }
        });
    };
    const std::vector<std::string> four{"migration=threshold", "threshold.threshold=4"};
    EXPECT_EQ(counter(run_numa(four, {touch(3)}), "gpu.migration.candidates"), 0u);
    const RunRecord r = run_numa(four, {touch(7)});
    EXPECT_EQ(counter(r, "gpu.migration.candidates"), 1u);
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 1u);
    EXPECT_EQ(counter(r, "gpu.migration.bytes"), 4096u);
    // The fourth is served by the host's memory, the fifth and those after it by the GPU's.
    EXPECT_EQ(memory(r, "host").read_bytes, 4 * 32 + 4096u);
    EXPECT_EQ(memory(r, "own").read_bytes, 3 * 32u);
    EXPECT_EQ(memory(r, "own").write_bytes, 4096u);
    // With a threshold of one the first translation is enough.
    const RunRecord first = run_numa({"migration=threshold"}, {touch(7)});
    EXPECT_EQ(memory(first, "host").read_bytes, 32 + 4096u);
    EXPECT_EQ(counter(first, "gpu.migration.shootdowns"), 1u);
    EXPECT_EQ(counter(first, "gpu.migration.stall_cycles"), 100u);
}

TEST(Migration, OnlyPagesThatTheGpuKnowsAreShotDown) {  // N-4
    // Page 501 is touched once, 500 twice, which makes it a candidate with four around it.
    const auto work = kernel({}, [](WarpWriter& w) {
        for (const u64 a : {line_of(501), line_of(500), line_of(500, 1)}) {
            w.load1(1, {1}, a, true);
            w.use(1);
        }
        wait(w, 40'000);
    });
    const RunRecord r = run_numa(
        {"migration=threshold", "threshold.threshold=2", "threshold.range=4", "page_moves.at_once=1"},
        {AllocEvent{kData, 1000 * 4096}, work});
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 5u);
    EXPECT_EQ(counter(r, "gpu.migration.shootdowns"), 2u);
    EXPECT_EQ(counter(r, "gpu.migration.stall_cycles"), 200u);
    // Copies are as many bytes in one memory as in the other (S4-23).
    EXPECT_EQ(memory(r, "own").write_bytes, 5u * 4096);
    EXPECT_EQ(memory(r, "host").read_bytes, 5u * 4096 + 3 * 32);
}

TEST(Numa, ProgramsMoveAndPinTheirPages) {
    using Kind = PageHintEvent::Kind;
    constexpr u64 kPages = 16;
    // Past L1, and long enough that what shall move has.
    const auto work = kernel({}, [](WarpWriter& w) {
        wait(w, 40'000);
        for (u64 p = 0; p < kPages; ++p) w.load1(1, {}, line_of(p), true);
    });
    const AllocEvent all{kData, kPages * 4096, AllocEvent::Kind::managed};
    const auto hint = [](Kind kind, bool to_host, u64 pages = 16) {
        return PageHintEvent{kind, to_host, kData, pages * 4096};
    };
    const auto own = [&](std::vector<std::string> sets, Events events) {
        events.insert(events.begin(), all);
        events.push_back(work);
        return memory(run_numa(sets, std::move(events)), "own").read_bytes / 32;
    };
    EXPECT_EQ(own({}, {}), 0u);
    // A prefetch moves pages though no policy does; it says nothing about those beside it.
    EXPECT_EQ(own({}, {hint(Kind::prefetch, false)}), kPages);
    EXPECT_EQ(own({}, {hint(Kind::prefetch, false, 10)}), 10u);
    EXPECT_EQ(own({}, {hint(Kind::prefetch, true)}), 0u);
    // Nonsense in a recording asks for no more than fits.
    EXPECT_EQ(own({}, {PageHintEvent{Kind::prefetch, false, kData, u64{1} << 60}}), kPages);
    // What is preferred somewhere begins there, and does not leave the host's memory.
    EXPECT_EQ(own({}, {hint(Kind::prefer, false, 7)}), 7u);
    EXPECT_EQ(own({"placement=device"}, {hint(Kind::prefer, true, 7)}), kPages - 7);
    const std::vector<std::string> moving{"migration=threshold", "threshold.range=64"};
    const auto touched = kernel({}, [](WarpWriter& w) { w.load1(1, {}, line_of(9), true); });
    EXPECT_EQ(own(moving, {touched}), kPages);
    EXPECT_EQ(own(moving, {hint(Kind::prefer, true, 7), touched}), kPages - 7);
    EXPECT_EQ(own(moving, {hint(Kind::prefer, true), hint(Kind::no_wish, false, 3), touched}), 3u);
    // The wish goes with the memory.
    EXPECT_EQ(own(moving, {hint(Kind::prefer, true), FreeEvent{kData}, all, touched}), kPages);
}

TEST(Migration, AWriteWaitsForThePageAndAReadDoesNot) {
    // The first access sets the page off; 100 cycles later it is closed, and its copy takes 10,000 cycles more.
    const auto work = [](bool write) {
        return kernel({}, [write](WarpWriter& w) {
            w.load1(1, {}, line_of(0), true);
            wait(w, 100);
            if (write)
                w.store1(line_of(0, 1));
            else
                w.load1(3, {}, line_of(0, 1), true);
            w.fence();
            w.load1(4, {}, line_of(0, 2), true);
            wait(w, 60'000);
        });
    };
    const std::vector<std::string> sets{"migration=threshold", "page_moves.stall=0",
                                        "links.link.latency=5000"};
    const RunRecord reads = run_numa(sets, {work(false)}), writes = run_numa(sets, {work(true)});
    EXPECT_EQ(counter(reads, "gpu.migration.held_writes"), 0u);
    EXPECT_EQ(counter(writes, "gpu.migration.held_writes"), 1u);
    // Reads find the page in the host's memory while it is copied; the write, and what comes behind its fence, in the GPU's.
    EXPECT_EQ(memory(reads, "host").read_bytes, 3 * 32 + 4096u);
    EXPECT_EQ(memory(reads, "own").read_bytes, 0u);
    EXPECT_EQ(memory(writes, "host").read_bytes, 32 + 4096u);
    EXPECT_EQ(memory(writes, "own").read_bytes, 32u);
    EXPECT_EQ(counter(writes, "gpu.migration.pages"), 1u);
}

TEST(Migration, WhatL2WritesBackIsAnAccessInDram) {
    // Lines of one page that are only written, more of them than an L2 slice holds: 4 KiB of 4 ways.
    const auto work = kernel({}, [](WarpWriter& w) {
        for (u32 p = 0; p < 4; ++p)
            for (u32 k = 0; k < 32; ++k) w.store1(line_of(p, k));
        w.fence();
        wait(w, 20'000);
    });
    const std::vector<std::string> small{"migration=threshold", "threshold.threshold=8", "gpu.l2.size=4KiB",
                                         "gpu.l2.ways=4"};
    const RunRecord r = run_numa(small, {work});
    EXPECT_EQ(memory(r, "host").read_bytes, counter(r, "gpu.migration.bytes"));
    EXPECT_GT(counter(r, "gpu.migration.pages"), 0u);
}

TEST(Migration, DirtyLinesGoBackBeforeTheirPageIsRead) {
    const auto work = kernel({}, [](WarpWriter& w) {
        w.store(std::initializer_list<u16>{}, w.lanes(line_of(0), 4));
        w.fence();
        for (u32 k = 1; k <= 2; ++k) {
            w.load1(1, {1}, line_of(0, k), true);
            w.use(1);
        }
        wait(w, 10'000);
    });
    const RunRecord r = run_numa({"migration=threshold", "threshold.threshold=2"}, {work});
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 1u);
    EXPECT_EQ(memory(r, "host").write_bytes, 128u);
    EXPECT_EQ(counter(r, "gpu.l2.dirty_lines"), 0u);
}

TEST(Migration, CopiesReachTheBandwidthOfTheSlowerMemory) {  // N-8
    // 512 pages move while nothing else happens.
    constexpr u64 kPages = 512;
    const auto work = kernel({}, [](WarpWriter& w) {
        w.load1(1, {1}, line_of(256), true);
        w.use(1);
        wait(w, 400'000);
    });
    const auto bytes_by = [&](u64 cycles) {
        const RunRecord r = run_numa(
            {"migration=threshold", "threshold.range=1024", "page_moves.at_once=8", "page_moves.stall=0"},
            {AllocEvent{kData, kPages * 4096}, work}, limited(cycles));
        return counter(r, "gpu.migration.bytes");
    };
    // Two channels of 16 GB/s: 32 bytes a cycle and no more.
    const u64 bytes = bytes_by(40'000);
    EXPECT_LE(bytes, 40'000u * 32);
    EXPECT_GE(bytes, 40'000u * 32 * 85 / 100);
    EXPECT_EQ(bytes_by(200'000), kPages * 4096);
}

TEST(Migration, MemoryThatIsFreedAndAllocatedAgainMovesAnew) {
    // Three pages are touched; the second and third still wait when they are freed, and get the same frames again.
    const auto touch = [](u32 pages, u32 cycles) {
        return kernel({}, [pages, cycles](WarpWriter& w) {
            for (u32 p = 0; p < pages; ++p) w.load1(1, {1}, line_of(p), true);
            w.use(1);
            wait(w, cycles);
        });
    };
    const RunRecord r = run_numa({"migration=threshold", "page_moves.poll=20000", "page_moves.stall=0",
                                  "gpu.translation.memory_manager=in-order"},
                                 {AllocEvent{kData, 3 * 4096}, touch(3, 100), FreeEvent{kData},
                                  AllocEvent{kData, 3 * 4096}, touch(3, 100'000)});
    EXPECT_EQ(counter(r, "gpu.migration.candidates"), 6u);
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 3u);
}

TEST(Migration, APageThatIsFreedWhileItMovesLeavesItsAddressToAnother) {
    // The old page's shootdown outlasts the first kernel, its copy takes 8,000 cycles more. The new page at the address is a
    // candidate while that is under way.
    const auto touch = [](u32 cycles) {
        return kernel({}, [cycles](WarpWriter& w) {
            w.load1(1, {1}, line_of(0), true);
            w.use(1);
            wait(w, cycles);
        });
    };
    const RunRecord r = run_numa(
        {"migration=threshold", "page_moves.stall=20000", "links.link.latency=4000",
         "gpu.translation.memory_manager=in-order"},
        {AllocEvent{kData, 4096}, touch(100), FreeEvent{kData}, AllocEvent{kData, 4096}, touch(100'000)});
    EXPECT_EQ(counter(r, "gpu.migration.freed"), 1u);
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 1u);
    EXPECT_EQ(counter(r, "gpu.migration.bytes"), 2 * 4096u);
}

TEST(Migration, AProfileHasEachPageOnce) {
    Simulation simulation(numa_machine({"migration=threshold", "threshold.threshold=2"}));
    simulation.add(program({kernel({}, [](WarpWriter& w) {
        for (u32 k = 0; k < 5; ++k) {
            w.load1(1, {1}, line_of(0, k), true);
            w.use(1);
            wait(w, 8000);
        }
    })}));
    const RunRecord r = simulation.run({});
    EXPECT_EQ(counter(r, "gpu.migration.pages"), 1u);
    const std::vector<PageAccesses> pages = simulation.machine().home().moves()->profile();
    ASSERT_EQ(pages.size(), 1u);
    EXPECT_EQ(pages[0].accesses, 5u);
}

TEST(Migration, ARunCutOffAtAnyCycleEndsClean) {
    for (u64 seed = 1; seed <= 3; ++seed) {
        const Events events{AllocEvent{kData, 1 << 20}, random_program(seed), FreeEvent{kData},
                            random_program(seed + 9)};
        const std::vector<std::string> sets{"migration=threshold", "threshold.range=16",
                                            "page_moves.stall=30"};
        const RunRecord whole = run_numa(sets, events);
        EXPECT_GT(counter(whole, "gpu.migration.pages"), 0u);
        for (u64 k = 1; k <= 24; ++k) run_numa(sets, events, limited(whole.cycles * k / 25));
    }
}

TEST(Migration, ItChangesNoWorkAndRepeatsItself) {
    for (const char* design : {"ideal", "shared-tlb", "pwcache"})
        for (const char* migration : {"none", "threshold", "th-re-bwb"}) {
            const Events events{AllocEvent{kData, 1 << 20}, random_program(5), random_program(6)};
            const std::vector<std::string> sets{std::string("gpu.translation.design=") + design,
                                                std::string("migration=") + migration};
            const RunRecord a = run_numa(sets, events), b = run_numa(sets, events);
            EXPECT_EQ(a.cycles, b.cycles);
            const RunRecord still = run_numa({}, events);
            for (const char* what : {"gpu.sm.warp_instructions", "gpu.sm.load_sectors",
                                     "gpu.sm.store_sectors", "gpu.sm.atomic_requests"})
                EXPECT_EQ(counter(a, what), counter(still, what))
                    << design << " " << migration << " " << what;
        }
}

TEST(NumaErrors, AreNamedWithTheirPlace) {
    const auto error = [](const std::vector<std::string>& sets) {
        return error_of<InputError>([&] { Simulation simulation(numa_machine(sets)); });
    };
    EXPECT_NE(error({"links.link.to=hots"}).find("no 'hots' among the memories, did you mean 'host'"),
              std::string::npos)
        << error({"links.link.to=hots"});
    EXPECT_NE(error({"links.link.from=cpu"}).find("among the gpus"), std::string::npos);
    EXPECT_NE(error({"links.link.to=own"}).find("gpu's own memory"), std::string::npos);
    const std::string twice =
        error_of<InputError>([] { numa_machine({}, "  other: {from: gpu, to: host}\n"); });
    EXPECT_NE(twice.find("link joins gpu and host already"), std::string::npos) << twice;
    EXPECT_NE(error({"gpu.translation.design=none"}).find("needs translation"), std::string::npos);
    EXPECT_NE(error({"links.link=~", "migration=threshold"}).find("needs a second memory"), std::string::npos)
        << error({"links.link=~", "migration=threshold"});
    EXPECT_NE(
        error_of<InputError>([] { small_machine({"placement=host"}); }).find("'host' needs a second memory"),
        std::string::npos);
    EXPECT_NE(error({"links.link.bandwidth=1kB/s"}).find("at least 1 MB/s"), std::string::npos);
    EXPECT_NE(error({"migration=threshold", "threshold.range=3"}).find("must be even"), std::string::npos);
    EXPECT_NE(error({"gpu.split_channels=true"}).find("split_channels"), std::string::npos);
    EXPECT_NE(error({"migration=threshold", "gpu.l1.write=back"}).find("writes through"), std::string::npos);
    EXPECT_NE(error({"migration=threshold", "gpu.translation.l1_tlb.blocking=gpu",
                     "gpu.translation.l1_tlb.mshrs=1"})
                  .find("wait for one another"),
              std::string::npos);
    EXPECT_NE(error({"migration=threshold", "memories.host.scheduler=wg"})
                  .find("together (memories.host.scheduler: wg)"),
              std::string::npos);
    EXPECT_EQ(error({"memories.host.scheduler=wg"}), "");
    EXPECT_NE(error({"migration=treshold"}).find("threshold"), std::string::npos)
        << error({"migration=treshold"});
}
