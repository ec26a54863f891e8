// Level 1: vectors.
//
// Reductions go over a fixed number of blocks and then over these blocks' results, so that the same input gives the same bits.

#include "handle.cuh"

using namespace heddle_blas;

namespace {

__device__ long long first() {
    return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ long long step() {
    return static_cast<long long>(gridDim.x) * blockDim.x;
}

template <typename T>
__global__ void axpy_kernel(int n, Scalar<T> alpha, const T* x, long long incx, T* y, long long incy) {
    const T a = alpha.get();
    for (long long i = first(); i < n; i += step()) y[i * incy] = mul_add(a, x[i * incx], y[i * incy]);
}

template <typename T, typename S>
__global__ void scale_kernel(int n, Scalar<S> alpha, T* x, long long incx) {
    const S a = alpha.get();
    for (long long i = first(); i < n; i += step()) {
        if constexpr (std::is_same_v<T, S>)
            x[i * incx] = mul(a, x[i * incx]);
        else
            x[i * incx] = scale(a, x[i * incx]);
    }
}

template <typename T>
__global__ void copy_kernel(int n, const T* x, long long incx, T* y, long long incy) {
    for (long long i = first(); i < n; i += step()) y[i * incy] = x[i * incx];
}

template <typename T>
__global__ void swap_kernel(int n, T* x, long long incx, T* y, long long incy) {
    for (long long i = first(); i < n; i += step()) {
        const T t = x[i * incx];
        x[i * incx] = y[i * incy];
        y[i * incy] = t;
    }
}

/// x = c x + s y, y = c y - conj(s) x.
template <typename T, typename S>
__global__ void rotate_kernel(int n, T* x, long long incx, T* y, long long incy, Scalar<Real<T>> cosine,
                              Scalar<S> sine) {
    const Real<T> c = cosine.get();
    T s;
    if constexpr (std::is_same_v<S, T>)
        s = sine.get();
    else
        s = from_real<T>(sine.get());
    for (long long i = first(); i < n; i += step()) {
        const T a = x[i * incx], b = y[i * incy];
        x[i * incx] = add(scale(c, a), mul(s, b));
        y[i * incy] = add(scale(c, b), negate(mul(conjugate(s), a)));
    }
}

template <typename T>
__global__ void modified_rotate_kernel(int n, T* x, long long incx, T* y, long long incy, T h11, T h21, T h12,
                                       T h22) {
    for (long long i = first(); i < n; i += step()) {
        const T a = x[i * incx], b = y[i * incy];
        x[i * incx] = h11 * a + h12 * b;
        y[i * incy] = h21 * a + h22 * b;
    }
}

// Reductions: what is summed is a type of its own.

/// Sum of squares without overflow: the largest magnitude, and the sum of the squares of the ratios to it.
template <typename R>
struct Norm {
    R largest, sum;
};
/// The element of largest or smallest magnitude; the first of equals.
template <typename R>
struct Extreme {
    R value;
    int index;
};

template <typename T>
struct DotOp {
    using Part = T;
    const T *x, *y;
    long long incx, incy;
    bool conj;
    static __device__ Part none() { return zero<T>(); }
    __device__ Part take(Part p, long long i) const {
        const T a = x[i * incx];
        return mul_add(conj ? conjugate(a) : a, y[i * incy], p);
    }
    static __device__ Part join(Part a, Part b) { return add(a, b); }
    static __device__ T finish(Part p) { return p; }
};

template <typename T>
struct AsumOp {
    using Part = Real<T>;
    const T* x;
    long long incx;
    static __device__ Part none() { return 0; }
    __device__ Part take(Part p, long long i) const { return p + abs1(x[i * incx]); }
    static __device__ Part join(Part a, Part b) { return a + b; }
    static __device__ Part finish(Part p) { return p; }
};

template <typename T>
struct NormOp {
    using R = Real<T>;
    using Part = Norm<R>;
    const T* x;
    long long incx;
    static __device__ Part none() { return {0, 0}; }
    static __device__ Part with(Part p, R v) {
        v = v < 0 ? -v : v;
        if (v == 0) return p;
        if (v > p.largest) {
            const R q = p.largest / v;
            return {v, 1 + p.sum * q * q};
        }
        const R q = v / p.largest;
        return {p.largest, p.sum + q * q};
    }
    __device__ Part take(Part p, long long i) const {
        const T v = x[i * incx];
        if constexpr (Traits<T>::complex)
            return with(with(p, v.x), v.y);
        else
            return with(p, v);
    }
    static __device__ Part join(Part a, Part b) {
        if (a.largest < b.largest) {
            const Part t = a;
            a = b;
            b = t;
        }
        if (b.largest == 0) return a;
        const R q = b.largest / a.largest;
        return {a.largest, a.sum + b.sum * q * q};
    }
    static __device__ R finish(Part p) { return p.largest * sqrt(p.sum); }
};

template <typename T, bool kLargest>
struct ExtremeOp {
    using Part = Extreme<Real<T>>;
    const T* x;
    long long incx;
    static __device__ Part none() { return {0, 0}; }
    static __device__ Part join(Part a, Part b) {
        if (a.index == 0) return b;
        if (b.index == 0) return a;
        if (a.value == b.value) return a.index < b.index ? a : b;
        return (kLargest ? a.value > b.value : a.value < b.value) ? a : b;
    }
    __device__ Part take(Part p, long long i) const {
        return join(p, {abs1(x[i * incx]), static_cast<int>(i) + 1});
    }
    static __device__ int finish(Part p) { return p.index; }
};

template <typename Op>
__device__ typename Op::Part reduce_block(typename Op::Part mine) {
    __shared__ typename Op::Part all[kThreads];
    all[threadIdx.x] = mine;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half)
            all[threadIdx.x] = Op::join(all[threadIdx.x], all[threadIdx.x + half]);
        __syncthreads();
    }
    return all[0];
}

