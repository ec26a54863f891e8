#pragma once
// cuSOLVER, refactorisation: P A Q^T = L U once more, with other values in the same places and the pivots of the first time
// (src/cuda/libraries/cusolver/refactor.cu). As in cusolverSp.h, all of it computes on the host.

#include "cusolver_common.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
    CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
    CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR = 0, CUSOLVERRF_MATRIX_FORMAT_CSC = 1 } cusolverRfMatrixFormat_t;
typedef enum {
    CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
    CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
    CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
    CUSOLVERRF_FACTORIZATION_ALG0 = 0,
    CUSOLVERRF_FACTORIZATION_ALG1 = 1,
    CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
    CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
    CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
    CUSOLVERRF_NUMERIC_BOOST_USED = 1
} cusolverRfNumericBoostReport_t;

typedef struct cusolverRfCommon* cusolverRfHandle_t;

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle);
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle);

// Matrices by rows with L's diagonal of ones, stored or not, are what there is; other formats are not supported.
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diagonal);
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diagonal);
// A pivot below `zero` in magnitude is an error, or becomes `boost` where that is above 0.
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost);
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero, double* boost);
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t* report);
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factorization,
                                   cusolverRfTriangularSolve_t solve);
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factorization,
                                   cusolverRfTriangularSolve_t* solve);
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t mode);
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* mode);

// Indices from 0; row i of L U is row p[i] of A, its column j column q[j].
cusolverStatus_t cusolverRfSetupHost(int n, int nnz, int* rows, int* columns, double* values, int nnz_l,
                                     int* rows_l, int* columns_l, double* values_l, int nnz_u, int* rows_u,
                                     int* columns_u, double* values_u, int* p, int* q,
                                     cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfSetupDevice(int n, int nnz, int* rows, int* columns, double* values, int nnz_l,
                                       int* rows_l, int* columns_l, double* values_l, int nnz_u, int* rows_u,
                                       int* columns_u, double* values_u, int* p, int* q,
                                       cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfResetValues(int n, int nnz, int* rows, int* columns, double* values, int* p,
                                       int* q, cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle);
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle);
// X = A^-1 X, of `right_sides` columns. `temporary` is not used.
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int* p, int* q, int right_sides,
                                 double* temporary, int ld_temporary, double* x, int ld_x);

#if defined(__cplusplus)
}
#endif
