#pragma once
// What a cuBLAS handle holds, and how functions check their arguments and start kernels.

#include "cublas_v2.h"
#include "numbers.cuh"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
    int multiprocessors = 1;
    /// Partial results of reductions; kPartials of the largest element.
    void* partials = nullptr;
    /// One result, of functions that give it to the host.
    void* result = nullptr;
};

namespace heddle_blas {

constexpr int kThreads = 256;
constexpr int kPartials = 256;

template <typename T>
Scalar<T> scalar(cublasHandle_t h, const T* p) {
    if (h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {zero<T>(), p};
    return {*p, nullptr};
}
template <typename T>
Scalar<T> constant(T value) {
    return {value, nullptr};
}

/// A scalar that the host has to know, wherever it lies.
template <typename S>
S known(cublasHandle_t h, const S* place) {
    if (h->pointer_mode == CUBLAS_POINTER_MODE_HOST) return *place;
    S value;
    cudaMemcpyAsync(&value, place, sizeof value, cudaMemcpyDeviceToHost, h->stream);
    cudaStreamSynchronize(h->stream);
    return value;
}

inline unsigned blocks_for(long long n, int threads) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}
/// Of kernels that go through their elements in strides of the grid.
inline unsigned few_blocks(cublasHandle_t h, long long n) {
    const long long most = 8LL * h->multiprocessors, needed = (n + kThreads - 1) / kThreads;
    return static_cast<unsigned>(needed < most ? (needed < 1 ? 1 : needed) : most);
}

inline cublasStatus_t launched() {
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// BLAS vectors with a negative stride begin at their end.
template <typename T>
T* start(T* x, int n, int inc) {
    return inc < 0 ? x + static_cast<long long>(1 - n) * inc : x;
}

#define HEDDLE_BLAS_CHECK(condition) \
    if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE
#define HEDDLE_BLAS_HANDLE(h) \
    if ((h) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED

}  // namespace heddle_blas
