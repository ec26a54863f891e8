// cuSOLVER's sparse systems, orders and permutations.

#include <numeric>

#include "../cusparse/descriptors.cuh"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "sparse.cuh"

struct cusolverSpContext {
    cudaStream_t stream = nullptr;
};

namespace heddle_sparse_solver {
namespace {

#define HEDDLE_SOLVER_CHECK(condition) \
    if (!(condition)) return CUSOLVER_STATUS_INVALID_VALUE
#define HEDDLE_SOLVER_HANDLE(h) \
    if ((h) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED

/// A program's array, copied from where it is.
template <typename T>
std::vector<T> fetched(const T* from, long long count) {
    std::vector<T> out(static_cast<std::size_t>(count));
    if (count > 0) cudaMemcpy(out.data(), from, out.size() * sizeof(T), cudaMemcpyDefault);
    return out;
}
template <typename T>
cusolverStatus_t store(T* to, const std::vector<double>& from) {
    const std::vector<T> rounded(from.begin(), from.end());
    if (rounded.empty()) return CUSOLVER_STATUS_SUCCESS;
    return cudaMemcpy(to, rounded.data(), rounded.size() * sizeof(T), cudaMemcpyDefault) == cudaSuccess
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_EXECUTION_FAILED;
}
template <typename T>
std::vector<double> fetched_vector(const T* from, int count) {
    const std::vector<T> values = fetched(from, count);
    return {values.begin(), values.end()};
}

/// Work before this point in the stream is done: it may make what is read.
bool settled(cusolverSpHandle_t h) {
    return cudaStreamSynchronize(h->stream) == cudaSuccess;
}

/// The rows of a matrix, on the host, with indices from 0. False: indices that are out of range.
template <typename T>
bool read_rows(Lines& out, int m, int n, int nnz, cusparseMatDescr_t description, const T* values, const int* rows,
               const int* columns) {
    const int base = description->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    const std::vector<int> begins = fetched(rows, m + 1LL), places = fetched(columns, nnz);
    const std::vector<T> numbers = values == nullptr ? std::vector<T>(places.size()) : fetched(values, nnz);
    out.assign(static_cast<std::size_t>(m), {});
    for (int i = 0; i < m; ++i)
        for (int k = begins[i] - base; k < begins[i + 1] - base; ++k) {
            if (k < 0 || k >= nnz || places[k] < base || places[k] - base >= n) return false;
            out[i].emplace_back(places[k] - base, static_cast<double>(numbers[k]));
        }
    return true;
}

/// A factorisation that a program keeps, or the rows that it will be of.
template <typename Method>
struct Kept {
    Method method;
    Lines rows;
    bool factored = false;
};

void run(Lu& method, const Lines& rows, int, double threshold) {
    method.factor(rows, threshold);
}
void run(Cholesky& method, const Lines& rows, int, double) {
    method.factor(rows, 0);
}
void run(Qr& method, const Lines& rows, int n, double) {
    method.factor(rows, n);
}

std::vector<int> order_of(int reorder, const Lines& rows) {
    if (reorder == 1) return narrow_order(neighbours(rows));
    if (reorder == 2 || reorder == 3) return least_degree_order(neighbours(rows));
    std::vector<int> same(rows.size());
    std::iota(same.begin(), same.end(), 0);
    return same;
}

template <typename Method, typename T>
cusolverStatus_t solve_once(cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t description, const T* values,
                            const int* rows, const int* columns, const T* b, T tolerance, int reorder, T* x,
                            int* singular) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && nnz >= 0 && description != nullptr && singular != nullptr && reorder >= 0 &&
                        reorder <= 3);
    if (description->type != CUSPARSE_MATRIX_TYPE_GENERAL) return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    if (!settled(h)) return CUSOLVER_STATUS_EXECUTION_FAILED;
    Lines a;
    HEDDLE_SOLVER_CHECK(read_rows(a, n, n, nnz, description, values, rows, columns));
    const std::vector<double> right = fetched_vector(b, n);
    const std::vector<int> order = order_of(reorder, a);
    std::vector<int> place(order.size());
    for (int k = 0; k < n; ++k) place[order[k]] = k;
    Lines ordered(a.size());
    std::vector<double> ordered_right(right.size()), out(right.size());
    for (int k = 0; k < n; ++k) {
        for (const Entry& e : a[order[k]]) ordered[k].emplace_back(place[e.first], e.second);
        ordered_right[k] = right[order[k]];
    }
    Method method;
    run(method, ordered, n, 1);
    *singular = first_small(method.pivots, static_cast<double>(tolerance));
    const std::vector<double> solution = method.solve(ordered_right);
    for (int k = 0; k < n; ++k) out[order[k]] = solution[k];
    return store(x, out);
}

template <typename Info>
cusolverStatus_t make(Info** info) {
    HEDDLE_SOLVER_CHECK(info != nullptr);
    *info = new Info;
    return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info>
cusolverStatus_t drop(Info* info) {
    delete info;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t look_at(cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t description, const int* rows,
                         const int* columns, const void* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && m >= n && nnz >= 0 && description != nullptr && info != nullptr);
    if (description->type != CUSPARSE_MATRIX_TYPE_GENERAL) return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    if (!settled(h)) return CUSOLVER_STATUS_EXECUTION_FAILED;
    Lines a;
    HEDDLE_SOLVER_CHECK(read_rows(a, m, n, nnz, description, static_cast<const double*>(nullptr), rows, columns));
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t tell_sizes(cusolverSpHandle_t h, const void* info, std::size_t* internal, std::size_t* workspace) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(info != nullptr && internal != nullptr && workspace != nullptr);
    *internal = 0;
    *workspace = 512;  // Programs allocate it, and nothing is put there.
    return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info, typename T>
cusolverStatus_t take_rows(cusolverSpHandle_t h, int m, int n, int nnz, cusparseMatDescr_t description, const T* values,
                           const int* rows, const int* columns, T mu, Info* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && m >= n && nnz >= 0 && description != nullptr && info != nullptr);
    if (!settled(h)) return CUSOLVER_STATUS_EXECUTION_FAILED;
    info->factored = false;
    HEDDLE_SOLVER_CHECK(read_rows(info->rows, m, n, nnz, description, values, rows, columns));
    if (mu == 0) return CUSOLVER_STATUS_SUCCESS;
    for (int k = 0; k < n; ++k) {
        Line& row = info->rows[k];
        const auto found = std::find_if(row.begin(), row.end(), [k](const Entry& e) { return e.first == k; });
        if (found == row.end())
            row.emplace_back(k, -static_cast<double>(mu));
        else
            found->second -= static_cast<double>(mu);
    }
    return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info>
cusolverStatus_t factor(Info* info, int n, double threshold) {
    run(info->method, info->rows, n, threshold);
    info->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info>
cusolverStatus_t tell_small(cusolverSpHandle_t h, Info* info, double tolerance, int* position) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(info != nullptr && info->factored && position != nullptr);
    *position = first_small(info->method.pivots, tolerance);
    return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info, typename T>
cusolverStatus_t solve(cusolverSpHandle_t h, int m, int n, const T* b, T* x, Info* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(info != nullptr && info->factored && m == static_cast<int>(info->rows.size()) &&
                        n == static_cast<int>(info->method.pivots.size()));
    if (!settled(h)) return CUSOLVER_STATUS_EXECUTION_FAILED;
    return store(x, info->method.solve(fetched_vector(b, m)));
}

cusolverStatus_t find_order(cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t description, const int* rows,
                            const int* columns, int reorder, int* p) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(n >= 0 && nnz >= 0 && description != nullptr && p != nullptr);
    Lines a;
    HEDDLE_SOLVER_CHECK(read_rows(a, n, n, nnz, description, static_cast<const double*>(nullptr), rows, columns));
    const std::vector<int> order = order_of(reorder, a);
    std::copy(order.begin(), order.end(), p);
    return CUSOLVER_STATUS_SUCCESS;
}

/// The lines of a triangle as CSR arrays; with the diagonal where there is one.
template <typename T>
void write_rows(const Lines& rows, const std::vector<double>* diagonal, cusparseMatDescr_t description, T* values,
                int* begins, int* columns) {
    const int base = description->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    int at = 0;
    begins[0] = base;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Line row = rows[i];
        if (diagonal != nullptr) row.emplace_back(static_cast<int>(i), (*diagonal)[i]);
        std::sort(row.begin(), row.end());
        for (const Entry& e : row) {
            columns[at] = e.first + base;
            values[at++] = static_cast<T>(e.second);
        }
        begins[i + 1] = at + base;
    }
}
template <typename T>
cusolverStatus_t extract(cusolverSpHandle_t h, int* p, int* q, cusparseMatDescr_t description_l, T* values_l,
                         int* rows_l, int* columns_l, cusparseMatDescr_t description_u, T* values_u, int* rows_u,
                         int* columns_u, const Kept<Lu>* info) {
    HEDDLE_SOLVER_HANDLE(h);
    HEDDLE_SOLVER_CHECK(info != nullptr && info->factored && description_l != nullptr && description_u != nullptr);
    const Lu& lu = info->method;
    const int n = static_cast<int>(lu.pivots.size());
    std::copy(lu.row_of.begin(), lu.row_of.end(), p);
    std::iota(q, q + n, 0);
    write_rows(transposed(lu.l, n), nullptr, description_l, values_l, rows_l, columns_l);
    write_rows(transposed(lu.u, n), &lu.pivots, description_u, values_u, rows_u, columns_u);
    return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace heddle_sparse_solver

using namespace heddle_sparse_solver;

struct csrluInfoHost : Kept<Lu> {};
struct csrqrInfoHost : Kept<Qr> {};
struct csrcholInfoHost : Kept<Cholesky> {};
struct csrqrInfo : Kept<Qr> {};
struct csrcholInfo : Kept<Cholesky> {};

extern "C" {

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
    return make(handle);
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    return drop(handle);
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
    HEDDLE_SOLVER_HANDLE(handle);
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(stream != nullptr);
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnz,
                                         const cusparseMatDescr_t description, const int* row_begins,
                                         const int* row_ends, const int* columns, int* symmetric) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(m >= 0 && nnz >= 0 && description != nullptr && symmetric != nullptr);
    const int base = description->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    std::vector<std::pair<int, int>> places, mirrored;
    for (int i = 0; i < m; ++i)
        for (int k = row_begins[i] - base; k < row_ends[i] - base; ++k) {
            places.emplace_back(i, columns[k] - base);
            mirrored.emplace_back(columns[k] - base, i);
        }
    std::sort(places.begin(), places.end());
    std::sort(mirrored.begin(), mirrored.end());
    *symmetric = places == mirrored ? 1 : 0;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows, const int* columns,
                                          int* p) {
    return find_order(handle, n, nnz, description, rows, columns, 1, p);
}
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows, const int* columns,
                                          int* p) {
    return find_order(handle, n, nnz, description, rows, columns, 2, p);
}
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t description, const int* rows, const int* columns,
                                          int* p) {
    return find_order(handle, n, nnz, description, rows, columns, 2, p);
}
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnz,
                                           const cusparseMatDescr_t description, const int* rows, const int* columns,
                                           const int64_t*, int* p) {
    return find_order(handle, n, nnz, description, rows, columns, 3, p);
}

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int, int, int, const cusparseMatDescr_t,
                                                   const int*, const int*, const int*, const int*, size_t* bytes) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(bytes != nullptr);
    *bytes = 512;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnz,
                                        const cusparseMatDescr_t description, int* rows, int* columns, const int* p,
                                        const int* q, int* map, void*) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(m >= 0 && n >= 0 && nnz >= 0 && description != nullptr && p != nullptr && q != nullptr &&
                        map != nullptr);
    const int base = description->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    const std::vector<int> begins(rows, rows + m + 1), places(columns, columns + nnz), numbers(map, map + nnz);
    std::vector<int> place(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) place[q[k]] = k;
    int at = 0;
    for (int i = 0; i < m; ++i) {
        std::vector<std::pair<int, int>> row;
        for (int k = begins[p[i]] - base; k < begins[p[i] + 1] - base; ++k)
            row.emplace_back(place[places[k] - base], numbers[k]);
        std::sort(row.begin(), row.end());
        rows[i] = at + base;
        for (const auto& [column, number] : row) {
            columns[at] = column + base;
            map[at++] = number;
        }
    }
    rows[m] = at + base;
    return CUSOLVER_STATUS_SUCCESS;
}

