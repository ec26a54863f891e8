#pragma once
// Groups of a block and above (cooperative_groups.h).

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

    // The wait is the barrier: every thread that arrives also waits.
    struct arrival_token {};
    static __device__ arrival_token barrier_arrive() { return {}; }
    static __device__ void barrier_wait(arrival_token&&) { sync(); }
};

/// The grid. sync() needs cudaLaunchCooperativeKernel: blocks count themselves in memory that the launch provides, and wait
/// until the counter's highest bit turns.
class grid_group {
  public:
    __device__ bool is_valid() const { return counter() != nullptr; }
    __device__ void sync() const { barrier_wait(barrier_arrive()); }

    /// What the block's first thread found in the counter.
    using arrival_token = unsigned;
    __device__ arrival_token barrier_arrive() const {
        unsigned before = 0;
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            const unsigned mine = block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1;
            __threadfence();
            before = atomicAdd(counter(), mine);
        }
        return before;
    }
    __device__ void barrier_wait(arrival_token&& before) const {
        if (thread_block::thread_rank() == 0) {
            unsigned* const c = counter();
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

/// Grids on several devices: Heddle has one device, so this is its grid.
class multi_grid_group : public grid_group {
  public:
    static __device__ unsigned grid_rank() { return 0; }
    static __device__ unsigned num_grids() { return 1; }
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// A cluster of one block, which is what every launch gives.
class cluster_group {
  public:
    static __device__ void sync() { __syncthreads(); }
    using arrival_token = thread_block::arrival_token;
    static __device__ arrival_token barrier_arrive() { return {}; }
    static __device__ void barrier_wait() { sync(); }
    static __device__ void barrier_wait(arrival_token&&) { sync(); }
    static __device__ unsigned thread_rank() { return thread_block::thread_rank(); }
    static __device__ unsigned num_threads() { return thread_block::size(); }
    static __device__ unsigned size() { return thread_block::size(); }
    static __device__ unsigned block_rank() { return 0; }
    static __device__ unsigned num_blocks() { return 1; }
    static __device__ dim3 block_index() { return dim3(0, 0, 0); }
    static __device__ dim3 dim_blocks() { return dim3(1, 1, 1); }
    static __device__ dim3 thread_index() { return thread_block::thread_index(); }
    static __device__ dim3 dim_threads() { return thread_block::dim_threads(); }
    template <class T>
    static __device__ T* map_shared_rank(T* p, int) {
        return p;
    }
    static __device__ unsigned query_shared_rank(const void*) { return 0; }
};
static __device__ __forceinline__ cluster_group this_cluster() {
    return {};
}
#endif

static __device__ __forceinline__ thread_block this_thread_block() {
    return {};
}
static __device__ __forceinline__ grid_group this_grid() {
    return {};
}
static __device__ __forceinline__ multi_grid_group this_multi_grid() {
    return {};
}

template <class Group>
static __device__ __forceinline__ void sync(const Group& group) {
    group.sync();
}
template <class Group>
static __device__ __forceinline__ unsigned long long thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
static __device__ __forceinline__ unsigned long long group_size(const Group& group) {
    return group.size();
}

}  // namespace cooperative_groups
