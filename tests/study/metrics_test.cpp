#include "study/metrics.h"

#include <cmath>
#include <gtest/gtest.h>

#include "study/result.h"

namespace heddle::study {
namespace {

// Jog et al., MEMSYS 2015, Figure 6 (with its two interchanged cells put right): two applications share a bandwidth
// of 50; performance is bandwidth / misses per kilo-instruction, 20 and 5; alone they attain a bandwidth of 30 and 40.
constexpr double kAlone[] = {30 / 20.0, 40 / 5.0};

struct Policy {
    double bandwidth[2];
    double it, ws, hs;
};
constexpr Policy kPolicies[] = {
    {{30, 20}, 5.5, 1.5, 1.0 / 3},
    {{10, 40}, 8.5, 4.0 / 3, 0.25},
    {{25, 25}, 6.25, 1.4583333333, 1 / 2.8},
};

TEST(Metrics, GiveTheFiguresOfTheWorkedExample) {
    for (const Policy& p : kPolicies) {
        const double together[] = {p.bandwidth[0] / 20, p.bandwidth[1] / 5};
        EXPECT_NEAR(throughput(together), p.it, 1e-9);
        EXPECT_NEAR(weighted_speedup(together, kAlone), p.ws, 1e-9);
        EXPECT_NEAR(harmonic_speedup(together, kAlone), p.hs, 1e-9);
        EXPECT_NEAR(antt(together, kAlone), 1 / p.hs, 1e-9);
    }
}

TEST(Metrics, UnfairnessIsTheSlowdownOfTheOneThatSuffersMost) {
    const double together[] = {0.5, 8};  // second policy: slowed down 3 times, not at all
    EXPECT_DOUBLE_EQ(unfairness(together, kAlone), 3);
}

TEST(Metrics, GeometricMeanIsOfPositiveValues) {
    const double values[] = {1, 2, 4};
    EXPECT_NEAR(geometric_mean(values), 2, 1e-12);
    const double zero[] = {1, 0};
    EXPECT_TRUE(std::isnan(geometric_mean(zero)));
    EXPECT_TRUE(std::isnan(geometric_mean({})));
}

TEST(Metrics, DramEnergyIsTheSumOfItsPartsAndPowerIsThatByTime) {
    // 0.5 uJ + 0.25 uJ in 2,000 cycles of 1 GHz are 0.375 W.
    const Result r(
        R"({"cycles": 2000, "core_hz": 1000000000, "apps": [], "memories": {}, "caches": {}, "stalls": {},
        "counters": {"hbm.energy.reads": {"value": 500000}, "hbm.energy.background": {"value": 250000},
                     "hbm.reads": {"value": 77}}})");
    EXPECT_DOUBLE_EQ(r.figure("dram.energy").value(), 0.75e-6);
    EXPECT_DOUBLE_EQ(r.figure("dram.power").value(), 0.375);
}

TEST(Metrics, EveryCacheAndTlbHasAHitRate) {
    const Result r(
        R"({"cycles": 2000, "core_hz": 1000000000, "apps": [], "memories": {}, "stalls": {}, "counters": {},
        "caches": {"l1_tlb": {"accesses": 8, "hits": 6}, "l2_tlb": {"accesses": 2, "hits": 1},
                   "walk_cache": {"accesses": 10, "hits": 9}}})");
    for (const auto& [name, rate] :
         {std::pair{"l1_tlb.hit_rate", 0.75}, {"l2_tlb.hit_rate", 0.5}, {"walk_cache.hit_rate", 0.9}}) {
        EXPECT_DOUBLE_EQ(r.figure(name).value(), rate);
        EXPECT_NO_THROW(find_metric(name, {}, 1)) << name;
    }
}

}  // namespace
}  // namespace heddle::study
