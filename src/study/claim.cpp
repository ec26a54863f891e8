#include "study/claim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sim/error.h"
#include "study/comparison.h"

namespace heddle::study {
namespace {

constexpr std::string_view kVerdicts[] = {"holds", "half", "sign", "fails", "unknown"};
constexpr double kDefaultBand = 0.25;
// What the near rule allows.
constexpr double kNearPoints = 0.10, kNearFactor = 2;
// The ends of a range count, whatever the last bit says.
constexpr double kLastBit = 1e-12;

std::string trimmed(std::string text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string{} : text.substr(first);
}

bool take(std::string& text, std::string_view start) {
    if (!text.starts_with(start)) return false;
    text = trimmed(text.substr(start.size()));
    return true;
}

bool take_end(std::string& text, std::string_view end) {
    if (!text.ends_with(end)) return false;
    text = trimmed(text.substr(0, text.size() - end.size()));
    return true;
}

/// Half of `wanted`'s size to the same side.
Verdict by_effect(double effect, double wanted) {
    if (wanted == 0 || (effect > 0) != (wanted > 0) || effect == 0) return Verdict::fails;
    return std::abs(effect) * 2 >= std::abs(wanted) ? Verdict::half : Verdict::sign;
}

/// An amount within a factor of two. A share must also be half as far from 1: near 1 it says the opposite of one that is
/// far from it.
Verdict by_amount(double ours, double wanted) {
    const bool size = ours * 2 >= wanted && ours <= wanted * 2 && wanted > 0;
    return size ? Verdict::half : Verdict::fails;
}
Verdict by_share(double ours, double wanted) {
    return (1 - ours) * 2 >= 1 - wanted ? by_amount(ours, wanted) : Verdict::fails;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
    return kVerdicts[static_cast<std::size_t>(verdict)];
}

double Stated::parse_number(const std::string& whole, bool set_unit) {
    std::string text = trimmed(whole);
    Unit unit = Unit::none;
    double scale = 1;
    if (take_end(text, "%"))
        unit = Unit::percent, scale = 0.01;
    else if (take_end(text, "pp"))
        unit = Unit::points, scale = 0.01;
    else if (take_end(text, "x"))
        unit = Unit::times;
    if (set_unit) {
        unit_ = unit;
        sign_ = text.starts_with("+") || text.starts_with("-");
    }
    if (text.starts_with("+")) text.erase(0, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw InputError(fmt::format("'{}' is not a number such as +10.1 %, 1.6x, 5.9 or -2 pp", whole));
    return value * scale;
}

double Stated::parse_band(const std::string& text) {
    try {
        return parse_number(text, false);
    } catch (const InputError& error) {
        throw BandError(error.what());
    }
}

void Stated::parse(const std::string& paper) {
    text_ = paper;
    std::string text = trimmed(paper);
    if (text == "true" || text == "yes") {
        kind_ = Kind::truth;
        text_ = "yes";
    } else if (take(text, "|x|")) {
        if (!take(text, "<"))
            throw InputError(fmt::format("'{}': |x| must be followed by < and a number", paper));
        kind_ = Kind::near;
    } else if (take(text, ">=")) {
        kind_ = Kind::more_equal;
    } else if (take(text, "<=")) {
        kind_ = Kind::less_equal;
    } else if (take(text, ">")) {
        kind_ = Kind::more;
    } else if (take(text, "<")) {
        kind_ = Kind::less;
    }
    if (kind_ != Kind::truth) value_ = parse_number(text, true);
}

Stated Stated::near(const std::string& paper) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    Stated s;
    s.parse(paper);
    s.near_ = true;
    const bool points = s.unit_ == Unit::percent || s.unit_ == Unit::points;
    const double v = s.value_;
    s.low_ = points ? v - kNearPoints : std::min(v / kNearFactor, v * kNearFactor);
    s.high_ = points ? v + kNearPoints : std::max(v / kNearFactor, v * kNearFactor);
    if (s.kind_ == Kind::near) {
        s.high_ = points ? s.high_ : v * kNearFactor;
        s.low_ = -s.high_;
    }
    if (s.kind_ == Kind::more || s.kind_ == Kind::more_equal) s.high_ = kNone;
    if (s.kind_ == Kind::less || s.kind_ == Kind::less_equal) s.low_ = -kNone;
    return s;
}

Stated::Stated(const std::string& paper, const std::vector<std::string>& band) {
    parse(paper);
    if (kind_ != Kind::number) {
        if (!band.empty()) throw BandError("a band applies to a number, not to a bound or an order");
        return;
    }
    const double effect = value_ - neutral();
    if (band.size() < 2 && effect == 0)
        throw InputError(
            fmt::format("a band cannot be a share of '{}': give band: [LOW, HIGH] or a bound", paper));
    if (band.size() == 2) {
        low_ = parse_band(band[0]);
        high_ = parse_band(band[1]);
        if (!(low_ <= high_)) throw BandError(fmt::format("the band {} to {} is empty", band[0], band[1]));
        return;
    }
    double part = kDefaultBand;
    if (band.size() > 2) throw BandError(fmt::format("a band is [LOW, HIGH], not {} numbers", band.size()));
    if (band.size() == 1) {
        if (trimmed(band[0]).ends_with("%") == false)
            throw BandError(fmt::format("the band '{}' is not a share such as 25 %", band[0]));
        part = parse_band(band[0]);
    }
    low_ = value_ - std::abs(effect) * part;
    high_ = value_ + std::abs(effect) * part;
}

std::string Stated::band_text() const {
    return kind_ == Kind::number ? fmt::format("{} to {}", show(low_), show(high_)) : std::string{};
}

Verdict Stated::judge(std::optional<double> measured) const {
    if (!measured || std::isnan(*measured)) return Verdict::unknown;
    const double ours = *measured;
    const bool within = ours >= low_ - kLastBit && ours <= high_ + kLastBit;
    if (near_ && kind_ != Kind::truth) return within ? Verdict::holds : Verdict::fails;
    const double effect = ours - neutral(), wanted = value_ - neutral();
    switch (kind_) {
        case Kind::truth:
            return ours != 0 ? Verdict::holds : Verdict::fails;
        case Kind::number:
            if (within) return Verdict::holds;
            if (is_change()) return by_effect(effect, wanted);
            return unit_ == Unit::percent && value_ < 1 ? by_share(ours, value_) : by_amount(ours, value_);
        case Kind::more:
            return ours > value_ ? Verdict::holds : by_effect(effect, std::max(wanted, 0.0));
        case Kind::more_equal:
            return ours >= value_ ? Verdict::holds : by_effect(effect, std::max(wanted, 0.0));
        case Kind::near:
            return std::abs(ours) < value_ ? Verdict::holds : Verdict::fails;
        case Kind::less:
            return ours < value_ ? Verdict::holds : by_effect(effect, std::min(wanted, 0.0));
        case Kind::less_equal:
            return ours <= value_ ? Verdict::holds : by_effect(effect, std::min(wanted, 0.0));
    }
    return Verdict::unknown;
}

std::string Stated::show(std::optional<double> measured, std::optional<double> margin) const {
    if (!measured || std::isnan(*measured)) return "-";
    if (kind_ == Kind::truth) return *measured != 0 ? "yes" : "no";
    const char* plus = sign_ && *measured >= 0 ? "+" : "";
    const auto off = [&margin](double scale) {
        return margin ? " ±" + margin_text(*margin * scale) : std::string{};
    };
    switch (unit_) {
        case Unit::percent:
            return fmt::format("{}{:.1f}{} %", plus, *measured * 100, off(100));
        case Unit::points:
            return fmt::format("{}{:.1f}{} pp", plus, *measured * 100, off(100));
        case Unit::times:
            return fmt::format("{}{:.2f}x{}", plus, *measured, off(1));
        case Unit::none:
            return plus + figure_text(*measured) + off(1);
    }
    return {};
}

}  // namespace heddle::study
