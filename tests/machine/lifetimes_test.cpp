// What is kept of requests' lives agrees with everything that the run counts, and changes nothing.

#include "machine/lifetimes.h"

#include <set>

#include "machine/lab.h"
#include "machine/random_program.h"
#include "trace/open.h"

namespace heddle::test {
namespace {

constexpr u64 kAll = ~u64{0};

/// A traced run. The simulation stays for what the record does not hold.
struct Traced {
    Traced(const MachineSettings& machine, std::unique_ptr<StreamSource> source, u64 one_in = 1,
           u64 most = kAll)
        : simulation(machine), lives(simulation.machine(), one_in, most) {
        simulation.add(std::move(source));
        record = simulation.run({});
        for (const auto& p : simulation.memory().partitions())
            memory.merge(p->channel().statistics(Cycle(100'000'000)));
    }
    u64 core_cycles(u64 ticks) const {
        EXPECT_EQ(ticks % simulation.gpu().clock().period(), 0u);
        return ticks / simulation.gpu().clock().period();
    }
    u64 memory_cycles(u64 ticks) const {
        EXPECT_EQ(ticks % simulation.memory().clock().period(), 0u);
        return ticks / simulation.memory().clock().period();
    }

    mutable Simulation simulation;
    Lifetimes lives;
    RunRecord record;
    dram::Statistics memory;
};

/// The line's times from issue to end, in the order in which they have to be.
std::vector<u64> times(const AccessLife& a, const LineLife& l) {
    std::vector<u64> t{a.issued, l.taken};
    if (l.sent != LineLife::kUnset) t.insert(t.end(), {l.sent, l.at_l2, l.looked_up});
    if (l.accepted != LineLife::kUnset) t.push_back(l.accepted);
    for (const auto& c : l.commands) t.push_back(c.at);
    if (l.accepted != LineLife::kUnset) t.push_back(l.served);
    if (l.sent != LineLife::kUnset) t.insert(t.end(), {l.ready, l.answered, l.returned});
    t.insert(t.end(), {l.end, a.end});
    return t;
}

TEST(Lifetimes, StationsOfAnUnloadedLoadTakeTheTimesOfTheMachine) {
    // One-sector loads of one lane, each of which waits for the one before: another row of the same bank each time.
    const std::vector<std::string> sets = {"gpu.clock=700MHz",
                                           "dram.clock=924MHz",
                                           "l1.miss_latency=3",
                                           "l1.fill_latency=5",
                                           "l1.latency=35",
                                           "l1.sectored=true",
                                           "l2.sectored=true",
                                           "crossbar.latency=11",
                                           "crossbar.flit=16B",
                                           "crossbar.request_header=8B",
                                           "crossbar.response_header=8B",
                                           "l2.front_latency=7",
                                           "l2.hit_latency=20",
                                           "memory_latency=60",
                                           "dram.timing.RCD=12cycles",
                                           "dram.timing.CL=13cycles",
                                           "dram.timing.RAS=16cycles",
                                           "dram.timing.RC=31cycles",
                                           "dram.timing.RP=11cycles",
                                           "gpu.address_map.hash=modulo"};
    constexpr u64 kRow = 16 * 2048;  // 16 banks, rows of 2 KiB
    const Traced run(small_machine(sets), program({kernel({}, [&](WarpWriter& w) {
                         for (u16 k = 0; k < 6; ++k) w.load1(k + 1, {k}, kData + k * kRow);
                         w.load1(7, {6}, kData + 5 * kRow);                               // in L1
                         w.memory(MemOp::load, 8, {7}, {kData}, {.bypass_l1 = true}, 1);  // in L2
                         w.use(8);
                     })}));
    const auto lives = run.lives.finished();
    ASSERT_EQ(lives.size(), 8u);
    u64 sum = 0;
    for (std::size_t k = 0; k < lives.size(); ++k) {
        SCOPED_TRACE(k);
        const AccessLife& a = *lives[k];
        ASSERT_EQ(a.lines.size(), 1u);
        const LineLife& l = a.lines[0];
        sum += run.core_cycles(a.end - a.issued);
        EXPECT_EQ(l.taken, a.issued);
        EXPECT_EQ(l.end, a.end);
        if (k == 6) {
            EXPECT_EQ(l.l1, L1Outcome::hit);
            EXPECT_EQ(run.core_cycles(l.end - l.taken), 35u);
            continue;
        }
        EXPECT_EQ(run.core_cycles(l.sent - l.taken), 3u);
        EXPECT_EQ(run.core_cycles(l.at_l2 - l.sent), 11u);  // 8 bytes: one flit
        EXPECT_EQ(run.core_cycles(l.looked_up - l.at_l2), 7u);
        EXPECT_EQ(l.answered, l.ready);
        EXPECT_EQ(run.core_cycles(l.returned - l.answered), 11u + 2);  // 40 bytes: three flits
        EXPECT_EQ(run.core_cycles(l.end - l.returned), 5u);
        if (k == 7) {
            EXPECT_EQ(l.l1, L1Outcome::bypassed);
            EXPECT_EQ(l.l2, RequestStep::l2_hit);
            EXPECT_EQ(run.core_cycles(l.ready - l.looked_up), 20u);
            continue;
        }
        EXPECT_EQ(l.l1, L1Outcome::missed);
        EXPECT_EQ(l.l2, RequestStep::l2_missed);
        // The memory's first clock at or after the end of the fixed path; the core's first after the last beat.
        const u64 core = run.simulation.gpu().clock().period(),
                  dram = run.simulation.memory().clock().period();
        EXPECT_EQ(l.accepted, ceil_div(l.looked_up + 60 * core, dram) * dram);
        EXPECT_EQ(l.ready, (l.served / core + 1) * core);
        std::vector<std::pair<RequestStep, u64>> commands;
        for (const auto& c : l.commands) commands.emplace_back(c.step, run.memory_cycles(c.at - l.accepted));
        // Activate to read 12, precharge to activate 11; data after CL 13 and a burst of 2.
        if (k == 0)
            EXPECT_EQ(commands, (std::vector<std::pair<RequestStep, u64>>{{RequestStep::activate, 0},
                                                                          {RequestStep::column, 12}}));
        else
            EXPECT_EQ(commands, (std::vector<std::pair<RequestStep, u64>>{{RequestStep::precharge, 0},
                                                                          {RequestStep::activate, 11},
                                                                          {RequestStep::column, 23}}));
        EXPECT_EQ(run.memory_cycles(l.served - l.commands.back().at), 15u);
        EXPECT_EQ(l.row, k);
    }
    EXPECT_EQ(run.record.load_latency_cycles->count, 8u);
    EXPECT_EQ(run.record.load_latency_cycles->sum, sum);
}

TEST(Lifetimes, AgreeWithEveryCounterAndChangeNone) {
    const std::vector<std::string> machines[] = {
        {},
        {"l1.write=back", "l1.write_allocate=true", "l1.mshrs=2", "l2.banks=3", "dram.channels=3"},
        {"l1.enabled=false", "l2.write=through", "l2.sectored=false", "dram.refresh=all_bank"},
        {"l1.sectored=true", "l1.allocate=on_miss", "l2.mshrs=3", "dram.clock=250MHz", "dram.read_queue=1"},
        {"l2.bypass=reads", "slices_per_channel=2", "crossbar.credits=1", "crossbar.flit=8B",
         "crossbar.request_header=40B", "dram.page_policy=closed"},
        {"dram.forward_writes=true", "l2.size=8KiB", "l2.ways=2", "gpu.clock=1400MHz", "dram.scheduler=wg-w"},
    };
    u64 seed = 100;
    for (const auto& sets : machines) {
        SCOPED_TRACE(testing::PrintToString(sets));
        ++seed;
        const MachineSettings machine = small_machine(sets);
        const RunRecord plain = run(machine, program({random_program(seed)}));
        const Traced traced(machine, program({random_program(seed)}));
        EXPECT_EQ(text_of(plain), text_of(traced.record));

        const auto lives = traced.lives.finished();
        std::map<std::string, u64> accesses;
        std::map<RequestStep, u64> l2, commands;
        u64 latency = 0, hits = 0, merges = 0, at_l2 = 0, accepted = 0, dram_latency = 0, loads = 0;
        for (const AccessLife* a : lives) {
            ++accesses[a->what];
            ASSERT_EQ(a->lines.size(), a->requests);
            u64 last = 0;
            for (const LineLife& l : a->lines) {
                const auto t = times(*a, l);
                EXPECT_TRUE(std::is_sorted(t.begin(), t.end())) << testing::PrintToString(t);
                EXPECT_EQ(std::count(t.begin(), t.end(), LineLife::kUnset), 0);
                last = std::max(last, l.end);
                hits += l.l1 == L1Outcome::hit && a->what != std::string("store");
                merges += l.l1 == L1Outcome::merged;
                for (const auto& c : l.commands) ++commands[c.step];
                if (l.at_l2 == LineLife::kUnset) continue;
                ++at_l2;
                ++l2[l.l2];
                if (l.accepted == LineLife::kUnset) continue;
                ++accepted;
                if (!l.commands.empty()) dram_latency += traced.memory_cycles(l.served - l.accepted);
            }
            EXPECT_EQ(a->end, last);
            if (a->what != std::string("load") && a->what != std::string("atomic")) continue;
            ++loads;
            latency += traced.core_cycles(a->end - a->issued);
        }
        const auto sm = [&](const char* name) { return counter(plain, std::string("gpu.sm.") + name); };
        const auto slices = [&](const char* name) { return counter(plain, std::string("gpu.l2.") + name); };
        EXPECT_EQ(accesses["load"], sm("loads"));
        EXPECT_EQ(accesses["store"], sm("stores"));
        EXPECT_EQ(accesses["atomic"], sm("atomics"));
        EXPECT_EQ(accesses["reduction"], sm("reductions"));
        EXPECT_EQ(accesses["prefetch"], sm("prefetches"));
        EXPECT_EQ(traced.lives.instructions(), lives.size());
        EXPECT_EQ(loads, plain.load_latency_cycles->count);
        EXPECT_EQ(latency, plain.load_latency_cycles->sum);
        EXPECT_EQ(hits, sm("l1.read_hits"));
        EXPECT_EQ(merges, sm("l1.read_merges"));
        EXPECT_EQ(at_l2 + sm("l1.write_backs"),
                  slices("reads") + slices("writes") + slices("atomics") + slices("bypassed"));
        EXPECT_EQ(l2[RequestStep::l2_hit], slices("read_hits") + slices("atomic_hits"));
        EXPECT_EQ(l2[RequestStep::l2_bypassed], slices("bypassed"));
        EXPECT_EQ(accepted, slices("fetches"));
        EXPECT_EQ(commands[RequestStep::column], traced.memory.read_bursts);
        EXPECT_LE(commands[RequestStep::activate], traced.memory.count(dram::CommandKind::activate));
        EXPECT_EQ(dram_latency, traced.memory.read_latency.sum());
        EXPECT_GT(accepted, 20u);
    }
}

TEST(Lifetimes, ASampleThatGrewTooLargeIsTheOneThatWasSmallFromTheStart) {
    const MachineSettings machine = small_machine();
    const auto source = [] { return open_source("pattern:gather,ctas=6,threads=128,footprint=1MiB"); };
    const Traced all(machine, source());
    const Traced thinned(machine, source(), 1, 700);
    ASSERT_GT(thinned.lives.one_in(), 2u);
    const Traced small(machine, source(), thinned.lives.one_in(), 700);
    EXPECT_EQ(text_of(all.record), text_of(thinned.record));

    const auto text = [](const Traced& run) {
        std::vector<std::vector<u64>> t;
        for (const AccessLife* a : run.lives.finished())
            for (const LineLife& l : a->lines) {
                t.push_back(times(*a, l));
                t.back().insert(t.back().end(), {a->number, l.line.v, l.slice, l.bank, l.row});
            }
        return t;
    };
    const auto kept = text(thinned), whole = text(all);
    EXPECT_EQ(kept, text(small));
    EXPECT_EQ(small.lives.one_in(), thinned.lives.one_in());
    EXPECT_LE(kept.size(), 700u);
    EXPECT_GT(kept.size(), 200u);
    // It is a part of the whole, and from all of it.
    const std::set<std::vector<u64>> of(whole.begin(), whole.end());
    for (const auto& line : kept) EXPECT_EQ(of.count(line), 1u);
    EXPECT_LT(kept.front()[0], whole[whole.size() / 4][0]);
    EXPECT_GT(kept.back()[0], whole[whole.size() * 3 / 4][0]);
    EXPECT_EQ(thinned.lives.instructions(), all.lives.finished().size());
}

}  // namespace
}  // namespace heddle::test
