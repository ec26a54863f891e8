#pragma once
// What each of several applications on one GPU gets of it.

#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle {

/// What one of several applications gets of a GPU.
struct Share {
    u32 first_sm = 0;
    u32 sms = 0;    // 0: all from first_sm on
    u32 part = 0;   // which part of `parts` of L2 ways and of channels it has, where the machine divides
    u32 parts = 1;  // them. Its data lie where they would if all parts were in use.
};

/// SMs of each application as a user writes them: "10,20". Empty text: none given. Throws InputError.
std::vector<u32> parse_sms(std::string_view text);

/// Divides `sms` SMs among `apps` applications, the first application getting the first SMs: as `given` says or, if
/// that is empty, equally, with the first ones getting one more if it does not come out even. Throws InputError if that
/// is impossible.
std::vector<Share> divide_sms(u32 sms, u32 apps, const std::vector<u32>& given);

}  // namespace heddle