#define HEDDLE_SPARSE_SOLVE(L, T, name, Method)                                                                    \
    cusolverStatus_t cusolverSp##L##csrlsv##name(                                                                  \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values,          \
        const int* rows, const int* columns, const T* b, T tolerance, int reorder, T* x, int* singular) {          \
        return solve_once<Method>(handle, n, nnz, description, values, rows, columns, b, tolerance, reorder, x,    \
                                  singular);                                                                       \
    }
HEDDLE_SPARSE_SOLVE(S, float, luHost, Lu)
HEDDLE_SPARSE_SOLVE(D, double, luHost, Lu)
HEDDLE_SPARSE_SOLVE(S, float, qr, Qr)
HEDDLE_SPARSE_SOLVE(D, double, qr, Qr)
HEDDLE_SPARSE_SOLVE(S, float, qrHost, Qr)
HEDDLE_SPARSE_SOLVE(D, double, qrHost, Qr)
HEDDLE_SPARSE_SOLVE(S, float, chol, Cholesky)
HEDDLE_SPARSE_SOLVE(D, double, chol, Cholesky)
HEDDLE_SPARSE_SOLVE(S, float, cholHost, Cholesky)
HEDDLE_SPARSE_SOLVE(D, double, cholHost, Cholesky)

#define HEDDLE_SPARSE_INFO(method, Host)                                                           \
    cusolverStatus_t cusolverSpCreateCsr##method##Info##Host(csr##method##Info##Host##_t* info) {  \
        return make(info);                                                                         \
    }                                                                                              \
    cusolverStatus_t cusolverSpDestroyCsr##method##Info##Host(csr##method##Info##Host##_t info) {  \
        return drop(info);                                                                         \
    }
