// Policies of page placement and migration: the worked examples of Agarwal et al., HPCA 2015.

#include "vm/migration_policy.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/error.h"
#include "vm/page_profile.h"

using namespace heddle;

namespace {

/// GDDR5 at 200 GB/s, the GPU's own, and DDR4 at 80 GB/s.
PlacementContext numa() {
    return {{{"gddr5", false, u64{4} << 30, 200'000'000'000}, {"ddr4", true, u64{32} << 30, 80'000'000'000}},
            {}};
}

std::unique_ptr<MigrationPolicy> migration(const char* name, const char* parameters = "") {
    const MigrationContext context{numa(), 4};
    return migration_policies().make(migration_policies().choose(name, parameters), context);
}

PageKey page(u64 number, u8 app = 0) {
    return {app, VirtAddr(number << 12), PageSize::small};
}

std::vector<u64> order(MigrationPolicy& policy, u64 trigger, PageRange range) {
    std::vector<u64> to;
    policy.expand(trigger, range, to);
    return to;
}

/// Pages at a time after windows in which the GPU's memory moved this share of the bytes.
u32 allowed_at(u64 device, u64 host) {
    const auto p = migration("th-re-bwb");
    const u64 bytes[] = {device, host};
    p->bandwidth(bytes);
    return p->allowed();
}

}  // namespace

