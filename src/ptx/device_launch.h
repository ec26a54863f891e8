#pragma once
// Kernels that a kernel starts.
//
// A kernel launches through calls that heddle/device_launch.h (src/cuda/include) makes; they name a record like this one in the
// thread's memory. What is launched runs when the kernel has ended, or when one of its blocks waits for what it has launched
// (cudaDeviceSynchronize on the device); both are orders that a device may take. A stream's order is kept, as all of a block's
// launches run in their order.

#include <memory>
#include <vector>

#include "ptx/kept_kernel.h"
#include "ptx/launch.h"

namespace heddle::ptx {

/// As the program's headers lay it out.
struct DeviceLaunchRecord {
    u64 kernel = 0;      // the function's address
    u64 parameters = 0;  // of its parameters' bytes, laid out as a launch has them
    u32 parameter_bytes = 0;
    u32 grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    u32 dynamic_shared = 0;
    u64 stream = 0;
};
static_assert(sizeof(DeviceLaunchRecord) == 56);

/// The handle of the stream whose launches run when the kernel and all that it has launched have ended.
inline constexpr u64 kTailStream = 3;

struct DeviceLaunch {
    Launch launch;
    u64 cta = 0;  // that launched it
    bool tail = false;
    bool has_run = false;
    std::unique_ptr<KeptKernel> stream;  // what it did, if it has run and that was recorded
    std::vector<DeviceLaunch> children;  // what it launched, if it has run
};

}  // namespace heddle::ptx
