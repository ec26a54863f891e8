#pragma once
// Organisations and speed bins that can be named in a machine file.

#include <span>
#include <string_view>
#include <utility>

#include "dram/settings.h"

namespace heddle::dram {

/// A device (DDR, LPDDR, GDDR) or one channel of a stack (HBM). Density is checked against the product.
struct Part {
    std::string_view name, standard;
    u32 density_mbit;     // of a device, or of a stack's channel
    u32 device_bits;      // data pins of one device and channel; of a pseudo-channel for HBM
    u32 device_channels;  // channels that share a device (GDDR6: 2)
    u32 pseudo_channels;  // of a channel
    u32 ranks;            // stack levels of HBM3; 1 otherwise
    u32 bank_groups, banks_per_group;
    u32 rows;
    u32 columns;       // of device_bits each, in a row
    u32 channel_bits;  // usual data bus of one (pseudo-)channel: devices in lockstep
    u32 burst_length;
    std::string_view source;
};

struct SpeedBin {
    std::string_view name, standard;
    u64 clock_hz;   // command clock
    u32 rate_mbps;  // of one data pin
    std::span<const std::pair<Param, u32>> clocks;
    std::string_view source;
};

/// Refresh time by density, in picoseconds.
struct RefreshTime {
    std::string_view standard;
    Param param;
    u32 density_mbit;
    u64 ps;
};

std::span<const Part> parts();
std::span<const SpeedBin> speed_bins();
std::span<const RefreshTime> refresh_times();

}  // namespace heddle::dram
