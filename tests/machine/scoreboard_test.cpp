// The scoreboard counts cycles from a base that follows the time: nothing changes when it moves.

#include <gtest/gtest.h>

#include "machine/lab.h"

namespace heddle::test {
namespace {

constexpr u64 kLatency = 100'000;

/// Cycles of a chain of slow operations, with a load before them whose result is used after them.
u64 chain(u64 length) {
    return cycles({"ops.int_add.latency=" + std::to_string(kLatency), "dram.refresh=off"}, {.threads = 32},
                  [length](WarpWriter& w) {
                      w.load1(2, {}, kData);
                      w.use(2);
                      for (u64 k = 0; k < length; ++k) w.alu(OpClass::int_add, 1, {1});
                      w.alu(OpClass::int_add, 3, {1, 2});
                      w.use(3);
                  });
}

TEST(Scoreboard, CountsOnWhereThirtyTwoBitsOfItEnd) {
    // 12,000 times 100,000 cycles are more than the 2^30 that an entry holds.
    EXPECT_EQ(chain(12'000) - chain(1), 11'999 * kLatency);
}

}  // namespace
}  // namespace heddle::test
