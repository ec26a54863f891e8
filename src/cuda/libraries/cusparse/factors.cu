// Incomplete LU factors: one warp goes through the rows in order.

#include "descriptors.cuh"

using namespace heddle_sparse;

struct csrilu02Info {
    int* zero_pivot = nullptr;  // on the device: the first row without a pivot, -1 if there is none
};

namespace {

/// For each earlier row that a row names: its multiple is taken out of what both rows have.
template <typename T>
__global__ void ilu_kernel(int n, const int* offsets, const int* columns, T* values, int base,
                           int* zero_pivot) {
    const int lane = static_cast<int>(threadIdx.x);
    auto find = [&](int row, int column) {
        int low = offsets[row] - base, high = offsets[row + 1] - base;
        const int end = high;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (columns[middle] - base < column)
                low = middle + 1;
            else
                high = middle;
        }
        return low < end && columns[low] - base == column ? low : -1;
    };
    if (lane == 0) *zero_pivot = -1;
    __syncwarp();
    for (int row = 0; row < n; ++row) {
        const int begin = offsets[row] - base, end = offsets[row + 1] - base;
        for (int k = begin; k < end && columns[k] - base < row; ++k) {
            const int other = columns[k] - base, pivot = find(other, other);
            if (pivot < 0 || is_zero(values[pivot])) continue;
            const T factor = divide(values[k], values[pivot]);
            __syncwarp();
            if (lane == 0) values[k] = factor;
            for (int i = k + 1 + lane; i < end; i += 32)
                if (const int at = find(other, columns[i] - base); at >= 0)
                    values[i] = add(values[i], negate(mul(factor, values[at])));
            __syncwarp();
        }
        const int pivot = find(row, row);
        if (lane == 0 && *zero_pivot < 0 && (pivot < 0 || is_zero(values[pivot]))) *zero_pivot = row + base;
        __syncwarp();
    }
}

template <typename T>
cusparseStatus_t factorise(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t description,
                           T* values, const int* offsets, const int* columns, csrilu02Info_t info) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(m >= 0 && nnz >= 0 && description && values && offsets && columns && info);
    if (m == 0) return CUSPARSE_STATUS_SUCCESS;
    ilu_kernel<<<1, 32, 0, h->stream>>>(m, offsets, columns, values,
                                        description->base == CUSPARSE_INDEX_BASE_ONE, info->zero_pivot);
    return launched();
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
    HEDDLE_SPARSE_CHECK(info != nullptr);
    *info = new csrilu02Info;
    return cudaMalloc(&(*info)->zero_pivot, sizeof(int)) == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
                                                                        : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
    if (info != nullptr) cudaFree(info->zero_pivot);
    delete info;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t h, csrilu02Info_t info, int* position) {
    HEDDLE_SPARSE_HANDLE(h);
    HEDDLE_SPARSE_CHECK(info && position);
    int found = -1;
    cudaMemcpyAsync(&found, info->zero_pivot, sizeof found, cudaMemcpyDeviceToHost, h->stream);
    cudaStreamSynchronize(h->stream);
    *position = found;
    return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define HEDDLE_SPARSE_ILU(L, T)                                                                             \
    cusparseStatus_t cusparse##L##csrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, \
                                                      T*, const int*, const int*, csrilu02Info_t,           \
                                                      int* bytes) {                                         \
        HEDDLE_SPARSE_CHECK(bytes != nullptr);                                                              \
        *bytes = 0;                                                                                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                     \
    }                                                                                                       \
    cusparseStatus_t cusparse##L##csrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t,   \
                                                    const T*, const int*, const int*, csrilu02Info_t,       \
                                                    cusparseSolvePolicy_t, void*) {                         \
        return CUSPARSE_STATUS_SUCCESS;                                                                     \
    }                                                                                                       \
    cusparseStatus_t cusparse##L##csrilu02(cusparseHandle_t h, int m, int nnz, const cusparseMatDescr_t d,  \
                                           T* v, const int* o, const int* c, csrilu02Info_t info,           \
                                           cusparseSolvePolicy_t, void*) {                                  \
        return factorise(h, m, nnz, d, v, o, c, info);                                                      \
    }
HEDDLE_SPARSE_ILU(S, float)
HEDDLE_SPARSE_ILU(D, double)

}  // extern "C"
