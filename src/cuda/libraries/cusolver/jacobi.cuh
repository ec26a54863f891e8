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

template <typename R>
constexpr R kEpsilon = sizeof(R) == 4 ? R(1.2e-7) : R(2.3e-16);

cusolverStatus_t make_parameters(JacobiParameters** params);
cusolverStatus_t free_parameters(JacobiParameters* params);

}  // namespace heddle_solver
