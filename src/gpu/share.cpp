#include "gpu/share.h"

#include <charconv>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {
namespace {

std::string text_of(const std::vector<u32>& sms) {
    std::string out;
    for (const u32 n : sms) out += fmt::format("{}{}", out.empty() ? "" : ",", n);
    return out;
}

}  // namespace

std::vector<u32> parse_sms(std::string_view text) {
    std::vector<u32> sms;
    if (text.empty()) return sms;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
        u32 n = 0;
        const auto [after, error] = std::from_chars(at, end, n);
        if (error != std::errc() || n == 0 || (after != end && *after != ','))
            throw InputError(fmt::format(
                "--sms {}: expected whole numbers of at least 1, separated by commas, such as 10,20", text));
        sms.push_back(n);
        if (after == end) return sms;
        at = after + 1;
    }
}

std::vector<Share> divide_sms(u32 sms, u32 apps, const std::vector<u32>& given) {
    if (!given.empty() && given.size() != apps)
        throw InputError(fmt::format("--sms {}: {} number{} for {} application{}", text_of(given),
                                     given.size(), given.size() == 1 ? "" : "s", apps, apps == 1 ? "" : "s"));
    if (given.empty() && apps > sms)
        throw InputError(fmt::format("{} applications cannot share {} SMs", apps, sms));
    std::vector<Share> shares;
    u64 first = 0;
    for (u32 k = 0; k < apps; ++k) {
        const u32 n = given.empty() ? sms / apps + (k < sms % apps ? 1 : 0) : given[k];
        shares.push_back({static_cast<u32>(first), n, k, apps});
        first += n;
        if (first > sms)
            throw InputError(
                fmt::format("--sms {}: the sum exceeds the machine's {} SMs", text_of(given), sms));
    }
    return shares;
}

}  // namespace heddle
