// Products of sparse matrices with dense vectors and matrices, and triangular solving.

#include "dense.cuh"

using namespace heddle_sparse;

namespace {

/// A compressed matrix: `lines` are its rows, or its columns where it is used transposed.
template <typename T>
struct Compressed {
    int lines;
    const int *offsets, *indices;
    const T* values;
    int base;
    bool conjugated;
    __device__ T value(int k) const { return conjugated ? conjugate(values[k]) : values[k]; }
};

/// C = alpha A B + beta C: `kWidth` lanes share a row, and step through the columns of B one after the other.
template <typename T, int kWidth>
__global__ void rows_kernel(Compressed<T> a, int columns, Scalar<T> alpha, Dense<const T> b, Scalar<T> beta,
                            Dense<T> c, bool conj_b) {
    const int lane = static_cast<int>(threadIdx.x) % kWidth;
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / kWidth;
    const bool valid = row < a.lines;
    const T s = alpha.get(), t = beta.get();
    const int begin = valid ? a.offsets[row] - a.base : 0, end = valid ? a.offsets[row + 1] - a.base : 0;
    for (int column = static_cast<int>(blockIdx.y); column < columns; column += static_cast<int>(gridDim.y)) {
        T sum = zero<T>();
        for (int k = begin + lane; k < end; k += kWidth) {
            const T v = b.at(a.indices[k] - a.base, column);
            sum = mul_add(a.value(k), conj_b ? conjugate(v) : v, sum);
        }
        for (int half = kWidth / 2; half > 0; half /= 2) {
            if constexpr (Traits<T>::complex) {
                sum.x += __shfl_down_sync(0xffffffffu, sum.x, half, kWidth);
                sum.y += __shfl_down_sync(0xffffffffu, sum.y, half, kWidth);
            } else {
                sum += __shfl_down_sync(0xffffffffu, sum, half, kWidth);
            }
        }
        if (!valid || lane != 0) continue;
        T& to = c.at(row, column);
        const T v = mul(s, sum);
        to = is_zero(t) ? v : mul_add(t, to, v);
    }
}

/// What each element adds to C, where its rows are not at hand: transposed matrices, and coordinates.
template <typename T>
__global__ void scatter_kernel(Compressed<T> a, int columns, Scalar<T> alpha, Dense<const T> b, Dense<T> c,
                               bool conj_b) {
    const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (line >= a.lines) return;
    const T s = alpha.get();
    for (int k = a.offsets[line] - a.base + lane; k < a.offsets[line + 1] - a.base; k += 32)
        for (int column = 0; column < columns; ++column) {
            const T v = b.at(line, column);
            add_to(&c.at(a.indices[k] - a.base, column), mul(s, mul(a.value(k), conj_b ? conjugate(v) : v)));
        }
}
template <typename T>
__global__ void coordinates_kernel(int nnz, const int* rows, const int* cols, const T* values, int base,
                                   bool conj, int columns, Scalar<T> alpha, Dense<const T> b, Dense<T> c,
                                   bool conj_b) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= nnz) return;
    const T a = mul(alpha.get(), conj ? conjugate(values[k]) : values[k]);
    for (int column = 0; column < columns; ++column) {
        const T v = b.at(cols[k] - base, column);
        add_to(&c.at(rows[k] - base, column), mul(a, conj_b ? conjugate(v) : v));
    }
}

