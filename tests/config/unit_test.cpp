#include "config/unit.h"

#include <gtest/gtest.h>
#include <random>

namespace heddle::config {
namespace {

u64 parsed(std::string_view text, Unit unit) {
    Number n;
    EXPECT_EQ(parse_number(text, unit, n), "") << text;
    return static_cast<u64>(n.value);
}

std::string refusal(std::string_view text, Unit unit) {
    Number n;
    return parse_number(text, unit, n);
}

TEST(Unit, DecimalTextIsExact) {
    EXPECT_EQ(parsed("1.4GHz", Unit::hertz), 1'400'000'000U);
    EXPECT_EQ(parsed("1562.5MHz", Unit::hertz), 1'562'500'000U);
    EXPECT_EQ(parsed("0.667ns", Unit::time), 667'000U);
    EXPECT_EQ(parsed("106.7ns", Unit::time), 106'700'000U);
    EXPECT_EQ(parsed("3.9 us", Unit::time), 3'900'000'000U);
    EXPECT_EQ(parsed("16KiB", Unit::bytes), 16'384U);
    EXPECT_EQ(parsed("1.5KiB", Unit::bytes), 1'536U);
    EXPECT_EQ(parsed("160.7GB/s", Unit::bandwidth), 160'700'000'000U);
    EXPECT_EQ(parsed("1GiB/s", Unit::bandwidth), 1'073'741'824U);
    EXPECT_EQ(parsed("80%", Unit::ratio), 800'000U);
    EXPECT_EQ(parsed("0.8", Unit::ratio), 800'000U);
    EXPECT_EQ(parsed("120", Unit::cycles), 120U);
    EXPECT_EQ(parsed("1 cycle", Unit::cycles), 1U);
    EXPECT_EQ(parsed("0", Unit::time), 0U);
    EXPECT_EQ(parsed("18446744073709551615", Unit::none), ~u64{0});
}

TEST(Unit, WhatCannotBeStoredExactlyIsRefused) {
    EXPECT_EQ(refusal("0.3Hz", Unit::hertz), "is finer than 1Hz");
    EXPECT_EQ(refusal("0.0001ps", Unit::time), "is finer than 1fs");
    EXPECT_EQ(refusal("0.3KiB", Unit::bytes), "is not a whole number of bytes");
    EXPECT_EQ(refusal("1.5", Unit::none), "is not a whole number");
    EXPECT_EQ(refusal("1.5", Unit::cycles), "is not a whole number");
    EXPECT_EQ(refusal("0.00001%", Unit::ratio), "is finer than a millionth");
    EXPECT_EQ(refusal("99999999999999999999999999", Unit::none), "has too many digits");
}

TEST(Unit, AForgottenOrForeignUnitIsNamed) {
    EXPECT_EQ(refusal("16", Unit::bytes),
              "has no unit; expected bytes (B, KiB, MiB, GiB, TiB), such as 16KiB");
    EXPECT_EQ(refusal("16KB", Unit::bytes),
              "has the unknown unit 'KB'; expected bytes (B, KiB, MiB, GiB, TiB), such as 16KiB");
    EXPECT_EQ(refusal("12ns", Unit::cycles), "is a time; expected cycles, such as 120");
    EXPECT_EQ(refusal("12ns", Unit::hertz),
              "is a time; expected a frequency (Hz, kHz, MHz, GHz), such as 1.4GHz");
    EXPECT_EQ(refusal("3KiB", Unit::none), "is a size; expected a count, such as 16");
    for (const char* bad : {"", "x", "-", ".", "1.", "--1", "KiB", "1.2.3"})
        EXPECT_NE(refusal(bad, Unit::none), "") << bad;
    EXPECT_EQ(refusal("many", Unit::none), "is not a number; expected a count, such as 16");
}

TEST(Unit, CyclesAndTimeAreToldApart) {
    Number n;
    EXPECT_EQ(parse_number("18 cycles", Unit::cycles_or_time, n), "");
    EXPECT_TRUE(n.in_cycles);
    EXPECT_EQ(parse_number("12ns", Unit::cycles_or_time, n), "");
    EXPECT_FALSE(n.in_cycles);
    EXPECT_EQ(parse_number("18", Unit::cycles_or_time, n), "has no unit; write 120 cycles or 12ns");
}

// tRCD 12 ns, tRRD 5.5 ns, tFAW 23 ns at a 1.5 GHz command clock are 18, 9 and 35 clocks (rounded up).
TEST(Unit, ASpanOfTimeRoundsUpToCycles) {
    const u64 hz = 1'500'000'000;
    EXPECT_EQ((Duration{12'000'000, false}.cycles_at(hz)), 18U);
    EXPECT_EQ((Duration{5'500'000, false}.cycles_at(hz)), 9U);
    EXPECT_EQ((Duration{23'000'000, false}.cycles_at(hz)), 35U);
    EXPECT_EQ((Duration{7, true}.cycles_at(hz)), 7U);
}

TEST(Unit, CanonicalTextIsTheLargestUnitWithThreeDecimals) {
    EXPECT_EQ(format_number({1'400'000'000}, Unit::hertz), "1.4GHz");
    EXPECT_EQ(format_number({1'562'500'000}, Unit::hertz), "1562.5MHz");
    EXPECT_EQ(format_number({924'000'000}, Unit::hertz), "924MHz");
    EXPECT_EQ(format_number({2040 * 1024}, Unit::bytes), "2040KiB");
    EXPECT_EQ(format_number({3 << 20}, Unit::bytes), "3MiB");
    EXPECT_EQ(format_number({1000}, Unit::bytes), "1000B");
    EXPECT_EQ(format_number({667'000}, Unit::time), "667ps");
    EXPECT_EQ(format_number({5'500'000}, Unit::time), "5.5ns");
    EXPECT_EQ(format_number({800'000}, Unit::ratio), "80%");
    EXPECT_EQ(format_number({1}, Unit::ratio), "0.0001%");
    EXPECT_EQ(format_number({1, true}, Unit::cycles), "1 cycle");
    EXPECT_EQ(format_number({-3}, Unit::none), "-3");
    EXPECT_EQ(format_number({0}, Unit::time), "0fs");
}

TEST(Unit, EveryNumberSurvivesItsText) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const u64 value = random() >> (random() % 64);
        for (Unit unit : {Unit::none, Unit::bytes, Unit::hertz, Unit::time, Unit::cycles, Unit::bandwidth,
                          Unit::ratio, Unit::cycles_or_time}) {
            const bool in_cycles = unit == Unit::cycles_or_time && (value & 1);
            const std::string text = format_number({value, in_cycles}, unit);
            Number back;
            ASSERT_EQ(parse_number(text, unit, back), "") << text;
            ASSERT_TRUE(back.value == value && back.in_cycles == in_cycles) << text;
        }
    }
}

}  // namespace
}  // namespace heddle::config
