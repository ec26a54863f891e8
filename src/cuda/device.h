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

/// The environment variables between `heddle run` and the runtime in the program's process.
inline constexpr const char* kDeviceVariable = "HEDDLE_DEVICE";
/// A folder. The runtime leaves in it: `stream` (a recording, there only if complete), `report` (why not, one line), and
/// `loaded` (the runtime was there at all).
inline constexpr const char* kFolderVariable = "HEDDLE_FOLDER";
inline constexpr const char* kStreamFile = "stream";
inline constexpr const char* kReportFile = "report";
inline constexpr const char* kLoadedFile = "loaded";

}  // namespace heddle::cuda
