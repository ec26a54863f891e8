// Eigenvalues of symmetric and Hermitian matrices by Jacobi's method: sweeps of rounds, in each of which every row takes part in
// one rotation, so that the rotations of a round do not meet. One block does all.

#include "jacobi.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

/// What the kernel needs of the workspace: the vectors, and a round's rotations.
__host__ __device__ constexpr long long eigen_elements(int n) {
    return static_cast<long long>(n) * n + n + 2;
}

template <typename T>
struct Square {
    int n;
    T* a;
    int lda;
    __device__ T& at(int r, int c) const { return a[r + static_cast<long long>(c) * lda]; }
};

/// Scales the half that is stored and puts its mirror image into the other one. `norm` is the result's.
template <typename T>
__device__ Real<T> complete_and_scale(const Square<T>& m, bool lower, Real<T>& norm, Real<T>* sums) {
    using R = Real<T>;
    auto each = [&](auto body) {
        for (long long e = threadIdx.x; e < static_cast<long long>(m.n) * m.n; e += kThreads) {
            const int r = static_cast<int>(e % m.n), c = static_cast<int>(e / m.n);
            if (lower ? r < c : r > c) continue;
            const T v = m.at(r, c);
            body(r, c, r == c ? from_real<T>(real_part(v)) : v);
        }
    };
    R largest = 0, square = 0;
    each([&](int, int, T v) { largest = larger(largest, abs1(v)); });
    const R factor = scale_of(block_largest(largest, sums));
    each([&](int r, int c, T v) {
        const T scaled = scale<T>(factor, v);
        m.at(c, r) = conjugate(scaled);
        m.at(r, c) = scaled;
        square += (r == c ? R(1) : R(2)) * real_part(mul(scaled, conjugate(scaled)));
    });
    norm = sqrt(block_sum(square, sums));
    return factor;
}

/// Sweeps until no element is larger than `small`. Returns how many; more than there may be if they were too few.
template <typename T>
__device__ int diagonalise(const Square<T>& m, T* v, T* rotations, bool vectors, Real<T> small,
                           int most_sweeps) {
    using R = Real<T>;
    __shared__ int turned;
    const int me = static_cast<int>(threadIdx.x), n = m.n, players = n + n % 2, pairs = players / 2;
    for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
        __syncthreads();
        if (me == 0) turned = 0;
        for (int round = 0; round < players - 1; ++round) {
            __syncthreads();
            for (int k = me; k < pairs; k += kThreads) {
                int p, q;
                pair_of(k, round, players, p, q);
                Rotation<T> rotation{1, zero<T>()};
                const T off = q < n ? m.at(p, q) : zero<T>();
                const R size = sqrt(real_part(mul(off, conjugate(off))));
                if (size > small) {
                    rotation = rotation_of(real_part(m.at(p, p)), real_part(m.at(q, q)), off, size);
                    turned = 1;
                }
                rotations[2 * k] = from_real<T>(rotation.c);
                rotations[2 * k + 1] = rotation.s;
            }
            __syncthreads();
            // Columns p and q of the matrix and of the vectors, then rows.
            for (int pass = 0; pass < 2; ++pass) {
                for (long long e = me; e < static_cast<long long>(pairs) * n; e += kThreads) {
                    const int i = static_cast<int>(e % n), k = static_cast<int>(e / n);
                    int p, q;
                    pair_of(k, round, players, p, q);
                    const Rotation<T> rotation{real_part(rotations[2 * k]), rotations[2 * k + 1]};
                    if (q >= n || is_zero(rotation.s)) continue;
                    if (pass == 0) {
                        rotation.turn(m.at(i, p), m.at(i, q));
                        if (vectors)
                            rotation.turn(v[i + static_cast<long long>(p) * n],
                                          v[i + static_cast<long long>(q) * n]);
                    } else {
                        const Rotation<T> of_rows{rotation.c, conjugate(rotation.s)};
                        of_rows.turn(m.at(p, i), m.at(q, i));
                    }
                }
                __syncthreads();
            }
            // What rounding leaves where a rotation makes zeros.
            for (int k = me; k < pairs; k += kThreads) {
                int p, q;
                pair_of(k, round, players, p, q);
                if (q < n && !is_zero(rotations[2 * k + 1])) m.at(p, q) = m.at(q, p) = zero<T>();
            }
        }
        __syncthreads();
        if (turned == 0) return sweep;
    }
    return most_sweeps + 1;
}

/// The norm of what is beside the diagonal.
template <typename T>
__device__ Real<T> off_diagonal(const Square<T>& m, Real<T>* sums) {
    Real<T> square = 0;
    for (long long e = threadIdx.x; e < static_cast<long long>(m.n) * m.n; e += kThreads) {
        const int r = static_cast<int>(e % m.n), c = static_cast<int>(e / m.n);
        if (r != c) square += real_part(mul(m.at(r, c), conjugate(m.at(r, c))));
    }
    return sqrt(block_sum(square, sums));
}

