#pragma once
// Copies in batches, whose form differs between CUDA 12.8 and 13.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// Where each list of hints or places begins in a batch of `count`: in order, from 0. Throws.
void check_lists(const size_t* first, size_t list_count, size_t count);
/// `failed`: the number of the copy that is wrong; ~0: the call is.
cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* first, size_t attribute_count,
                       cudaStream_t stream, size_t& failed);
cudaError_t copy_3d_batch(size_t count, const cudaMemcpy3DBatchOp* list, unsigned long long flags,
                          cudaStream_t stream, size_t& failed);

}  // namespace heddle::cuda
