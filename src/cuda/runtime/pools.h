#pragma once
// Stream-ordered memory: the pools that it comes from, and what each has in use.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// The pool that cudaMallocAsync takes from.
cudaMemPool_t current_pool();
/// A pool gives `bytes` at `address`. Throws CudaError if there is no such pool, or it has not that much.
void check_pool(cudaMemPool_t pool, u64 bytes);
void taken_from_pool(cudaMemPool_t pool, u64 address, u64 bytes);
/// Memory at this address was freed; most is of no pool.
void back_to_pool(u64 address);

/// The pool that the memory is from; null: none.
cudaMemPool_t pool_with(u64 address);

}  // namespace heddle::cuda