template <typename Op>
__global__ void reduce_kernel(int n, Op op, typename Op::Part* partials) {
    typename Op::Part mine = Op::none();
    for (long long i = first(); i < n; i += step()) mine = op.take(mine, i);
    mine = reduce_block<Op>(mine);
    if (threadIdx.x == 0) partials[blockIdx.x] = mine;
}

template <typename Op, typename Result>
__global__ void finish_kernel(int count, const typename Op::Part* partials, Result* result) {
    typename Op::Part mine = static_cast<int>(threadIdx.x) < count ? partials[threadIdx.x] : Op::none();
    mine = reduce_block<Op>(mine);
    if (threadIdx.x == 0) *result = Op::finish(mine);
}

template <typename Result, typename Op>
cublasStatus_t reduce(cublasHandle_t h, int n, const Op& op, Result* result) {
    HEDDLE_BLAS_CHECK(result != nullptr);
    const bool to_host = h->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    auto* const partials = static_cast<typename Op::Part*>(h->partials);
    Result* const place = to_host ? static_cast<Result*>(h->result) : result;
    const unsigned needed = blocks_for(n < 1 ? 1 : n, kThreads * 4);
    const unsigned blocks = needed < kPartials ? needed : kPartials;
    reduce_kernel<<<blocks, kThreads, 0, h->stream>>>(n, op, partials);
    finish_kernel<Op><<<1, kThreads, 0, h->stream>>>(static_cast<int>(blocks), partials, place);
    if (to_host) {
        cudaMemcpyAsync(result, place, sizeof(Result), cudaMemcpyDeviceToHost, h->stream);
        cudaStreamSynchronize(h->stream);
    }
    return launched();
}

template <typename T>
cublasStatus_t axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(alpha != nullptr);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    axpy_kernel<<<few_blocks(h, n), kThreads, 0, h->stream>>>(n, scalar(h, alpha), start(x, n, incx), incx,
                                                              start(y, n, incy), incy);
    return launched();
}