HEDDLE_SPARSE_INFO(lu, Host)
HEDDLE_SPARSE_INFO(qr, Host)
HEDDLE_SPARSE_INFO(qr, )
HEDDLE_SPARSE_INFO(chol, Host)
HEDDLE_SPARSE_INFO(chol, )

#define HEDDLE_SPARSE_POSITION(L, T, method, Host)                                                               \
    cusolverStatus_t cusolverSp##L##csr##method##ZeroPivot##Host(                                                \
        cusolverSpHandle_t handle, csr##method##Info##Host##_t info, T tolerance, int* position) {               \
        return tell_small(handle, info, static_cast<double>(tolerance), position);                               \
    }

cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnz,
                                              const cusparseMatDescr_t description, const int* rows,
                                              const int* columns, csrluInfoHost_t info) {
    return look_at(handle, n, n, nnz, description, rows, columns, info);
}
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnz_l, int* nnz_u, csrluInfoHost_t info) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(nnz_l != nullptr && nnz_u != nullptr && info != nullptr && info->factored);
    const auto count = [](const Lines& lines) {
        return std::accumulate(lines.begin(), lines.end(), 0,
                               [](int sum, const Line& line) { return sum + static_cast<int>(line.size()); });
    };
    *nnz_l = count(info->method.l);
    *nnz_u = count(info->method.u) + static_cast<int>(info->method.pivots.size());
    return CUSOLVER_STATUS_SUCCESS;
}
#define HEDDLE_SPARSE_LU(L, T)                                                                                      \
    cusolverStatus_t cusolverSp##L##csrluBufferInfoHost(cusolverSpHandle_t handle, int, int,                        \
                                                        const cusparseMatDescr_t, const T*, const int*, const int*, \
                                                        csrluInfoHost_t info, size_t* internal,                     \
                                                        size_t* workspace) {                                        \
        return tell_sizes(handle, info, internal, workspace);                                                       \
    }                                                                                                               \
    cusolverStatus_t cusolverSp##L##csrluFactorHost(                                                                \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values,           \
        const int* rows, const int* columns, csrluInfoHost_t info, T threshold, void*) {                            \
        const cusolverStatus_t taken =                                                                              \
            take_rows(handle, n, n, nnz, description, values, rows, columns, T(0), info);                           \
        return taken != CUSOLVER_STATUS_SUCCESS ? taken : factor(info, n, static_cast<double>(threshold));          \
    }                                                                                                               \
    HEDDLE_SPARSE_POSITION(L, T, lu, Host)                                                                          \
    cusolverStatus_t cusolverSp##L##csrluSolveHost(cusolverSpHandle_t handle, int n, const T* b, T* x,              \
                                                   csrluInfoHost_t info, void*) {                                   \
        return solve(handle, n, n, b, x, info);                                                                     \
    }                                                                                                               \
    cusolverStatus_t cusolverSp##L##csrluExtractHost(                                                               \
        cusolverSpHandle_t handle, int* p, int* q, const cusparseMatDescr_t description_l, T* values_l,             \
        int* rows_l, int* columns_l, const cusparseMatDescr_t description_u, T* values_u, int* rows_u,              \
        int* columns_u, csrluInfoHost_t info, void*) {                                                              \
        return extract(handle, p, q, description_l, values_l, rows_l, columns_l, description_u, values_u, rows_u,   \
                       columns_u, info);                                                                            \
    }
