// Quantities: what may be mixed and what may not is decided by the compiler.

#include "sim/types.h"

#include <gtest/gtest.h>
#include <type_traits>

namespace heddle {
namespace {

template <class A, class B>
concept Adds = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Subtracts = requires(A a, B b) {
    a - b;
};
template <class A, class B>
concept Compares = requires(A a, B b) {
    a < b;
};

static_assert(Adds<Cycle, u64> && !Adds<Cycle, Cycle> && !Adds<Cycle, Tick>);
static_assert(Subtracts<Cycle, Cycle> && !Subtracts<Cycle, Tick> && !Subtracts<VirtAddr, PhysAddr>);
static_assert(Compares<Tick, Tick> && !Compares<Tick, Cycle> && !Compares<VirtAddr, PhysAddr>);
static_assert(!std::is_convertible_v<u64, Cycle> && !std::is_convertible_v<Cycle, u64>);
static_assert(!std::is_convertible_v<VirtAddr, PhysAddr>);
static_assert(sizeof(Cycle) == sizeof(u64) && std::is_trivially_copyable_v<Cycle>);
static_assert(sizeof(Quantity<struct SmallTag, u8>) == 1);

TEST(Quantity, CountsKeepTheMeaningAndDifferencesAreCounts) {
    constexpr Cycle at{100};
    static_assert(std::is_same_v<decltype(at - at), u64>);
    EXPECT_EQ(at + 5, Cycle(105));
    EXPECT_EQ(at - 5, Cycle(95));
    EXPECT_EQ(Cycle(105) - at, 5u);
    Cycle t = at;
    t += 7;
    t -= 3;
    ++t;
    EXPECT_EQ(t, Cycle(105));
    EXPECT_LT(at, t);
    EXPECT_LT(t, kNever);
    EXPECT_EQ(Cycle(), Cycle(0));
}

TEST(Quantity, ANarrowOneWrapsAsItsInteger) {
    using Small = Quantity<struct SmallTag, u8>;
    EXPECT_EQ(Small(250) + 10, Small(4));
    EXPECT_EQ(Small(4) - Small(250), u8{10});
}

TEST(Quantity, CeilDivRoundsUp) {
    EXPECT_EQ(ceil_div(0, 7), 0u);
    EXPECT_EQ(ceil_div(7, 7), 1u);
    EXPECT_EQ(ceil_div(8, 7), 2u);
}

}  // namespace
}  // namespace heddle
