#pragma once
// What Jacobi's methods share: who rotates with whom, and how a program steers them.

#include "handle.cuh"

/// gesvdjInfo_t and syevjInfo_t. What the last call did lies where the device can write.
struct JacobiParameters {
    double tolerance = 0;  // 0: the precision of the type
    int most_sweeps = 100;
    struct Done {
        double residual;
        int sweeps;
    }* done = nullptr;
};

namespace heddle_solver {

/// Pair k of round r of a tournament of `players` (even): its two rows. A row of number n or more sits out.
__device__ inline void pair_of(int k, int r, int players, int& p, int& q) {
    const int circle = players - 1;
    const int a = k == 0 ? circle : (r + k) % circle, b = (r + circle - k) % circle;
    p = a < b ? a : b;
    q = a < b ? b : a;
}

/// Two columns, or rows, x and y become c x - s' y and s x + c y, s' the conjugate of s.
template <typename T>
struct Rotation {
    heddle_blas::Real<T> c;
    T s;
    __device__ void turn(T& x, T& y) const {
        using namespace heddle_blas;
        const T was = x;
        x = add(scale<T>(c, was), negate(mul(conjugate(s), y)));
        y = add(mul(s, was), scale<T>(c, y));
    }
};
/// What makes the Hermitian matrix [first, between; between', second] diagonal by the smaller angle; `size` is |between|, not 0.
template <typename T, typename R = heddle_blas::Real<T>>
__device__ Rotation<T> rotation_of(R first, R second, T between, R size) {
    const R zeta = (second - first) / (2 * size), root = sqrt(zeta * zeta + 1);
    const R t = zeta < 0 ? -1 / (root - zeta) : 1 / (root + zeta);
    const R c = 1 / sqrt(t * t + 1);
    return {c, heddle_blas::scale<T>(t * c / size, between)};
}

/// A power of two by which to scale a matrix whose largest element is this, so that no square overflows or vanishes; NaN for a NaN and for
/// infinity, so that all values become NaN and none is left out when they are put in order.
template <typename R>
__device__ R scale_of(R largest) {
    if (largest - largest != 0) return largest - largest;
    constexpr int most = sizeof(R) == 4 ? 120 : 1000;
    const int exponent = largest > 0 ? ilogb(largest) : 0;
    return ldexp(R(1), exponent > most ? -most : exponent < -most ? most : -exponent);
}

/// How many of n values have a larger key than value i, or the same one and stand before it. By a block.
template <typename R, typename Key>
__device__ int place_of(int i, int n, Key key, R* shared) {
    const R mine = key(i);
    R before = 0;
    for (int j = static_cast<int>(threadIdx.x); j < n; j += kThreads)
        before += key(j) > mine || (!(key(j) < mine) && j < i) ? 1 : 0;
    return static_cast<int>(block_sum(before, shared));
}

template <typename R>
constexpr R kEpsilon = sizeof(R) == 4 ? R(1.2e-7) : R(2.3e-16);

cusolverStatus_t make_parameters(JacobiParameters** params);
cusolverStatus_t free_parameters(JacobiParameters* params);

}  // namespace heddle_solver
