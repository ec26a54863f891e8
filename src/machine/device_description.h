#pragma once
// What the machine tells a program about itself.

#include <string>

#include "cuda/device.h"
#include "machine/settings.h"

namespace heddle {

/// Its limits are those by which the timing simulation dispatches CTAs. Throws InputError unless the machine has one GPU.
cuda::DeviceDescription describe_device(const MachineSettings& machine, const std::string& name);

}  // namespace heddle
