// Eigenvalues of symmetric and Hermitian matrices by Jacobi's method: sweeps of rounds, in each of which every row takes part in
// one rotation, so that the rotations of a round do not meet. One block does all.

#include "jacobi.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

constexpr int kSweeps = 40;

/// a becomes its eigenvectors where `vectors`, w the eigenvalues in ascending order. `work` holds n * n elements, and the rotations of
/// a round. A block has a matrix of a batch.
template <typename T>
__global__ void jacobi_kernel(int n, T* a, int lda, bool lower, bool vectors, Real<T>* w, T* work, int* info,
                              double tolerance, int most_sweeps, JacobiParameters::Done* told) {
    using R = Real<T>;
    a += blockIdx.x * static_cast<long long>(lda) * n;
    w += blockIdx.x * static_cast<long long>(n);
    work += blockIdx.x * (static_cast<long long>(n) * n + n + 2);
    info += blockIdx.x;
    __shared__ R sums[kThreads];
    __shared__ int turned;
    const int me = static_cast<int>(threadIdx.x);
    T* const v = work;
    T* const rotations =
        work + static_cast<long long>(n) * n;  // cosine, and sine with its phase, of each pair
    auto at = [&](int r, int c) -> T& { return a[r + static_cast<long long>(c) * lda]; };
    R square = 0;
    for (long long e = me; e < static_cast<long long>(n) * n; e += kThreads) {
        const int r = static_cast<int>(e % n), c = static_cast<int>(e / n);
        v[e] = r == c ? one<T>() : zero<T>();
        if (lower ? r > c : r < c) at(c, r) = conjugate(at(r, c));
        if (r == c) at(r, r) = from_real<T>(real_part(at(r, r)));
        if (lower ? r >= c : r <= c)
            square += (r == c ? R(1) : R(2)) * real_part(mul(at(r, c), conjugate(at(r, c))));
    }
    // What is this small beside the whole changes no eigenvalue.
    const R small = sqrt(block_sum(square, sums)) * (tolerance > 0      ? static_cast<R>(tolerance / n)
                                                     : sizeof(R) == 4 ? R(5e-9)
                                                                      : R(1e-17));
    const int players = n + n % 2, pairs = players / 2;
    bool done = n < 2;
    int sweep = 0;
    for (; sweep < most_sweeps && !done; ++sweep) {
        __syncthreads();
        if (me == 0) turned = 0;
        for (int round = 0; round < players - 1; ++round) {
            __syncthreads();
            for (int k = me; k < pairs; k += kThreads) {
                int p, q;
                pair_of(k, round, players, p, q);
                T cosine = one<T>(), sine = zero<T>();
                const T off = q < n ? at(p, q) : zero<T>();
                const R size = sqrt(real_part(mul(off, conjugate(off))));
                if (size > small) {
                    const R theta = (real_part(at(q, q)) - real_part(at(p, p))) / (2 * size);
                    const R root = sqrt(theta * theta + 1);
                    const R t = theta < 0 ? -1 / (root - theta) : 1 / (root + theta);
                    const R c = 1 / sqrt(t * t + 1);
                    cosine = from_real<T>(c);
                    sine = scale<T>(t * c / size, off);
                    turned = 1;
                }
                rotations[2 * k] = cosine;
                rotations[2 * k + 1] = sine;
            }
            __syncthreads();
            // Columns p and q of the matrix and of the vectors, then rows.
            for (int pass = 0; pass < 2; ++pass) {
                for (long long e = me; e < static_cast<long long>(pairs) * n; e += kThreads) {
                    const int i = static_cast<int>(e % n), k = static_cast<int>(e / n);
                    int p, q;
                    pair_of(k, round, players, p, q);
                    const T c = rotations[2 * k], s = rotations[2 * k + 1];
                    if (q >= n || is_zero(s)) continue;
                    auto turn = [&](T& x, T& y, T sine) {
                        const T was = x;
                        x = add(mul(c, x), negate(mul(conjugate(sine), y)));
                        y = add(mul(sine, was), mul(c, y));
                    };
                    if (pass == 0) {
                        turn(at(i, p), at(i, q), s);
                        if (vectors)
                            turn(v[i + static_cast<long long>(p) * n], v[i + static_cast<long long>(q) * n],
                                 s);
                    } else {
                        turn(at(p, i), at(q, i), conjugate(s));
                    }
                }
                __syncthreads();
            }
            // What rounding leaves where a rotation makes zeros.
            for (int k = me; k < pairs; k += kThreads) {
                int p, q;
                pair_of(k, round, players, p, q);
                if (q < n && !is_zero(rotations[2 * k + 1])) at(p, q) = at(q, p) = zero<T>();
            }
        }
        __syncthreads();
        done = turned == 0;
    }
    __syncthreads();
    if (me == 0) *info = done ? 0 : 1;
    if (told != nullptr && blockIdx.x == 0) {
        R off = 0;
        for (long long e = me; e < static_cast<long long>(n) * n; e += kThreads) {
            const int r = static_cast<int>(e % n), c = static_cast<int>(e / n);
            if (r != c) off += real_part(mul(at(r, c), conjugate(at(r, c))));
        }
        const R residual = sqrt(block_sum(off, sums));
        if (me == 0) *told = {residual, sweep};
        __syncthreads();
    }
    // The place of each value, and its vector to there.
    for (int i = 0; i < n; ++i) {
        const R value = real_part(at(i, i));
        int rank = 0;
        for (int j = me; j < n; j += kThreads) {
            const R other = real_part(at(j, j));
            rank += other < value || (other == value && j < i) ? 1 : 0;
        }
        const R place = block_sum(static_cast<R>(rank), sums);
        if (me == 0) {
            w[static_cast<int>(place)] = value;
            rotations[i] = from_real<T>(place);
        }
    }
    __syncthreads();
    if (!vectors) return;
    for (int i = 0; i < n; ++i) {
        const int rank = static_cast<int>(real_part(rotations[i]));
        for (int r = me; r < n; r += kThreads) at(r, rank) = v[r + static_cast<long long>(i) * n];
    }
}