TEST(MigrationPolicy, TheRateFollowsTheShareOfTheBandwidth) {  // N-1, N-2
    EXPECT_EQ(allowed_at(60, 40), 4u);
    EXPECT_EQ(allowed_at(93, 140 - 93), 2u);  // exactly 5/7 - 0.05
    EXPECT_EQ(allowed_at(9299, 14000 - 9299), 4u);
    EXPECT_EQ(allowed_at(70, 30), 2u);
    EXPECT_EQ(allowed_at(5, 2), 2u);  // exactly 5/7
    EXPECT_EQ(allowed_at(7143, 10000 - 7143), 0u);
    EXPECT_EQ(allowed_at(72, 28), 0u);
    EXPECT_EQ(allowed_at(0, 0), 4u);
    // Terabytes a period do not overflow.
    EXPECT_EQ(allowed_at(u64{5} << 40, u64{2} << 40), 2u);
    EXPECT_EQ(allowed_at((u64{5} << 40) + 1, u64{2} << 40), 0u);
    // Four windows count; a suspended migration goes on when the share has fallen.
    const auto p = migration("th-re-bwb");
    const u64 high[] = {72, 28}, low[] = {65, 35};
    p->bandwidth(high);
    EXPECT_EQ(p->allowed(), 0u);
    for (int k = 0; k < 4; ++k) p->bandwidth(low);
    EXPECT_EQ(p->allowed(), 4u);
    EXPECT_EQ(migration("threshold")->period(), Cycle(0));
    EXPECT_EQ(p->period(), Cycle(10'000));
    EXPECT_EQ(migration("threshold", "{balance: true, period: 3000}")->period(), Cycle(3000));
}

TEST(MigrationPolicy, NeighborsComeFurthestFirstAndTheTriggerLast) {  // N-3
    const auto four = migration("threshold", "range: 4");
    EXPECT_EQ(order(*four, 500, {0, 1000}), (std::vector<u64>{502, 498, 501, 499, 500}));
    EXPECT_EQ(order(*four, 1, {0, 1000}), (std::vector<u64>{3, 2, 0, 1}));
    EXPECT_EQ(order(*four, 999, {0, 1000}), (std::vector<u64>{997, 998, 999}));
    EXPECT_EQ(order(*four, 7, {7, 8}), (std::vector<u64>{7}));
    EXPECT_EQ(order(*migration("threshold"), 500, {0, 1000}), (std::vector<u64>{500}));
    EXPECT_EQ(order(*migration("th-re-bwb"), 500, {0, 1000}).size(), 129u);
}

TEST(MigrationPolicy, APageIsACandidateAtItsNthAccess) {  // N-5
    const auto four = migration("threshold", "threshold: 4");
    EXPECT_FALSE(four->on_translation(page(1)));
    for (u64 n = 1; n <= 6; ++n) EXPECT_EQ(four->on_touch(page(1), n), n == 4) << n;
    EXPECT_TRUE(migration("threshold")->on_translation(page(1)));
    EXPECT_FALSE(migration("none")->on_translation(page(1)));
    EXPECT_FALSE(migration("none")->on_touch(page(1), 1));
}

namespace {

std::unique_ptr<PlacementPolicy> placement(const char* name, const std::string& parameters = "") {
    const PlacementContext context = numa();
    return placement_policies().make(parameters.empty() ? placement_policies().choose(name)
                                                        : placement_policies().choose(name, parameters),
                                     context);
}

}  // namespace

TEST(PlacementPolicy, PagesLieWhereTheirNamesSay) {
    for (const Toucher by : {Toucher::gpu, Toucher::host}) {
        EXPECT_EQ(placement("device")->memory_of({page(1), {}, by}), 0u);
        EXPECT_EQ(placement("host")->memory_of({page(1), {}, by}), 1u);
        EXPECT_EQ(placement("first-touch")->memory_of({page(1), {}, by}), by == Toucher::host ? 1u : 0u);
    }
    // 200 to 80: five of seven, never more than a page away from it.
    const auto spread = placement("interleave");
    u64 device = 0;
    for (u64 n = 1; n <= 7000; ++n) {
        device += spread->memory_of({page(n), {}, Toucher::gpu}) == 0;
        EXPECT_NEAR(static_cast<double>(device), static_cast<double>(n) * 5 / 7, 1.0);
    }
    EXPECT_EQ(device, 5000u);
}

TEST(PlacementPolicy, TheOracleTakesTheFewestHottestPages) {  // N-6
    const std::string file = testing::TempDir() + std::to_string(getpid()) + "-profile.tsv";
    std::ofstream(file) << page_profile_text(
        {{0, 13, 10}, {0, 11, 50}, {0, 15, 5}, {0, 12, 20}, {0, 16, 5}, {0, 14, 10}});
    const auto oracle = placement("oracle", "profile: " + file);
    std::vector<u32> memories;
    for (u64 p = 11; p <= 17; ++p) memories.push_back(oracle->memory_of({page(p), {}, Toucher::gpu}));
    EXPECT_EQ(memories, (std::vector<u32>{0, 0, 0, 1, 1, 1, 1}));
    EXPECT_EQ(oracle->memory_of({page(11, 1), {}, Toucher::gpu}), 1u);  // another application's

    const auto error = [&](const std::string& text) -> std::string {
        std::ofstream(file) << text;
        try {
            placement("oracle", "profile: " + file);
        } catch (const InputError& e) {
            return e.what();
        }
        return "none";
    };
    EXPECT_NE(error("").find("profile.tsv:1: not a page profile"), std::string::npos);
    EXPECT_NE(error("hello\n").find("profile.tsv:1: not a page profile"), std::string::npos);
    for (const char* line : {"1\t11\t5", "0\t0xb\t5", "1\t0xb", "1\t0xb\t5\t6", "1\t0xb\t-5", "1\t0xg\t5",
                             "1\t0x1234567890abcdef\t1"})
        EXPECT_NE(error(std::string("# app\tpage\taccesses\n1\t0xa\t5\n") + line + "\n")
                      .find("profile.tsv:3: expected"),
                  std::string::npos)
            << line;
    std::remove(file.c_str());
    EXPECT_THROW(placement("oracle", "profile: " + file), InputError);
    // A profile of another program.
    std::ofstream(file) << page_profile_text({{0, 1u << 20, 10}});
    const auto other = placement("oracle", "profile: " + file);
    EXPECT_THROW(for (u64 p = 0; p < 64; ++p) other->memory_of({page(p), {}, Toucher::gpu}), InputError);
    std::remove(file.c_str());
}