HEDDLE_SPARSE_LU(S, float)
HEDDLE_SPARSE_LU(D, double)

#define HEDDLE_SPARSE_QR_ANALYSIS(Host)                                                                     \
    cusolverStatus_t cusolverSpXcsrqrAnalysis##Host(                                                        \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t description,             \
        const int* rows, const int* columns, csrqrInfo##Host##_t info) {                                    \
        return look_at(handle, m, n, nnz, description, rows, columns, info);                                \
    }
#define HEDDLE_SPARSE_QR(L, T, Host)                                                                                \
    cusolverStatus_t cusolverSp##L##csrqrBufferInfo##Host(                                                          \
        cusolverSpHandle_t handle, int, int, int, const cusparseMatDescr_t, const T*, const int*, const int*,       \
        csrqrInfo##Host##_t info, size_t* internal, size_t* workspace) {                                            \
        return tell_sizes(handle, info, internal, workspace);                                                       \
    }                                                                                                               \
    cusolverStatus_t cusolverSp##L##csrqrSetup##Host(                                                               \
        cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t description, const T* values,    \
        const int* rows, const int* columns, T mu, csrqrInfo##Host##_t info) {                                      \
        return take_rows(handle, m, n, nnz, description, values, rows, columns, mu, info);                          \
    }                                                                                                               \
    cusolverStatus_t cusolverSp##L##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int, T* b, T* x,     \
                                                      csrqrInfo##Host##_t info, void*) {                            \
        HEDDLE_SOLVER_HANDLE(handle);                                                                               \
        HEDDLE_SOLVER_CHECK(info != nullptr && n >= 0 && m == static_cast<int>(info->rows.size()));                 \
        const cusolverStatus_t done = factor(info, n, 0);                                                           \
        return b == nullptr || x == nullptr ? done : solve(handle, m, n, b, x, info);                               \
    }                                                                                                               \
    HEDDLE_SPARSE_POSITION(L, T, qr, Host)                                                                          \
    cusolverStatus_t cusolverSp##L##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T* b, T* x,           \
                                                     csrqrInfo##Host##_t info, void*) {                             \
        return solve(handle, m, n, b, x, info);                                                                     \
    }
