#pragma once
// What a paper states, and how near ours comes.
//
//   paper: +10.1 %      a number: with % in hundredths, with x as a multiple (its effect is what exceeds 1)
//   paper: "> 14 %"     a bound: >, >=, <, <=; "|x| < 1 %": near 0
//   paper: true         a sign or an order: the expression is a comparison
//   band: 25 %          of the number's effect to either side; or [8 %, 14 %]
//
// Verdict: holds: within the band (a bound, a comparison: true). Else, of the paper's p and our m:
//   change (a number with a sign, or with x): with e = p - n and d = m - n, n = 1 for x, else 0:
//     half: d has the sign of e, and |d| >= |e| / 2; sign: d has the sign of e; fails
//   amount (any other number), which has no sign to be right about:
//     half: p/2 <= m <= 2 p, and, of a share (with %, between 0 and 100 %), 1 - m >= (1 - p) / 2; fails
//   bound: a gain that it asks for (> 14 %, < -5 %) can be half reached, like a change; a limit (< 1 %, > -2 %) is kept
//     or not
// unknown: the measure has no value.
//
// Near, for what characterises workloads: a number with % or pp within 10 points, any other within a factor of 2; a bound
// with as much room; a comparison if it is true. Its verdict is holds or fails.

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
    /// Judged by the near rule. Throws InputError without a place.
    static Stated near(const std::string& paper);

    bool is_truth() const { return kind_ == Kind::truth; }
    bool is_bound() const { return kind_ != Kind::truth && kind_ != Kind::number; }
    const std::string& text() const { return text_; }
    /// The band as words; empty if there is none.
    std::string band_text() const;
    Verdict judge(std::optional<double> measured) const;
    /// A measured value in the paper's unit, and the margin of its interval if there is one.
    std::string show(std::optional<double> measured, std::optional<double> margin = {}) const;

  private:
    enum class Kind : u8 { number, more, more_equal, less, less_equal, near, truth };
    enum class Unit : u8 { none, percent, points, times };

    Stated() = default;
    void parse(const std::string& paper);
    double parse_number(const std::string& text, bool set_unit);
    double parse_band(const std::string& text);
    bool is_change() const { return sign_ || unit_ == Unit::times; }
    double neutral() const { return unit_ == Unit::times ? 1 : 0; }

    Kind kind_ = Kind::number;
    Unit unit_ = Unit::none;
    bool sign_ = false;  // shown with a sign
    bool near_ = false;  // holds from low_ to high_, whatever the kind
    std::string text_;
    double value_ = 0, low_ = 0, high_ = 0;
};

}  // namespace heddle::study