/// a becomes its eigenvectors where `vectors`, w the eigenvalues in ascending order. A block has a matrix of a batch.
template <typename T>
__global__ void jacobi_kernel(int n, T* a, int lda, bool lower, bool vectors, Real<T>* w, T* work, int* info,
                              JacobiParameters params) {
    using R = Real<T>;
    __shared__ R sums[kThreads];
    const int me = static_cast<int>(threadIdx.x), batch = static_cast<int>(blockIdx.x);
    const Square<T> m{n, a + batch * static_cast<long long>(lda) * n, lda};
    w += batch * static_cast<long long>(n);
    T* const v = work + batch * eigen_elements(n);
    T* const rotations = v + static_cast<long long>(n) * n;  // cosine, and sine with its phase, of each pair
    for (long long e = me; e < static_cast<long long>(n) * n; e += kThreads)
        v[e] = e % n == e / n ? one<T>() : zero<T>();
    R norm;
    const R factor = complete_and_scale(m, lower, norm, sums);
    // What is this small beside the whole changes no eigenvalue.
    const R small = norm * (params.tolerance > 0 ? static_cast<R>(params.tolerance / n)
                            : sizeof(R) == 4     ? R(5e-9)
                                                 : R(1e-17));
    const int sweeps = diagonalise(m, v, rotations, vectors, small, params.most_sweeps);
    if (me == 0) info[batch] = sweeps > params.most_sweeps ? n + 1 : 0;
    if (params.done != nullptr && batch == 0) {
        const R residual = off_diagonal(m, sums) / factor;
        if (me == 0) *params.done = {residual, sweeps > params.most_sweeps ? params.most_sweeps : sweeps};
    }
    const auto downward = [&](int j) { return -real_part(m.at(j, j)); };
    for (int i = 0; i < n; ++i) {
        const int place = place_of(i, n, downward, sums);
        if (me == 0) {
            w[place] = real_part(m.at(i, i)) / factor;
            rotations[i] = from_real<T>(static_cast<R>(place));
        }
    }
    __syncthreads();
    if (!vectors) return;
    for (int i = 0; i < n; ++i) {
        const int place = static_cast<int>(real_part(rotations[i]));
        for (int r = me; r < n; r += kThreads) m.at(r, place) = v[r + static_cast<long long>(i) * n];
    }
}

cusolverStatus_t eigen_size(cusolverDnHandle_t h, int n, int lda, int* elements, int batch = 1) {
    return tell_workspace(h, elements, n >= 0 && batch >= 0 && valid_ld(lda, n), eigen_elements(n) * batch);
}

template <typename T>
cusolverStatus_t eigen(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a,
                       int lda, Real<T>* w, T* work, int elements, int* info,
                       const JacobiParameters& params = {}, int batch = 1) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && batch >= 0 && valid_ld(lda, n) && info != nullptr &&
                        elements >= eigen_elements(n) * batch &&
                        (mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR) &&
                        valid_fill(fill));
    cudaMemsetAsync(info, 0, sizeof *info * static_cast<size_t>(batch), h->stream);
    if (n == 0 || batch == 0) return CUSOLVER_STATUS_SUCCESS;
    jacobi_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(
        n, a, lda, fill == CUBLAS_FILL_MODE_LOWER, mode == CUSOLVER_EIG_MODE_VECTOR, w, work, info, params);
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

#define HEDDLE_SOLVER_EIGEN_JACOBI(L, T, name)                                                               \
    cusolverStatus_t cusolverDn##L##name##_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,               \
                                                      cublasFillMode_t, int n, const T*, int lda,            \
                                                      const Real<T>*, int* elements, syevjInfo_t) {          \
        return eigen_size(h, n, lda, elements);                                                              \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##name(cusolverDnHandle_t h, cusolverEigMode_t mode,                       \
                                         cublasFillMode_t fill, int n, T* a, int lda, Real<T>* w, T* work,   \
                                         int elements, int* info, syevjInfo_t params) {                      \
        HEDDLE_SOLVER_CHECK(params != nullptr);                                                              \
        return eigen(h, mode, fill, n, a, lda, w, work, elements, info, *params);                            \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##name##Batched_bufferSize(                                                \
        cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int lda, const Real<T>*, \
        int* elements, syevjInfo_t, int batch) {                                                             \
        return eigen_size(h, n, lda, elements, batch);                                                       \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##name##Batched(                                                           \
        cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a, int lda,           \
        Real<T>* w, T* work, int elements, int* info, syevjInfo_t params, int batch) {                       \
        HEDDLE_SOLVER_CHECK(params != nullptr);                                                              \
        return eigen(h, mode, fill, n, a, lda, w, work, elements, info, *params, batch);                     \
    }
HEDDLE_SOLVER_EIGEN_JACOBI(S, float, syevj)
HEDDLE_SOLVER_EIGEN_JACOBI(D, double, syevj)
HEDDLE_SOLVER_EIGEN_JACOBI(C, cuComplex, heevj)
HEDDLE_SOLVER_EIGEN_JACOBI(Z, cuDoubleComplex, heevj)

}  // extern "C"
