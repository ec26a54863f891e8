#pragma once
// Cholesky's method for one matrix, wherever its elements are.

#include "handle.cuh"

namespace heddle_solver {

/// The lower factor in place of the lower triangle, by a block; matrix.get(r, c) and matrix.set(r, c, v) reach an element. Returns 0, or
/// the order of the first leading minor that is not positive.
template <typename T, typename Matrix>
__device__ int lower_factor(int n, const Matrix& matrix) {
    using namespace heddle_blas;
    const int me = static_cast<int>(threadIdx.x);
    for (int k = 0; k < n; ++k) {
        const Real<T> pivot = real_part(matrix.get(k, k));
        __syncthreads();
        if (!(pivot > 0)) return k + 1;
        const Real<T> root = sqrt(pivot);
        for (int r = k + me; r < n; r += kThreads)
            matrix.set(r, k, r == k ? from_real<T>(root) : scale<T>(1 / root, matrix.get(r, k)));
        __syncthreads();
        const int left = n - k - 1;
        for (int e = me; e < left * left; e += kThreads) {
            const int r = k + 1 + e % left, c = k + 1 + e / left;
            if (r >= c)
                matrix.set(r, c,
                           add(matrix.get(r, c), negate(mul(matrix.get(r, k), conjugate(matrix.get(c, k))))));
        }
        __syncthreads();
    }
    return 0;
}

}  // namespace heddle_solver
