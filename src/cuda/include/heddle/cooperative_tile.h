#pragma once
// Tiles of 2^n lanes of a warp, and what groups within a warp are made of (cooperative_groups.h).

#include "cooperative_block.h"

namespace cooperative_groups {

namespace heddle_details {

/// Shuffles of any type, by words of four bytes.
template <class T, class Shuffle>
static __device__ __forceinline__ T each_word(T value, Shuffle shuffle) {
    constexpr unsigned words = (sizeof(T) + 3) / 4;
    unsigned raw[words] = {};
    __builtin_memcpy(raw, &value, sizeof(T));
    for (unsigned& w : raw) w = shuffle(w);
    __builtin_memcpy(&value, raw, sizeof(T));
    return value;
}

static __device__ __forceinline__ unsigned lane() {
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
static __device__ __forceinline__ unsigned count(unsigned lanes) {
    return static_cast<unsigned>(__popc(static_cast<int>(lanes)));
}
static __device__ __forceinline__ unsigned first(unsigned lanes) {
    return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
}
/// How many of the lanes stand before this one.
static __device__ __forceinline__ unsigned rank_in(unsigned lanes) {
    return count(lanes & ((1u << lane()) - 1));
}

/// A tile of Size lanes that stand together.
template <unsigned Size>
class Tile {
    static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    static __device__ unsigned mask() {
        return Size == 32 ? ~0u : ((1u << (Size % 32)) - 1) << (lane() & ~(Size - 1));
    }
    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    static __device__ unsigned thread_rank() { return lane() & (Size - 1); }
    static __device__ void sync() { __syncwarp(mask()); }
    static __device__ int any(int predicate) { return __any_sync(mask(), predicate); }
    static __device__ int all(int predicate) { return __all_sync(mask(), predicate); }
    static __device__ unsigned ballot(int predicate) { return in_tile(__ballot_sync(mask(), predicate)); }
    template <class T>
    static __device__ unsigned match_any(T v) {
        return in_tile(__match_any_sync(mask(), v));
    }
    template <class T>
    static __device__ unsigned match_all(T v, int& all) {
        return in_tile(__match_all_sync(mask(), v, &all));
    }
    template <class T>
    static __device__ T shfl(T v, int source) {
        return each_word(v, [&](unsigned w) { return __shfl_sync(mask(), w, source, Size); });
    }
    template <class T>
    static __device__ T shfl_down(T v, unsigned delta) {
        return each_word(v, [&](unsigned w) { return __shfl_down_sync(mask(), w, delta, Size); });
    }
    template <class T>
    static __device__ T shfl_up(T v, unsigned delta) {
        return each_word(v, [&](unsigned w) { return __shfl_up_sync(mask(), w, delta, Size); });
    }
    template <class T>
    static __device__ T shfl_xor(T v, unsigned with) {
        return each_word(v, [&](unsigned w) { return __shfl_xor_sync(mask(), w, with, Size); });
    }

  private:
    static __device__ unsigned in_tile(unsigned lanes) { return (lanes & mask()) >> (lane() & ~(Size - 1)); }
};

}  // namespace heddle_details
}  // namespace cooperative_groups
