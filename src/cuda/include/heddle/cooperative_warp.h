#pragma once
// Tiles with their place in what they are a part of, the lanes that are active together, any group (cooperative_groups.h).

#include "cooperative_wide_tile.h"

namespace cooperative_groups {

/// A tile that knows what it is a part of.
template <unsigned Size, class Parent = void>
class thread_block_tile : public heddle_details::TileOfSize<Size, (Size > 32)>::Type {
  public:
    static __device__ unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
    static __device__ unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
};
/// A tile of anything, which keeps its place there.
template <unsigned Size>
class thread_block_tile<Size, void> : public heddle_details::TileOfSize<Size, (Size > 32)>::Type {
  public:
    template <class Parent>
    __device__ thread_block_tile(const thread_block_tile<Size, Parent>& tile)
        : meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }

  private:
    unsigned meta_rank_, meta_size_;
};

/// Lanes of a warp, numbered without gaps.
class coalesced_group {
  public:
    explicit __device__ coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    template <unsigned Size, class Parent>
    __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
        : coalesced_group(tile.mask(), tile.meta_group_rank(), tile.meta_group_size()) {}

    __device__ unsigned mask() const { return mask_; }
    __device__ unsigned size() const { return heddle_details::count(mask_); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const { return heddle_details::rank_in(mask_); }
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }
    __device__ void sync() const { __syncwarp(mask_); }
    __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
    __device__ unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
    template <class T>
    __device__ unsigned match_any(T v) const {
        return packed(__match_any_sync(mask_, v));
    }
    template <class T>
    __device__ unsigned match_all(T v, int& all) const {
        return packed(__match_all_sync(mask_, v, &all));
    }
    /// From the thread of that rank modulo the size.
    template <class T>
    __device__ T shfl(T v, int rank) const {
        const int source = static_cast<int>(lane_of(static_cast<unsigned>(rank) % size()));
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
    /// The lane of the rank: the rank-th set bit.
    __device__ unsigned lane_of(unsigned rank) const {
        if (mask_ == ~0u) return rank;
        unsigned rest = mask_;
        for (unsigned k = 0; k < rank; ++k) rest &= rest - 1;
        return heddle_details::first(rest);
    }

  private:
    __device__ unsigned packed(unsigned lanes) const {
        if (mask_ == ~0u) return lanes;
        unsigned out = 0, at = 0;
        for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++at)
            out |= (lanes >> heddle_details::first(rest) & 1) << at;
        return out;
    }

    unsigned mask_, meta_rank_, meta_size_;
};

static __device__ __forceinline__ coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

/// Any group by its size, rank and barrier: what functions take that work for all.
class thread_group {
  public:
    __device__ thread_group(const thread_block&) : block_(true), mask_(0) {}
    __device__ thread_group(const coalesced_group& g) : block_(false), mask_(g.mask()) {}
    template <unsigned Size, class Parent>
    __device__ thread_group(const thread_block_tile<Size, Parent>& t) : block_(false), mask_(t.mask()) {}

    __device__ void sync() const {
        if (block_)
            __syncthreads();
        else
            __syncwarp(mask_);
    }
    __device__ unsigned size() const { return block_ ? thread_block::size() : heddle_details::count(mask_); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const {
        return block_ ? thread_block::thread_rank() : heddle_details::rank_in(mask_);
    }
    __device__ bool is_block() const { return block_; }
    __device__ unsigned mask() const { return mask_; }

  private:
    bool block_;
    unsigned mask_;
};

/// The group of the calling thread alone.
static __device__ __forceinline__ coalesced_group this_thread() {
    return coalesced_group(1u << heddle_details::lane());
}

}  // namespace cooperative_groups
