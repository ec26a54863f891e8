// cuSOLVER's refactorisation.

#include "cusolverRf.h"
#include "sparse.cuh"

using namespace heddle_sparse_solver;

struct cusolverRfCommon {
    cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
    cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
    cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
    cusolverRfTriangularSolve_t solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
    cusolverRfResetValuesFastMode_t fast = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
    double zero = 0, boost = 0;
    bool boosted = false, filled = false;
    /// L + U - I by rows, columns ascending, and where in each row the diagonal is.
    Lines lu;
    std::vector<std::size_t> diagonals;
    bool factored = false;
};

namespace {

#define HEDDLE_SOLVER_CHECK(condition) \
    if (!(condition)) return CUSOLVER_STATUS_INVALID_VALUE
#define HEDDLE_SOLVER_HANDLE(h) \
    if ((h) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED

template <typename T>
bool fetch(std::vector<T>& to, const T* from, long long count) {
    to.resize(static_cast<std::size_t>(count));
    return count == 0 || (from != nullptr && cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDefault) == cudaSuccess);
}

/// The places of a triangle's entries; the diagonal is U's.
bool add_places(Lines& to, int n, int nnz, const int* rows, const int* columns, bool lower) {
    std::vector<int> begins, places;
    if (!fetch(begins, rows, n + 1LL) || !fetch(places, columns, nnz)) return false;
    for (int i = 0; i < n; ++i)
        for (int k = begins[i]; k < begins[i + 1]; ++k) {
            if (k < 0 || k >= nnz || places[k] < 0 || places[k] >= n) return false;
            if (lower ? places[k] < i : places[k] >= i) to[i].emplace_back(places[k], 0.0);
        }
    return true;
}

/// The entry of a row at this column, or null.
Entry* find(Line& row, int column) {
    const auto at = std::lower_bound(row.begin(), row.end(), column, [](const Entry& e, int c) { return e.first < c; });
    return at == row.end() || at->first != column ? nullptr : &*at;
}

}  // namespace

