#pragma once
// What a paper states, and how near ours comes.
//
//   paper: +10.1 %      a number: with % in hundredths, with x as a multiple (its effect is what exceeds 1)
//   paper: "> 14 %"     a bound: >, >=, <, <=; "|x| < 1 %": near 0
//   paper: true         a sign or an order: the expression is a comparison
//   band: 25 %          of the number's effect to either side; or [8 %, 14 %]
//
// Verdict: holds: within the band (a bound, a comparison: true). half: right sign and at least half the size. sign:
// right sign. fails. unknown: the measure has no value. A gain that a bound asks for (> 14 %, < -5 %) can be half reached; a
// limit (< 1 %, > -2 %) is kept or not.

#include <optional>
#include <string>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace heddle::study {

enum class Verdict : u8 { holds, half, sign, fails, unknown };
std::string_view verdict_name(Verdict verdict);
/// The worse of two; unknown is the worst.
inline Verdict worse(Verdict a, Verdict b) {
    return a > b ? a : b;
}

/// What is wrong is the band, not the paper's number.
class BandError : public InputError {
  public:
    using InputError::InputError;
};

/// A paper's number, bound or order with its band, read from text.
class Stated {
  public:
    /// `band`: one text or two, empty for none. Throws InputError, or BandError, without a place.
    Stated(const std::string& paper, const std::vector<std::string>& band);

    bool is_truth() const { return kind_ == Kind::truth; }
    const std::string& text() const { return text_; }
    /// The band as words; empty if there is none.
    std::string band_text() const;
    Verdict judge(std::optional<double> measured) const;
    /// A measured value in the paper's unit, and the margin of its interval if there is one.
    std::string show(std::optional<double> measured, std::optional<double> margin = {}) const;

  private:
    enum class Kind : u8 { number, more, more_equal, less, less_equal, near, truth };
    enum class Unit : u8 { none, percent, points, times };

    double parse_number(const std::string& text, bool set_unit);
    double parse_band(const std::string& text);
    double neutral() const { return unit_ == Unit::times ? 1 : 0; }

    Kind kind_ = Kind::number;
    Unit unit_ = Unit::none;
    bool sign_ = false;  // shown with a sign
    std::string text_;
    double value_ = 0, low_ = 0, high_ = 0;
};

}  // namespace heddle::study
