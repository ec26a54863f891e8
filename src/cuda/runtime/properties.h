#pragma once
// What the device says about itself, in CUDA 12's layout.

#include "cuda/device.h"
#include "cuda/include/driver_types.h"

namespace heddle::cuda {

/// Compute capability times 10: one that every PTX may be loaded on.
inline constexpr int kCapability = 90;

void fill_properties(const DeviceDescription& device, cudaDeviceProp& properties);
/// What an attribute is in terms of the properties; -1: unknown.
int attribute(const cudaDeviceProp& properties, cudaDeviceAttr which);

}  // namespace heddle::cuda
