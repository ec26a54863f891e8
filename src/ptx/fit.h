#pragma once
// Kernels that fit: how many registers a thread may have, and the kernel with so many.
//
// A compiler does not know the machine, nor how large a block is. A real device's assembler knows both well enough that
// blocks fit; here a kernel that needs more registers than its block leaves a thread is compiled again with values in memory
// (spill.h), once for each number of registers.

#include "ptx/context.h"

namespace heddle::ptx {

/// What a thread may have so that an SM holds `ctas` CTAs of `threads` threads; 255 at most. 0: it can't hold them.
u32 register_limit(const DeviceLimits& limits, u64 threads, u64 ctas = 1);

/// What the kernel's launch bounds leave a thread.
u32 register_limit(const DeviceLimits& limits, const KernelDecl& kernel);

/// The kernel itself if a thread of it needs no more than `most`, else the one that was compiled for that. It may still need
/// more: as few as the kernel can do with. Lives as long as the kernel's program.
const Kernel& fitted(const Kernel& kernel, u32 most);

}  // namespace heddle::ptx
