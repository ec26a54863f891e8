// Singular values and vectors by Jacobi's one-sided method: columns are rotated in pairs until all are orthogonal. Their lengths are
// the values then, they themselves the left vectors, and the rotations together the right ones. One block does a matrix, and a warp a
// pair; a matrix that is wider than high is done as its conjugate transpose.

#include "jacobi.cuh"

using namespace heddle_solver;
using namespace heddle_blas;

namespace {

/// Of `rows` >= `columns`. Null: not wanted. Strides are from matrix to matrix of a batch.
template <typename T>
struct Svd {
    int rows, columns, left_count;  // columns of the left vectors that are wanted
    const T* a;
    int lda;
    bool transposed;  // a is columns by rows
    T* left;
    int ld_left;
    T* right;
    int ld_right;
    bool right_transposed;  // its conjugate transpose is wanted
    Real<T>* values;
    T* work;
    int* info;
    JacobiParameters params;
    long long a_stride, left_stride, right_stride, work_stride;
};

constexpr int kWarps = kThreads / 32;

/// x^H y, by a warp.
template <typename T>
__device__ T warp_dot(int n, const T* x, const T* y) {
    T sum = zero<T>();
    for (int i = static_cast<int>(threadIdx.x) % 32; i < n; i += 32)
        sum = add(sum, mul(conjugate(x[i]), y[i]));
    return warp_sum(sum);
}

template <typename T>
__device__ void rotate_columns(int n, T* x, T* y, const Rotation<T>& rotation) {
    for (int i = static_cast<int>(threadIdx.x) % 32; i < n; i += 32) rotation.turn(x[i], y[i]);
}

/// Sweeps over w (and v, the rotations) until no pair turns. Returns how many; more than there may be if they were too few.
template <typename T>
__device__ int orthogonalise(const Svd<T>& p, T* w, T* v, Real<T> square, Real<T>& residual) {
    using R = Real<T>;
    __shared__ int turned;
    __shared__ R sums[kThreads];
    const R relative =
        p.params.tolerance > 0 ? static_cast<R>(p.params.tolerance) : kEpsilon<R> * sqrt(R(p.rows) + 4);
    // Between columns that are nothing but rounding, angles mean nothing.
    const R absolute = 4 * kEpsilon<R> * kEpsilon<R> * square;
    const int n = p.columns, players = n + n % 2, warp = static_cast<int>(threadIdx.x) / 32;
    for (int sweep = 1; sweep <= p.params.most_sweeps; ++sweep) {
        __syncthreads();
        if (threadIdx.x == 0) turned = 0;
        R off = 0;  // the square of what is not on the diagonal of U^H A V, of this warp's pairs
        for (int round = 0; round < players - 1; ++round) {
            __syncthreads();
            for (int k = warp; k < players / 2; k += kWarps) {
                int i, j;
                pair_of(k, round, players, i, j);
                if (j >= n) continue;
                T* const x = w + static_cast<long long>(i) * p.rows;
                T* const y = w + static_cast<long long>(j) * p.rows;
                const R xx = real_part(warp_dot(p.rows, x, x)), yy = real_part(warp_dot(p.rows, y, y));
                const T xy = warp_dot(p.rows, x, y);
                const R size = sqrt(real_part(mul(xy, conjugate(xy))));
                if (threadIdx.x % 32 == 0 && xx > 0 && yy > 0) off += size / xx * size + size / yy * size;
                if (!(size > relative * sqrt(xx) * sqrt(yy) && size > absolute)) continue;
                const Rotation<T> rotation = rotation_of(xx, yy, xy, size);
                rotate_columns(p.rows, x, y, rotation);
                rotate_columns(n, v + static_cast<long long>(i) * n, v + static_cast<long long>(j) * n,
                               rotation);
                turned = 1;
            }
        }
        residual = sqrt(block_sum(off, sums));
        if (turned == 0) return sweep;
    }
    return p.params.most_sweeps + 1;
}

/// Column j of the left vectors: a unit vector that is farthest from the ones before, made orthogonal to them, twice.
template <typename T>
__device__ void complete(const Svd<T>& p, T* left, int j, T* factors) {
    using R = Real<T>;
    __shared__ R best[kThreads];
    __shared__ int where[kThreads];
    const int me = static_cast<int>(threadIdx.x);
    best[me] = -1;
    where[me] = 0;
    for (int r = me; r < p.rows; r += kThreads) {
        R rest = 1;
        for (int c = 0; c < j; ++c) {
            const T v = left[r + static_cast<long long>(c) * p.ld_left];
            rest -= real_part(mul(v, conjugate(v)));
        }
        if (rest > best[me]) {
            best[me] = rest;
            where[me] = r;
        }
    }
    const int farthest = block_place_of_largest(best, where);
    T* const x = left + static_cast<long long>(j) * p.ld_left;
    for (int r = me; r < p.rows; r += kThreads) x[r] = r == farthest ? one<T>() : zero<T>();
    for (int pass = 0; pass < 2; ++pass) {
        __syncthreads();
        for (int c = me / 32; c < j; c += kWarps) {
            const T d = warp_dot(p.rows, left + static_cast<long long>(c) * p.ld_left, x);
            if (me % 32 == 0) factors[c] = d;
        }
        __syncthreads();
        R square = 0;
        for (int r = me; r < p.rows; r += kThreads) {
            T v = x[r];
            for (int c = 0; c < j; ++c)
                v = add(v, negate(mul(factors[c], left[r + static_cast<long long>(c) * p.ld_left])));
            x[r] = v;
            square += real_part(mul(v, conjugate(v)));
        }
        const R length = sqrt(block_sum(square, best));
        for (int r = me; r < p.rows; r += kThreads) x[r] = scale<T>(1 / length, x[r]);
    }
    __syncthreads();
}

/// Values in descending order, and the vectors to their places. w is the matrix times `factor`.
template <typename T>
__device__ void place_results(const Svd<T>& p, const T* w, const T* v, Real<T> factor, Real<T>* values,
                              T* left, T* right, T* lengths, T* factors) {
    using R = Real<T>;
    __shared__ R sums[kThreads];
    const int me = static_cast<int>(threadIdx.x), n = p.columns;
    for (int c = me / 32; c < n; c += kWarps) {
        const T* const column = w + static_cast<long long>(c) * p.rows;
        const R square = real_part(warp_dot(p.rows, column, column));
        if (me % 32 == 0) lengths[c] = from_real<T>(sqrt(square));
    }
    __syncthreads();
    const auto length_of = [&](int c) { return real_part(lengths[c]); };
    R largest = 0;
    for (int c = 0; c < n; ++c) largest = larger(largest, length_of(c));
    int good = 0;
    for (int c = 0; c < n; ++c) {
        const R length = length_of(c);
        // Of a value that is rounding alone the column says nothing.
        good += length > largest * kEpsilon<R> * R(p.rows) ? 1 : 0;
        const int rank = place_of(c, n, length_of, sums);
        if (me == 0) values[rank] = length / factor;
        if (left != nullptr && rank < p.left_count && length > 0)
            for (int r = me; r < p.rows; r += kThreads)
                left[r + static_cast<long long>(rank) * p.ld_left] =
                    scale<T>(1 / length, w[r + static_cast<long long>(c) * p.rows]);
        if (right == nullptr) continue;
        for (int r = me; r < n; r += kThreads) {
            const T value = v[r + static_cast<long long>(c) * n];
            if (p.right_transposed)
                right[rank + static_cast<long long>(r) * p.ld_right] = conjugate(value);
            else
                right[r + static_cast<long long>(rank) * p.ld_right] = value;
        }
    }
    __syncthreads();
    if (left == nullptr) return;
    for (int j = good; j < p.left_count; ++j) complete(p, left, j, factors);
}

template <typename T>
__global__ void svd_kernel(Svd<T> p) {
    using R = Real<T>;
    __shared__ R sums[kThreads];
    const int me = static_cast<int>(threadIdx.x), n = p.columns, batch = static_cast<int>(blockIdx.x);
    const T* const a = p.a + batch * p.a_stride;
    T* const w = p.work + batch * p.work_stride;
    T* const v = w + static_cast<long long>(p.rows) * n;
    T *const lengths = v + static_cast<long long>(n) * n, *const factors = lengths + n;
    R largest = 0, square = 0;
    for (long long e = me; e < static_cast<long long>(p.rows) * n; e += kThreads) {
        const int r = static_cast<int>(e % p.rows), c = static_cast<int>(e / p.rows);
        w[e] = p.transposed ? conjugate(a[c + static_cast<long long>(r) * p.lda])
                            : a[r + static_cast<long long>(c) * p.lda];
        largest = larger(largest, abs1(w[e]));
    }
    const R factor = scale_of(block_largest(largest, sums));
    for (long long e = me; e < static_cast<long long>(p.rows) * n; e += kThreads) {
        w[e] = scale<T>(factor, w[e]);
        square += real_part(mul(w[e], conjugate(w[e])));
    }
    for (long long e = me; e < static_cast<long long>(n) * n; e += kThreads)
        v[e] = e % n == e / n ? one<T>() : zero<T>();
    square = block_sum(square, sums);
    R residual = 0;
    const int sweeps = orthogonalise(p, w, v, square, residual);
    if (me == 0) {
        const int most = p.params.most_sweeps;
        p.info[batch] = sweeps > most ? n + 1 : 0;
        if (p.params.done != nullptr && batch == 0)
            *p.params.done = {residual / factor, sweeps > most ? most : sweeps};
    }
    place_results(p, w, v, factor, p.values + static_cast<long long>(batch) * n,
                  p.left == nullptr ? nullptr : p.left + batch * p.left_stride,
                  p.right == nullptr ? nullptr : p.right + batch * p.right_stride, lengths, factors);
}

/// A copy of the matrix, the rotations, lengths, and the factors of a vector.
long long svd_elements(int m, int n) {
    const long long high = m > n ? m : n, low = m > n ? n : m;
    return high * low + low * low + low + high;
}

cusolverStatus_t svd_size(cusolverDnHandle_t h, int m, int n, int* elements, bool valid, int batch = 1) {
    return tell_workspace(h, elements, valid && m >= 0 && n >= 0 && batch >= 0, svd_elements(m, n) * batch);
}

template <typename T>
cusolverStatus_t launch_svd(cusolverDnHandle_t h, const Svd<T>& p, int batch) {
    cudaMemsetAsync(p.info, 0, sizeof *p.info * static_cast<size_t>(batch), h->stream);
    if (p.columns == 0 || batch == 0) return CUSOLVER_STATUS_SUCCESS;
    svd_kernel<<<static_cast<unsigned>(batch), kThreads, 0, h->stream>>>(p);
    return launched();
}

bool is_job(signed char job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}

/// LAPACK's form, m >= n; the right vectors as their conjugate transpose. What is put in place of A is the last to need it.
template <typename T>
cusolverStatus_t gesvd(cusolverDnHandle_t h, signed char job_u, signed char job_vt, int m, int n, T* a,
                       int lda, Real<T>* s, T* u, int ldu, T* vt, int ldvt, T* work, int elements,
                       int* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(m >= n && n >= 0 && valid_ld(lda, m) && info != nullptr && is_job(job_u) &&
                        is_job(job_vt) && (job_u != 'O' || job_vt != 'O') && elements >= svd_elements(m, n) &&
                        (job_u == 'N' || job_u == 'O' || valid_ld(ldu, m)) &&
                        (job_vt == 'N' || job_vt == 'O' || valid_ld(ldvt, n)));
    Svd<T> p{};
    p.rows = m, p.columns = n, p.left_count = job_u == 'A' ? m : n;
    p.a = a, p.lda = lda;
    p.left = job_u == 'N' ? nullptr : job_u == 'O' ? a : u;
    p.ld_left = job_u == 'O' ? lda : ldu;
    p.right = job_vt == 'N' ? nullptr : job_vt == 'O' ? a : vt;
    p.ld_right = job_vt == 'O' ? lda : ldvt;
    p.right_transposed = true;
    p.values = s, p.work = work, p.info = info;
    return launch_svd(h, p, 1);
}

template <typename T>
cusolverStatus_t gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int economic, int m, int n, T* a,
                        int lda, Real<T>* s, T* u, int ldu, T* v, int ldv, T* work, int elements, int* info,
                        gesvdjInfo_t params, int batch) {
    HEDDLE_SOLVER_HANDLE(h);
    const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
    HEDDLE_SOLVER_CHECK(m >= 0 && n >= 0 && batch >= 0 && valid_ld(lda, m) && info != nullptr &&
                        params != nullptr && (vectors || mode == CUSOLVER_EIG_MODE_NOVECTOR) &&
                        elements >= svd_elements(m, n) * batch &&
                        (!vectors || (valid_ld(ldu, m) && valid_ld(ldv, n))));
    const bool wide = m < n;
    const int low = wide ? m : n, high = wide ? n : m;
    Svd<T> p{};
    p.rows = high, p.columns = low, p.left_count = economic != 0 ? low : high;
    p.a = a, p.lda = lda, p.transposed = wide;
    if (vectors) {
        p.left = wide ? v : u, p.ld_left = wide ? ldv : ldu;
        p.right = wide ? u : v, p.ld_right = wide ? ldu : ldv;
    }
    p.values = s, p.work = work, p.info = info, p.params = *params;
    p.a_stride = static_cast<long long>(lda) * n;
    p.left_stride = static_cast<long long>(p.ld_left) * high;
    p.right_stride = static_cast<long long>(p.ld_right) * low;
    p.work_stride = svd_elements(m, n);
    return launch_svd(h, p, batch);
}

}  // namespace

