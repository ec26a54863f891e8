// Several applications on one GPU.

#include "machine/lab.h"
#include "machine/random_program.h"
#include "sim/random.h"
#include "trace/open.h"

namespace heddle::test {
namespace {

/// Opens its program as often as wanted.
using Program = Reopen;

Program pattern(const std::string& text) {
    return [text] { return open_source("pattern:" + text); };
}

MachineSettings shared_machine(const std::vector<std::string>& sets = {}) {
    std::vector<std::string> all{"gpu.sms=4", "dram.channels=4"};
    all.insert(all.end(), sets.begin(), sets.end());
    return small_machine(all);
}

/// Two applications on two SMs each; `only`: one of them, on what it has beside the other.
RunRecord run_two(const MachineSettings& machine, const Program& a, const Program& b, int only = -1) {
    Simulation simulation(machine);
    const Program programs[] = {a, b};
    for (u32 k = 0; k < 2; ++k)
        if (only < 0 || static_cast<u32>(only) == k)
            simulation.add(programs[k](), programs[k], {.first_sm = 2 * k, .sms = 2, .part = k, .parts = 2});
    return simulation.run({});
}

const std::pair<const char*, const char*> kPairs[] = {
    {"gather,ctas=6,threads=128,footprint=1MiB", "stream,ctas=20,footprint=8MiB"},
    {"random,ctas=4,footprint=4MiB,read_percent=60,seed=3", "gather,ctas=2,footprint=64KiB,seed=9"},
    {"hotset,ctas=4,hot=16KiB,footprint=2MiB", "alu,ctas=64"},
    {"chase,ctas=4,footprint=256KiB,divergence=4", "strided,ctas=4,stride=256B,read_percent=50"},
};

TEST(Applications, ThatShareNothingEachTakeTheTimeTheyTakeAlone) {
    const MachineSettings machine = shared_machine({"split_channels=true", "split_l2_ways=true"});
    for (const auto& [a, b] : kPairs) {
        const RunRecord both = run_two(machine, pattern(a), pattern(b));
        ASSERT_EQ(both.apps.size(), 2u);
        for (int k = 0; k < 2; ++k) {
            const RunRecord alone = run_two(machine, pattern(a), pattern(b), k);
            const double want = static_cast<double>(alone.apps.at(0).cycles);
            EXPECT_NEAR(static_cast<double>(both.apps[static_cast<std::size_t>(k)].cycles), want, want / 100)
                << a << " + " << b << ", application " << k;
        }
    }
}

TEST(Applications, ThatShareMemoryHinderEachOther) {
    const MachineSettings machine = shared_machine();
    const auto& [a, b] = kPairs[0];
    const RunRecord both = run_two(machine, pattern(a), pattern(b));
    for (std::size_t k = 0; k < 2; ++k) {
        const RunRecord alone = run_two(machine, pattern(a), pattern(b), static_cast<int>(k));
        EXPECT_GT(both.apps[k].cycles * 10, alone.apps.at(0).cycles * 11);
    }
}

TEST(Applications, AreLaunchedAgainUntilAllHaveEndedAndKeepTheFiguresOfTheirFirstRun) {
    const MachineSettings machine = shared_machine({"split_channels=true", "split_l2_ways=true"});
    const Program small = pattern("stream,ctas=2,read_percent=70"),
                  large = pattern("gather,ctas=4,footprint=1MiB");
    const RunRecord both = run_two(machine, small, large);
    const RunRecord alone = run_two(machine, small, large, 0);
    EXPECT_GT(both.apps[0].launches, 2u);
    EXPECT_EQ(both.apps[1].launches, 1u);
    EXPECT_EQ(alone.apps[0].launches, 1u);
    EXPECT_EQ(both.apps[0].kernels.size(), 1u);
    EXPECT_EQ(both.apps[0].thread_instructions, alone.apps[0].thread_instructions);
    for (const char* name : {"sm.loads", "sm.stores", "l2.reads", "l2.writes", "l2.misses"})
        EXPECT_EQ(counter(both.apps[0], name), counter(alone.apps[0], name)) << name;
    EXPECT_EQ(both.cycles, both.apps[1].cycles);
    // The machine's own figures go on while they repeat.
    EXPECT_GT(counter(both, "gpu.sm.loads"),
              counter(both.apps[0], "sm.loads") + counter(both.apps[1], "sm.loads"));
}

TEST(Applications, HaveAddressSpacesOfTheirOwn) {
    // Both read the same virtual lines once; neither finds what the other has brought.
    auto reader = kernel({.ctas = 4}, [](WarpWriter& w) { w.load(1, {}, w.lanes(kData + 128 * w.cta, 4)); });
    const Program p = [reader] { return program({reader}); };
    const RunRecord both = run_two(shared_machine(), p, p);
    for (const AppRecord& a : both.apps) {
        EXPECT_EQ(counter(a, "l2.reads"), 4u);
        EXPECT_EQ(counter(a, "l2.misses"), 4u);
    }
}

TEST(Applications, WithWaysOfTheirOwnKeepTheirLinesWhateverTheOtherDoes) {
    // One channel, one slice of 64 sets and 8 ways: 32 KiB fill half of it exactly. Lines are read twice, with a
    // dependent chain of enough other work of the thrasher between.
    auto reader = kernel({.ctas = 1}, [](WarpWriter& w) {
        for (int pass = 0; pass < 2; ++pass)
            for (u64 line = 0; line < 256; ++line) {
                w.load1(1, {1}, kData + line * 128, true);
                w.use(1);
            }
    });
    const Program small = [reader] { return program({reader}); };
    const Program large = pattern("stream,ctas=64,footprint=4MiB");
    for (const bool split : {true, false}) {
        const MachineSettings machine =
            small_machine({"gpu.sms=4", split ? "split_l2_ways=true" : "split_l2_ways=false"});
        const RunRecord both = run_two(machine, small, large);
        if (split)
            EXPECT_EQ(counter(both.apps[0], "l2.hits"), 256u);
        else
            EXPECT_LT(counter(both.apps[0], "l2.hits"), 200u);
    }
}

TEST(Applications, OfOneReadOnlyProgramAccountForAllOfTheMachine) {
    const RunRecord r = run(shared_machine(), pattern("gather,ctas=2,footprint=1MiB")());
    const AppRecord& a = r.apps.at(0);
    EXPECT_EQ(counter(a, "sm.loads"), counter(r, "gpu.sm.loads"));
    EXPECT_EQ(counter(a, "l2.misses"), counter(r, "gpu.l2.fetches"));
    EXPECT_EQ(counter(a, "dram.read_bytes"), r.memories.at(0).read_bytes);
    EXPECT_EQ(counter(a, "dram.row_hits"), r.memories.at(0).row_hits);
}

TEST(Applications, ThatDoNotFitTheMachineAreRefused) {
    auto error = [](const std::vector<std::string>& sets, const Share& share) {
        return error_of<InputError>([&] {
            Simulation simulation(shared_machine(sets));
            simulation.add(pattern("alu")(), {}, share);
        });
    };
    EXPECT_NE(error({}, {.first_sm = 2, .sms = 3}).find("has 4 SMs"), std::string::npos);
    EXPECT_NE(error({"split_channels=true"}, {.sms = 1, .parts = 3}).find("4 channels"), std::string::npos);
    EXPECT_NE(error({"split_l2_ways=true"}, {.sms = 1, .parts = 9}).find("8 ways"), std::string::npos);
    EXPECT_EQ(error({}, {.first_sm = 2, .sms = 2}), "");
}

TEST(Applications, DividedChannelsKeepEachAddressAtOnePlaceAndGiveItBack) {
    for (const ChannelHash hash : {ChannelHash::modulo, ChannelHash::xor3, ChannelHash::xor_fold})
        for (const u32 parts : {1u, 2u, 3u}) {
            const AddressMap map({256, hash}, 12, 2, parts);
            Random random(7);
            for (int k = 0; k < 2000; ++k) {
                const PhysAddr at((random.next() & ((u64{1} << 37) - 1)) & ~u64{127});
                const Place p = map.place(at);
                EXPECT_EQ(map.address(p.channel, p.local).v, at.v);
                EXPECT_EQ(p.channel / (12 / parts), (at.v >> 32) % parts);
            }
        }
}

}  // namespace
}  // namespace heddle::test
