#include "config/unit.h"

#include <array>
#include <fmt/format.h>
#include <limits>
#include <span>

namespace heddle::config {
namespace {

constexpr Wide kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;
constexpr Wide kK = 1000, kM = kK * kK, kG = kM * kK, kT = kG * kK;

struct Suffix {
    std::string_view text;
    Wide factor;
    bool canonical;  // may be chosen when writing
};

// Ascending, so that writing can look for the largest that fits.
constexpr std::array<Suffix, 5> kBytes{
    {{"B", 1, true}, {"KiB", kKi, true}, {"MiB", kMi, true}, {"GiB", kGi, true}, {"TiB", kTi, true}}};
constexpr std::array<Suffix, 4> kHertz{
    {{"Hz", 1, true}, {"kHz", kK, true}, {"MHz", kM, true}, {"GHz", kG, true}}};
constexpr std::array<Suffix, 6> kTime{{{"fs", 1, true},
                                       {"ps", kK, true},
                                       {"ns", kM, true},
                                       {"us", kG, true},
                                       {"ms", kT, true},
                                       {"s", kT* kK, true}}};
constexpr std::array<Suffix, 2> kCycles{{{"cycles", 1, true}, {"cycle", 1, false}}};
constexpr std::array<Suffix, 9> kBandwidth{{{"B/s", 1, true},
                                            {"kB/s", kK, true},
                                            {"KiB/s", kKi, false},
                                            {"MB/s", kM, true},
                                            {"MiB/s", kMi, false},
                                            {"GB/s", kG, true},
                                            {"GiB/s", kGi, false},
                                            {"TB/s", kT, true},
                                            {"TiB/s", kTi, false}}};
constexpr std::array<Suffix, 1> kRatio{{{"%", 10'000, true}}};

std::span<const Suffix> suffixes(Unit unit) {
    switch (unit) {
        case Unit::none:
            return {};
        case Unit::bytes:
            return kBytes;
        case Unit::hertz:
            return kHertz;
        case Unit::time:
            return kTime;
        case Unit::cycles:
            return kCycles;
        case Unit::bandwidth:
            return kBandwidth;
        case Unit::ratio:
            return kRatio;
        case Unit::cycles_or_time:
            return kTime;
    }
    return {};
}

std::string_view example(Unit unit) {
    switch (unit) {
        case Unit::none:
            return "16";
        case Unit::bytes:
            return "16KiB";
        case Unit::hertz:
            return "1.4GHz";
        case Unit::time:
            return "12ns";
        case Unit::cycles:
            return "120";
        case Unit::bandwidth:
            return "200GB/s";
        case Unit::ratio:
            return "80%";
        case Unit::cycles_or_time:
            return "120 cycles or 12ns";
    }
    return "";
}

// A number without its unit: mantissa / 10^decimals.
struct Decimal {
    Wide mantissa = 0;
    unsigned decimals = 0;
    std::string_view rest;
};

constexpr Wide kMantissaLimit = Wide{1} << 70;  // times the largest factor (10^15) still fits

enum class Scan : u8 { ok, not_a_number, too_long };

Scan scan_decimal(std::string_view text, Decimal& out) {
    std::size_t i = 0;
    const bool negative = !text.empty() && text[0] == '-';
    if (negative) ++i;
    bool digits = false, point = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = true;
            out.mantissa = out.mantissa * 10 + (c - '0');
            if (out.mantissa > kMantissaLimit || out.decimals > 18) return Scan::too_long;
            if (point) ++out.decimals;
        } else {
            break;
        }
    }
    if (!digits || text[i - 1] == '.') return Scan::not_a_number;
    if (negative) out.mantissa = -out.mantissa;
    while (i < text.size() && text[i] == ' ') ++i;
    out.rest = text.substr(i);
    return Scan::ok;
}

Wide power_of_ten(unsigned n) {
    Wide p = 1;
    while (n-- > 0) p *= 10;
    return p;
}

std::string wide_text(Wide value) {
    const bool negative = value < 0;
    std::string digits;
    do {
        const int d = static_cast<int>(value % 10);
        digits.insert(digits.begin(), static_cast<char>('0' + (d < 0 ? -d : d)));
        value /= 10;
    } while (value != 0);
    return negative ? "-" + digits : digits;
}

// "is a time, not a size": names the quantity that a foreign suffix belongs to.
std::string_view quantity_of(std::string_view suffix) {
    for (Unit u : {Unit::bytes, Unit::hertz, Unit::time, Unit::cycles, Unit::bandwidth, Unit::ratio})
        for (const Suffix& s : suffixes(u))
            if (s.text == suffix) switch (u) {
                    case Unit::bytes:
                        return "a size";
                    case Unit::hertz:
                        return "a frequency";
                    case Unit::time:
                        return "a time";
                    case Unit::cycles:
                        return "a number of cycles";
                    case Unit::bandwidth:
                        return "a bandwidth";
                    default:
                        return "a ratio";
                }
    return {};
}

std::string wrong_suffix(std::string_view suffix, Unit unit) {
    if (const auto is = quantity_of(suffix); !is.empty())
        return fmt::format("is {}; expected {}, such as {}", is, describe_unit(unit), example(unit));
    return fmt::format("has the unknown unit '{}'; expected {}, such as {}", suffix, describe_unit(unit),
                       example(unit));
}

}  // namespace

u64 Duration::cycles_at(u64 hz) const {
    if (in_cycles) return amount;
    constexpr auto kFsPerSecond = static_cast<unsigned __int128>(1'000'000'000'000'000);
    const auto product = static_cast<unsigned __int128>(amount) * hz;
    return static_cast<u64>((product + kFsPerSecond - 1) / kFsPerSecond);
}

std::string parse_number(std::string_view text, Unit unit, Number& out) {
    Decimal d;
    switch (scan_decimal(text, d)) {
        case Scan::not_a_number:
            return fmt::format("is not a number; expected {}, such as {}", describe_unit(unit),
                               example(unit));
        case Scan::too_long:
            return "has too many digits";
        case Scan::ok:
            break;
    }
    Wide factor = 1;
    out = {};
    if (d.rest.empty()) {
        if (unit == Unit::ratio) {
            factor = 1'000'000;
        } else if (unit == Unit::cycles_or_time) {
            if (d.mantissa != 0) return "has no unit; write " + std::string(example(unit));
            out.in_cycles = true;
        } else if (unit != Unit::none && unit != Unit::cycles && d.mantissa != 0) {
            return fmt::format("has no unit; expected {}, such as {}", describe_unit(unit), example(unit));
        }
    } else {
        const Suffix* found = nullptr;
        for (const Suffix& s : suffixes(unit))
            if (s.text == d.rest) found = &s;
        if (!found && unit == Unit::cycles_or_time)
            for (const Suffix& s : kCycles)
                if (s.text == d.rest) found = &s, out.in_cycles = true;
        if (!found) return wrong_suffix(d.rest, unit);
        factor = found->factor;
    }
    const Wide scaled = d.mantissa * factor, divisor = power_of_ten(d.decimals);
    if (scaled % divisor != 0) {
        switch (unit) {
            case Unit::bytes:
                return "is not a whole number of bytes";
            case Unit::hertz:
                return "is finer than 1Hz";
            case Unit::time:
                return "is finer than 1fs";
            case Unit::bandwidth:
                return "is finer than 1B/s";
            case Unit::ratio:
                return "is finer than a millionth";
            case Unit::cycles_or_time:
                return out.in_cycles ? "is not a whole number of cycles" : "is finer than 1fs";
            default:
                return "is not a whole number";
        }
    }
    out.value = scaled / divisor;
    return {};
}

std::string format_number(Number number, Unit unit) {
    if (unit == Unit::cycles_or_time) unit = number.in_cycles ? Unit::cycles : Unit::time;
    const Wide value = number.value;
    if (unit == Unit::none) return wide_text(value);
    if (unit == Unit::cycles) return wide_text(value) + (value == 1 ? " cycle" : " cycles");
    const Wide magnitude = value < 0 ? -value : value;
    const Wide decimals = unit == Unit::bytes ? 1 : unit == Unit::ratio ? 10'000 : 1000;
    const auto table = suffixes(unit);
    const Suffix* best = &table.front();
    for (const Suffix& s : table)
        if (s.canonical && s.factor <= magnitude && magnitude * decimals % s.factor == 0) best = &s;
    std::string text = (value < 0 ? "-" : "") + wide_text(magnitude / best->factor);
    if (Wide rest = magnitude % best->factor; rest != 0) {
        text += '.';
        for (; rest != 0; rest %= best->factor) {
            rest *= 10;
            text += static_cast<char>('0' + static_cast<int>(rest / best->factor));
        }
    }
    return text.append(best->text);
}

std::string_view describe_unit(Unit unit) {
    switch (unit) {
        case Unit::none:
            return "a count";
        case Unit::bytes:
            return "bytes (B, KiB, MiB, GiB, TiB)";
        case Unit::hertz:
            return "a frequency (Hz, kHz, MHz, GHz)";
        case Unit::time:
            return "a time (fs, ps, ns, us, ms, s)";
        case Unit::cycles:
            return "cycles";
        case Unit::bandwidth:
            return "a bandwidth (B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s)";
        case Unit::ratio:
            return "a ratio (80% or 0.8)";
        case Unit::cycles_or_time:
            return "cycles or a time (cycles, fs, ps, ns, us, ms, s)";
    }
    return {};
}

}  // namespace heddle::config