template <typename T>
cusparseStatus_t multiply(cusparseHandle_t h, cusparseOperation_t op, const cusparseSpMatDescr& a,
                          int columns, const void* alpha_place, Dense<const T> b, bool conj_b,
                          const void* beta_place, Dense<T> c) {
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool conj = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    const int base = a.base == CUSPARSE_INDEX_BASE_ONE;
    const Scalar<T> alpha = scalar<T>(h, alpha_place), beta = scalar<T>(h, beta_place);
    const int64_t result_rows = turned ? a.cols : a.rows;
    if (result_rows == 0 || columns == 0) return CUSPARSE_STATUS_SUCCESS;
    const bool compressed = a.format != CUSPARSE_FORMAT_COO;
    const bool by_rows = compressed && (a.format == CUSPARSE_FORMAT_CSR) != turned;
    const auto lines = static_cast<int>(a.format == CUSPARSE_FORMAT_CSC ? a.cols : a.rows);
    const Compressed<T> m{lines, a.first, a.second, static_cast<const T*>(a.values), base, conj};
    if (by_rows) {
        const dim3 lanes_a_block(kThreads);
        auto run = [&](auto kernel, int width) {
            const dim3 grid(blocks_for(static_cast<int64_t>(lines) * width),
                            static_cast<unsigned>(columns < 65535 ? columns : 65535));
            kernel<<<grid, lanes_a_block, 0, h->stream>>>(m, columns, alpha, b, beta, c, conj_b);
        };
        const int64_t mean = a.nnz / (lines > 0 ? lines : 1);
        if (mean > 12)
            run(rows_kernel<T, 32>, 32);
        else if (mean > 3)
            run(rows_kernel<T, 8>, 8);
        else
            run(rows_kernel<T, 2>, 2);
        return launched();
    }
    scale_kernel<<<blocks_for(result_rows * columns), kThreads, 0, h->stream>>>(result_rows, columns, beta,
                                                                                c);
    if (a.nnz == 0) return launched();
    if (compressed)
        scatter_kernel<<<blocks_for(static_cast<int64_t>(lines) * 32), kThreads, 0, h->stream>>>(
            m, columns, alpha, b, c, conj_b);
    else
        coordinates_kernel<<<blocks_for(a.nnz), kThreads, 0, h->stream>>>(
            static_cast<int>(a.nnz), turned ? a.second : a.first, turned ? a.first : a.second,
            static_cast<const T*>(a.values), base, conj, columns, alpha, b, c, conj_b);
    return launched();
}

/// One warp solves, unknown by unknown, in the order in which they depend on each other.
template <typename T>
__global__ void solve_kernel(int n, Compressed<T> a, bool lower, bool unit, Scalar<T> alpha, const T* x,
                             T* y) {
    const int lane = static_cast<int>(threadIdx.x);
    const T s = alpha.get();
    for (int step = 0; step < n; ++step) {
        const int row = lower ? step : n - 1 - step;
        T sum = zero<T>(), diagonal = zero<T>();
        for (int k = a.offsets[row] - a.base + lane; k < a.offsets[row + 1] - a.base; k += 32) {
            const int column = a.indices[k] - a.base;
            if (column == row) diagonal = a.values[k];
            if (lower ? column < row : column > row) sum = mul_add(a.values[k], y[column], sum);
        }
        sum = warp_sum(sum);
        diagonal = warp_sum(diagonal);
        if (lane == 0) {
            const T v = add(mul(s, x[row]), negate(sum));
            y[row] = unit ? v : divide(v, diagonal);
        }
        __syncwarp();
    }
}
/// With the transposed matrix: an unknown, once known, is taken out of those that its row names.
template <typename T>
__global__ void solve_turned_kernel(int n, Compressed<T> a, bool lower, bool unit, Scalar<T> alpha,
                                    const T* x, T* y) {
    const int lane = static_cast<int>(threadIdx.x);
    const T s = alpha.get();
    for (int i = lane; i < n; i += 32) y[i] = mul(s, x[i]);
    __syncwarp();
    for (int step = 0; step < n; ++step) {
        const int row = lower ? n - 1 - step : step;
        const int begin = a.offsets[row] - a.base, end = a.offsets[row + 1] - a.base;
        if (!unit && lane == 0)
            for (int k = begin; k < end; ++k)
                if (a.indices[k] - a.base == row) y[row] = divide(y[row], a.value(k));
        __syncwarp();
        const T known = y[row];
        for (int k = begin + lane; k < end; k += 32) {
            const int column = a.indices[k] - a.base;
            if (lower ? column < row : column > row)
                y[column] = add(y[column], negate(mul(a.value(k), known)));
        }
        __syncwarp();
    }
}

