#pragma once
// The operators of reductions and scans over a group, and what each leaves as it is (cooperative_groups/reduce.h, scan.h).

#include <limits>

namespace cooperative_groups {

#define HEDDLE_OPERATOR(name, expression)                              \
    template <class T>                                                 \
    struct name {                                                      \
        __device__ T operator()(T a, T b) const { return expression; } \
    };
HEDDLE_OPERATOR(plus, a + b)
HEDDLE_OPERATOR(less, b < a ? b : a)
HEDDLE_OPERATOR(greater, a < b ? b : a)
HEDDLE_OPERATOR(bit_and, a& b)
HEDDLE_OPERATOR(bit_or, a | b)
HEDDLE_OPERATOR(bit_xor, a ^ b)
#undef HEDDLE_OPERATOR

namespace heddle_details {

/// The first value of an exclusive scan; T() for operators of the program.
template <class Op, class T>
struct Neutral {
    static __device__ T value() { return T(); }
};
template <class T>
struct Neutral<less<T>, T> {
    static __device__ T value() { return std::numeric_limits<T>::max(); }
};
template <class T>
struct Neutral<greater<T>, T> {
    static __device__ T value() { return std::numeric_limits<T>::lowest(); }
};
template <class T>
struct Neutral<bit_and<T>, T> {
    static __device__ T value() { return static_cast<T>(~T(0)); }
};

}  // namespace heddle_details
}  // namespace cooperative_groups
