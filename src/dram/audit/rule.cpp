#include "dram/audit/rule.h"

#include <algorithm>

namespace heddle::dram::audit {

namespace {

constexpr std::array<std::string_view, kKinds> kKindNames = {"ACT", "PREpb", "PREab", "RD",    "RDA",
                                                             "WR",  "WRA",   "REFab", "REFsb", "REFpb"};
static_assert(static_cast<int>(CommandKind::activate) == 0 &&
              static_cast<int>(CommandKind::precharge_all) == 2 && static_cast<int>(CommandKind::read) == 3 &&
              static_cast<int>(CommandKind::write_auto) == 6 &&
              static_cast<int>(CommandKind::refresh_same) == 8 &&
              static_cast<int>(CommandKind::refresh_bank) == 9);

}  // namespace

const StandardRules* find_standard(std::string_view name) {
    // HBM2E raises rates and densities of HBM2; its commands and constraints are the same.
    if (name == "HBM2E") name = "HBM2";
    for (const StandardRules* s : {&kDdr3, &kDdr4, &kDdr5, &kGddr5, &kGddr6, &kHbm2, &kHbm3, &kLpddr5})
        if (s->name == name) return s;
    return nullptr;
}

std::string_view standard_names() {
    return "DDR3, DDR4, DDR5, GDDR5, GDDR6, HBM2, HBM2E, HBM3, LPDDR5";
}

std::string_view name_of(CommandKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    return index < kKinds ? kKindNames[index] : "no command";
}

CommandKind find_kind(std::string_view name) {
    return static_cast<CommandKind>(std::ranges::find(kKindNames, name) - kKindNames.begin());
}

std::span<const std::string_view> StandardRules::refresh_timings(CommandKind kind) const {
    if (kind == CommandKind::refresh_all) return refresh_all;
    if (kind == CommandKind::refresh_same) return refresh_same;
    if (kind == CommandKind::refresh_bank) return refresh_bank;
    return {};
}

std::span<const std::string_view> StandardRules::refresh_timings(RefreshMode mode) const {
    if (mode == RefreshMode::all_bank) return refresh_all;
    if (mode == RefreshMode::same_bank) return refresh_same;
    if (mode == RefreshMode::per_bank) return refresh_bank;
    return {};
}

std::string_view name_of(Level level) {
    constexpr std::array<std::string_view, 5> names = {"channel", "pseudo-channel", "rank", "bank group",
                                                       "bank"};
    return names[static_cast<std::size_t>(level)];
}

}  // namespace heddle::dram::audit
