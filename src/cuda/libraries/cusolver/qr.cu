// QR by Householder reflections, panel by panel: a block reflects the columns of a panel; the panel's reflections as one, I - V T V^H,
// are then applied by three products of cuBLAS.

#include "handle.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

/// The columns of a panel, m rows by n <= kPanel columns: R on and above the diagonal, the reflections' vectors below (their ones are
/// not stored).
template <typename T>
__global__ void qr_panel_kernel(int m, int n, T* a, int lda, T* tau) {
    using R = Real<T>;
    __shared__ R sums[kThreads];
    const int me = static_cast<int>(threadIdx.x);
    for (int k = 0; k < n && k < m; ++k) {
        T* const column = a + static_cast<long long>(k) * lda;
        // Scaled, so that no square overflows or vanishes.
        R largest = 0;
        for (int r = k + me; r < m; r += kThreads) {
            const R v = abs1(column[r]);
            largest = v > largest ? v : largest;
        }
        largest = block_largest(largest, sums);
        R below = 0;
        if (largest > 0)
            for (int r = k + 1 + me; r < m; r += kThreads) {
                const T v = scale<T>(1 / largest, column[r]);
                below += real_part(mul(v, conjugate(v)));
            }
        below = block_sum(below, sums);
        const T alpha = column[k];
        bool real_alpha = true;
        if constexpr (Traits<T>::complex) real_alpha = alpha.y == 0;
        if (below == 0 && real_alpha) {
            if (me == 0) tau[k] = zero<T>();
            continue;
        }
        const T scaled = scale<T>(1 / largest, alpha);
        const R length = largest * sqrt(below + real_part(mul(scaled, conjugate(scaled))));
        const R beta = real_part(alpha) > 0 ? -length : length;
        const T divisor = add(alpha, from_real<T>(-beta));
        const T t = scale<T>(-1 / beta, divisor);
        __syncthreads();
        for (int r = k + 1 + me; r < m; r += kThreads) column[r] = divide(column[r], divisor);
        if (me == 0) {
            column[k] = from_real<T>(beta);
            tau[k] = t;
        }
        __syncthreads();
        // H^H = I - conj(tau) v v^H on the columns that follow: a warp has a column.
        const int lane = me % 32, warp = me / 32;
        for (int c = k + 1 + warp; c < n; c += kThreads / 32) {
            T* const other = a + static_cast<long long>(c) * lda;
            T dot = zero<T>();
            for (int r = k + lane; r < m; r += 32)
                dot = add(dot, r == k ? other[r] : mul(conjugate(column[r]), other[r]));
            const T by = negate(mul(conjugate(t), warp_sum(dot)));
            for (int r = k + lane; r < m; r += 32)
                other[r] = r == k ? add(other[r], by) : mul_add(column[r], by, other[r]);
        }
        __syncthreads();
    }
}

/// V with its ones and zeros, m rows by k columns.
template <typename T>
__global__ void vectors_kernel(int m, int k, const T* a, int lda, T* v) {
    const long long e = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
    if (e >= static_cast<long long>(m) * k) return;
    const int r = static_cast<int>(e % m), c = static_cast<int>(e / m);
    v[e] = r < c ? zero<T>() : r == c ? one<T>() : a[r + static_cast<long long>(c) * lda];
}

/// The triangle T of I - V T V^H from the products V^H V: column j is -tau_j T (V^H v_j), its diagonal tau_j. A thread has a row.
template <typename T>
__global__ void triangle_kernel(int k, const T* products, const T* tau, T* t) {
    const int i = static_cast<int>(threadIdx.x);
    for (int j = 0; j < k; ++j) {
        T v = zero<T>();
        if (i < j) {
            for (int l = i; l < j; ++l) v = mul_add(t[i + l * kPanel], products[l + j * kPanel], v);
            v = negate(mul(tau[j], v));
        }
        __syncthreads();
        if (i < k) t[i + j * kPanel] = i < j ? v : i == j ? tau[j] : zero<T>();
        __syncthreads();
    }
}

/// What a panel needs of the workspace: V, V^H V, T and two strips.
long long panel_elements(int rows, int across) {
    return static_cast<long long>(kPanel) * (rows + 2LL * kPanel + 2LL * across);
}

