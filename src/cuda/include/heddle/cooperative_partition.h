#pragma once
// Groups made of groups (cooperative_groups.h).

#include "cooperative_warp.h"

namespace cooperative_groups {

template <unsigned Size>
static __device__ __forceinline__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    if constexpr (Size > 32) heddle_details::start_wide_tiles();
    return {};
}
template <unsigned Size, unsigned ParentSize, class Parent>
static __device__ __forceinline__ thread_block_tile<Size, thread_block_tile<ParentSize, Parent>>
tiled_partition(const thread_block_tile<ParentSize, Parent>&) {
    static_assert(Size <= ParentSize, "a tile's part is not larger than the tile");
    return {};
}
/// A part of a tile whose place is only known when the program runs has the place that its lanes have in the tile.
template <unsigned Size, unsigned ParentSize>
static __device__ __forceinline__
    thread_block_tile<Size, typename heddle_details::TileOfSize<ParentSize, (ParentSize > 32)>::Type>
    tiled_partition(const thread_block_tile<ParentSize, void>&) {
    static_assert(Size <= ParentSize, "a tile's part is not larger than the tile");
    return {};
}

namespace heddle_details {

/// Of the lanes, those of the `size` ranks among which this lane's rank is.
static __device__ __forceinline__ coalesced_group tile_of_lanes(const coalesced_group& group, unsigned size) {
    const unsigned rank = group.thread_rank(), tile = rank / size;
    unsigned lanes = 0, at = 0;
    for (unsigned rest = group.mask(); rest != 0; rest &= rest - 1, ++at)
        if (at / size == tile) lanes |= rest & (0u - rest);
    return coalesced_group(lanes, tile, (group.size() + size - 1) / size);
}

/// Lanes of a group that belong together: `mine` of them with this lane.
static __device__ __forceinline__ coalesced_group part(unsigned mask, unsigned mine) {
    const unsigned leader = first(mine);
    const unsigned leaders = __ballot_sync(mask, lane() == leader);
    return coalesced_group(mine, count(leaders & ((1u << leader) - 1)), count(leaders));
}

}  // namespace heddle_details

static __device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& group,
                                                                  unsigned size) {
    return heddle_details::tile_of_lanes(group, size);
}
/// A block is cut into tiles of at most a warp.
static __device__ __forceinline__ thread_group tiled_partition(const thread_group& group, unsigned size) {
    return heddle_details::tile_of_lanes(coalesced_group(group.is_block() ? ~0u : group.mask()), size);
}
static __device__ __forceinline__ thread_group tiled_partition(const thread_block& group, unsigned size) {
    return tiled_partition(thread_group(group), size);
}
template <unsigned Size, class Parent>
static __device__ __forceinline__ thread_group tiled_partition(const thread_block_tile<Size, Parent>& group,
                                                               unsigned size) {
    return tiled_partition(thread_group(group), size);
}

/// The threads of the group whose label is the same.
template <class Label>
static __device__ __forceinline__ coalesced_group labeled_partition(const coalesced_group& group,
                                                                    Label label) {
    return heddle_details::part(group.mask(), __match_any_sync(group.mask(), label));
}
template <unsigned Size, class Parent, class Label>
static __device__ __forceinline__ coalesced_group
labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label) {
    return heddle_details::part(tile.mask(), __match_any_sync(tile.mask(), label));
}
/// The threads of the group for which the predicate is the same.
static __device__ __forceinline__ coalesced_group binary_partition(const coalesced_group& group,
                                                                   bool predicate) {
    const unsigned yes = __ballot_sync(group.mask(), predicate);
    return heddle_details::part(group.mask(), predicate ? yes : group.mask() & ~yes);
}
template <unsigned Size, class Parent>
static __device__ __forceinline__ coalesced_group
binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate) {
    return binary_partition(coalesced_group(tile.mask()), predicate);
}

/// One thread of the group calls; with _broadcast all get what it returned.
template <class Group, class F, class... Arguments>
static __device__ __forceinline__ void invoke_one(const Group& group, F&& f, Arguments&&... arguments) {
    if (group.thread_rank() == 0) f(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class F, class... Arguments>
static __device__ __forceinline__ auto invoke_one_broadcast(const Group& group, F&& f,
                                                            Arguments&&... arguments)
    -> decltype(f(static_cast<Arguments&&>(arguments)...)) {
    decltype(f(static_cast<Arguments&&>(arguments)...)) result{};
    if (group.thread_rank() == 0) result = f(static_cast<Arguments&&>(arguments)...);
    return group.shfl(result, 0);
}

/// As CUDA 11 has it: the memory by the bytes of what is handed over, too.
namespace experimental {
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
using cooperative_groups::tiled_partition;

template <unsigned CommunicationSize = 8, unsigned MaxBlockSize = 1024>
struct block_tile_memory : cooperative_groups::block_tile_memory<MaxBlockSize> {};
}  // namespace experimental

}  // namespace cooperative_groups
