#pragma once
// Scans over a tile or coalesced threads: each thread gets the values of the ranks up to its own (inclusive) or before it.

#include "../cooperative_groups.h"

#if defined(__CUDA__)
#include "../heddle/cooperative_operators.h"

namespace cooperative_groups {

namespace heddle_details {

/// Tiles of several warps scan in their own way.
template <class Group>
struct IsWide {
    static constexpr bool value = false;
};
template <unsigned Size, class Parent>
struct IsWide<thread_block_tile<Size, Parent>> {
    static constexpr bool value = Size > 32;
};

/// The value of the rank before.
template <class Group, class T>
static __device__ T from_before(const Group& group, T v, T first) {
    if constexpr (IsWide<Group>::value) {
        return group.from_before(v, first);
    } else {
        const T before = group.shfl_up(v, 1);
        return group.thread_rank() == 0 ? first : before;
    }
}

}  // namespace heddle_details

template <class Group, class T, class Op>
static __device__ T inclusive_scan(const Group& group, T v, Op op) {
    if constexpr (heddle_details::IsWide<Group>::value) {
        return group.inclusive_scan(v, op);
    } else {
        const unsigned rank = group.thread_rank(), size = group.size();
        for (unsigned d = 1; d < size; d *= 2) {
            const T before = group.shfl_up(v, d);
            if (rank >= d) v = op(before, v);
        }
        return v;
    }
}
template <class Group, class T>
static __device__ T inclusive_scan(const Group& group, T v) {
    return inclusive_scan(group, v, plus<T>());
}
template <class Group, class T, class Op>
static __device__ T exclusive_scan(const Group& group, T v, Op op) {
    return heddle_details::from_before(group, inclusive_scan(group, v, op),
                                       heddle_details::Neutral<Op, T>::value());
}
template <class Group, class T>
static __device__ T exclusive_scan(const Group& group, T v) {
    return exclusive_scan(group, v, plus<T>());
}

namespace heddle_details {

/// What the atomic object held before the group's total was added to it, by the last thread for all.
template <class Group, class Atomic, class T, class Op>
static __device__ T update(const Group& group, Atomic& to, T inclusive, Op op) {
    const unsigned last = group.size() - 1;
    T old{};
    if (group.thread_rank() == last) {
        old = to.load();
        while (!to.compare_exchange_weak(old, op(old, inclusive))) {
        }
    }
    return group.shfl(old, static_cast<int>(last));
}

}  // namespace heddle_details

template <class Group, class Atomic, class T, class Op>
static __device__ T inclusive_scan_update(const Group& group, Atomic& to, T v, Op op) {
    const T mine = inclusive_scan(group, v, op);
    return op(heddle_details::update(group, to, mine, op), mine);
}
template <class Group, class Atomic, class T>
static __device__ T inclusive_scan_update(const Group& group, Atomic& to, T v) {
    return inclusive_scan_update(group, to, v, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
static __device__ T exclusive_scan_update(const Group& group, Atomic& to, T v, Op op) {
    const T mine = inclusive_scan(group, v, op);
    const T old = heddle_details::update(group, to, mine, op);
    const T before = heddle_details::from_before(group, mine, mine);
    return group.thread_rank() == 0 ? old : op(old, before);
}
template <class Group, class Atomic, class T>
static __device__ T exclusive_scan_update(const Group& group, Atomic& to, T v) {
    return exclusive_scan_update(group, to, v, plus<T>());
}

}  // namespace cooperative_groups
#endif
