// Sparse vectors with dense ones, and dense products at the places of a sparse matrix.

#include "dense.cuh"

using namespace heddle_sparse;

namespace {

/// The sum of x[i] y[index of i], by one block.
template <typename T>
__global__ void dot_kernel(long long n, const int* indices, int base, bool conj, const T* x, const T* y,
                           T* out) {
    __shared__ T sums[kThreads];
    const int me = static_cast<int>(threadIdx.x);
    T sum = zero<T>();
    for (long long i = me; i < n; i += kThreads)
        sum = mul_add(conj ? conjugate(x[i]) : x[i], y[indices[i] - base], sum);
    sums[me] = sum;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) sums[me] = add(sums[me], sums[me + half]);
    }
    if (me == 0) *out = sums[0];
}
template <typename T>
__global__ void add_sparse_kernel(long long n, const int* indices, int base, Scalar<T> alpha, const T* x,
                                  T* y) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[indices[i] - base] = mul_add(alpha.get(), x[i], y[indices[i] - base]);
}
template <typename T>
__global__ void rotate_kernel(long long n, const int* indices, int base, Scalar<T> cosine, Scalar<T> sine,
                              T* x, T* y) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T c = cosine.get(), s = sine.get(), was = x[i];
    T& other = y[indices[i] - base];
    x[i] = add(mul(c, was), mul(s, other));
    other = add(mul(c, other), negate(mul(s, was)));
}

/// C = alpha (A B at C's places) + beta C; a warp has a row.
template <typename T>
__global__ void sampled_kernel(int rows, const int* offsets, const int* columns, int base, int inner,
                               Scalar<T> alpha, Dense<const T> a, Dense<const T> b, Scalar<T> beta,
                               T* values) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    const T s = alpha.get(), t = beta.get();
    for (int k = offsets[row] - base + static_cast<int>(threadIdx.x) % 32; k < offsets[row + 1] - base;
         k += 32) {
        T sum = zero<T>();
        for (int i = 0; i < inner; ++i) sum = mul_add(a.at(row, i), b.at(i, columns[k] - base), sum);
        const T v = mul(s, sum);
        values[k] = is_zero(t) ? v : mul_add(t, values[k], v);
    }
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                         cusparseConstDnVecDescr_t, const void*, cudaDataType,
                                         size_t* bytes) {
    HEDDLE_SPARSE_CHECK(bytes != nullptr);
    *bytes = sizeof(cuDoubleComplex);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* result, cudaDataType compute, void* buffer) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(x && y && result && x->size == y->size);
    const bool to_host = h->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    HEDDLE_SPARSE_CHECK(!to_host || buffer != nullptr);
    if (x->type != compute || y->type != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        T* const out = static_cast<T*>(to_host ? buffer : result);
        dot_kernel<T><<<1, kThreads, 0, h->stream>>>(x->nnz, x->indices, x->base == CUSPARSE_INDEX_BASE_ONE,
                                                     op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                                                     static_cast<const T*>(x->values),
                                                     static_cast<const T*>(y->values), out);
        if (to_host) {
            cudaMemcpyAsync(result, out, sizeof(T), cudaMemcpyDeviceToHost, h->stream);
            cudaStreamSynchronize(h->stream);
        }
        return launched();
    });
}
cusparseStatus_t cusparseAxpby(cusparseHandle_t h, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && beta && x && y && x->size == y->size && x->type == y->type);
    return by_type(y->type, [&](auto element) {
        using T = decltype(element);
        if (y->size > 0)
            scale_kernel<<<blocks_for(y->size), kThreads, 0, h->stream>>>(y->size, 1, scalar<T>(h, beta),
                                                                          dense<T>(*y));
        if (x->nnz > 0)
            add_sparse_kernel<T><<<blocks_for(x->nnz), kThreads, 0, h->stream>>>(
                x->nnz, x->indices, x->base == CUSPARSE_INDEX_BASE_ONE, scalar<T>(h, alpha),
                static_cast<const T*>(x->values), static_cast<T*>(y->values));
        return launched();
    });
}
cusparseStatus_t cusparseRot(cusparseHandle_t h, const void* cosine, const void* sine, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(cosine && sine && x && y && x->size == y->size && x->type == y->type);
    if (x->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(y->type, [&](auto element) {
        using T = decltype(element);
        rotate_kernel<T><<<blocks_for(x->nnz), kThreads, 0, h->stream>>>(
            x->nnz, x->indices, x->base == CUSPARSE_INDEX_BASE_ONE, scalar<T>(h, cosine), scalar<T>(h, sine),
            static_cast<T*>(x->values), static_cast<T*>(y->values));
        return launched();
    });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                          const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                          size_t* bytes) {
    return no_buffer(bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                          const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                          void*) {
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t, void*) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(alpha && beta && a && b && c);
    const bool turned_a = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE,
               turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t inner = turned_a ? a->rows : a->cols;
    HEDDLE_SPARSE_CHECK(c->rows == (turned_a ? a->cols : a->rows) &&
                        inner == (turned_b ? b->cols : b->rows) && c->cols == (turned_b ? b->rows : b->cols));
    if (a->type != compute || b->type != compute || c->type != compute || c->format != CUSPARSE_FORMAT_CSR ||
        op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (c->rows == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        sampled_kernel<T><<<blocks_for(c->rows * 32), kThreads, 0, h->stream>>>(
            static_cast<int>(c->rows), c->first, c->second, c->base == CUSPARSE_INDEX_BASE_ONE,
            static_cast<int>(inner), scalar<T>(h, alpha), dense<const T>(*a, turned_a),
            dense<const T>(*b, turned_b), scalar<T>(h, beta), static_cast<T*>(c->values));
        return launched();
    });
}

}  // extern "C"
