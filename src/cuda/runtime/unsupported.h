#pragma once
// Apart from the runtime's header: what defines functions without their parameters must not see them declared with these.

#include "cuda/include/driver_types.h"

namespace heddle::cuda {

/// The function is there so that programs load; it says that it does nothing and what it needs, and fails.
cudaError_t unsupported(const char* name, const char* needs);
/// The same for a function of the driver API; the result is a CUresult, whose header declares those functions.
int unsupported_in_driver(const char* name, const char* needs);

}  // namespace heddle::cuda