template <typename T>
__global__ void gather_kernel(long long n, const int* indices, int base, const T* dense, T* sparse) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) sparse[i] = dense[indices[i] - base];
}
template <typename T>
__global__ void put_kernel(long long n, const int* indices, int base, const T* sparse, T* dense) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) dense[indices[i] - base] = sparse[i];
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                         size_t* bytes) {
    return no_buffer(bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void*) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && beta && a && x && y);
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    HEDDLE_SPARSE_CHECK(x->size == (turned ? a->rows : a->cols) && y->size == (turned ? a->cols : a->rows));
    if (a->type != compute || x->type != compute || y->type != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        return multiply<T>(h, op, *a, 1, alpha, dense<const T>(*x), false, beta, dense<T>(*y));
    });
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         size_t* bytes) {
    return no_buffer(bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         void*) {
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t, void*) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && beta && a && b && c);
    const bool turned = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE,
               turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    HEDDLE_SPARSE_CHECK((turned_b ? b->cols : b->rows) == (turned ? a->rows : a->cols) &&
                        c->rows == (turned ? a->cols : a->rows) && c->cols == (turned_b ? b->rows : b->cols));
    if (a->type != compute || b->type != compute || c->type != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        return multiply<T>(h, op_a, *a, static_cast<int>(c->cols), alpha, dense<const T>(*b, turned_b),
                           op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, beta, dense<T>(*c));
    });
}

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* description) {
    HEDDLE_SPARSE_CHECK(description != nullptr);
    *description = new cusparseSpSVDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description) {
    delete description;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t, size_t* bytes) {
    return no_buffer(bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void*,
                                       cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                       cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t, void*) {
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && a && x && y && a->rows == a->cols && x->size == a->rows &&
                        y->size == a->rows);
    if (a->type != compute || x->type != compute || y->type != compute || a->format != CUSPARSE_FORMAT_CSR)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        const auto n = static_cast<int>(a->rows);
        const Compressed<T> m{n,
                              a->first,
                              a->second,
                              static_cast<const T*>(a->values),
                              a->base == CUSPARSE_INDEX_BASE_ONE,
                              op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
        const auto kernel = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? solve_kernel<T> : solve_turned_kernel<T>;
        kernel<<<1, 32, 0, h->stream>>>(n, m, a->fill == CUSPARSE_FILL_MODE_LOWER,
                                        a->diagonal == CUSPARSE_DIAG_TYPE_UNIT, scalar<T>(h, alpha),
                                        static_cast<const T*>(x->values), static_cast<T*>(y->values));
        return launched();
    });
}

// Several right sides, column by column.
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* description) {
    return cusparseSpSV_createDescr(description);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t description) {
    return cusparseSpSV_destroyDescr(description);
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t, size_t* bytes) {
    return no_buffer(bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                       const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                       cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t, void*) {
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t description) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && a && b && c && b->cols == c->cols && b->rows == a->rows &&
                        c->rows == a->rows);
    if (op_b != CUSPARSE_OPERATION_NON_TRANSPOSE || b->order != CUSPARSE_ORDER_COL ||
        c->order != CUSPARSE_ORDER_COL)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        for (int64_t k = 0; k < c->cols; ++k) {
            const cusparseDnVecDescr x{b->rows, static_cast<T*>(b->values) + k * b->ld, b->type};
            cusparseDnVecDescr y{c->rows, static_cast<T*>(c->values) + k * c->ld, c->type};
            const cusparseStatus_t status = cusparseSpSV_solve(h, op_a, alpha, a, &x, &y, compute,
                                                               CUSPARSE_SPSV_ALG_DEFAULT, description);
            if (status != CUSPARSE_STATUS_SUCCESS) return status;
        }
        return CUSPARSE_STATUS_SUCCESS;
    });
}

cusparseStatus_t cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(x && y && x->type == y->type);
    if (x->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(x->type, [&](auto element) {
        using T = decltype(element);
        gather_kernel<<<blocks_for(x->nnz), kThreads, 0, h->stream>>>(
            x->nnz, x->indices, x->base == CUSPARSE_INDEX_BASE_ONE, static_cast<const T*>(y->values),
            static_cast<T*>(x->values));
        return launched();
    });
}
cusparseStatus_t cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(x && y && x->type == y->type);
    if (x->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(x->type, [&](auto element) {
        using T = decltype(element);
        put_kernel<<<blocks_for(x->nnz), kThreads, 0, h->stream>>>(
            x->nnz, x->indices, x->base == CUSPARSE_INDEX_BASE_ONE, static_cast<const T*>(x->values),
            static_cast<T*>(y->values));
        return launched();
    });
}

}  // extern "C"
