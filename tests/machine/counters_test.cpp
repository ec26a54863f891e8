// Every counter of a run's record counts: for each there is a program that makes it move.

#include <gtest/gtest.h>
#include <set>

#include "machine/knob_programs.h"
#include "machine/random_program.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

struct Case {
    std::vector<std::string> sets;
    Events events;
};

Events all_classes() {
    return {kernel({}, [](WarpWriter& w) {
        for (u32 op = 0; op < static_cast<u32>(OpClass::count_); ++op)
            if (static_cast<OpClass>(op) != OpClass::memory) w.alu(static_cast<OpClass>(op));
        w.store1(kData);
    })};
}

std::vector<Case> cases() {
    const std::vector<std::string> tiny = {"l1.size=1KiB", "l1.ways=2", "l2.size=1KiB", "l2.ways=2"};
    auto with = [&](std::vector<std::string> more) {
        more.insert(more.end(), tiny.begin(), tiny.end());
        return more;
    };
    return {
        {{}, all_classes()},
        {{}, {random_program(1)}},
        {{},
         {kernel({.ctas = 2},
                 [](WarpWriter& w) {
                     if (w.cta == 0)
                         w.signal(0);
                     else
                         w.wait(0);
                     w.store1(kData);
                 })}},
        {with({"l1.write=back", "l1.write_allocate=true", "l2.write=back", "l2.write_allocate=true",
               "lsu.queue=1", "l1.mshrs=2", "l2.mshrs=2", "crossbar.credits=1"}),
         {random_program(2), random_program(3)}},
        {with({"l1.allocate=on_miss", "l2.allocate=on_miss", "l1.mshr_merges=1", "l2.mshr_merges=1"}),
         stream(false)},
        {{"l1.mshr_merges=1", "l2.mshr_merges=1"}, same_lines()},
        {{"l1.enabled=false", "l2.mshr_merges=1"}, same_lines()},
        {{"l2.bypass=reads", "l2.dram_queue=2", "dram.read_queue=1"}, stream(false)},
        {{"l2.dram_queue=2", "dram.read_queue=1"}, stream(false)},
        {{"l2.reply_queue=1", "crossbar.flit=8B", "crossbar.output_queue=1"}, stream(true)},
        {{"sm.schedulers=1", "ops.fp64.interval=8"}, independent(OpClass::fp64)},
        {{"dram.page_policy=closed"}, conflicting_rows(true)},
        {{"dram.refresh=all_bank", "dram.timing.REFI=400cycles", "dram.timing.RFC=100cycles"},
         conflicting_rows(true)},
        {{"dram.refresh=per_bank", "dram.timing.REFIpb=100cycles", "dram.timing.RFCpb=50cycles"},
         conflicting_rows(true)},
        {{"dram.standard=ddr5", "dram.part=ddr5_16gb_x8", "dram.speed=ddr5_4800bn", "dram.refresh=same_bank",
          "dram.timing.REFI=2000cycles", "dram.timing.RFCsb=100cycles"},
         stream(false)},
        // The table of the GDDR5 part gives refresh no current above the background; that of this one does.
        {{"dram.standard=ddr4", "dram.part=ddr4_8gb_x8", "dram.speed=ddr4_2400r", "dram.refresh=all_bank",
          "dram.timing.REFI=600cycles"},
         stream(false)},
        {{}, read_after_write()},
        {{},
         {kernel({},
                 [](WarpWriter& w) {
                     w.load1(1, {}, 0);
                     w.load1(1, {}, kData + 2);
                 })}},
        {{"dram.scheduler=group-witness", "dram.forward_writes=false"}, stream(false)},
        {{"translation.design=shared-tlb", "l1_tlb.entries=1", "l1_tlb.mshrs=8", "walker.walks=2",
          "walker.mshrs=4", "l2_tlb.entries=4", "l2_tlb.ways=0"},
         scattered_pages()},
        {{"translation.design=shared-tlb", "l1_tlb.entries=1", "l1_tlb.waiting=4"}, chase(4096, 20, 2, true)},
        {{"translation.design=shared-tlb", "l1_tlb.waiting=4"}, scattered_pages()},
        {{"translation.design=shared-tlb", "l2.bypass=reads"}, scattered_pages()},
        {{"translation.design=shared-tlb"}, freed_meanwhile()},
        {{"translation.design=shared-tlb"}, stream(false)},
        {{"translation.design=mask-tlb", "translation.epoch=200", "l1_tlb.entries=1", "l2_tlb.entries=4",
          "l2_tlb.ways=0"},
         pages_of_each_warp()},
        {{"translation.design=pwcache", "l1_tlb.entries=1"}, chase(4096, 20, 2, true)},
    };
}

}  // namespace

TEST(Counters, EachIsMovedBySomeProgram) {
    std::set<std::string> moved, all;
    for (const Case& c : cases()) {
        const RunRecord r = run(small_machine(c.sets), program(c.events));
        for (const CounterRecord& counter : r.counters) {
            EXPECT_FALSE(counter.unit.empty()) << counter.name;
            all.insert(counter.name);
            if (counter.value != 0) moved.insert(counter.name);
        }
    }
    for (const std::string& name : all) EXPECT_EQ(moved.count(name), 1u) << name << " never moves";
    EXPECT_GE(all.size(), 120u);
}

TEST(Counters, AgreeWithEachOther) {
    for (const Case& c : cases()) {
        const RunRecord r = run(small_machine(c.sets), program(c.events));
        auto n = [&](const char* name) { return counter(r, name); };
        auto sum_of = [&](const std::string& prefix) {
            u64 sum = 0;
            for (const CounterRecord& counter : r.counters)
                if (counter.name.starts_with(prefix)) sum += counter.value;
            return sum;
        };
        EXPECT_EQ(sum_of("gpu.sm.issued."), n("gpu.sm.warp_instructions"));
        EXPECT_EQ(n("gpu.sm.warp_cycles.issue"), n("gpu.sm.warp_instructions"));
        if (n("gpu.sm.prefetches") == 0) {
            EXPECT_EQ(n("gpu.sm.load_requests"), n("gpu.sm.l1.reads") + n("gpu.sm.l1.bypassed"));
        }
        EXPECT_EQ(n("dram.row_hits") + n("dram.row_misses") + n("dram.row_conflicts"),
                  n("dram.reads") + n("dram.writes"));
        EXPECT_EQ(n("dram.reads") + n("dram.forwarded_reads"), n("gpu.l2.fetches"));
        EXPECT_EQ(n("dram.writes"), n("gpu.l2.write_backs"));
        EXPECT_EQ(n("dram.commands.reads") + n("dram.commands.reads_auto_precharge"), n("dram.read_bursts"));
        EXPECT_EQ(n("dram.commands.writes") + n("dram.commands.writes_auto_precharge"),
                  n("dram.write_bursts"));
        EXPECT_EQ(n("gpu.crossbar.requests.packets"), n("gpu.crossbar.responses.packets"));
        u64 stalls = 0;
        for (const StallRecord& s : r.stalls) stalls += s.warp_cycles;
        EXPECT_EQ(stalls, sum_of("gpu.sm.warp_cycles."));
    }
}
