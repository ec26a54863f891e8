// cuSPARSE against dense matrices: the product of two sparse matrices, several right sides, sparse vectors, dense products at the
// places of a sparse matrix, what descriptors hold, nothing to do. Prints what differs, and "cusparse_more done" if nothing does.

#include <cmath>
#include <cusparse.h>
#include <vector>

#include "library.h"

static cusparseHandle_t handle;
constexpr cusparseIndexType_t k32 = CUSPARSE_INDEX_32I;
constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// A sparse matrix on the device and the same in full, by rows.
template <typename T>
struct Sparse {
    int rows, cols, nnz = 0;
    std::vector<T> full;
    int *offsets, *columns;
    T* values;
    cusparseSpMatDescr_t matrix;
    Sparse(int r, int c, int every, int base, cudaDataType type, bool diagonal = false)
        : rows(r), cols(c), full(static_cast<size_t>(r) * c) {
        offsets = managed<int>(r + 1);
        columns = managed<int>(static_cast<size_t>(r) * c);
        values = managed<T>(static_cast<size_t>(r) * c);
        for (int i = 0; i < r; ++i) {
            offsets[i] = nnz + base;
            for (int j = 0; j < c; ++j) {
                const bool here = (i * 5 + j * 3 + i * j) % every == 0 && i % 7 != 3;
                if (!here && !(diagonal && i == j)) continue;
                T& v = at(i, j);
                randomise(v);
                if (diagonal && i == j) v += T(3);
                columns[nnz] = j + base;
                values[nnz++] = v;
            }
        }
        offsets[r] = nnz + base;
        OK(cusparseCreateCsr(&matrix, r, c, nnz, offsets, columns, values, k32, k32,
                             static_cast<cusparseIndexBase_t>(base), type));
    }
    ~Sparse() {
        cusparseDestroySpMat(matrix);
        cudaFree(offsets);
        cudaFree(columns);
        cudaFree(values);
    }
    Sparse(const Sparse&) = delete;
    T& at(int i, int j) { return full[static_cast<size_t>(i) * cols + j]; }
};

template <typename T>
void product(cudaDataType type, int base, double tolerance) {
    Sparse<T> a(31, 23, 4, base, type), b(23, 40, 3, 1 - base, type);
    cusparseSpMatDescr_t c;
    int* const offsets = managed<int>(32);
    OK(cusparseCreateCsr(&c, 31, 40, 0, offsets, nullptr, nullptr, k32, k32,
                         static_cast<cusparseIndexBase_t>(base), type));
    T alpha(2), beta(0);
    cusparseSpGEMMDescr_t plan;
    OK(cusparseSpGEMM_createDescr(&plan));
    size_t first = 0, second = 0;
    const auto estimate = [&](void* buffer) {
        return cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a.matrix, b.matrix, &beta, c,
                                             type, CUSPARSE_SPGEMM_DEFAULT, plan, &first, buffer);
    };
    const auto compute = [&](void* buffer) {
        return cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, a.matrix, b.matrix, &beta, c, type,
                                      CUSPARSE_SPGEMM_DEFAULT, plan, &second, buffer);
    };
    const auto copy = [&] {
        return cusparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, a.matrix, b.matrix, &beta, c, type,
                                   CUSPARSE_SPGEMM_DEFAULT, plan);
    };
    OK(estimate(nullptr));
    char* const work = managed<char>(first);
    OK(estimate(work));
    OK(compute(nullptr));
    char* const products = managed<char>(second);
    OK(compute(products));
    int64_t rows = 0, cols = 0, nnz = 0, count = 0;
    OK(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
    OK(cusparseSpGEMM_getNumProducts(plan, &count));
    int64_t want_products = 0;
    for (int k = 0; k < a.nnz; ++k)
        want_products += b.offsets[a.columns[k] - base + 1] - b.offsets[a.columns[k] - base];
    EXPECT(rows == 31 && cols == 40 && nnz > 0 && count == want_products && nnz <= count);
    int* const columns = managed<int>(static_cast<size_t>(nnz));
    T* const values = managed<T>(static_cast<size_t>(nnz));
    OK(cusparseCsrSetPointers(c, offsets, columns, values));
    OK(copy());
    OK(cudaDeviceSynchronize());
    for (const int scale : {2, 3}) {
        double worst = 0;
        int64_t seen = 0;
        for (int i = 0; i < 31; ++i) {
            int k = offsets[i] - base;
            for (int j = 0; j < 40; ++j) {
                T sum(0);
                bool there = false;
                for (int l = 0; l < 23; ++l) {
                    sum += a.at(i, l) * b.at(l, j);
                    there = there || (a.at(i, l) != T(0) && b.at(l, j) != T(0));
                }
                if (!there) continue;
                EXPECT(columns[k] == j + base);
                worst = larger(worst, std::abs(values[k++] - sum * T(static_cast<float>(scale))));
                ++seen;
            }
            EXPECT(k == offsets[i + 1] - base);
        }
        EXPECT(seen == nnz);
        report("SpGEMM", worst, tolerance);
        // C = 2 A B + 0.5 C is three times the product then.
        beta = T(0.5f);
        if (scale == 2) OK(copy());
        OK(cudaDeviceSynchronize());
    }
    EXPECT(cusparseSpGEMM_compute(handle, CUSPARSE_OPERATION_TRANSPOSE, kPlain, &alpha, a.matrix, b.matrix,
                                  &beta, c, type, CUSPARSE_SPGEMM_DEFAULT, plan, &second,
                                  products) == CUSPARSE_STATUS_NOT_SUPPORTED);
    OK(cusparseSpGEMM_destroyDescr(plan));
    OK(cusparseDestroySpMat(c));
}