template <typename T, typename S>
cublasStatus_t scal(cublasHandle_t h, int n, const S* alpha, T* x, int incx) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(alpha != nullptr);
    if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
    scale_kernel<T, S><<<few_blocks(h, n), kThreads, 0, h->stream>>>(n, scalar(h, alpha), x, incx);
    return launched();
}

template <typename T>
cublasStatus_t copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {
    HEDDLE_BLAS_HANDLE(h);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    copy_kernel<<<few_blocks(h, n), kThreads, 0, h->stream>>>(n, start(x, n, incx), incx, start(y, n, incy),
                                                              incy);
    return launched();
}

template <typename T>
cublasStatus_t swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {
    HEDDLE_BLAS_HANDLE(h);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    swap_kernel<<<few_blocks(h, n), kThreads, 0, h->stream>>>(n, start(x, n, incx), incx, start(y, n, incy),
                                                              incy);
    return launched();
}

template <typename T>
cublasStatus_t dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* result,
                   bool conj) {
    HEDDLE_BLAS_HANDLE(h);
    const int count = n < 0 ? 0 : n;
    return reduce(h, count, DotOp<T>{start(x, count, incx), start(y, count, incy), incx, incy, conj}, result);
}

template <typename T>
cublasStatus_t asum(cublasHandle_t h, int n, const T* x, int incx, Real<T>* result) {
    HEDDLE_BLAS_HANDLE(h);
    return reduce(h, incx <= 0 ? 0 : n, AsumOp<T>{x, incx}, result);
}

template <typename T>
cublasStatus_t nrm2(cublasHandle_t h, int n, const T* x, int incx, Real<T>* result) {
    HEDDLE_BLAS_HANDLE(h);
    return reduce(h, incx <= 0 ? 0 : n, NormOp<T>{x, incx}, result);
}

template <typename T, bool kLargest>
cublasStatus_t extreme(cublasHandle_t h, int n, const T* x, int incx, int* result) {
    HEDDLE_BLAS_HANDLE(h);
    return reduce(h, incx <= 0 ? 0 : n, ExtremeOp<T, kLargest>{x, incx}, result);
}

template <typename T, typename S>
cublasStatus_t rot(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const Real<T>* c, const S* s) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(c != nullptr && s != nullptr);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    rotate_kernel<T, S><<<few_blocks(h, n), kThreads, 0, h->stream>>>(
        n, start(x, n, incx), incx, start(y, n, incy), incy, scalar(h, c), scalar(h, s));
    return launched();
}

template <typename T>
cublasStatus_t rotm(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* param) {
    HEDDLE_BLAS_HANDLE(h);
    HEDDLE_BLAS_CHECK(param != nullptr);
    struct Parameters {
        T p[5];
    };
    const auto [p] = known(h, reinterpret_cast<const Parameters*>(param));
    if (n <= 0 || p[0] == -2) return CUBLAS_STATUS_SUCCESS;
    // The flag says which entries are ones and zeros.
    const T h11 = p[0] == 0 ? 1 : p[1], h22 = p[0] == 0 ? 1 : p[4];
    const T h21 = p[0] == 1 ? -1 : p[2], h12 = p[0] == 1 ? 1 : p[3];
    modified_rotate_kernel<<<few_blocks(h, n), kThreads, 0, h->stream>>>(
        n, start(x, n, incx), incx, start(y, n, incy), incy, h11, h21, h12, h22);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_BLAS_EACH(L, I, T)                                                                          \
    cublasStatus_t cublas##L##axpy_v2(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, \
                                      int incy) {                                                          \
        return axpy(h, n, alpha, x, incx, y, incy);                                                        \
    }                                                                                                      \
    cublasStatus_t cublas##L##scal_v2(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {           \
        return scal(h, n, alpha, x, incx);                                                                 \
    }                                                                                                      \
    cublasStatus_t cublas##L##copy_v2(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {     \
        return copy(h, n, x, incx, y, incy);                                                               \
    }                                                                                                      \
    cublasStatus_t cublas##L##swap_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {           \
        return swap(h, n, x, incx, y, incy);                                                               \
    }                                                                                                      \
    cublasStatus_t cublasI##I##amax_v2(cublasHandle_t h, int n, const T* x, int incx, int* result) {       \
        return extreme<T, true>(h, n, x, incx, result);                                                    \
    }                                                                                                      \
    cublasStatus_t cublasI##I##amin_v2(cublasHandle_t h, int n, const T* x, int incx, int* result) {       \
        return extreme<T, false>(h, n, x, incx, result);                                                   \
    }
