#include "study/bandwidth_model.h"

#include <algorithm>

namespace heddle::study {
namespace {

/// Divides `rest` equally among those with `in`, none of which gets more than it takes alone.
void fill(std::vector<double>& out, std::span<const ModelApp> apps, std::vector<bool> in, double rest) {
    for (;;) {
        const auto left = static_cast<double>(std::count(in.begin(), in.end(), true));
        if (left == 0) return;
        const double part = rest / left;
        bool satisfied = false;
        for (std::size_t k = 0; k < apps.size(); ++k) {
            if (!in[k] || apps[k].bandwidth > part) continue;
            out[k] = apps[k].bandwidth;
            rest -= out[k];
            in[k] = false;
            satisfied = true;
        }
        if (satisfied) continue;
        for (std::size_t k = 0; k < apps.size(); ++k)
            if (in[k]) out[k] = part;
        return;
    }
}

template <class Figure>
std::size_t lowest(std::span<const ModelApp> apps, Figure figure) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < apps.size(); ++k)
        if (figure(apps[k]) < figure(apps[best])) best = k;
    return best;
}

}  // namespace

double model_ipc(double bandwidth, double mpki, double line_bytes) {
    return 1000 * bandwidth / (mpki * line_bytes);
}

std::vector<double> divide_first(std::span<const ModelApp> apps, double capacity, std::size_t first) {
    std::vector<double> out(apps.size());
    std::vector<bool> others(apps.size(), true);
    out[first] = std::min(apps[first].bandwidth, capacity);
    others[first] = false;
    fill(out, apps, others, capacity - out[first]);
    return out;
}

std::vector<double> divide_equally(std::span<const ModelApp> apps, double capacity) {
    std::vector<double> out(apps.size());
    fill(out, apps, std::vector<bool>(apps.size(), true), capacity);
    return out;
}

std::size_t favour_throughput(std::span<const ModelApp> apps) {
    return lowest(apps, [](const ModelApp& a) { return a.mpki; });
}

std::size_t favour_speedup(std::span<const ModelApp> apps) {
    return lowest(apps, [](const ModelApp& a) { return a.bandwidth; });
}

}  // namespace heddle::study