/// C = op(Q) C or C op(Q) for the k <= kPanel reflections in `a`, whose vectors have `rows` elements; C has `across` columns (rows where
/// `right`).
template <typename T>
cublasStatus_t reflect(cusolverDnHandle_t h, bool right, bool adjoint, int rows, int across, int k,
                       const T* a, int lda, const T* tau, T* c, int ldc, T* work) {
    if (across == 0 || k == 0) return CUBLAS_STATUS_SUCCESS;
    T *const v = work, *const products = v + static_cast<long long>(rows) * kPanel,
             *const t = products + kPanel * kPanel, *const strip = t + kPanel * kPanel,
             *const turned = strip + static_cast<long long>(across) * kPanel;
    const long long elements = static_cast<long long>(rows) * k;
    vectors_kernel<<<static_cast<unsigned>((elements + kThreads - 1) / kThreads), kThreads, 0, h->stream>>>(
        rows, k, a, lda, v);
    const T none = zero<T>(), plus = one<T>(), minus = negate(plus);
    cublasStatus_t s =
        gemm(h->blas, CUBLAS_OP_C, CUBLAS_OP_N, k, k, rows, plus, v, rows, v, rows, none, products, kPanel);
    triangle_kernel<<<1, kPanel, 0, h->stream>>>(k, products, tau, t);
    const cublasOperation_t op = adjoint ? CUBLAS_OP_C : CUBLAS_OP_N;
    auto step = [&](auto... arguments) {
        if (s == CUBLAS_STATUS_SUCCESS) s = gemm(h->blas, arguments...);
    };
    if (right) {  // C -= ((C V) op(T)) V^H
        step(CUBLAS_OP_N, CUBLAS_OP_N, across, k, rows, plus, c, ldc, v, rows, none, strip, across);
        step(CUBLAS_OP_N, op, across, k, k, plus, strip, across, t, kPanel, none, turned, across);
        step(CUBLAS_OP_N, CUBLAS_OP_C, across, rows, k, minus, turned, across, v, rows, plus, c, ldc);
    } else {  // C -= V (op(T) (V^H C))
        step(CUBLAS_OP_C, CUBLAS_OP_N, k, across, rows, plus, v, rows, c, ldc, none, strip, kPanel);
        step(op, CUBLAS_OP_N, k, across, k, plus, t, kPanel, strip, kPanel, none, turned, kPanel);
        step(CUBLAS_OP_N, CUBLAS_OP_N, rows, across, k, minus, v, rows, turned, kPanel, plus, c, ldc);
    }
    return s;
}

