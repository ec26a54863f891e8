#pragma once
// Groups within a warp: tiles of 2^n lanes and the lanes that are active together (cooperative_groups.h).

namespace cooperative_groups {

namespace heddle_details {

/// Shuffles of any type whose size is a multiple of four bytes, or of a small integer.
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

/// Lanes of a warp: `mask` in the warp, `width` lanes that stand together (a tile) or 32.
class Lanes {
  public:
    __device__ Lanes(unsigned mask, unsigned width) : mask_(mask), width_(width) {}

    __device__ unsigned mask() const { return mask_; }
    __device__ void sync() const { __syncwarp(mask_); }
    __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
    template <class T>
    __device__ T shfl(T v, int source) const {
        return each_word(v, [&](unsigned w) { return __shfl_sync(mask_, w, source, width_); });
    }
    template <class T>
    __device__ T shfl_down(T v, unsigned delta) const {
        return each_word(v, [&](unsigned w) { return __shfl_down_sync(mask_, w, delta, width_); });
    }
    template <class T>
    __device__ T shfl_up(T v, unsigned delta) const {
        return each_word(v, [&](unsigned w) { return __shfl_up_sync(mask_, w, delta, width_); });
    }
    template <class T>
    __device__ T shfl_xor(T v, unsigned mask) const {
        return each_word(v, [&](unsigned w) { return __shfl_xor_sync(mask_, w, mask, width_); });
    }

  protected:
    unsigned mask_, width_;
};

}  // namespace heddle_details

/// A tile of Size lanes that stand together.
template <unsigned Size, class Parent = void>
class thread_block_tile : public heddle_details::Lanes {
    static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    __device__ thread_block_tile()
        : Lanes(Size == 32 ? ~0u : ((1u << (Size % 32)) - 1) << (heddle_details::lane() & ~(Size - 1)),
                Size) {}

    static __device__ constexpr unsigned size() { return Size; }
    static __device__ constexpr unsigned num_threads() { return Size; }
    __device__ unsigned thread_rank() const { return heddle_details::lane() & (Size - 1); }
    __device__ unsigned meta_group_rank() const {
        return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / Size;
    }
    __device__ unsigned meta_group_size() const {
        return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
    }
    __device__ unsigned ballot(int predicate) const { return in_tile(__ballot_sync(mask_, predicate)); }
    template <class T>
    __device__ unsigned match_any(T v) const {
        return in_tile(__match_any_sync(mask_, v));
    }
    template <class T>
    __device__ unsigned match_all(T v, int& all) const {
        return in_tile(__match_all_sync(mask_, v, &all));
    }

  private:
    __device__ unsigned in_tile(unsigned lanes) const {
        return (lanes & mask_) >> (heddle_details::lane() & ~(Size - 1));
    }
};

/// The lanes of a warp that came here together, numbered without gaps.
class coalesced_group : public heddle_details::Lanes {
  public:
    __device__ explicit coalesced_group(unsigned mask) : Lanes(mask, 32) {}

    __device__ unsigned size() const { return static_cast<unsigned>(__popc(static_cast<int>(mask_))); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const {
        return static_cast<unsigned>(__popc(static_cast<int>(mask_ & ((1u << heddle_details::lane()) - 1))));
    }
    __device__ unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <class T>
    __device__ T shfl(T v, int rank) const {
        const int source = static_cast<int>(lane_of(static_cast<unsigned>(rank)));
        return heddle_details::each_word(v, [&](unsigned w) { return __shfl_sync(mask_, w, source); });
    }
    template <class T>
    __device__ T shfl_down(T v, unsigned delta) const {
        const unsigned rank = thread_rank() + delta;
        return shfl(v, static_cast<int>(rank < size() ? rank : thread_rank()));
    }
    template <class T>
    __device__ T shfl_up(T v, unsigned delta) const {
        const unsigned rank = thread_rank();
        return shfl(v, static_cast<int>(rank >= delta ? rank - delta : rank));
    }

  private:
    /// The lane of the rank: the rank-th set bit.
    __device__ unsigned lane_of(unsigned rank) const {
        unsigned rest = mask_;
        for (unsigned k = 0; k < rank; ++k) rest &= rest - 1;
        return static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
    }
    __device__ unsigned packed(unsigned lanes) const {
        unsigned out = 0, at = 0;
        for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++at)
            out |= (lanes >> (__ffs(static_cast<int>(rest)) - 1) & 1) << at;
        return out;
    }
};

static __device__ __forceinline__ coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

// Reductions over a tile or a coalesced group.
template <class T>
struct plus {
    __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    __device__ T operator()(T a, T b) const { return a ^ b; }
};
template <unsigned Size, class Parent, class T, class Op>
static __device__ T reduce(const thread_block_tile<Size, Parent>& tile, T v, Op op) {
    for (unsigned d = Size / 2; d != 0; d /= 2) v = op(v, tile.shfl_xor(v, d));
    return v;
}
template <class T, class Op>
static __device__ T reduce(const coalesced_group& group, T v, Op op) {
    T all = group.shfl(v, 0);
    for (unsigned k = 1; k < group.size(); ++k) all = op(all, group.shfl(v, static_cast<int>(k)));
    return all;
}

}  // namespace cooperative_groups
