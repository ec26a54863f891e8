// The analytical model of Jog et al., MEMSYS 2015. Values are the paper's own examples, its figure 6 as corrected.

#include "study/bandwidth_model.h"

#include <array>
#include <gtest/gtest.h>

#include "study/metrics.h"

namespace heddle::study {
namespace {

TEST(BandwidthModel, GivesTheIpcOfAnApplicationFromItsBandwidthAndMpki) {
    EXPECT_DOUBLE_EQ(model_ipc(64, 2, 128), 250);
}

/// Figure 6: capacity 50; MPKI 20 and 5, bandwidth alone 30 and 40, in units in which a line is 1000.
class Figure6 : public testing::Test {
  protected:
    static constexpr std::array<ModelApp, 2> kApps{{{20, 30}, {5, 40}}};
    static constexpr double kLine = 1000, kCapacity = 50;

    static std::vector<double> performance(const std::vector<double>& bandwidth) {
        std::vector<double> out;
        for (std::size_t k = 0; k < 2; ++k) out.push_back(model_ipc(bandwidth[k], kApps[k].mpki, kLine));
        return out;
    }
    static std::vector<double> alone() { return performance({kApps[0].bandwidth, kApps[1].bandwidth}); }
};

TEST_F(Figure6, AloneTheApplicationsPerformAt1Point5And8) {
    EXPECT_EQ(alone(), (std::vector<double>{1.5, 8}));
}

TEST_F(Figure6, WithTheFirstFavoured) {
    const auto bandwidth = divide_first(kApps, kCapacity, 0);
    EXPECT_EQ(bandwidth, (std::vector<double>{30, 20}));
    const auto p = performance(bandwidth);
    EXPECT_EQ(p, (std::vector<double>{1.5, 4}));
    EXPECT_DOUBLE_EQ(throughput(p), 5.5);
    EXPECT_DOUBLE_EQ(weighted_speedup(p, alone()), 1.5);
    EXPECT_DOUBLE_EQ(harmonic_speedup(p, alone()), 1.0 / 3);
}

TEST_F(Figure6, WithTheSecondFavoured) {
    const auto bandwidth = divide_first(kApps, kCapacity, 1);
    EXPECT_EQ(bandwidth, (std::vector<double>{10, 40}));
    const auto p = performance(bandwidth);
    EXPECT_EQ(p, (std::vector<double>{0.5, 8}));
    EXPECT_DOUBLE_EQ(throughput(p), 8.5);
    EXPECT_NEAR(weighted_speedup(p, alone()), 1.333, 0.0005);
    EXPECT_DOUBLE_EQ(harmonic_speedup(p, alone()), 0.25);
}

TEST_F(Figure6, InTurns) {
    const auto bandwidth = divide_equally(kApps, kCapacity);
    EXPECT_EQ(bandwidth, (std::vector<double>{25, 25}));
    const auto p = performance(bandwidth);
    EXPECT_EQ(p, (std::vector<double>{1.25, 5}));
    EXPECT_DOUBLE_EQ(throughput(p), 6.25);
    EXPECT_NEAR(weighted_speedup(p, alone()), 1.458, 0.0005);
    EXPECT_NEAR(harmonic_speedup(p, alone()), 0.357, 0.0005);
}

TEST_F(Figure6, TheSecondIsToBeFavouredForThroughputAndTheFirstForSpeedup) {
    EXPECT_EQ(favour_throughput(kApps), 1u);
    EXPECT_EQ(favour_speedup(kApps), 0u);
}

TEST(BandwidthModel, GivesNobodyMoreThanItTakesAloneAndTheRestToTheOthers) {
    const std::array<ModelApp, 3> apps{{{1, 5}, {1, 30}, {1, 40}}};
    EXPECT_EQ(divide_equally(apps, 60), (std::vector<double>{5, 27.5, 27.5}));
    EXPECT_EQ(divide_equally(apps, 66), (std::vector<double>{5, 30, 31}));
    EXPECT_EQ(divide_equally(apps, 100), (std::vector<double>{5, 30, 40}));
    EXPECT_EQ(divide_first(apps, 50, 2), (std::vector<double>{5, 5, 40}));
    EXPECT_EQ(divide_first(apps, 60, 0), (std::vector<double>{5, 27.5, 27.5}));
}

}  // namespace
}  // namespace heddle::study
