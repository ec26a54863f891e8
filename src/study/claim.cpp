#include "study/claim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "sim/error.h"
#include "study/comparison.h"

namespace heddle::study {
namespace {

constexpr std::string_view kVerdicts[] = {"holds", "half", "sign", "fails", "unknown"};
constexpr double kDefaultBand = 0.25;

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

Stated::Stated(const std::string& paper, const std::vector<std::string>& band) : text_(paper) {
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
    const double effect = ours - neutral(), wanted = value_ - neutral();
    switch (kind_) {
        case Kind::truth:
            return ours != 0 ? Verdict::holds : Verdict::fails;
        case Kind::number:
            // The band's own ends count, whatever the last bit says.
            if (ours >= low_ - 1e-12 && ours <= high_ + 1e-12) return Verdict::holds;
            return by_effect(effect, wanted);
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