long long eigen_elements(int n) {
    return static_cast<long long>(n) * n + n + 2;
}

cusolverStatus_t eigen_size(cusolverDnHandle_t h, int n, int lda, int* elements, int batch = 1) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && batch >= 0 && valid_ld(lda, n) && elements != nullptr &&
                        eigen_elements(n) * batch <= 0x7fffffff);
    *elements = static_cast<int>(eigen_elements(n) * batch);
    return CUSOLVER_STATUS_SUCCESS;
}

template <typename T>
cusolverStatus_t eigen(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a,
                       int lda, Real<T>* w, T* work, int elements, int* info,
                       const JacobiParameters* params = nullptr, int batch = 1) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && batch >= 0 && valid_ld(lda, n) && info != nullptr &&
                        elements >= eigen_elements(n) * batch &&
                        (mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR) &&
                        (fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER));
    cudaMemsetAsync(info, 0, sizeof *info * static_cast<size_t>(batch), h->stream);
    if (n == 0 || batch == 0) return CUSOLVER_STATUS_SUCCESS;
    jacobi_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(
        n, a, lda, fill == CUBLAS_FILL_MODE_LOWER, mode == CUSOLVER_EIG_MODE_VECTOR, w, work, info,
        params == nullptr ? 0 : params->tolerance, params == nullptr ? kSweeps : params->most_sweeps,
        params == nullptr ? nullptr : params->done);
    return launched();
}

}  // namespace

extern "C" {

#define HEDDLE_SOLVER_EIGEN(L, T, name)                                                                    \
    cusolverStatus_t cusolverDn##L##name##_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,             \
                                                      cublasFillMode_t, int n, const T*, int lda,          \
                                                      const Real<T>*, int* elements) {                     \
        return eigen_size(h, n, lda, elements);                                                            \
    }                                                                                                      \
    cusolverStatus_t cusolverDn##L##name(cusolverDnHandle_t h, cusolverEigMode_t mode,                     \
                                         cublasFillMode_t fill, int n, T* a, int lda, Real<T>* w, T* work, \
                                         int elements, int* info) {                                        \
        return eigen(h, mode, fill, n, a, lda, w, work, elements, info);                                   \
    }
HEDDLE_SOLVER_EIGEN(S, float, syevd)
HEDDLE_SOLVER_EIGEN(D, double, syevd)
HEDDLE_SOLVER_EIGEN(C, cuComplex, heevd)
HEDDLE_SOLVER_EIGEN(Z, cuDoubleComplex, heevd)

#define HEDDLE_SOLVER_EIGEN_JACOBI(L, T, name)                                                              \
    cusolverStatus_t cusolverDn##L##name##_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,              \
                                                      cublasFillMode_t, int n, const T*, int lda,           \
                                                      const Real<T>*, int* elements, syevjInfo_t) {         \
        return eigen_size(h, n, lda, elements);                                                             \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##name(cusolverDnHandle_t h, cusolverEigMode_t mode,                      \
                                         cublasFillMode_t fill, int n, T* a, int lda, Real<T>* w, T* work,  \
                                         int elements, int* info, syevjInfo_t params) {                     \
        HEDDLE_SOLVER_CHECK(params != nullptr);                                                             \
        return eigen(h, mode, fill, n, a, lda, w, work, elements, info, params);                            \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##name##Batched_bufferSize(                                               \
        cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int lda,                \
        const Real<T>*, int* elements, syevjInfo_t, int batch) {                                            \
        return eigen_size(h, n, lda, elements, batch);                                                      \
    }                                                                                                       \
    cusolverStatus_t cusolverDn##L##name##Batched(cusolverDnHandle_t h, cusolverEigMode_t mode,             \
                                                  cublasFillMode_t fill, int n, T* a, int lda, Real<T>* w,  \
                                                  T* work, int elements, int* info, syevjInfo_t params,     \
                                                  int batch) {                                              \
        HEDDLE_SOLVER_CHECK(params != nullptr);                                                             \
        return eigen(h, mode, fill, n, a, lda, w, work, elements, info, params, batch);                     \
    }
HEDDLE_SOLVER_EIGEN_JACOBI(S, float, syevj)
HEDDLE_SOLVER_EIGEN_JACOBI(D, double, syevj)
HEDDLE_SOLVER_EIGEN_JACOBI(C, cuComplex, heevj)
HEDDLE_SOLVER_EIGEN_JACOBI(Z, cuDoubleComplex, heevj)

}  // extern "C"
