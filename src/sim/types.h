#pragma once
// Types that every part shares: integers, and strong types for time and addresses.
//
// A strong type is a plain integer at run time. It does not convert to another quantity, so a cycle of one clock domain
// cannot be passed as an address, nor a line as a byte address.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace heddle {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// An integer with a meaning. Adding or subtracting a plain count keeps the meaning; the difference of two
/// is a plain count; two different meanings never mix.
template <class Tag, class Rep = u64>
struct Quantity {
    Rep v = 0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep value) : v(value) {}

    friend constexpr auto operator<=>(Quantity, Quantity) = default;  // NOLINT(modernize-use-nullptr)
    friend constexpr Quantity operator+(Quantity a, Rep n) { return Quantity(static_cast<Rep>(a.v + n)); }
    friend constexpr Quantity operator-(Quantity a, Rep n) { return Quantity(static_cast<Rep>(a.v - n)); }
    friend constexpr Rep operator-(Quantity a, Quantity b) { return static_cast<Rep>(a.v - b.v); }
    constexpr Quantity& operator+=(Rep n) { return *this = *this + n; }
    constexpr Quantity& operator-=(Rep n) { return *this = *this - n; }
    constexpr Quantity& operator++() { return *this += 1; }
};

/// A cycle count of the clock domain that its owner runs in.
using Cycle = Quantity<struct CycleTag>;
/// Exact global time, in ticks of the machine's common clock (see sim/clock.h).
using Tick = Quantity<struct TickTag>;
/// A byte address as the program sees it, in one application's address space.
using VirtAddr = Quantity<struct VirtAddrTag>;
/// A byte address after translation, one space for the whole memory of a machine.
using PhysAddr = Quantity<struct PhysAddrTag>;

/// "No known time": later than everything.
inline constexpr Cycle kNever{std::numeric_limits<u64>::max()};

constexpr u64 ceil_div(u64 a, u64 b) {
    return (a + b - 1) / b;
}

}  // namespace heddle
