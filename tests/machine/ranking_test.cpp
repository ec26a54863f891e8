// Schedulers that rank applications do so over all channels of a GPU: what one channel sees decides on the others.

#include "dram/audited.h"
#include "dram/scheduler/queue_scheduler.h"
#include "dram/statistics.h"
#include "lab.h"

namespace heddle::test {
namespace {

struct Heard {
    u16 channel;
    u64 at;
    std::vector<dram::AppSignals> apps;
};
std::vector<Heard> heard;

/// FR-FCFS that writes down what it is told.
class SignalWitness : public dram::QueueScheduler {
  public:
    explicit SignalWitness(const dram::SchedulerContext& context)
        : QueueScheduler(context), channel_(context.channel) {}
    u64 epoch_cycles() const override { return 1'000; }
    void signals(std::span<const dram::AppSignals> apps, Cycle now) override {
        heard.push_back({channel_, now.v, {apps.begin(), apps.end()}});
    }

  private:
    u16 channel_;
};
/// The same with epochs of core cycles.
class CoreSignalWitness final : public SignalWitness {
  public:
    using SignalWitness::SignalWitness;
    bool epoch_in_core_cycles() const override { return true; }
};
const bool registered =
    dram::schedulers().add<SignalWitness>("signal-witness", "for tests: hears of epochs", "") &&
    dram::schedulers().add<CoreSignalWitness>("core-signal-witness",
                                              "for tests: hears of epochs of the cores", "");

/// Four channels, blocks of 256 bytes in turn.
MachineSettings four_channels(const std::string& scheduler, std::vector<std::string> more = {}) {
    std::vector<std::string> sets = {"dram.channels=4",
                                     "gpu.sms=8",
                                     "gpu.concurrent_kernels=2",
                                     "gpu.address_map.hash=modulo",
                                     "gpu.address_map.interleave=256B",
                                     "memories.dram.scheduler=" + scheduler,
                                     "memories.dram.refresh=off"};
    sets.insert(sets.end(), more.begin(), more.end());
    return small_machine(sets);
}

/// Loads of lines that all lie in the given channels: for each of `rounds`, `per_channel[c]` lines of channel c.
/// `alu` instructions follow each round.
std::unique_ptr<StreamSource> loads(u64 base, std::array<u32, 4> per_channel, u32 rounds, u32 alu, u32 ctas) {
    return program({kernel({.ctas = ctas}, [=](WarpWriter& w) {
        u64 at = base + (u64{w.cta} << 22);
        for (u32 k = 0; k < rounds; ++k) {
            for (u32 c = 0; c < 4; ++c)
                for (u32 n = 0; n < per_channel[c]; ++n)
                    w.load1(static_cast<int>(8 * c + n % 8), {}, at + u64{n} * 64 * 1024 + c * 256);
            at += 1024;
            for (u32 n = 0; n < alu; ++n) w.alu();
        }
    })});
}

struct Outcome {
    std::vector<std::vector<u16>> ranks;  // by channel
    std::array<u64, 2> latency{};         // mean read latency of each application on channel 3
};

Outcome both(const MachineSettings& machine, std::unique_ptr<StreamSource> a,
             std::unique_ptr<StreamSource> b) {
    Simulation simulation(machine);
    simulation.add(std::move(a));
    simulation.add(std::move(b));
    simulation.run({});
    Outcome out;
    for (const auto& p : simulation.memory().partitions()) {
        const auto ranks = p->channel().ranks();
        out.ranks.emplace_back(ranks.begin(), ranks.end());
    }
    dram::Channel& last = simulation.memory().partitions()[3]->channel();
    const dram::Statistics& s = last.statistics(Cycle(1'000'000'000));
    for (std::size_t k = 0; k < 2 && k < s.apps.size(); ++k)
        if (s.apps[k].reads != 0) out.latency[k] = s.apps[k].latency_cycles / s.apps[k].reads;
    return out;
}

// Application 1 takes much service on channels 0 to 2 and little on channel 3; application 0 is alike on channel 3
// and absent elsewhere. By ATLAS' totals over all controllers 0 has attained less and goes first everywhere, on channel 3
// too, where alone both would look the same.
TEST(Ranking, AtlasRanksByServiceAttainedOnAllChannelsAndAllChannelsAgree) {
    const auto few = [] { return loads(kData, {0, 0, 0, 6}, 60, 0, 4); };
    const auto many = [] { return loads(kData << 1, {6, 6, 6, 6}, 60, 0, 32); };
    const Outcome atlas = both(four_channels("atlas", {"memories.dram.atlas.quantum=2000"}), few(), many());
    ASSERT_EQ(atlas.ranks.size(), 4u);
    for (const auto& ranks : atlas.ranks) {
        ASSERT_EQ(ranks.size(), 256u);
        EXPECT_EQ(ranks, atlas.ranks[0]);
        EXPECT_LT(ranks[0], ranks[1]);
    }
    const Outcome plain = both(four_channels("fr-fcfs"), few(), many());
    EXPECT_TRUE(plain.ranks[0].empty());
    EXPECT_LT(atlas.latency[0] * 4, plain.latency[0]);
    EXPECT_GT(atlas.latency[1], plain.latency[1]);
}

// TCM needs the instructions that each application has committed, which only the cores know: application 0 executes
// many for each of its few misses and is latency-sensitive. Told of no instructions, both would be
// bandwidth-sensitive and take turns.
TEST(Ranking, TcmHearsCommittedInstructionsAndPutsTheLatencySensitiveApplicationFirstOnAllChannels) {
    Simulation simulation(
        four_channels("tcm", {"memories.dram.tcm.quantum=3000", "memories.dram.tcm.sample_interval=50",
                              "memories.dram.tcm.shuffle_interval=100"}));
    simulation.add(loads(kData, {1, 1, 1, 1}, 60, 400, 4));
    simulation.add(loads(kData << 1, {8, 8, 8, 8}, 60, 0, 4));
    u64 ranked = 0;
    RunOptions options;
    options.progress = [&](const RunProgress&) {
        const auto& partitions = simulation.memory().partitions();
        const auto first = partitions[0]->channel().ranks();
        for (const auto& p : partitions) {
            const auto ranks = p->channel().ranks();
            EXPECT_TRUE(std::equal(ranks.begin(), ranks.end(), first.begin(), first.end()));
        }
        // Before the first quantum's end all are alike; one that sends nothing has rank 0.
        if (first[0] == 0 || first[1] == 0) return;
        ++ranked;
        EXPECT_EQ(first[0], 1);
        EXPECT_EQ(first[1], 2);
    };
    simulation.run(options);
    EXPECT_GT(ranked, 5u);
}

TEST(Ranking, EveryChannelHearsAtEachEpochsEndWhatEachApplicationHasDone) {
    ASSERT_TRUE(registered);
    heard.clear();
    Simulation simulation(four_channels("signal-witness"));
    simulation.add(loads(kData, {1, 1, 1, 1}, 40, 100, 4));
    simulation.add(loads(kData << 1, {4, 0, 0, 0}, 80, 0, 4));
    const RunRecord r = simulation.run({});
    ASSERT_GE(heard.size(), 8u);
    ASSERT_EQ(heard.size() % 4, 0u);
    std::array<std::vector<dram::AppSignals>, 4> last;
    for (std::size_t k = 0; k < heard.size(); ++k) {
        const Heard& h = heard[k];
        EXPECT_EQ(h.channel, k % 4);
        EXPECT_EQ(h.at, (k / 4 + 1) * 1'000);
        ASSERT_EQ(h.apps.size(), 2u);
        for (std::size_t a = 0; a < 2; ++a) {
            // The same instructions everywhere, and never fewer than before.
            EXPECT_EQ(h.apps[a].instructions, heard[k / 4 * 4].apps[a].instructions);
            if (!last[h.channel].empty()) {
                EXPECT_GE(h.apps[a].instructions, last[h.channel][a].instructions);
                EXPECT_GE(h.apps[a].misses, last[h.channel][a].misses);
            }
        }
        last[h.channel] = h.apps;
    }
    EXPECT_GT(last[0][0].instructions, 0u);
    // Application 1 touches channel 0 alone.
    EXPECT_GT(last[0][1].misses, 0u);
    for (u16 c = 1; c < 4; ++c) {
        EXPECT_GT(last[c][0].misses, 0u);
        EXPECT_EQ(last[c][1].misses, 0u);
    }
    u64 misses = 0;
    for (const auto& apps : last) misses += apps[0].misses + apps[1].misses;
    EXPECT_LE(misses, counter(r, "gpu.l2.read_misses"));
}

TEST(Ranking, EpochsOfCoreCyclesEndInTheFirstMemoryCycleThatIsNotEarlier) {
    heard.clear();
    Simulation simulation(four_channels("core-signal-witness", {"gpu.clock=1400MHz", "dram.clock=924MHz"}));
    simulation.add(loads(kData, {1, 1, 1, 1}, 40, 100, 4));
    simulation.run({});
    ASSERT_GE(heard.size(), 8u);
    for (std::size_t k = 0; k < heard.size(); ++k)
        EXPECT_EQ(heard[k].at, ((k / 4 + 1) * 1'000 * 924 + 1'399) / 1'400);
}

/// Both applications' figures under the scheduler, audited.
RunRecord two_apps(const std::string& scheduler, std::vector<std::string> more = {}) {
    const MachineSettings machine = four_channels(scheduler, std::move(more));
    Simulation simulation(machine);
    // The first is light, in instructions and in bandwidth; both have rows of their own.
    simulation.add(loads(kData, {4, 4, 4, 4}, 30, 200, 4), {},
                   {.first_sm = 0, .sms = 4, .part = 0, .parts = 2});
    simulation.add(loads(kData << 1, {6, 6, 6, 6}, 30, 0, 32), {},
                   {.first_sm = 4, .sms = 4, .part = 1, .parts = 2});
    std::vector<std::unique_ptr<dram::Audit>> audits;
    for (const auto& p : simulation.memory().partitions()) {
        auto device = dram::audit_device(machine.memories.at("dram"), scheduler);
        device.rows = u32{1} << 31;  // capacity is not enforced
        audits.push_back(std::make_unique<dram::Audit>(device));
        p->channel().observe(audits.back().get());
    }
    const RunRecord r = simulation.run({});
    for (const auto& audit : audits) audit->finish(audit->last_command());
    return r;
}

TEST(Ranking, TheLightApplicationGainsFromEverySchedulerThatPutsItFirst) {
    const u64 plain = two_apps("fr-fcfs").apps[0].cycles;
    EXPECT_LT(two_apps("its").apps[0].cycles, plain);
    EXPECT_LT(two_apps("weis").apps[0].cycles, plain);
    EXPECT_LT(two_apps("rr-fr-fcfs").apps[0].cycles, plain);
    EXPECT_LT(two_apps("prior-app", {"memories.dram.prior-app.order=[1]"}).apps[0].cycles, plain);
    EXPECT_GT(two_apps("prior-app", {"memories.dram.prior-app.order=[2]"}).apps[0].cycles, plain);
    EXPECT_EQ(two_apps("prior-low-mpki", {"memories.dram.prior-low-mpki.profile=[1, 2]"}).apps[0].cycles,
              two_apps("prior-app", {"memories.dram.prior-app.order=[1]"}).apps[0].cycles);
}

TEST(Ranking, TheRecordSaysWhatTheWindowsHaveFoundOfEachApplication) {
    const RunRecord r = two_apps("its", {"memories.dram.its.window=256", "memories.dram.its.memory=window"});
    EXPECT_GT(counter(r, "dram.scheduler.rank_changes"), 0u);
    const u64 windows = counter(r, "dram.scheduler.windows");
    EXPECT_NEAR(static_cast<double>(windows) / 4, static_cast<double>(r.cycles) / 256, 1.01);
    for (const AppRecord& a : r.apps) {
        const u64 own = counter(a, "dram.scheduler.windows"), bytes = counter(a, "dram.read_bytes");
        EXPECT_NEAR(static_cast<double>(own) / 4, static_cast<double>(a.cycles) / 256, 1.01);
        EXPECT_LE(counter(a, "dram.scheduler.first_windows"), own);
        EXPECT_LE(counter(a, "dram.scheduler.mpki_windows"), own);
        // All that was read, but for the last window.
        EXPECT_LE(counter(a, "dram.scheduler.window_bytes"), bytes);
        EXPECT_GT(counter(a, "dram.scheduler.window_bytes") * 10, bytes * 9);
    }
    // The one with the more instructions a miss was put first most of the time.
    EXPECT_GT(counter(r.apps[0], "dram.scheduler.first_windows") * 10,
              counter(r.apps[0], "dram.scheduler.windows") * 7);
}

}  // namespace
}  // namespace heddle::test
