#pragma once
// What a program has said about managed memory (advice, prefetches). It moves nothing; the program can ask for it again.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// cudaMemAdvise and cudaMemPrefetchAsync in CUDA 11's form, where a device is a number or cudaCpuDeviceId.
cudaMemLocation location_of(int device);
/// The memory is gone, and what was said of it.
void forget_advice(u64 begin, u64 end);

}  // namespace heddle::cuda
