// Schedulers that rank applications do so over all channels of a GPU: what one channel sees decides on the others.

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
class SignalWitness final : public dram::QueueScheduler {
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
const bool registered =
    dram::schedulers().add<SignalWitness>("signal-witness", "for tests: hears of epochs", "");

/// Four channels, blocks of 256 bytes in turn.
Machine four_channels(const std::string& scheduler, std::vector<std::string> more = {}) {
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

Outcome both(const Machine& machine, std::unique_ptr<StreamSource> a, std::unique_ptr<StreamSource> b) {
    Simulation simulation(machine);
    simulation.add(std::move(a));
    simulation.add(std::move(b));
    simulation.run({});
    Outcome out;
    for (const auto& p : simulation.gpu().partitions()) {
        const auto ranks = p->channel().ranks();
        out.ranks.emplace_back(ranks.begin(), ranks.end());
    }
    dram::Channel& last = simulation.gpu().partitions()[3]->channel();
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
        const auto& partitions = simulation.gpu().partitions();
        const auto first = partitions[0]->channel().ranks();
        for (const auto& p : partitions) {
            const auto ranks = p->channel().ranks();
            EXPECT_TRUE(std::equal(ranks.begin(), ranks.end(), first.begin(), first.end()));
        }
        // Before the first quantum's end all are alike; of an application that has ended nothing is known.
        if (first[0] == first[1] || first[0] == 256 || first[1] == 256) return;
        ++ranked;
        EXPECT_EQ(first[0], 0);
        EXPECT_EQ(first[1], 1);
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

}  // namespace
}  // namespace heddle::test
