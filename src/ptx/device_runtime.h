#pragma once
// What nvcc links to programs whose kernels start kernels (libcudadevrt), in PTX of our own over the calls of
// device_launch.h. nvcc writes a launch as two calls, one for a buffer that takes the parameters, one that launches.

#include <memory>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace heddle::ptx {

/// Whether it has a function of this name.
bool in_device_runtime(std::string_view name);

/// The functions that the modules call and none of them defines, as far as the device runtime has them: by the names of CUDA 12
/// and 13 (__cudaCDP2...), by those of CUDA 11 (cuda...), and with _ptsz, which a default stream per thread adds. Null: there is
/// none.
std::shared_ptr<const Module> device_runtime(const std::vector<std::shared_ptr<const Module>>& modules);

}  // namespace heddle::ptx
