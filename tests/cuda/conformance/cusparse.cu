// cuSPARSE against the same matrix kept dense: products in every format, transposed, with both bases and orders; triangular solving;
// conversions there and back.

#include <cmath>
#include <cusparse.h>
#include <vector>

#include "library.h"

static cusparseHandle_t handle;

template <typename T>
struct Array {
    T* data = nullptr;
    size_t count;
    explicit Array(size_t n) : count(n) { OK(cudaMallocManaged(&data, (n + 1) * sizeof(T))); }
    explicit Array(const std::vector<T>& v) : Array(v.size()) {
        for (size_t i = 0; i < v.size(); ++i) data[i] = v[i];
    }
    ~Array() { cudaFree(data); }
    T& operator[](size_t i) { return data[i]; }
};

template <typename T>
static void expect(const char* what, T got, T want, double tolerance) {
    if (std::abs(got - want) <= tolerance * (1 + std::abs(want))) return;
    if (failures++ < 5) std::printf("%s: off by %g\n", what, static_cast<double>(std::abs(got - want)));
}

/// A matrix in all its forms.
template <typename T>
struct Matrix {
    int rows, cols, base;
    std::vector<T> dense;  // row-major
    std::vector<int> offsets{0}, rows_of, columns;
    std::vector<T> values;
    Matrix(int r, int c, int b, int every, bool all_rows = false)
        : rows(r), cols(c), base(b), dense(static_cast<size_t>(r * c)) {
        offsets[0] = b;
        for (int i = 0; i < r; ++i) {
            for (int j = 0; j < c; ++j) {
                if ((i * 7 + j * 5 + i * j) % every != 0 || (i % 9 == 4 && !all_rows)) continue;
                T& v = dense[static_cast<size_t>(i * c + j)];
                randomise(v);
                rows_of.push_back(i + b);
                columns.push_back(j + b);
                values.push_back(v);
            }
            offsets.push_back(static_cast<int>(values.size()) + b);
        }
    }
    int nnz() const { return static_cast<int>(values.size()); }
    T at(cusparseOperation_t op, int i, int j) const {
        if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return dense[static_cast<size_t>(i * cols + j)];
        const T v = dense[static_cast<size_t>(j * cols + i)];
        return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(v) : v;
    }
};

