#pragma once
// cuSOLVER, sparse matrices by rows (CSR): linear systems, orders that keep the factors sparse, permutations. Meanings are those
// of NVIDIA's manual. The library is Heddle's own (src/cuda/libraries/cusolver/sparse.cu); a function that is not declared here
// is not there. All of it computes on the host: functions of device pointers copy there and back, and launch no kernel.

#include "cusolver_common.h"
#include "cusparse.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cusolverSpContext* cusolverSpHandle_t;

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream);

// 1 if a row's `end` places and its mirror's hold the same, with `row_ends` = row_begins + 1 of plain CSR.
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t description, const int* row_begins,
                                         const int* row_ends, const int* columns, int* symmetric);

// Orders of the rows and columns of A + A^T, from 0: A(p, p) is factorised. symamd, symmdq and metisnd eliminate the vertex of the
// least degree next.
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows,
                                          const int* columns, int* p);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows,
                                          const int* columns, int* p);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows,
                                          const int* columns, int* p);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz,
                                           const cusparseMatDescr_t description, const int* rows,
                                           const int* columns, const int64_t* options, int* p);

// A(p, q) in the place of A, columns ascending; `map` is permuted as the values are.
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                                   const cusparseMatDescr_t description, const int* rows,
                                                   const int* columns, const int* p, const int* q,
                                                   size_t* bytes);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t description, int* rows, int* columns,
                                        const int* p, const int* q, int* map, void* buffer);

// A x = b. `singular` (host memory) is -1, or the first row whose pivot is no larger than `tolerance`. `reorder` is 0, or an order
// as above: 1 symrcm, 2 symamd, 3 metisnd.
#define HEDDLE_SPARSE_SOLVE(L, T, method)                                                                 \
    cusolverStatus_t cusolverSp##L##csrlsv##method(                                                       \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values, \
        const int* rows, const int* columns, const T* b, T tolerance, int reorder, T* x, int* singular);
HEDDLE_SPARSE_SOLVE(S, float, luHost)
HEDDLE_SPARSE_SOLVE(D, double, luHost)
HEDDLE_SPARSE_SOLVE(S, float, qr)
HEDDLE_SPARSE_SOLVE(D, double, qr)
HEDDLE_SPARSE_SOLVE(S, float, qrHost)
HEDDLE_SPARSE_SOLVE(D, double, qrHost)
HEDDLE_SPARSE_SOLVE(S, float, chol)
HEDDLE_SPARSE_SOLVE(D, double, chol)
HEDDLE_SPARSE_SOLVE(S, float, cholHost)
HEDDLE_SPARSE_SOLVE(D, double, cholHost)
#undef HEDDLE_SPARSE_SOLVE

#if defined(__cplusplus)
}
#endif
