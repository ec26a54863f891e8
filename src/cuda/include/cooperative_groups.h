#pragma once
// Cooperative groups of the CUDA programming guide: blocks, the grid of a cooperative launch, tiles of a warp, coalesced
// threads, reductions. Not here: clusters, several devices, partitions of blocks above a warp.

#include "cuda_runtime.h"

#if defined(__CUDA__)
#include "heddle/cooperative_tile.h"

namespace cooperative_groups {

class thread_block {
  public:
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned num_threads() { return size(); }
    static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static __device__ dim3 dim_threads() { return group_dim(); }
};

/// The grid. sync() needs cudaLaunchCooperativeKernel: blocks count themselves in memory that the launch provides, and wait
/// until the counter's highest bit turns.
class grid_group {
  public:
    __device__ bool is_valid() const { return counter() != nullptr; }
    __device__ void sync() const {
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            const unsigned mine = block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1;
            unsigned* const c = counter();
            __threadfence();
            const unsigned before = atomicAdd(c, mine);
            while (((before ^ *static_cast<volatile unsigned*>(c)) & 0x80000000u) == 0) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    static __device__ unsigned long long size() {
        return static_cast<unsigned long long>(num_blocks()) * thread_block::size();
    }
    static __device__ unsigned long long num_threads() { return size(); }
    static __device__ unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static __device__ unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static __device__ unsigned long long block_rank() {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static __device__ dim3 dim_blocks() { return group_dim(); }
    static __device__ dim3 block_index() { return thread_block::group_index(); }

  private:
    static __device__ unsigned* counter() {
        unsigned high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        const unsigned long long at = static_cast<unsigned long long>(high) << 32 | low;
        return at == 0 ? nullptr : reinterpret_cast<unsigned*>(at) + 1;
    }
};

static __device__ __forceinline__ thread_block this_thread_block() {
    return {};
}
static __device__ __forceinline__ grid_group this_grid() {
    return {};
}
template <unsigned Size, class Parent>
static __device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
    return {};
}
template <class Group>
static __device__ __forceinline__ void sync(const Group& group) {
    group.sync();
}
static __device__ __forceinline__ void sync(const thread_block&) {
    __syncthreads();
}

/// Any group by its size, rank and barrier: what functions take that work for all.
class thread_group {
  public:
    __device__ thread_group(const thread_block&)
        : block_(true), mask_(0), size_(thread_block::size()), rank_(thread_block::thread_rank()) {}
    template <unsigned Size, class Parent>
    __device__ thread_group(const thread_block_tile<Size, Parent>& t)
        : block_(false), mask_(t.mask()), size_(Size), rank_(t.thread_rank()) {}
    __device__ thread_group(const coalesced_group& g)
        : block_(false), mask_(g.mask()), size_(g.size()), rank_(g.thread_rank()) {}

    __device__ void sync() const {
        if (block_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
    __device__ unsigned size() const { return size_; }
    __device__ unsigned num_threads() const { return size_; }
    __device__ unsigned thread_rank() const { return rank_; }

  private:
    bool block_;
    unsigned mask_, size_, rank_;
};

}  // namespace cooperative_groups
#endif