constexpr cusparseOperation_t kOps[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                        CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <typename T>
static void test_products(cudaDataType type, int base, int every, double tolerance) {
    const Matrix<T> m(60, 43, base, every);
    Array<int> offsets(m.offsets), rows(m.rows_of), columns(m.columns), csc_offsets(44),
        csc_rows(m.values.size());
    Array<T> values(m.values), csc_values(m.values.size());
    const auto index_base = static_cast<cusparseIndexBase_t>(base);
    // Conversions: offsets from rows and back, and the transposed form.
    Array<int> made_offsets(61), made_rows(m.values.size());
    OK(cusparseXcoo2csr(handle, rows.data, m.nnz(), 60, made_offsets.data, index_base));
    OK(cusparseXcsr2coo(handle, offsets.data, m.nnz(), 60, made_rows.data, index_base));
    size_t bytes = 0;
    OK(cusparseCsr2cscEx2_bufferSize(handle, 60, 43, m.nnz(), values.data, offsets.data, columns.data,
                                     csc_values.data, csc_offsets.data, csc_rows.data, type,
                                     CUSPARSE_ACTION_NUMERIC, index_base, CUSPARSE_CSR2CSC_ALG1, &bytes));
    Array<char> buffer(bytes);
    OK(cusparseCsr2cscEx2(handle, 60, 43, m.nnz(), values.data, offsets.data, columns.data, csc_values.data,
                          csc_offsets.data, csc_rows.data, type, CUSPARSE_ACTION_NUMERIC, index_base,
                          CUSPARSE_CSR2CSC_ALG1, buffer.data));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < 61; ++i) expect("coo2csr", 1.0 * made_offsets[i], 1.0 * offsets[i], 0);
    for (size_t i = 0; i < m.values.size(); ++i) expect("csr2coo", 1.0 * made_rows[i], 1.0 * rows[i], 0);
    for (int j = 0, k = 0; j < 43; ++j)
        for (int i = 0; i < 60; ++i) {
            if (m.dense[static_cast<size_t>(i * 43 + j)] == T(0)) continue;
            expect("csr2csc", 1.0 * csc_rows[static_cast<size_t>(k)], 1.0 * (i + base), 0);
            expect("csr2csc", csc_values[static_cast<size_t>(k++)], m.dense[static_cast<size_t>(i * 43 + j)],
                   0);
        }

    cusparseSpMatDescr_t forms[3];
    const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
    OK(cusparseCreateCsr(&forms[0], 60, 43, m.nnz(), offsets.data, columns.data, values.data, narrow, narrow,
                         index_base, type));
    OK(cusparseCreateCsc(&forms[1], 60, 43, m.nnz(), csc_offsets.data, csc_rows.data, csc_values.data, narrow,
                         narrow, index_base, type));
    OK(cusparseCreateCoo(&forms[2], 60, 43, m.nnz(), rows.data, columns.data, values.data, narrow, index_base,
                         type));
    for (cusparseSpMatDescr_t a : forms)
        for (cusparseOperation_t op : kOps) {
            const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
            const int out = turned ? 43 : 60, in = turned ? 60 : 43;
            Array<T> x(static_cast<size_t>(in)), y(static_cast<size_t>(out));
            T alpha(2), beta(0.5f);
            std::vector<T> want(static_cast<size_t>(out));
            for (int i = 0; i < in; ++i) randomise(x[static_cast<size_t>(i)]);
            for (int i = 0; i < out; ++i) {
                T sum(0);
                for (int j = 0; j < in; ++j) sum += m.at(op, i, j) * x[static_cast<size_t>(j)];
                randomise(y[static_cast<size_t>(i)]);
                want[static_cast<size_t>(i)] = alpha * sum + beta * y[static_cast<size_t>(i)];
            }
            cusparseDnVecDescr_t vx, vy;
            OK(cusparseCreateDnVec(&vx, in, x.data, type));
            OK(cusparseCreateDnVec(&vy, out, y.data, type));
            OK(cusparseSpMV_bufferSize(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT,
                                       &bytes));
            OK(cusparseSpMV(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
            OK(cudaDeviceSynchronize());
            for (int i = 0; i < out; ++i)
                expect("SpMV", y[static_cast<size_t>(i)], want[static_cast<size_t>(i)], tolerance);
            OK(cusparseDestroyDnVec(vx));
            OK(cusparseDestroyDnVec(vy));
            // Five columns; B as it is and transposed, C by rows and by columns.
            for (cusparseOperation_t op_b : kOps)
                for (cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
                    const bool turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
                    const int b_rows = turned_b ? 5 : in, b_cols = turned_b ? in : 5;
                    Array<T> b(static_cast<size_t>(b_rows * (b_cols + 2))), c(static_cast<size_t>(out * 7));
                    for (size_t i = 0; i < b.count; ++i) randomise(b[i]);
                    for (size_t i = 0; i < c.count; ++i) c[i] = T(1);
                    const T nothing(0);
                    cusparseDnMatDescr_t mb, mc;
                    OK(cusparseCreateDnMat(&mb, b_rows, b_cols, b_rows, b.data, type, CUSPARSE_ORDER_COL));
                    OK(cusparseCreateDnMat(&mc, out, 5, order == CUSPARSE_ORDER_COL ? out : 7, c.data, type,
                                           order));
                    OK(cusparseSpMM(handle, op, op_b, &alpha, a, mb, &nothing, mc, type,
                                    CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
                    OK(cudaDeviceSynchronize());
                    for (int i = 0; i < out; ++i)
                        for (int j = 0; j < 5; ++j) {
                            T sum(0);
                            for (int k = 0; k < in; ++k) {
                                T v = turned_b ? b[static_cast<size_t>(j + k * b_rows)]
                                               : b[static_cast<size_t>(k + j * b_rows)];
                                if (op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) v = conjugate(v);
                                sum += m.at(op, i, k) * v;
                            }
                            expect(
                                "SpMM",
                                c[static_cast<size_t>(order == CUSPARSE_ORDER_COL ? i + j * out : i * 7 + j)],
                                alpha * sum, tolerance);
                        }
                    OK(cusparseDestroyDnMat(mb));
                    OK(cusparseDestroyDnMat(mc));
                }
        }
    // To a dense matrix and back.
    for (cusparseSpMatDescr_t a : forms) {
        Array<T> b(60 * 43);
        for (size_t i = 0; i < b.count; ++i) b[i] = T(9);
        cusparseDnMatDescr_t mb;
        OK(cusparseCreateDnMat(&mb, 60, 43, 60, b.data, type, CUSPARSE_ORDER_COL));
        OK(cusparseSparseToDense(handle, a, mb, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < 60; ++i)
            for (int j = 0; j < 43; ++j)
                expect("SparseToDense", b[static_cast<size_t>(i + j * 60)],
                       m.dense[static_cast<size_t>(i * 43 + j)], 0);
        Array<int> o(61), c(m.values.size());
        Array<T> v(m.values.size());
        cusparseSpMatDescr_t back;
        OK(cusparseCreateCsr(&back, 60, 43, 0, o.data, nullptr, nullptr, narrow, narrow, index_base, type));
        OK(cusparseDenseToSparse_bufferSize(handle, mb, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
        Array<char> area(bytes);
        OK(cusparseDenseToSparse_analysis(handle, mb, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, area.data));
        int64_t r, k, nnz;
        OK(cusparseSpMatGetSize(back, &r, &k, &nnz));
        expect("DenseToSparse", 1.0 * static_cast<double>(nnz), 1.0 * m.nnz(), 0);
        OK(cusparseCsrSetPointers(back, o.data, c.data, v.data));
        OK(cusparseDenseToSparse_convert(handle, mb, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, area.data));
        OK(cudaDeviceSynchronize());
        for (size_t i = 0; i < m.values.size(); ++i)
            expect("DenseToSparse", v[i], m.values[i], 0),
                expect("DenseToSparse", 1.0 * c[i], 1.0 * m.columns[i], 0);
        OK(cusparseDestroySpMat(back));
        OK(cusparseDestroyDnMat(mb));
        OK(cusparseDestroySpMat(a));
    }
}

static void test_solving() {
    Matrix<double> m(50, 50, 0, 1, true);
    for (size_t k = 0; k < m.values.size(); ++k) {
        double& v = m.values[k];
        v = m.rows_of[k] == m.columns[k] ? 3 : v * 0.2;
        m.dense[static_cast<size_t>(m.rows_of[k] * 50 + m.columns[k])] = v;
    }
    Array<int> offsets(m.offsets), columns(m.columns);
    Array<double> values(m.values);
    cusparseSpMatDescr_t a;
    OK(cusparseCreateCsr(&a, 50, 50, m.nnz(), offsets.data, columns.data, values.data, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
        for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})
            for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_UNIT, CUSPARSE_DIAG_TYPE_NON_UNIT}) {
                OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
                OK(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
                Array<double> x(50), y(50);
                for (size_t i = 0; i < 50; ++i) randomise(x[i]);
                cusparseDnVecDescr_t vx, vy;
                OK(cusparseCreateDnVec(&vx, 50, x.data, CUDA_R_64F));
                OK(cusparseCreateDnVec(&vy, 50, y.data, CUDA_R_64F));
                cusparseSpSVDescr_t solver;
                OK(cusparseSpSV_createDescr(&solver));
                const double alpha = 2;
                OK(cusparseSpSV_analysis(handle, op, &alpha, a, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT,
                                         solver, nullptr));
                OK(cusparseSpSV_solve(handle, op, &alpha, a, vx, vy, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT,
                                      solver));
                OK(cudaDeviceSynchronize());
                for (int i = 0; i < 50; ++i) {
                    double sum = (diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1 : 3) * y[static_cast<size_t>(i)];
                    for (int j = 0; j < 50; ++j) {
                        const int r = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? i : j,
                                  c = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? j : i;
                        if (fill == CUSPARSE_FILL_MODE_LOWER ? c < r : c > r)
                            sum += m.dense[static_cast<size_t>(r * 50 + c)] * y[static_cast<size_t>(j)];
                    }
                    expect("SpSV", sum, alpha * x[static_cast<size_t>(i)], 1e-12);
                }
                OK(cusparseSpSV_destroyDescr(solver));
                OK(cusparseDestroyDnVec(vx));
                OK(cusparseDestroyDnVec(vy));
            }
    OK(cusparseDestroySpMat(a));
    if (cusparseCreateCsr(&a, 1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) != CUSPARSE_STATUS_NOT_SUPPORTED)
        ++failures;
}

/// Of a matrix without zeros the incomplete factors are the whole ones.
static void test_factors() {
    constexpr int n = 33;
    std::vector<int> offsets, columns;
    std::vector<double> values;
    for (int i = 0; i <= n; ++i) offsets.push_back(i * n + 1);
    for (int i = 0; i < n * n; ++i) {
        columns.push_back(i % n + 1);
        values.push_back(random_value() + (i % (n + 1) == 0 ? 10 : 0));
    }
    Array<int> o(offsets), c(columns);
    Array<double> v(values);
    cusparseMatDescr_t description;
    csrilu02Info_t info;
    OK(cusparseCreateMatDescr(&description));
    OK(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ONE));
    OK(cusparseCreateCsrilu02Info(&info));
    OK(cusparseDcsrilu02_analysis(handle, n, n * n, description, v.data, o.data, c.data, info,
                                  CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    OK(cusparseDcsrilu02(handle, n, n * n, description, v.data, o.data, c.data, info,
                         CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
    int position = 0;
    OK(cusparseXcsrilu02_zeroPivot(handle, info, &position));
    expect("zero pivot", 1.0 * position, -1.0, 0);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k <= (i < j ? i : j); ++k)
                sum += (k == i ? 1 : v[static_cast<size_t>(i * n + k)]) * v[static_cast<size_t>(k * n + j)];
            expect("csrilu02", sum, values[static_cast<size_t>(i * n + j)], 1e-12);
        }
    for (int j = 0; j < n; ++j) v[static_cast<size_t>(j)] = 0;
    OK(cusparseDcsrilu02(handle, n, n * n, description, v.data, o.data, c.data, info,
                         CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
    if (cusparseXcsrilu02_zeroPivot(handle, info, &position) != CUSPARSE_STATUS_ZERO_PIVOT || position != 1)
        ++failures, std::printf("a pivot of zero is not told\n");
    OK(cusparseDestroyCsrilu02Info(info));
    OK(cusparseDestroyMatDescr(description));
}

int main() {
    OK(cusparseCreate(&handle));
    test_products<float>(CUDA_R_32F, 0, 2, 1e-5);
    test_products<double>(CUDA_R_64F, 1, 8, 1e-13);
    test_products<std::complex<float>>(CUDA_C_32F, 0, 30, 1e-5);
    test_solving();
    test_factors();
    OK(cusparseDestroy(handle));
    return finished("cusparse");
}
