#include "study/seeds.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle::study {

std::vector<u64> parse_seeds(std::string_view text) {
    const auto fail = [text](const std::string& what) {
        throw InputError(fmt::format("{}: {}", text, what));
    };
    std::vector<u64> seeds;
    const char *at = text.data(), *const end = text.data() + text.size();
    const auto number = [&] {
        u64 value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error == std::errc::result_out_of_range) fail("a seed must be below 2^64");
        if (error != std::errc()) fail("expected seeds such as 1-10 or 1,5,8-9");
        at = next;
        return value;
    };
    for (;;) {
        while (at != end && *at == ' ') ++at;
        const u64 first = number();
        u64 last = first;
        if (at != end && *at == '-') {
            ++at;
            last = number();
        }
        if (last < first) fail("the range ends before it begins");
        if (last - first >= kMostSeeds - seeds.size()) fail(fmt::format("more than {} seeds", kMostSeeds));
        for (u64 k = 0; k <= last - first; ++k) {
            if (std::find(seeds.begin(), seeds.end(), first + k) != seeds.end())
                fail(fmt::format("seed {} appears twice", first + k));
            seeds.push_back(first + k);
        }
        if (at == end) break;
        if (*at++ != ',') fail("expected seeds such as 1-10 or 1,5,8-9");
    }
    if (seeds.size() < 2) fail("an interval needs at least two seeds; --seed sets a single one");
    return seeds;
}

}  // namespace heddle::study
