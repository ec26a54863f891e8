#pragma once
// Tiles of several warps (cooperative_groups.h): 64 to 1024 threads of a block that stand together. Their warps meet, and
// hand values to each other, in shared memory.

#include "cooperative_tile.h"

namespace cooperative_groups {

/// What a program keeps in shared memory for its tiles of several warps. Heddle's tiles have memory of their own.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
    char unused;
};

template <unsigned MaxBlockSize>
static __device__ __forceinline__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return {};
}

namespace heddle_details {

constexpr unsigned kWarpsOfBlock = 32, kWideSizes = 5;  // 64, 128, 256, 512, 1024

/// A word for each size of tile and each place of such a tile, by its first warp: how many of its warps have arrived, and
/// in the highest bit whether the barrier has been passed an odd number of times.
static __device__ unsigned* arrivals() {
    __shared__ unsigned words[kWideSizes * kWarpsOfBlock / 2];
    return words;
}

/// All threads of the block call this before tiles of several warps meet. A warp may still be on its way out of an earlier
/// tile's barrier.
static __device__ void start_wide_tiles() {
    __syncthreads();
    for (unsigned k = thread_block::thread_rank(); k < kWideSizes * kWarpsOfBlock / 2;
         k += thread_block::size())
        arrivals()[k] = 0;
    __syncthreads();
}

/// A value of each warp of the block.
template <class T>
static __device__ T* value_of_warps() {
    __shared__ __align__(alignof(T)) unsigned char values[kWarpsOfBlock * sizeof(T)];
    return reinterpret_cast<T*>(values);
}

template <unsigned Size>
class WideTile {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... 512 or 1024 threads");

  public:
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    static __device__ unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    static __device__ void sync() {
        __syncwarp();
        if (lane() == 0) {
            unsigned* const word = arrivals() + first_word() + first_warp() / 2;
            const unsigned mine = warp() == first_warp() ? 0x80000000u - (Size / 32 - 1) : 1;
            __threadfence_block();
            const unsigned before = atomicAdd(word, mine);
            while (((before ^ *static_cast<volatile unsigned*>(word)) & 0x80000000u) == 0) {
            }
            __threadfence_block();
        }
        __syncwarp();
    }
    static __device__ int any(int predicate) {
        return each_warp(__any_sync(~0u, predicate),
                         [](int a, int b) { return static_cast<int>(a != 0 || b != 0); });
    }
    static __device__ int all(int predicate) {
        return each_warp(__all_sync(~0u, predicate),
                         [](int a, int b) { return static_cast<int>(a != 0 && b != 0); });
    }
    template <class T>
    static __device__ T shfl(T v, int rank) {
        if (thread_rank() == static_cast<unsigned>(rank) % Size) value_of_warps<T>()[first_warp()] = v;
        sync();
        v = value_of_warps<T>()[first_warp()];
        sync();
        return v;
    }

    /// The operator over a value of each warp, in their order.
    template <class T, class Op>
    static __device__ T each_warp(T v, Op op) {
        publish(v, 0);
        T out = value_of_warps<T>()[first_warp()];
        for (unsigned k = 1; k < Size / 32; ++k) out = op(out, value_of_warps<T>()[first_warp() + k]);
        sync();
        return out;
    }
    template <class T, class Op>
    static __device__ T reduce(T v, Op op) {
        for (unsigned d = 16; d != 0; d /= 2) v = op(v, Tile<32>::shfl_xor(v, d));
        return each_warp(v, op);
    }
    template <class T, class Op>
    static __device__ T inclusive_scan(T v, Op op) {
        for (unsigned d = 1; d < 32; d *= 2) {
            const T before = Tile<32>::shfl_up(v, d);
            if (lane() >= d) v = op(before, v);
        }
        publish(v, 31);
        if (warp() != first_warp()) {
            T before = value_of_warps<T>()[first_warp()];
            for (unsigned k = first_warp() + 1; k < warp(); ++k) before = op(before, value_of_warps<T>()[k]);
            v = op(before, v);
        }
        sync();
        return v;
    }
    /// `first` for the first thread.
    template <class T>
    static __device__ T from_before(T v, T first) {
        publish(v, 31);
        T before = Tile<32>::shfl_up(v, 1);
        if (lane() == 0) before = thread_rank() == 0 ? first : value_of_warps<T>()[warp() - 1];
        sync();
        return before;
    }

  private:
    static __device__ unsigned warp() { return thread_block::thread_rank() / 32; }
    static __device__ unsigned first_warp() { return warp() & ~(Size / 32 - 1); }
    static __device__ constexpr unsigned first_word() {
        return (Size == 64    ? 0
                : Size == 128 ? 1
                : Size == 256 ? 2
                : Size == 512 ? 3
                              : 4) *
               (kWarpsOfBlock / 2);
    }
    template <class T>
    static __device__ void publish(T v, unsigned from) {
        if (lane() == from) value_of_warps<T>()[warp()] = v;
        sync();
    }
};

template <unsigned Size, bool Wide>
struct TileOfSize {
    using Type = Tile<Size>;
};
template <unsigned Size>
struct TileOfSize<Size, true> {
    using Type = WideTile<Size>;
};

}  // namespace heddle_details
}  // namespace cooperative_groups