extern "C" {

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle) {
    HEDDLE_SOLVER_CHECK(handle != nullptr);
    *handle = new cusolverRfCommon;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    delete handle;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diagonal) {
    HEDDLE_SOLVER_HANDLE(handle);
    if (format != CUSOLVERRF_MATRIX_FORMAT_CSR || (diagonal != CUSOLVERRF_UNIT_DIAGONAL_STORED_L &&
                                                   diagonal != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L))
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    handle->format = format;
    handle->diagonal = diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diagonal) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(format != nullptr && diagonal != nullptr);
    *format = handle->format;
    *diagonal = handle->diagonal;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost) {
    HEDDLE_SOLVER_HANDLE(handle);
    handle->zero = zero;
    handle->boost = boost;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero, double* boost) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(zero != nullptr && boost != nullptr);
    *zero = handle->zero;
    *boost = handle->boost;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle, cusolverRfNumericBoostReport_t* report) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(report != nullptr);
    *report = handle->boosted ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factorization,
                                   cusolverRfTriangularSolve_t solve) {
    HEDDLE_SOLVER_HANDLE(handle);
    handle->factorization = factorization;
    handle->solve = solve;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factorization,
                                   cusolverRfTriangularSolve_t* solve) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(factorization != nullptr && solve != nullptr);
    *factorization = handle->factorization;
    *solve = handle->solve;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t mode) {
    HEDDLE_SOLVER_HANDLE(handle);
    handle->fast = mode;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle, cusolverRfResetValuesFastMode_t* mode) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(mode != nullptr);
    *mode = handle->fast;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetupHost(int n, int nnz, int* rows, int* columns, double* values, int nnz_l, int* rows_l,
                                     int* columns_l, double*, int nnz_u, int* rows_u, int* columns_u, double*, int* p,
                                     int* q, cusolverRfHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(n >= 0 && nnz >= 0 && nnz_l >= 0 && nnz_u >= 0);
    Lines lu(static_cast<std::size_t>(n));
    HEDDLE_SOLVER_CHECK(add_places(lu, n, nnz_l, rows_l, columns_l, true));
    HEDDLE_SOLVER_CHECK(add_places(lu, n, nnz_u, rows_u, columns_u, false));
    std::vector<std::size_t> diagonals;
    for (int i = 0; i < n; ++i) {
        std::sort(lu[i].begin(), lu[i].end());
        const Entry* const diagonal = find(lu[i], i);
        HEDDLE_SOLVER_CHECK(diagonal != nullptr);
        diagonals.push_back(static_cast<std::size_t>(diagonal - lu[i].data()));
    }
    handle->lu.swap(lu);
    handle->diagonals.swap(diagonals);
    return cusolverRfResetValues(n, nnz, rows, columns, values, p, q, handle);
}
cusolverStatus_t cusolverRfSetupDevice(int n, int nnz, int* rows, int* columns, double* values, int nnz_l, int* rows_l,
                                       int* columns_l, double* values_l, int nnz_u, int* rows_u, int* columns_u,
                                       double* values_u, int* p, int* q, cusolverRfHandle_t handle) {
    return cusolverRfSetupHost(n, nnz, rows, columns, values, nnz_l, rows_l, columns_l, values_l, nnz_u, rows_u,
                               columns_u, values_u, p, q, handle);
}
cusolverStatus_t cusolverRfResetValues(int n, int nnz, int* rows, int* columns, double* values, int* p, int* q,
                                       cusolverRfHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(n == static_cast<int>(handle->lu.size()) && nnz >= 0);
    std::vector<int> begins, places, row_of, column_of;
    std::vector<double> numbers;
    HEDDLE_SOLVER_CHECK(fetch(begins, rows, n + 1LL) && fetch(places, columns, nnz) && fetch(numbers, values, nnz) &&
                        fetch(row_of, p, n) && fetch(column_of, q, n));
    std::vector<int> place(column_of.size(), -1);
    for (int j = 0; j < n; ++j) {
        HEDDLE_SOLVER_CHECK(column_of[j] >= 0 && column_of[j] < n && row_of[j] >= 0 && row_of[j] < n);
        place[column_of[j]] = j;
    }
    handle->filled = handle->factored = false;
    for (int i = 0; i < n; ++i) {
        for (Entry& e : handle->lu[i]) e.second = 0;
        for (int k = begins[row_of[i]]; k < begins[row_of[i] + 1]; ++k) {
            HEDDLE_SOLVER_CHECK(k >= 0 && k < nnz && places[k] >= 0 && places[k] < n && place[places[k]] >= 0);
            Entry* const e = find(handle->lu[i], place[places[k]]);
            if (e != nullptr)
                e->second += numbers[k];
            else if (numbers[k] != 0)
                return CUSOLVER_STATUS_INVALID_VALUE;
        }
    }
    handle->filled = true;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(handle->filled);
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(handle->filled);
    handle->filled = false;
    handle->boosted = false;
    Lines& lu = handle->lu;
    std::vector<double> x(lu.size());
    for (std::size_t i = 0; i < lu.size(); ++i) {
        for (const Entry& e : lu[i]) x[e.first] = e.second;
        for (std::size_t k = 0; k < handle->diagonals[i]; ++k) {
            const std::size_t j = static_cast<std::size_t>(lu[i][k].first);
            const std::size_t d = handle->diagonals[j];
            const double v = x[j] /= lu[j][d].second;
            for (std::size_t t = d + 1; t < lu[j].size(); ++t) x[lu[j][t].first] -= v * lu[j][t].second;
        }
        double& pivot = x[i];
        if (!(std::fabs(pivot) > handle->zero) && handle->boost > 0) {
            pivot = pivot < 0 ? -handle->boost : handle->boost;
            handle->boosted = true;
        }
        if (pivot == 0 || pivot != pivot || std::fabs(pivot) < handle->zero) return CUSOLVER_STATUS_ZERO_PIVOT;
        for (Entry& e : lu[i]) e.second = x[e.first];
        // Places that the pattern has not: zero again for the next row.
        for (std::size_t k = 0; k < handle->diagonals[i]; ++k)
            for (const Entry& e : lu[lu[i][k].first]) x[e.first] = 0;
        for (const Entry& e : lu[i]) x[e.first] = 0;
    }
    handle->factored = true;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int* p, int* q, int right_sides, double*, int, double* x,
                                 int ld_x) {
    HEDDLE_SOLVER_HANDLE(handle);
    HEDDLE_SOLVER_CHECK(handle->factored);
    const Lines& lu = handle->lu;
    const int n = static_cast<int>(lu.size());
    std::vector<int> row_of, column_of;
    HEDDLE_SOLVER_CHECK(right_sides >= 0 && ld_x >= n && fetch(row_of, p, n) && fetch(column_of, q, n));
    for (int side = 0; side < right_sides; ++side) {
        double* const column = x + static_cast<long long>(side) * ld_x;
        std::vector<double> b, y(lu.size());
        HEDDLE_SOLVER_CHECK(fetch(b, column, n));
        for (std::size_t i = 0; i < lu.size(); ++i) {
            y[i] = b[row_of[i]];
            for (std::size_t k = 0; k < handle->diagonals[i]; ++k) y[i] -= lu[i][k].second * y[lu[i][k].first];
        }
        for (std::size_t i = lu.size(); i-- > 0;) {
            const std::size_t d = handle->diagonals[i];
            for (std::size_t k = d + 1; k < lu[i].size(); ++k) y[i] -= lu[i][k].second * y[lu[i][k].first];
            y[i] /= lu[i][d].second;
        }
        for (int i = 0; i < n; ++i) b[column_of[i]] = y[i];
        if (n > 0 && cudaMemcpy(column, b.data(), b.size() * sizeof(double), cudaMemcpyDefault) != cudaSuccess)
            return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
    return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"
