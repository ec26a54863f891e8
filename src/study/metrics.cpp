#include "study/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::study {

double throughput(std::span<const double> together) {
    double sum = 0;
    for (const double ipc : together) sum += ipc;
    return sum;
}

double weighted_speedup(std::span<const double> together, std::span<const double> alone) {
    double sum = 0;
    for (std::size_t k = 0; k < together.size(); ++k) sum += together[k] / alone[k];
    return sum;
}

double antt(std::span<const double> together, std::span<const double> alone) {
    double sum = 0;
    for (std::size_t k = 0; k < together.size(); ++k) sum += alone[k] / together[k];
    return sum;
}

double harmonic_speedup(std::span<const double> together, std::span<const double> alone) {
    return 1 / antt(together, alone);
}

double unfairness(std::span<const double> together, std::span<const double> alone) {
    double most = 0;
    for (std::size_t k = 0; k < together.size(); ++k) most = std::max(most, alone[k] / together[k]);
    return most;
}

double geometric_mean(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) {
        if (!(v > 0)) return std::numeric_limits<double>::quiet_NaN();
        sum += std::log(v);
    }
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : std::exp(sum / static_cast<double>(values.size()));
}

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

}  // namespace heddle::study
