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

}  // namespace heddle_sparse
