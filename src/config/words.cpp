// Nearest words, for error messages.

#include <algorithm>

#include "config/manual.h"

namespace heddle::config {

unsigned edit_distance(std::string_view a, std::string_view b) {
    // Three rows of the usual table; the third is for swapped neighbors.
    std::vector<unsigned> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<unsigned>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<unsigned>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const unsigned replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

bool is_near(std::string_view wrong, unsigned distance) {
    return !wrong.empty() && distance < wrong.size() &&
           distance <= std::max<std::size_t>(1, wrong.size() / 3);
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& candidates) {
    std::string_view best;
    unsigned best_distance = ~0U;
    for (const auto candidate : candidates)
        if (const unsigned d = edit_distance(wrong, candidate); d < best_distance)
            best = candidate, best_distance = d;
    return is_near(wrong, best_distance) ? ", did you mean '" + std::string(best) + "'?" : std::string();
}

std::string suggestion(std::string_view wrong, const std::vector<std::string_view>& candidates) {
    if (candidates.empty()) return {};
    if (std::string near = did_you_mean(wrong, candidates); !near.empty()) return near;
    std::string text = "; possible: ";
    constexpr std::size_t kShown = 12;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i == kShown) return text + ", ... (" + std::to_string(candidates.size()) + " in all)";
        text.append(i ? ", " : "").append(candidates[i]);
    }
    return text;
}

}  // namespace heddle::config
