#include "cli/number.h"

#include <charconv>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle::cli {

u64 parse_count(std::string_view option, std::string_view text) {
    u64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
    u64 factor = 0;
    if (suffix.empty()) factor = 1;
    if (suffix == "k" || suffix == "K") factor = 1'000;
    if (suffix == "M") factor = 1'000'000;
    if (suffix == "G") factor = 1'000'000'000;
    if (suffix == "T") factor = 1'000'000'000'000;
    u64 product = 0;
    const bool too_large = error == std::errc::result_out_of_range ||
                           (error == std::errc() && __builtin_mul_overflow(value, factor, &product));
    if (too_large) throw InputError(fmt::format("{} {}: too large; the limit is {}", option, text, ~u64{0}));
    if (error != std::errc() || factor == 0)
        throw InputError(
            fmt::format("{} {}: expected a whole number such as 2000, 500M or 1G", option, text));
    return product;
}

u64 parse_positive(std::string_view option, std::string_view text, std::string_view what) {
    const u64 n = parse_count(option, text);
    if (n == 0) throw InputError(fmt::format("{}: 0 {}; give at least 1", option, what));
    return n;
}

}  // namespace heddle::cli
