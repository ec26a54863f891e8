#pragma once
// Repeated measurements: mean, deviation, and how far the mean may be off (Student, Biometrika 1908).

#include <span>

#include "sim/types.h"

namespace heddle::study {

/// Of every confidence interval that a comparison shows.
constexpr double kConfidence = 0.95;

/// P(T <= t) of Student's t distribution with `freedom` degrees of freedom, at least 1 (Abramowitz and Stegun, Handbook
/// of Mathematical Functions, 26.7.3 and 26.7.4).
double student_cdf(double t, u64 freedom);

/// The t that a two-sided interval of that confidence needs: P(|T| <= t) = confidence, which is above 0 and below 1.
double student_quantile(double confidence, u64 freedom);

/// What a sample says of the mean that it was drawn from, if that is normally distributed.
struct Estimate {
    double mean = 0;
    double deviation = 0;  ///< of the sample: the root of its squared differences' sum by n - 1
    double margin = 0;     ///< the interval is mean - margin to mean + margin
};
/// Of at least two values.
Estimate estimate(std::span<const double> sample, double confidence = kConfidence);

}  // namespace heddle::study
