#include "study/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "study/metrics.h"

namespace heddle::study {

namespace {

/// P(|T| <= t) for t >= 0.
double within(double t, u64 freedom) {
    const double theta = std::atan(t / std::sqrt(static_cast<double>(freedom)));
    const double cosine = std::cos(theta), square = cosine * cosine;
    const bool odd = freedom % 2 == 1;
    // 1 + 1/2 c^2 + 1*3/(2*4) c^4 + ... if even, c + 2/3 c^3 + 2*4/(3*5) c^5 + ... if odd, up to c^(freedom-2).
    double term = odd ? cosine : 1, sum = 0;
    for (u64 power = odd ? 1 : 0; power + 2 <= freedom; power += 2) {
        sum += term;
        term *= square * static_cast<double>(power + 1) / static_cast<double>(power + 2);
    }
    const double series = std::sin(theta) * sum;
    return odd ? (theta + series) * 2 / std::numbers::pi : series;
}

}  // namespace

double student_cdf(double t, u64 freedom) {
    const double half = within(std::abs(t), freedom) / 2;
    return t < 0 ? 0.5 - half : 0.5 + half;
}

double student_quantile(double confidence, u64 freedom) {
    double low = 0, high = 1;
    while (within(high, freedom) < confidence) high *= 2;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) return high;
        (within(middle, freedom) < confidence ? low : high) = middle;
    }
}

Estimate estimate(std::span<const double> sample, double confidence) {
    // Of equal values the mean is that value and nothing else, whatever a sum rounds to.
    const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
    if (*least == *most) return {*least, 0, 0};
    const double n = static_cast<double>(sample.size()), middle = mean(sample);
    double squares = 0;
    for (const double v : sample) squares += (v - middle) * (v - middle);
    const double deviation = std::sqrt(squares / (n - 1));
    return {middle, deviation, student_quantile(confidence, sample.size() - 1) * deviation / std::sqrt(n)};
}

}  // namespace heddle::study
