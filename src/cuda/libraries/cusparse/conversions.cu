// From one form of a sparse matrix to another, and to and from dense ones.

#include "scan.cuh"

using namespace heddle_sparse;

namespace {

/// Row offsets from sorted row indices: how many lie before each row.
__global__ void offsets_kernel(const int* rows, int nnz, int count, int* offsets, int base) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row > count) return;
    int low = 0, high = nnz;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (rows[middle] - base < row)
            low = middle + 1;
        else
            high = middle;
    }
    offsets[row] = low + base;
}
__global__ void rows_kernel(const int* offsets, int count, int* rows, int base) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= count) return;
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) rows[k] = row + base;
}

__global__ void count_kernel(const int* columns, int nnz, int base, int* counts) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < nnz) atomicAdd(&counts[columns[k] - base], 1);
}
/// Each element to its column, in any order; `taken` counts those that have arrived.
template <typename T>
__global__ void spread_kernel(int rows, const int* row_offsets, const int* columns, const T* values, int base,
                              const int* column_offsets, int* taken, int* row_indices, T* out) {
    const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows) return;
    for (int k = row_offsets[row] - base; k < row_offsets[row + 1] - base; ++k) {
        const int column = columns[k] - base;
        const int to = column_offsets[column] - base + atomicAdd(&taken[column], 1);
        row_indices[to] = row + base;
        if (out != nullptr) out[to] = values[k];
    }
}
/// The rows of each column in ascending order.
template <typename T>
__global__ void sort_kernel(int columns, const int* offsets, int base, int* rows, T* values) {
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (column >= columns) return;
    const int begin = offsets[column] - base, end = offsets[column + 1] - base;
    for (int i = begin + 1; i < end; ++i) {
        const int row = rows[i];
        const T value = values != nullptr ? values[i] : T();
        int at = i;
        for (; at > begin && rows[at - 1] > row; --at) {
            rows[at] = rows[at - 1];
            if (values != nullptr) values[at] = values[at - 1];
        }
        rows[at] = row;
        if (values != nullptr) values[at] = value;
    }
}

template <typename T>
__global__ void clear_kernel(T* data, long long rows, long long columns, long long row_step,
                             long long column_step) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < rows * columns) data[i % rows * row_step + i / rows * column_step] = zero<T>();
}
/// `lines` compressed lines of a matrix (rows or columns) into a dense one.
template <typename T>
__global__ void expand_kernel(int lines, const int* offsets, const int* indices, const T* values, int base,
                              T* data, long long line_step, long long index_step) {
    const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (line >= lines) return;
    for (int k = offsets[line] - base; k < offsets[line + 1] - base; ++k)
        data[line * line_step + (indices[k] - base) * index_step] = values[k];
}
template <typename T>
__global__ void expand_coordinates_kernel(int nnz, const int* rows, const int* cols, const T* values,
                                          int base, T* data, long long row_step, long long column_step) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < nnz) data[(rows[k] - base) * row_step + (cols[k] - base) * column_step] = values[k];
}

template <typename T>
__global__ void count_line_kernel(int lines, int length, const T* data, long long line_step,
                                  long long index_step, int* counts) {
    const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (line >= lines) return;
    int count = 0;
    for (int i = 0; i < length; ++i) count += !is_zero(data[line * line_step + i * index_step]);
    counts[line] = count;
}
template <typename T>
__global__ void compress_kernel(int lines, int length, const T* data, long long line_step,
                                long long index_step, const int* offsets, int base, int* indices, T* values) {
    const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (line >= lines) return;
    int to = offsets[line] - base;
    for (int i = 0; i < length; ++i) {
        const T v = data[line * line_step + i * index_step];
        if (is_zero(v)) continue;
        indices[to] = i + base;
        values[to++] = v;
    }
}

