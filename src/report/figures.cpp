#include "report/figures.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "sim/rates.h"

namespace heddle::report {
namespace {

Wide power_of_ten(unsigned n) {
    Wide p = 1;
    for (; n != 0; --n) p *= 10;
    return p;
}

std::string digits_of(Wide value) {
    std::string out;
    do out += static_cast<char>('0' + static_cast<int>(value % 10));
    while ((value /= 10) != 0);
    std::reverse(out.begin(), out.end());
    return out;
}

std::string group(const std::string& digits) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && (digits.size() - i) % 3 == 0) out += ',';
        out += digits[i];
    }
    return out;
}

struct Step {
    Wide numerator, denominator;  // one unit in the base unit
    std::string_view name;
};

/// numerator / denominator in the largest of `steps` (largest first) that leaves at least 1.
std::string scaled(Wide numerator, Wide denominator, std::span<const Step> steps, unsigned digits) {
    const Step* step = &steps.back();
    for (const Step& s : steps)
        if (numerator * s.denominator >= denominator * s.numerator) {
            step = &s;
            break;
        }
    return decimal(numerator * step->denominator, denominator * step->numerator, digits) + " " +
           std::string(step->name);
}

}  // namespace

std::string grouped(u64 value) {
    return group(digits_of(value));
}

std::string decimal(Wide numerator, Wide denominator, unsigned digits) {
    const Wide scale = power_of_ten(digits);
    // Whole part first, so that large numerators do not overflow.
    Wide whole = numerator / denominator;
    Wide rest = ((numerator % denominator) * scale * 2 + denominator) / (denominator * 2);
    if (rest == scale) ++whole, rest = 0;
    if (digits == 0) return digits_of(whole);
    const std::string tail = digits_of(rest);
    return digits_of(whole) + "." + std::string(digits - tail.size(), '0') + tail;
}

std::string grouped_decimal(Wide numerator, Wide denominator, unsigned digits) {
    const std::string plain = decimal(numerator, denominator, digits);
    const auto point = plain.find('.');
    return group(plain.substr(0, point)) + (point == std::string::npos ? "" : plain.substr(point));
}

std::vector<u64> shares(std::span<const u64> parts, u64 whole) {
    const Wide sum = std::accumulate(parts.begin(), parts.end(), Wide{0});
    std::vector<u64> out(parts.size(), 0);
    if (sum == 0) return out;
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    u64 left = whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        out[i] = static_cast<u64>(Wide{parts[i]} * whole / sum);
        left -= out[i];
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return Wide{parts[a]} * whole % sum > Wide{parts[b]} * whole % sum;
    });
    for (std::size_t i = 0; i < left; ++i) ++out[order[i]];
    return out;
}

std::string percent(Wide part, Wide whole, unsigned digits) {
    return decimal(part * 100, whole, digits) + " %";
}

std::string bytes_text(u64 bytes) {
    static constexpr std::array<Step, 4> kSteps{{{u64{1} << 40, 1, "TiB"},
                                                 {u64{1} << 30, 1, "GiB"},
                                                 {u64{1} << 20, 1, "MiB"},
                                                 {u64{1} << 10, 1, "KiB"}}};
    if (bytes < 1024) return grouped(bytes) + " B";
    return scaled(bytes, 1, kSteps, 1);
}

std::string bandwidth_text(Wide bytes, u64 cycles, u64 clock_hz) {
    const Rate rate = bandwidth(bytes, cycles, clock_hz);
    static constexpr std::array<Step, 4> kSteps{{{1'000'000'000'000, 1, "TB/s"},
                                                 {1'000'000'000, 1, "GB/s"},
                                                 {1'000'000, 1, "MB/s"},
                                                 {1'000, 1, "kB/s"}}};
    return scaled(rate.part, rate.whole, kSteps, 1);
}

std::string frequency_text(u64 hertz) {
    static constexpr std::array<Step, 3> kSteps{
        {{1'000'000'000, 1, "GHz"}, {1'000'000, 1, "MHz"}, {1'000, 1, "kHz"}}};
    std::string text = scaled(hertz, 1, kSteps, 3);
    const auto space = text.find(' ');
    auto end = text.find_last_not_of('0', space - 1);
    if (text[end] == '.') --end;
    return text.erase(end + 1, space - end - 1);
}

std::string time_text(u64 cycles, u64 clock_hz) {
    static constexpr std::array<Step, 4> kSteps{
        {{1, 1, "s"}, {1, 1'000, "ms"}, {1, 1'000'000, "us"}, {1, 1'000'000'000, "ns"}}};
    return scaled(cycles, clock_hz, kSteps, 3);
}

}  // namespace heddle::report