static void right_sides() {
    constexpr int n = 21, columns = 3;
    Sparse<double> a(n, n, 4, 1, CUDA_R_64F, true);
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER, got;
    OK(cusparseSpMatSetAttribute(a.matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    OK(cusparseSpMatGetAttribute(a.matrix, CUSPARSE_SPMAT_FILL_MODE, &got, sizeof got));
    EXPECT(got == fill);
    double *const b = managed<double>((n + 2) * columns), *const x = managed<double>(n * columns),
                  alpha = 2;
    for (int i = 0; i < (n + 2) * columns; ++i) randomise(b[i]);
    cusparseDnMatDescr_t from, to;
    OK(cusparseCreateDnMat(&from, n, columns, n + 2, b, CUDA_R_64F, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&to, n, columns, n, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    cusparseSpSMDescr_t plan;
    size_t bytes = 0;
    OK(cusparseSpSM_createDescr(&plan));
    OK(cusparseSpSM_bufferSize(handle, kPlain, kPlain, &alpha, a.matrix, from, to, CUDA_R_64F,
                               CUSPARSE_SPSM_ALG_DEFAULT, plan, &bytes));
    OK(cusparseSpSM_analysis(handle, kPlain, kPlain, &alpha, a.matrix, from, to, CUDA_R_64F,
                             CUSPARSE_SPSM_ALG_DEFAULT, plan, managed<char>(bytes)));
    OK(cusparseSpSM_solve(handle, kPlain, kPlain, &alpha, a.matrix, from, to, CUDA_R_64F,
                          CUSPARSE_SPSM_ALG_DEFAULT, plan));
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (int c = 0; c < columns; ++c)
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int j = 0; j <= i; ++j) sum += a.at(i, j) * x[c * n + j];
            worst = larger(worst, std::fabs(sum - 2 * b[c * (n + 2) + i]));
        }
    report("SpSM", worst, 1e-12);
    int64_t rows, cols, ld;
    void* values;
    cudaDataType type;
    cusparseOrder_t order;
    OK(cusparseDnMatGet(from, &rows, &cols, &ld, &values, &type, &order));
    EXPECT(rows == n && cols == columns && ld == n + 2 && values == b && type == CUDA_R_64F &&
           order == CUSPARSE_ORDER_COL);
    OK(cusparseSpSM_destroyDescr(plan));
    OK(cusparseDestroyDnMat(from));
    OK(cusparseDestroyDnMat(to));
}

static void vectors() {
    constexpr int size = 50, nnz = 9;
    int* const indices = managed<int>(nnz);
    float *const x = managed<float>(nnz), *const y = managed<float>(size);
    std::vector<float> full(size), before(size);
    for (int i = 0; i < nnz; ++i) {
        indices[i] = i * 5 + 2;
        randomise(x[i]);
        full[i * 5 + 1] = x[i];  // counted from 1
    }
    for (int i = 0; i < size; ++i) randomise(y[i]), before[i] = y[i];
    cusparseSpVecDescr_t sparse;
    cusparseDnVecDescr_t dense;
    OK(cusparseCreateSpVec(&sparse, size, nnz, indices, x, k32, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
    OK(cusparseCreateDnVec(&dense, size, y, CUDA_R_32F));
    float result = 0;
    size_t bytes = 0;
    OK(cusparseSpVV_bufferSize(handle, kPlain, sparse, dense, &result, CUDA_R_32F, &bytes));
    OK(cusparseSpVV(handle, kPlain, sparse, dense, &result, CUDA_R_32F, managed<char>(bytes)));
    double want = 0;
    for (int i = 0; i < size; ++i) want += full[i] * y[i];
    report("SpVV", std::fabs(result - want), 1e-6);
    float alpha = 3, beta = -2;
    OK(cusparseAxpby(handle, &alpha, sparse, &beta, dense));
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (int i = 0; i < size; ++i) {
        worst = larger(worst, std::fabs(y[i] - (3 * full[i] - 2 * before[i])));
        before[i] = y[i];
    }
    report("Axpby", worst, 1e-6);
    float cosine = 0.6f, sine = 0.8f;
    const std::vector<float> x_before(x, x + nnz);
    OK(cusparseRot(handle, &cosine, &sine, sparse, dense));
    OK(cudaDeviceSynchronize());
    worst = 0;
    for (int i = 0; i < nnz; ++i) {
        const int at = indices[i] - 1;
        worst = larger(worst, std::fabs(x[i] - (0.6f * x_before[i] + 0.8f * before[at])));
        worst = larger(worst, std::fabs(y[at] - (0.6f * before[at] - 0.8f * x_before[i])));
    }
    report("Rot", worst, 1e-6);
    int64_t length, count;
    void *where, *values;
    cusparseIndexType_t index;
    cusparseIndexBase_t base;
    cudaDataType type;
    OK(cusparseSpVecGet(sparse, &length, &count, &where, &values, &index, &base, &type));
    EXPECT(length == size && count == nnz && where == indices && values == x && index == k32 &&
           base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_R_32F);
    OK(cusparseDnVecGet(dense, &length, &values, &type));
    EXPECT(length == size && values == y);
    OK(cusparseDestroySpVec(sparse));
    OK(cusparseDestroyDnVec(dense));
}

static void sampled() {
    constexpr int rows = 17, cols = 12, inner = 5;
    Sparse<double> c(rows, cols, 3, 0, CUDA_R_64F);
    double *const a = managed<double>(rows * inner), *const b = managed<double>(inner * cols), alpha = 2,
                  beta = 0.5;
    for (int i = 0; i < rows * inner; ++i) randomise(a[i]);
    for (int i = 0; i < inner * cols; ++i) randomise(b[i]);
    cusparseConstDnMatDescr_t left, right;
    OK(cusparseCreateConstDnMat(&left, rows, inner, inner, a, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    OK(cusparseCreateConstDnMat(&right, cols, inner, cols, b, CUDA_R_64F, CUSPARSE_ORDER_COL));
    size_t bytes = 0;
    const auto turned = CUSPARSE_OPERATION_TRANSPOSE;
    OK(cusparseSDDMM_bufferSize(handle, kPlain, turned, &alpha, left, right, &beta, c.matrix, CUDA_R_64F,
                                CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
    OK(cusparseSDDMM_preprocess(handle, kPlain, turned, &alpha, left, right, &beta, c.matrix, CUDA_R_64F,
                                CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    OK(cusparseSDDMM(handle, kPlain, turned, &alpha, left, right, &beta, c.matrix, CUDA_R_64F,
                     CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    double worst = 0;
    for (int i = 0; i < rows; ++i)
        for (int k = c.offsets[i]; k < c.offsets[i + 1]; ++k) {
            const int j = c.columns[k];
            double sum = 0;
            for (int l = 0; l < inner; ++l) sum += a[i * inner + l] * b[j + l * cols];
            worst = larger(worst, std::fabs(c.values[k] - (2 * sum + 0.5 * c.at(i, j))));
        }
    report("SDDMM", worst, 1e-13);
    int64_t r, n, count;
    void *offsets, *columns, *values;
    cusparseIndexType_t offset, index;
    cusparseIndexBase_t base;
    cudaDataType type;
    OK(cusparseCsrGet(c.matrix, &r, &n, &count, &offsets, &columns, &values, &offset, &index, &base, &type));
    EXPECT(r == rows && n == cols && count == c.nnz && offsets == c.offsets && columns == c.columns &&
           values == c.values && offset == k32 && index == k32 && type == CUDA_R_64F);
    OK(cusparseDestroyDnMat(left));
    OK(cusparseDestroyDnMat(right));
}

/// x^H y and x^T y of a sparse complex x, with the result on the device.
static void conjugated() {
    using T = std::complex<float>;
    int* const indices = managed<int>(2);
    T *const x = managed<T>(2), *const y = managed<T>(4), *const result = managed<T>(1);
    for (int i = 0; i < 2; ++i) randomise(x[i]), indices[i] = 2 * i + 1;
    for (int i = 0; i < 4; ++i) randomise(y[i]);
    cusparseSpVecDescr_t sparse;
    cusparseDnVecDescr_t dense;
    OK(cusparseCreateSpVec(&sparse, 4, 2, indices, x, k32, CUSPARSE_INDEX_BASE_ZERO, CUDA_C_32F));
    OK(cusparseCreateDnVec(&dense, 4, y, CUDA_C_32F));
    OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    for (const auto op : {kPlain, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        OK(cusparseSpVV(handle, op, sparse, dense, result, CUDA_C_32F, nullptr));
        OK(cudaDeviceSynchronize());
        T want(0);
        for (int i = 0; i < 2; ++i) want += (op == kPlain ? x[i] : conjugate(x[i])) * y[indices[i]];
        report("complex SpVV", std::abs(*result - want), 1e-6);
    }
    OK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    OK(cusparseDestroySpVec(sparse));
    OK(cusparseDestroyDnVec(dense));
}

/// Nothing in a vector, and nothing in a matrix: what beta is applied to, and a product without elements.
static void empty() {
    constexpr int size = 6;
    double *const y = managed<double>(size), alpha = 1, beta = 0;
    for (int i = 0; i < size; ++i) y[i] = NAN;
    cusparseSpVecDescr_t sparse;
    cusparseDnVecDescr_t dense;
    OK(cusparseCreateSpVec(&sparse, size, 0, nullptr, nullptr, k32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    OK(cusparseCreateDnVec(&dense, size, y, CUDA_R_64F));
    OK(cusparseGather(handle, dense, sparse));
    OK(cusparseScatter(handle, sparse, dense));
    OK(cusparseRot(handle, &alpha, &alpha, sparse, dense));
    OK(cusparseAxpby(handle, &alpha, sparse, &beta, dense));
    double result = 7;
    size_t bytes = 0;
    OK(cusparseSpVV_bufferSize(handle, kPlain, sparse, dense, &result, CUDA_R_64F, &bytes));
    OK(cusparseSpVV(handle, kPlain, sparse, dense, &result, CUDA_R_64F, managed<char>(bytes)));
    OK(cudaDeviceSynchronize());
    EXPECT(result == 0);
    for (int i = 0; i < size; ++i) EXPECT(y[i] == 0);
    OK(cusparseDestroySpVec(sparse));
    OK(cusparseDestroyDnVec(dense));

    int* const offsets = managed<int>(size + 1);
    cusparseSpMatDescr_t a, c;
    OK(cusparseCreateCsr(&a, size, size, 0, managed<int>(size + 1), nullptr, nullptr, k32, k32,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    OK(cusparseCreateCsr(&c, size, size, 0, offsets, nullptr, nullptr, k32, k32, CUSPARSE_INDEX_BASE_ONE,
                         CUDA_R_64F));
    cusparseSpGEMMDescr_t plan;
    OK(cusparseSpGEMM_createDescr(&plan));
    void* buffer = nullptr;
    for (int call = 0; call < 2; ++call) {
        OK(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, a, &beta, c, CUDA_R_64F,
                                         CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, buffer));
        buffer = managed<char>(bytes);
    }
    buffer = nullptr;
    for (int call = 0; call < 2; ++call) {
        OK(cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, a, a, &beta, c, CUDA_R_64F,
                                  CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, buffer));
        // A size of 0 would be asked for without end.
        EXPECT(bytes > 0);
        buffer = managed<char>(bytes);
    }
    OK(cusparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, a, a, &beta, c, CUDA_R_64F,
                           CUSPARSE_SPGEMM_DEFAULT, plan));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i <= size; ++i) EXPECT(offsets[i] == 1);
    OK(cusparseSpGEMM_destroyDescr(plan));
    OK(cusparseDestroySpMat(a));
    OK(cusparseDestroySpMat(c));
}

/// What is told of a matrix in coordinates.
static void coordinates() {
    int rows[2], cols[2];
    double elements[2];
    cusparseConstSpMatDescr_t made;
    OK(cusparseCreateConstCoo(&made, 5, 4, 2, rows, cols, elements, k32, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F));
    const auto matrix = const_cast<cusparseSpMatDescr_t>(made);
    int64_t m, n, count;
    void *first, *second, *values;
    cusparseIndexType_t offset, index;
    cusparseIndexBase_t base;
    cudaDataType type;
    OK(cusparseCooGet(matrix, &m, &n, &count, &first, &second, &values, &index, &base, &type));
    EXPECT(m == 5 && n == 4 && count == 2 && first == rows && second == cols && values == elements &&
           index == k32 && base == CUSPARSE_INDEX_BASE_ONE && type == CUDA_R_64F);
    EXPECT(cusparseCsrGet(matrix, &m, &n, &count, &first, &second, &values, &offset, &index, &base, &type) ==
           CUSPARSE_STATUS_INVALID_VALUE);
    OK(cusparseDestroySpMat(matrix));
}

int main() {
    OK(cusparseCreate(&handle));
    product<float>(CUDA_R_32F, 0, 1e-5);
    product<double>(CUDA_R_64F, 1, 1e-13);
    product<std::complex<float>>(CUDA_C_32F, 1, 1e-5);
    right_sides();
    vectors();
    sampled();
    conjugated();
    empty();
    coordinates();
    OK(cusparseDestroy(handle));
    return finished("cusparse_more");
}
