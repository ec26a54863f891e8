#pragma once
// The device that a program is shown: what the simulated machine says about itself, handed to the program's runtime as
// text in an environment variable.

#include <string>

#include "ptx/context.h"

namespace heddle::cuda {

struct DeviceDescription {
    std::string name = "Heddle GPU";
    u64 clock_hz = 1'980'000'000;
    u64 memory_clock_hz = 3'201'000'000;
    u64 memory_bus_bits = 6016;
    u64 memory_bytes = u64{80} << 30;
    u64 l2_bytes = u64{60} << 20;
    ptx::DeviceLimits limits;

    /// "name=...;clock_hz=...": every field.
    std::string text() const;
    /// Throws InputError for what text() does not write.
    static DeviceDescription from_text(const std::string& text);
};

/// The environment variable that holds the text.
inline constexpr const char* kDeviceVariable = "HEDDLE_DEVICE";
/// error, warn or off (ptx/memory_check.h).
inline constexpr const char* kMemoryCheckVariable = "HEDDLE_MEMCHECK";

}  // namespace heddle::cuda
