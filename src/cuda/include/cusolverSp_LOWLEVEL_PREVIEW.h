#pragma once
// cuSOLVER, sparse matrices step by step: analysis, factorisation, solution with a factorisation that is kept
// (src/cuda/libraries/cusolver/sparse.cu). As in cusolverSp.h, all of it computes on the host, and the workspaces are not used.

#include "cusolverSp.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct csrluInfoHost* csrluInfoHost_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
typedef struct csrqrInfo* csrqrInfo_t;
typedef struct csrcholInfo* csrcholInfo_t;

#define HEDDLE_SPARSE_INFO(method, Host)                                                    \
    cusolverStatus_t cusolverSpCreateCsr##method##Info##Host(csr##method##Info##Host##_t*); \
    cusolverStatus_t cusolverSpDestroyCsr##method##Info##Host(csr##method##Info##Host##_t);
HEDDLE_SPARSE_INFO(lu, Host)
HEDDLE_SPARSE_INFO(qr, Host)
HEDDLE_SPARSE_INFO(qr, )
HEDDLE_SPARSE_INFO(chol, Host)
HEDDLE_SPARSE_INFO(chol, )
#undef HEDDLE_SPARSE_INFO

// The position is -1, or the first row whose pivot is no larger than the tolerance.
#define HEDDLE_SPARSE_POSITION(L, T, method, Host)                \
    cusolverStatus_t cusolverSp##L##csr##method##ZeroPivot##Host( \
        cusolverSpHandle_t handle, csr##method##Info##Host##_t info, T tolerance, int* position);

// P A Q^T = L U: row i of it is row p[i] of A. `threshold` of the largest candidate is enough for a pivot on the diagonal. L is
// extracted without its diagonal of ones.
cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnz,
                                              const cusparseMatDescr_t description, const int* rows,
                                              const int* columns, csrluInfoHost_t info);
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnz_l, int* nnz_u,
                                         csrluInfoHost_t info);
#define HEDDLE_SPARSE_LU(L, T)                                                                            \
    cusolverStatus_t cusolverSp##L##csrluBufferInfoHost(                                                  \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values, \
        const int* rows, const int* columns, csrluInfoHost_t info, size_t* internal, size_t* workspace);  \
    cusolverStatus_t cusolverSp##L##csrluFactorHost(                                                      \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values, \
        const int* rows, const int* columns, csrluInfoHost_t info, T threshold, void* buffer);            \
    HEDDLE_SPARSE_POSITION(L, T, lu, Host)                                                                \
    cusolverStatus_t cusolverSp##L##csrluSolveHost(cusolverSpHandle_t handle, int n, const T* b, T* x,    \
                                                   csrluInfoHost_t info, void* buffer);                   \
    cusolverStatus_t cusolverSp##L##csrluExtractHost(                                                     \
        cusolverSpHandle_t handle, int* p, int* q, const cusparseMatDescr_t description_l, T* values_l,   \
        int* rows_l, int* columns_l, const cusparseMatDescr_t description_u, T* values_u, int* rows_u,    \
        int* columns_u, csrluInfoHost_t info, void* buffer);
HEDDLE_SPARSE_LU(S, float)
HEDDLE_SPARSE_LU(D, double)
#undef HEDDLE_SPARSE_LU

// A - mu I = Q R, of at least as many rows as columns; x is the solution of least squares. b and x of Factor may be null.
#define HEDDLE_SPARSE_QR_ANALYSIS(Host)                                                                    \
    cusolverStatus_t cusolverSpXcsrqrAnalysis##Host(cusolverSpHandle_t handle, int m, int n, int nnz,      \
                                                    const cusparseMatDescr_t description, const int* rows, \
                                                    const int* columns, csrqrInfo##Host##_t info);
#define HEDDLE_SPARSE_QR(L, T, Host)                                                                       \
    cusolverStatus_t cusolverSp##L##csrqrBufferInfo##Host(                                                 \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t description,            \
        const T* values, const int* rows, const int* columns, csrqrInfo##Host##_t info, size_t* internal,  \
        size_t* workspace);                                                                                \
    cusolverStatus_t cusolverSp##L##csrqrSetup##Host(                                                      \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t description,            \
        const T* values, const int* rows, const int* columns, T mu, csrqrInfo##Host##_t info);             \
    cusolverStatus_t cusolverSp##L##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int nnz,    \
                                                      T* b, T* x, csrqrInfo##Host##_t info, void* buffer); \
    HEDDLE_SPARSE_POSITION(L, T, qr, Host)                                                                 \
    cusolverStatus_t cusolverSp##L##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T* b, T* x,  \
                                                     csrqrInfo##Host##_t info, void* buffer);
HEDDLE_SPARSE_QR_ANALYSIS(Host)
HEDDLE_SPARSE_QR_ANALYSIS()
HEDDLE_SPARSE_QR(S, float, Host)
HEDDLE_SPARSE_QR(D, double, Host)
HEDDLE_SPARSE_QR(S, float, )
HEDDLE_SPARSE_QR(D, double, )
#undef HEDDLE_SPARSE_QR_ANALYSIS
#undef HEDDLE_SPARSE_QR

// A = L L^T, of A's lower triangle.
#define HEDDLE_SPARSE_CHOL_ANALYSIS(Host)                                                                    \
    cusolverStatus_t cusolverSpXcsrcholAnalysis##Host(cusolverSpHandle_t handle, int n, int nnz,             \
                                                      const cusparseMatDescr_t description, const int* rows, \
                                                      const int* columns, csrcholInfo##Host##_t info);
#define HEDDLE_SPARSE_CHOL(L, T, Host)                                                                     \
    cusolverStatus_t cusolverSp##L##csrcholBufferInfo##Host(                                               \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values,  \
        const int* rows, const int* columns, csrcholInfo##Host##_t info, size_t* internal,                 \
        size_t* workspace);                                                                                \
    cusolverStatus_t cusolverSp##L##csrcholFactor##Host(                                                   \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values,  \
        const int* rows, const int* columns, csrcholInfo##Host##_t info, void* buffer);                    \
    HEDDLE_SPARSE_POSITION(L, T, chol, Host)                                                               \
    cusolverStatus_t cusolverSp##L##csrcholSolve##Host(cusolverSpHandle_t handle, int n, const T* b, T* x, \
                                                       csrcholInfo##Host##_t info, void* buffer);
HEDDLE_SPARSE_CHOL_ANALYSIS(Host)
HEDDLE_SPARSE_CHOL_ANALYSIS()
HEDDLE_SPARSE_CHOL(S, float, Host)
HEDDLE_SPARSE_CHOL(D, double, Host)
HEDDLE_SPARSE_CHOL(S, float, )
HEDDLE_SPARSE_CHOL(D, double, )
#undef HEDDLE_SPARSE_CHOL_ANALYSIS
#undef HEDDLE_SPARSE_CHOL
#undef HEDDLE_SPARSE_POSITION

#if defined(__cplusplus)
}
#endif