template <typename T>
cusolverStatus_t qr(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T* work, int elements,
                    int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(m >= 0 && n >= 0 && valid_ld(lda, m) && info != nullptr &&
                        elements >= panel_elements(m, n));
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    const int shorter = m < n ? m : n;
    for (int k = 0; k < shorter; k += kPanel) {
        const int size = shorter - k < kPanel ? shorter - k : kPanel;
        T* const at = a + k + static_cast<long long>(k) * lda;
        qr_panel_kernel<<<1, kThreads, 0, h->stream>>>(m - k, size, at, lda, tau + k);
        const cublasStatus_t status = reflect(h, false, true, m - k, n - k - size, size, at, lda, tau + k,
                                              at + static_cast<long long>(size) * lda, lda, work);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    return launched();
}

/// C = op(Q) C or C op(Q), Q the product of k reflections.
template <typename T>
cusolverStatus_t multiply_q(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n,
                            int k, const T* a, int lda, const T* tau, T* c, int ldc, T* work, int elements,
                            int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    const bool right = side == CUBLAS_SIDE_RIGHT, adjoint = op != CUBLAS_OP_N;
    const int rows = right ? n : m, across = right ? m : n;
    HEDDLE_SOLVER_CHECK(m >= 0 && n >= 0 && k >= 0 && k <= rows && valid_ld(lda, rows) && valid_ld(ldc, m) &&
                        info != nullptr && elements >= panel_elements(rows, across));
    // A complex Q has no plain transpose here.
    HEDDLE_SOLVER_CHECK(op == CUBLAS_OP_N || op == CUBLAS_OP_C || (op == CUBLAS_OP_T && !Traits<T>::complex));
    cudaMemsetAsync(info, 0, sizeof *info, h->stream);
    // Q = H1 H2 ...: the first to meet C is the last one of Q C and of C Q^H.
    const bool last_first = right == adjoint;
    const int panels = (k + kPanel - 1) / kPanel;
    for (int p = 0; p < panels; ++p) {
        const int first = (last_first ? panels - 1 - p : p) * kPanel,
                  size = k - first < kPanel ? k - first : kPanel;
        const cublasStatus_t status = reflect(
            h, right, adjoint, rows - first, across, size, a + first + static_cast<long long>(first) * lda,
            lda, tau + first, c + first * (right ? static_cast<long long>(ldc) : 1), ldc, work);
        if (status != CUBLAS_STATUS_SUCCESS) return from(status);
    }
    return launched();
}

/// The first columns of a unit matrix.
template <typename T>
__global__ void unit_kernel(int m, int n, T* a, int lda) {
    const long long e = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
    if (e >= static_cast<long long>(m) * n) return;
    const int r = static_cast<int>(e % m), c = static_cast<int>(e / m);
    a[r + static_cast<long long>(c) * lda] = r == c ? one<T>() : zero<T>();
}

/// The first n columns of Q in place of the reflections.
template <typename T>
cusolverStatus_t form_q(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T* work,
                        int elements, int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    const long long copy = static_cast<long long>(m) * k;
    HEDDLE_SOLVER_CHECK(m >= n && n >= k && k >= 0 && valid_ld(lda, m) && info != nullptr &&
                        elements >= panel_elements(m, n) + copy);
    T* const vectors = work + panel_elements(m, n);
    const auto bytes = sizeof(T) * static_cast<size_t>(m);
    cudaMemcpy2DAsync(vectors, bytes, a, sizeof(T) * static_cast<size_t>(lda), bytes, static_cast<size_t>(k),
                      cudaMemcpyDeviceToDevice, h->stream);
    if (const long long count = static_cast<long long>(m) * n; count > 0)
        unit_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, h->stream>>>(
            m, n, a, lda);
    return multiply_q(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, m, n, k, static_cast<const T*>(vectors),
                      m > 0 ? m : 1, tau, a, lda, work, elements, info);
}

}  // namespace

extern "C" {

#define HEDDLE_SOLVER_QR(L, T, letters)                                                                     \
    cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,       \
                                                     int* elements) {                                       \
        return tell_workspace(h, elements, m >= 0 && n >= 0 && valid_ld(lda, m), panel_elements(m, n));     \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau,        \
                                          T* work, int elements, int* info) {                               \
        return qr(h, m, n, a, lda, tau, work, elements, info);                                              \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##letters##mqr_bufferSize(                                                \
        cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t, int m, int n, int k, const T*, int, \
        const T*, const T*, int, int* elements) {                                                           \
        const bool right = side == CUBLAS_SIDE_RIGHT;                                                       \
        return tell_workspace(h, elements, m >= 0 && n >= 0 && k >= 0,                                      \
                              panel_elements(right ? n : m, right ? m : n));                                \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##letters##mqr(                                                           \
        cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T* a, \
        int lda, const T* tau, T* c, int ldc, T* work, int elements, int* info) {                           \
        return multiply_q(h, side, op, m, n, k, a, lda, tau, c, ldc, work, elements, info);                 \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##letters##gqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k,      \
                                                            const T*, int lda, const T*, int* elements) {   \
        return tell_workspace(h, elements, m >= n && n >= k && k >= 0 && valid_ld(lda, m),                  \
                              panel_elements(m, n) + static_cast<long long>(m) * k);                        \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##letters##gqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda,  \
                                                 const T* tau, T* work, int elements, int* info) {          \
        return form_q(h, m, n, k, a, lda, tau, work, elements, info);                                       \
    }
HEDDLE_SOLVER_QR(S, float, or)
HEDDLE_SOLVER_QR(D, double, or)
HEDDLE_SOLVER_QR(C, cuComplex, un)
HEDDLE_SOLVER_QR(Z, cuDoubleComplex, un)

}  // extern "C"