HEDDLE_SPARSE_QR_ANALYSIS(Host)
HEDDLE_SPARSE_QR_ANALYSIS()
HEDDLE_SPARSE_QR(S, float, Host)
HEDDLE_SPARSE_QR(D, double, Host)
HEDDLE_SPARSE_QR(S, float, )
HEDDLE_SPARSE_QR(D, double, )

#define HEDDLE_SPARSE_CHOL_ANALYSIS(Host)                                                                   \
    cusolverStatus_t cusolverSpXcsrcholAnalysis##Host(                                                      \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const int* rows,   \
        const int* columns, csrcholInfo##Host##_t info) {                                                   \
        return look_at(handle, n, n, nnz, description, rows, columns, info);                                \
    }
#define HEDDLE_SPARSE_CHOL(L, T, Host)                                                                              \
    cusolverStatus_t cusolverSp##L##csrcholBufferInfo##Host(                                                        \
        cusolverSpHandle_t handle, int, int, const cusparseMatDescr_t, const T*, const int*, const int*,            \
        csrcholInfo##Host##_t info, size_t* internal, size_t* workspace) {                                          \
        return tell_sizes(handle, info, internal, workspace);                                                       \
    }                                                                                                               \
    cusolverStatus_t cusolverSp##L##csrcholFactor##Host(                                                            \
        cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t description, const T* values,           \
        const int* rows, const int* columns, csrcholInfo##Host##_t info, void*) {                                   \
        const cusolverStatus_t taken =                                                                              \
            take_rows(handle, n, n, nnz, description, values, rows, columns, T(0), info);                           \
        return taken != CUSOLVER_STATUS_SUCCESS ? taken : factor(info, n, 0);                                       \
    }                                                                                                               \
    HEDDLE_SPARSE_POSITION(L, T, chol, Host)                                                                        \
    cusolverStatus_t cusolverSp##L##csrcholSolve##Host(cusolverSpHandle_t handle, int n, const T* b, T* x,          \
                                                       csrcholInfo##Host##_t info, void*) {                         \
        return solve(handle, n, n, b, x, info);                                                                     \
    }
HEDDLE_SPARSE_CHOL_ANALYSIS(Host)
HEDDLE_SPARSE_CHOL_ANALYSIS()
HEDDLE_SPARSE_CHOL(S, float, Host)
HEDDLE_SPARSE_CHOL(D, double, Host)
HEDDLE_SPARSE_CHOL(S, float, )
HEDDLE_SPARSE_CHOL(D, double, )

}  // extern "C"
