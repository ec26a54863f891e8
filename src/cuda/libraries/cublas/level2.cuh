#pragma once
// What level 2 shares between dense matrices and those that are bands or packed.

#include "gemm.cuh"

namespace heddle_blas {

/// x = op(A) x with `multiply(from, stride)`, which writes x: from a copy of x, dense in the order of memory; with a negative stride
/// that is from the vector's end.
template <typename T, typename Multiply>
cublasStatus_t multiply_in_place(cublasHandle_t h, int n, T* x, int incx, Multiply multiply) {
    if (n == 0) return CUBLAS_STATUS_SUCCESS;
    T* copy = nullptr;
    if (cudaMallocAsync(&copy, static_cast<size_t>(n) * sizeof(T), h->stream) != cudaSuccess)
        return CUBLAS_STATUS_ALLOC_FAILED;
    cudaMemcpy2DAsync(copy, sizeof(T), x, sizeof(T) * static_cast<size_t>(incx < 0 ? -incx : incx), sizeof(T),
                      static_cast<size_t>(n), cudaMemcpyDeviceToDevice, h->stream);
    const cublasStatus_t status = multiply(static_cast<const T*>(copy), incx < 0 ? -1 : 1);
    cudaFreeAsync(copy, h->stream);
    return status;
}

/// `to`, element (row, column) of A, of A + alpha x y' (the conjugate of y where asked), and with `twice` the same with x and y
/// exchanged. With `real` it has no imaginary part.
template <typename T>
__device__ __forceinline__ void add_product(T& to, int row, int column, T alpha, const T* x, long long incx,
                                            const T* y, long long incy, bool conj, bool twice, bool real) {
    const T yc = y[column * incy];
    T v = mul_add(mul(alpha, x[row * incx]), conj ? conjugate(yc) : yc, to);
    if (twice) {
        const T xc = x[column * incx];
        v = mul_add(mul(conj ? conjugate(alpha) : alpha, y[row * incy]), conj ? conjugate(xc) : xc, v);
    }
    to = real ? from_real<T>(real_part(v)) : v;
}

}  // namespace heddle_blas
