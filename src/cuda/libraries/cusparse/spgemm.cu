// The product of two sparse matrices. Each row's products, at most as many as were counted, are put in order of their columns, and
// those of one column added; a thread has a row.

#include "scan.cuh"

using namespace heddle_sparse;

namespace {

struct CompressedRows {
    const int *offsets, *indices;
    int base;
};
CompressedRows rows_of(const cusparseSpMatDescr& m) {
    return {m.first, m.second, m.base == CUSPARSE_INDEX_BASE_ONE};
}

__global__ void count_products_kernel(int rows, CompressedRows a, CompressedRows b, int* counts) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    int count = 0;
    for (int k = a.offsets[row] - a.base; k < a.offsets[row + 1] - a.base; ++k) {
        const int line = a.indices[k] - a.base;
        count += b.offsets[line + 1] - b.offsets[line];
    }
    counts[row] = count;
}

/// Row by row into `columns` and `values`, from places[row] on; how many are left goes to `counts`.
template <typename T>
__global__ void products_kernel(int rows, CompressedRows a, const T* a_values, CompressedRows b,
                                const T* b_values, const int* places, int* columns, T* values, int* counts) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    int* const mine = columns + places[row];
    T* const sums = values + places[row];
    int count = 0;
    for (int k = a.offsets[row] - a.base; k < a.offsets[row + 1] - a.base; ++k) {
        const int line = a.indices[k] - a.base;
        for (int l = b.offsets[line] - b.base; l < b.offsets[line + 1] - b.base; ++l) {
            const int column = b.indices[l] - b.base;
            const T v = mul(a_values[k], b_values[l]);
            int low = 0, high = count;
            while (low < high) {
                const int middle = (low + high) / 2;
                if (mine[middle] < column)
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < count && mine[low] == column) {
                sums[low] = add(sums[low], v);
                continue;
            }
            for (int to = count; to > low; --to) {
                mine[to] = mine[to - 1];
                sums[to] = sums[to - 1];
            }
            mine[low] = column;
            sums[low] = v;
            ++count;
        }
    }
    counts[row] = count;
}

template <typename T>
__global__ void copy_products_kernel(int rows, const int* places, const int* columns, const T* values,
                                     const int* offsets, int base, Scalar<T> alpha, Scalar<T> beta,
                                     int* out_columns, T* out) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    const T s = alpha.get(), t = beta.get();
    for (int k = offsets[row] - base, from = places[row]; k < offsets[row + 1] - base; ++k, ++from) {
        const T v = mul(s, values[from]);
        out[k] = is_zero(t) ? v : mul_add(t, out[k], v);
        out_columns[k] = columns[from] + base;
    }
}

/// The buffer of the second step: values, then columns.
template <typename T>
int* columns_in(const cusparseSpGEMMDescr& d) {
    return reinterpret_cast<int*>(static_cast<T*>(d.products) + d.count);
}

bool is_product(cusparseOperation_t op_a, cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c) {
    return op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE &&
           a->format == CUSPARSE_FORMAT_CSR && b->format == CUSPARSE_FORMAT_CSR &&
           c->format == CUSPARSE_FORMAT_CSR;
}

#define HEDDLE_SPARSE_PRODUCT()                                                                            \
    HEDDLE_SPARSE_HANDLE(h);                                                                               \
    HEDDLE_SPARSE_CHECK(alpha && beta && a && b && c && description && a->cols == b->rows &&               \
                        c->rows == a->rows && c->cols == b->cols);                                         \
    if (!is_product(op_a, op_b, a, b, c) || a->type != compute || b->type != compute || c->type != compute) \
    return CUSPARSE_STATUS_NOT_SUPPORTED

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* description) {
    HEDDLE_SPARSE_CHECK(description != nullptr);
    *description = new cusparseSpGEMMDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description) {
    delete description;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t h, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description,
                                               size_t* bytes, void* buffer) {
    HEDDLE_SPARSE_PRODUCT();
    HEDDLE_SPARSE_CHECK(bytes != nullptr);
    const auto rows = static_cast<int>(a->rows);
    if (buffer == nullptr) {
        *bytes = static_cast<size_t>(rows + 1) * sizeof(int);
        return CUSPARSE_STATUS_SUCCESS;
    }
    description->places = static_cast<int*>(buffer);
    if (rows > 0)
        count_products_kernel<<<blocks_for(rows), kThreads, 0, h->stream>>>(rows, rows_of(*a), rows_of(*b),
                                                                            description->places);
    scan_kernel<<<1, kThreads, 0, h->stream>>>(description->places, rows, description->places, 0);
    int count = 0;
    cudaMemcpyAsync(&count, description->places + rows, sizeof count, cudaMemcpyDeviceToHost, h->stream);
    cudaStreamSynchronize(h->stream);
    description->count = count;
    return launched();
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t description, int64_t* count) {
    HEDDLE_SPARSE_CHECK(description != nullptr && count != nullptr);
    *count = description->count;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t description, size_t* bytes,
                                        void* buffer) {
    HEDDLE_SPARSE_PRODUCT();
    HEDDLE_SPARSE_CHECK(bytes != nullptr && description->places != nullptr && c->first != nullptr);
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        const auto rows = static_cast<int>(a->rows);
        if (buffer == nullptr) {
            *bytes = static_cast<size_t>(description->count) * (sizeof(T) + sizeof(int)) + sizeof(T);
            return CUSPARSE_STATUS_SUCCESS;
        }
        description->products = buffer;
        if (rows > 0)
            products_kernel<T><<<blocks_for(rows), kThreads, 0, h->stream>>>(
                rows, rows_of(*a), static_cast<const T*>(a->values), rows_of(*b),
                static_cast<const T*>(b->values), description->places, columns_in<T>(*description),
                static_cast<T*>(buffer), c->first);
        const int base = c->base == CUSPARSE_INDEX_BASE_ONE;
        scan_kernel<<<1, kThreads, 0, h->stream>>>(c->first, rows, c->first, base);
        int last = base;
        cudaMemcpyAsync(&last, c->first + rows, sizeof last, cudaMemcpyDeviceToHost, h->stream);
        cudaStreamSynchronize(h->stream);
        c->nnz = last - base;
        return launched();
    });
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t description) {
    HEDDLE_SPARSE_PRODUCT();
    HEDDLE_SPARSE_CHECK(description->products != nullptr && c->first != nullptr &&
                        (c->nnz == 0 || (c->second != nullptr && c->values != nullptr)));
    if (c->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(compute, [&](auto element) {
        using T = decltype(element);
        copy_products_kernel<T><<<blocks_for(c->rows), kThreads, 0, h->stream>>>(
            static_cast<int>(c->rows), description->places, columns_in<T>(*description),
            static_cast<const T*>(description->products), c->first, c->base == CUSPARSE_INDEX_BASE_ONE,
            scalar<T>(h, alpha), scalar<T>(h, beta), c->second, static_cast<T*>(c->values));
        return launched();
    });
}

}  // extern "C"