extern "C" {

#define HEDDLE_SOLVER_SVD(L, T)                                                                              \
    cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* elements) {    \
        return svd_size(h, m, n, elements, m >= n);                                                          \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t h, signed char job_u, signed char job_vt,       \
                                          int m, int n, T* a, int lda, Real<T>* s, T* u, int ldu, T* vt,     \
                                          int ldvt, T* work, int elements, Real<T>*, int* info) {            \
        return gesvd(h, job_u, job_vt, m, n, a, lda, s, u, ldu, vt, ldvt, work, elements, info);             \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, int, int m,   \
                                                      int n, const T*, int lda, const Real<T>*, const T*,    \
                                                      int, const T*, int, int* elements, gesvdjInfo_t) {     \
        return svd_size(h, m, n, elements, valid_ld(lda, m));                                                \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int economic,       \
                                           int m, int n, T* a, int lda, Real<T>* s, T* u, int ldu, T* v,     \
                                           int ldv, T* work, int elements, int* info, gesvdjInfo_t params) { \
        return gesvdj(h, mode, economic, m, n, a, lda, s, u, ldu, v, ldv, work, elements, info, params, 1);  \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##gesvdjBatched_bufferSize(                                                \
        cusolverDnHandle_t h, cusolverEigMode_t, int m, int n, const T*, int lda, const Real<T>*, const T*,  \
        int, const T*, int, int* elements, gesvdjInfo_t, int batch) {                                        \
        return svd_size(h, m, n, elements, valid_ld(lda, m), batch);                                         \
    }                                                                                                        \
    cusolverStatus_t cusolverDn##L##gesvdjBatched(                                                           \
        cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n, T* a, int lda, Real<T>* s, T* u,         \
        int ldu, T* v, int ldv, T* work, int elements, int* info, gesvdjInfo_t params, int batch) {          \
        return gesvdj(h, mode, 0, m, n, a, lda, s, u, ldu, v, ldv, work, elements, info, params, batch);     \
    }
HEDDLE_SOLVER_SVD(S, float)
HEDDLE_SOLVER_SVD(D, double)
HEDDLE_SOLVER_SVD(C, cuComplex)
HEDDLE_SOLVER_SVD(Z, cuDoubleComplex)

}  // extern "C"