/// The steps of a dense matrix along the lines of a compressed one and within a line.
struct Steps {
    int lines, length;
    long long line, index;
};
Steps steps(const cusparseDnMatDescr& d, cusparseFormat_t format) {
    const bool columns = d.order == CUSPARSE_ORDER_COL;
    const long long row_step = columns ? 1 : d.ld, column_step = columns ? d.ld : 1;
    if (format == CUSPARSE_FORMAT_CSC)
        return {static_cast<int>(d.cols), static_cast<int>(d.rows), column_step, row_step};
    return {static_cast<int>(d.rows), static_cast<int>(d.cols), row_step, column_step};
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t h, const int* row_indices, int nnz, int rows,
                                  int* row_offsets, cusparseIndexBase_t base) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(nnz >= 0 && rows >= 0);
    offsets_kernel<<<blocks_for(rows + 1), kThreads, 0, h->stream>>>(row_indices, nnz, rows, row_offsets,
                                                                     base);
    return launched();
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t h, const int* row_offsets, int nnz, int rows,
                                  int* row_indices, cusparseIndexBase_t base) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(nnz >= 0 && rows >= 0);
    if (rows == 0) return CUSPARSE_STATUS_SUCCESS;
    rows_kernel<<<blocks_for(rows), kThreads, 0, h->stream>>>(row_offsets, rows, row_indices, base);
    return launched();
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int cols, int, const void*, const int*,
                                               const int*, void*, int*, int*, cudaDataType, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t* bytes) {
    HEDDLE_SPARSE_CHECK(bytes != nullptr && cols >= 0);
    *bytes = static_cast<size_t>(cols + 1) * sizeof(int);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t h, int rows, int cols, int nnz, const void* values,
                                    const int* row_offsets, const int* col_indices, void* csc_values,
                                    int* col_offsets, int* row_indices, cudaDataType type,
                                    cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t,
                                    void* buffer) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(rows >= 0 && cols >= 0 && nnz >= 0 && buffer != nullptr);
    return by_type(type, [&](auto element) {
        using T = decltype(element);
        auto* const counts = static_cast<int*>(buffer);
        T* const out = action == CUSPARSE_ACTION_NUMERIC ? static_cast<T*>(csc_values) : nullptr;
        const size_t bytes = static_cast<size_t>(cols) * sizeof(int);
        cudaMemsetAsync(counts, 0, bytes, h->stream);
        if (nnz > 0)
            count_kernel<<<blocks_for(nnz), kThreads, 0, h->stream>>>(col_indices, nnz, base, counts);
        scan_kernel<<<1, kThreads, 0, h->stream>>>(counts, cols, col_offsets, base);
        if (nnz == 0) return launched();
        cudaMemsetAsync(counts, 0, bytes, h->stream);
        spread_kernel<<<blocks_for(rows), kThreads, 0, h->stream>>>(rows, row_offsets, col_indices,
                                                                    static_cast<const T*>(values), base,
                                                                    col_offsets, counts, row_indices, out);
        sort_kernel<<<blocks_for(cols), kThreads, 0, h->stream>>>(cols, col_offsets, base, row_indices, out);
        return launched();
    });
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                  size_t* bytes) {
    HEDDLE_SPARSE_CHECK(bytes != nullptr);
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(a && b && a->rows == b->rows && a->cols == b->cols && a->type == b->type);
    if (a->rows == 0 || a->cols == 0) return CUSPARSE_STATUS_SUCCESS;
    return by_type(a->type, [&](auto element) {
        using T = decltype(element);
        T* const data = static_cast<T*>(b->values);
        const T* const values = static_cast<const T*>(a->values);
        const int base = a->base == CUSPARSE_INDEX_BASE_ONE;
        const Steps s = steps(*b, a->format);
        clear_kernel<<<blocks_for(static_cast<int64_t>(s.lines) * s.length), kThreads, 0, h->stream>>>(
            data, s.lines, s.length, s.line, s.index);
        if (a->nnz == 0) return launched();
        if (a->format == CUSPARSE_FORMAT_COO)
            expand_coordinates_kernel<<<blocks_for(a->nnz), kThreads, 0, h->stream>>>(
                static_cast<int>(a->nnz), a->first, a->second, values, base, data, s.line, s.index);
        else
            expand_kernel<<<blocks_for(s.lines), kThreads, 0, h->stream>>>(
                s.lines, a->first, a->second, values, base, data, s.line, s.index);
        return launched();
    });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                  size_t* bytes) {
    HEDDLE_SPARSE_CHECK(a != nullptr && bytes != nullptr);
    *bytes = static_cast<size_t>(a->rows > a->cols ? a->rows : a->cols) * sizeof(int);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                void* buffer) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(a && b && buffer && b->first && a->rows == b->rows && a->cols == b->cols &&
                        a->type == b->type);
    if (b->format == CUSPARSE_FORMAT_COO) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(a->type, [&](auto element) {
        using T = decltype(element);
        const int base = b->base == CUSPARSE_INDEX_BASE_ONE;
        const Steps s = steps(*a, b->format);
        auto* const counts = static_cast<int*>(buffer);
        count_line_kernel<<<blocks_for(s.lines), kThreads, 0, h->stream>>>(
            s.lines, s.length, static_cast<const T*>(a->values), s.line, s.index, counts);
        scan_kernel<<<1, kThreads, 0, h->stream>>>(counts, s.lines, b->first, base);
        int last = 0;
        cudaMemcpyAsync(&last, b->first + s.lines, sizeof last, cudaMemcpyDeviceToHost, h->stream);
        cudaStreamSynchronize(h->stream);
        b->nnz = last - base;
        return launched();
    });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void*) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(a && b && a->type == b->type && (b->nnz == 0 || (b->second && b->values)));
    if (b->format == CUSPARSE_FORMAT_COO) return CUSPARSE_STATUS_NOT_SUPPORTED;
    return by_type(a->type, [&](auto element) {
        using T = decltype(element);
        const Steps s = steps(*a, b->format);
        compress_kernel<<<blocks_for(s.lines), kThreads, 0, h->stream>>>(
            s.lines, s.length, static_cast<const T*>(a->values), s.line, s.index, b->first,
            b->base == CUSPARSE_INDEX_BASE_ONE, b->second, static_cast<T*>(b->values));
        return launched();
    });
}

}  // extern "C"