HEDDLE_BLAS_EACH(S, s, float)
HEDDLE_BLAS_EACH(D, d, double)
HEDDLE_BLAS_EACH(C, c, cuComplex)
HEDDLE_BLAS_EACH(Z, z, cuDoubleComplex)

#define HEDDLE_BLAS_NORMS(L, T)                                                                         \
    cublasStatus_t cublas##L##asum_v2(cublasHandle_t h, int n, const T* x, int incx, Real<T>* result) { \
        return asum(h, n, x, incx, result);                                                             \
    }                                                                                                   \
    cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t h, int n, const T* x, int incx, Real<T>* result) { \
        return nrm2(h, n, x, incx, result);                                                             \
    }
HEDDLE_BLAS_NORMS(S, float)
HEDDLE_BLAS_NORMS(D, double)
HEDDLE_BLAS_NORMS(Sc, cuComplex)
HEDDLE_BLAS_NORMS(Dz, cuDoubleComplex)

#define HEDDLE_BLAS_DOT(name, T, conj)                                                                    \
    cublasStatus_t cublas##name##_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, \
                                     T* result) {                                                         \
        return dot(h, n, x, incx, y, incy, result, conj);                                                 \
    }
HEDDLE_BLAS_DOT(Sdot, float, false)
HEDDLE_BLAS_DOT(Ddot, double, false)
HEDDLE_BLAS_DOT(Cdotu, cuComplex, false)
HEDDLE_BLAS_DOT(Cdotc, cuComplex, true)
HEDDLE_BLAS_DOT(Zdotu, cuDoubleComplex, false)
HEDDLE_BLAS_DOT(Zdotc, cuDoubleComplex, true)

cublasStatus_t cublasCsscal_v2(cublasHandle_t h, int n, const float* alpha, cuComplex* x, int incx) {
    return scal(h, n, alpha, x, incx);
}
cublasStatus_t cublasZdscal_v2(cublasHandle_t h, int n, const double* alpha, cuDoubleComplex* x, int incx) {
    return scal(h, n, alpha, x, incx);
}

#define HEDDLE_BLAS_ROT(name, T, S)                                                           \
    cublasStatus_t cublas##name##_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, \
                                     const Real<T>* c, const S* s) {                          \
        return rot(h, n, x, incx, y, incy, c, s);                                             \
    }
HEDDLE_BLAS_ROT(Srot, float, float)
HEDDLE_BLAS_ROT(Drot, double, double)
HEDDLE_BLAS_ROT(Crot, cuComplex, cuComplex)
HEDDLE_BLAS_ROT(Zrot, cuDoubleComplex, cuDoubleComplex)
HEDDLE_BLAS_ROT(Csrot, cuComplex, float)
HEDDLE_BLAS_ROT(Zdrot, cuDoubleComplex, double)

cublasStatus_t cublasSrotm_v2(cublasHandle_t h, int n, float* x, int incx, float* y, int incy,
                              const float* param) {
    return rotm(h, n, x, incx, y, incy, param);
}
cublasStatus_t cublasDrotm_v2(cublasHandle_t h, int n, double* x, int incx, double* y, int incy,
                              const double* param) {
    return rotm(h, n, x, incx, y, incy, param);
}

}  // extern "C"
