#pragma once
// What no device can be: settings that would run and give a wrong number.

#include <array>

#include "dram/geometry.h"
#include "dram/settings.h"

namespace heddle::dram {

/// Timings in clocks of the data sheet, each known. SettingError names the two that contradict each other.
void refuse_contradictions(const std::array<u32, kParams>& clocks);

/// Refreshes that fall due faster than they can be done, or leave no time for requests; SettingError.
void refuse_endless_refresh(const MemorySettings& settings, const Resolved& resolved);

/// Whatever a channel of these settings would refuse; SettingError.
void check(const MemorySettings& settings);

}  // namespace heddle::dram
