#pragma once
// Reductions over a tile or coalesced threads; every thread gets the result.

#include "../cooperative_groups.h"

#if defined(__CUDA__)
#include "../heddle/cooperative_operators.h"

namespace cooperative_groups {

namespace heddle_details {

/// One instruction from sm_80 on, for 32-bit integers and the operators that it has.
template <class T, class Op>
struct Redux {
    static constexpr bool exists = false;
    static __device__ T of(unsigned, T v) { return v; }
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HEDDLE_REDUX(T, op, name)                                                              \
    template <>                                                                                \
    struct Redux<T, op<T>> {                                                                   \
        static constexpr bool exists = true;                                                   \
        static __device__ T of(unsigned mask, T v) { return __reduce_##name##_sync(mask, v); } \
    };
HEDDLE_REDUX(int, plus, add)
HEDDLE_REDUX(int, less, min)
HEDDLE_REDUX(int, greater, max)
HEDDLE_REDUX(unsigned, plus, add)
HEDDLE_REDUX(unsigned, less, min)
HEDDLE_REDUX(unsigned, greater, max)
HEDDLE_REDUX(unsigned, bit_and, and)
HEDDLE_REDUX(unsigned, bit_or, or)
HEDDLE_REDUX(unsigned, bit_xor, xor)
#undef HEDDLE_REDUX
#endif

}  // namespace heddle_details

template <unsigned Size, class Parent, class T, class Op>
static __device__ T reduce(const thread_block_tile<Size, Parent>& tile, T v, Op op) {
    if constexpr (Size > 32)
        return tile.reduce(v, op);
    else if constexpr (heddle_details::Redux<T, Op>::exists)
        return heddle_details::Redux<T, Op>::of(tile.mask(), v);
    else
        for (unsigned d = Size / 2; d != 0; d /= 2) v = op(v, tile.shfl_xor(v, d));
    return v;
}
template <class T, class Op>
static __device__ T reduce(const coalesced_group& group, T v, Op op) {
    if constexpr (heddle_details::Redux<T, Op>::exists)
        return heddle_details::Redux<T, Op>::of(group.mask(), v);
    const unsigned rank = group.thread_rank(), size = group.size();
    for (unsigned d = 1; d < size; d *= 2) {
        const T other = group.shfl_down(v, d);
        if (rank % (2 * d) == 0 && rank + d < size) v = op(v, other);
    }
    return group.shfl(v, 0);
}

/// Into memory, by one thread: the value, or with an atomic object's own operation.
template <class Group, class T, class Op>
static __device__ void reduce_store_async(const Group& group, T* to, T v, Op op) {
    const T all = reduce(group, v, op);
    if (group.thread_rank() == 0) *to = all;
}
template <class Group, class Atomic, class T, class Op>
static __device__ void reduce_store_async(const Group& group, Atomic& to, T v, Op op) {
    const T all = reduce(group, v, op);
    if (group.thread_rank() == 0) to.store(all);
}
template <class Group, class Atomic, class T, class Op>
static __device__ void reduce_update_async(const Group& group, Atomic& to, T v, Op op) {
    const T all = reduce(group, v, op);
    if (group.thread_rank() == 0) {
        T old = to.load();
        while (!to.compare_exchange_weak(old, op(old, all))) {
        }
    }
}

}  // namespace cooperative_groups
#endif
