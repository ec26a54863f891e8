// How programs steer Jacobi's methods, and what they ask afterwards.

#include "jacobi.cuh"

namespace heddle_solver {

cusolverStatus_t make_parameters(JacobiParameters** params) {
    HEDDLE_SOLVER_CHECK(params != nullptr);
    auto* const p = new JacobiParameters;
    if (cudaMallocManaged(&p->done, sizeof *p->done) != cudaSuccess) {
        delete p;
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *p->done = {0, 0};
    *params = p;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t free_parameters(JacobiParameters* params) {
    HEDDLE_SOLVER_CHECK(params != nullptr);
    cudaFree(params->done);
    delete params;
    return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace heddle_solver

using heddle_solver::free_parameters;
using heddle_solver::make_parameters;

extern "C" {

// Values come sorted, also where the program does not ask for it.
#define HEDDLE_SOLVER_PARAMETERS(name, Name)                                                                   \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t* params) { return make_parameters(params); } \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t params) { return free_parameters(params); } \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t params, double tolerance) {              \
        HEDDLE_SOLVER_CHECK(params != nullptr && tolerance >= 0);                                          \
        params->tolerance = tolerance;                                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                                    \
    }                                                                                                      \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t params, int most) {                      \
        HEDDLE_SOLVER_CHECK(params != nullptr && most > 0);                                                \
        params->most_sweeps = most;                                                                        \
        return CUSOLVER_STATUS_SUCCESS;                                                                    \
    }                                                                                                      \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t params, int) {                             \
        HEDDLE_SOLVER_CHECK(params != nullptr);                                                            \
        return CUSOLVER_STATUS_SUCCESS;                                                                    \
    }                                                                                                      \
    cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t h, name##Info_t params,             \
                                                    double* residual) {                                    \
        HEDDLE_SOLVER_HANDLE(h);                                                                           \
        HEDDLE_SOLVER_CHECK(params != nullptr && residual != nullptr);                                     \
        cudaStreamSynchronize(h->stream);                                                                  \
        *residual = params->done->residual;                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                                    \
    }                                                                                                      \
    cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t h, name##Info_t params,               \
                                                  int* sweeps) {                                           \
        HEDDLE_SOLVER_HANDLE(h);                                                                           \
        HEDDLE_SOLVER_CHECK(params != nullptr && sweeps != nullptr);                                       \
        cudaStreamSynchronize(h->stream);                                                                  \
        *sweeps = params->done->sweeps;                                                                    \
        return CUSOLVER_STATUS_SUCCESS;                                                                    \
    }
HEDDLE_SOLVER_PARAMETERS(gesvdj, Gesvdj)
HEDDLE_SOLVER_PARAMETERS(syevj, Syevj)

}  // extern "C"
