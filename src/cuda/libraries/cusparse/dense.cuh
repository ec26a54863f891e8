#pragma once
// Dense vectors and matrices as kernels see them.

#include "descriptors.cuh"

namespace heddle_sparse {

/// A dense matrix as a place for each (row, column).
template <typename T>
struct Dense {
    T* data;
    long long row_step, column_step;
    __host__ __device__ T& at(long long r, long long c) const { return data[r * row_step + c * column_step]; }
};
template <typename T>
Dense<T> dense(const cusparseDnMatDescr& m, bool transposed = false) {
    const bool columns = m.order == CUSPARSE_ORDER_COL;
    Dense<T> d{static_cast<T*>(m.values), columns ? 1 : m.ld, columns ? m.ld : 1};
    if (transposed) {
        const long long swap = d.row_step;
        d.row_step = d.column_step;
        d.column_step = swap;
    }
    return d;
}
template <typename T>
Dense<T> dense(const cusparseDnVecDescr& v) {
    return {static_cast<T*>(v.values), 1, 0};
}

/// C = beta C, whatever C holds where beta is 0.
template <typename T>
static __global__ void scale_kernel(long long rows, int columns, Scalar<T> beta, Dense<T> c) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const T t = beta.get();
    T& to = c.at(i % rows, i / rows);
    to = is_zero(t) ? zero<T>() : mul(t, to);
}

}  // namespace heddle_sparse
