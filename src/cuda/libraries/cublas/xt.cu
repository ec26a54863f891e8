// cublasXt: the matrices are copied to the device and the result back.

#include "cublasXt.h"

struct cublasXtContext {
    cublasHandle_t handle = nullptr;
    int block = 2048;
};

namespace {

/// A column-major host matrix on the device, with its leading dimension.
template <typename T>
class Copy {
  public:
    Copy(const T* host, size_t rows, size_t columns, size_t ld)
        : host_(host), ld_(ld), rows_(rows), columns_(columns) {
        ok_ = cudaMalloc(&data_, bytes() + 1) == cudaSuccess && move(data_, host_, cudaMemcpyHostToDevice);
    }
    ~Copy() { cudaFree(data_); }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    bool ok() const { return ok_; }
    T* data() const { return data_; }
    bool back(T* host) const { return move(host, data_, cudaMemcpyDeviceToHost); }

  private:
    size_t bytes() const { return ld_ * columns_ * sizeof(T); }
    bool move(T* to, const T* from, cudaMemcpyKind kind) const {
        return rows_ == 0 || columns_ == 0 ||
               cudaMemcpy2D(to, ld_ * sizeof(T), from, ld_ * sizeof(T), rows_ * sizeof(T), columns_, kind) ==
                   cudaSuccess;
    }

    const T* host_;
    size_t ld_, rows_, columns_;
    T* data_ = nullptr;
    bool ok_ = false;
};

template <typename T, typename Gemm>
cublasStatus_t gemm(cublasXtHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, size_t m, size_t n,
                    size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const T* beta,
                    T* c, size_t ldc, Gemm run) {
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    const Copy<T> da(a, op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, lda);
    const Copy<T> db(b, op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, ldb);
    const Copy<T> dc(c, m, n, ldc);
    if (!da.ok() || !db.ok() || !dc.ok()) return CUBLAS_STATUS_ALLOC_FAILED;
    auto narrow = [](size_t v) { return static_cast<int>(v); };
    const cublasStatus_t status =
        run(h->handle, op_a, op_b, narrow(m), narrow(n), narrow(k), alpha, da.data(), narrow(lda), db.data(),
            narrow(ldb), beta, dc.data(), narrow(ldc));
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    return dc.back(c) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasXtContext;
    return cublasCreate(&(*handle)->handle);
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t h) {
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    const cublasStatus_t status = cublasDestroy(h->handle);
    delete h;
    return status;
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t h, int count, int devices[]) {
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    return count == 1 && devices != nullptr && devices[0] == 0 ? CUBLAS_STATUS_SUCCESS
                                                               : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t h, int size) {
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    h->block = size;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t h, int* size) {
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *size = h->block;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSgemm(cublasXtHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, size_t m,
                             size_t n, size_t k, const float* alpha, const float* a, size_t lda,
                             const float* b, size_t ldb, const float* beta, float* c, size_t ldc) {
    return gemm(h, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, cublasSgemm);
}
cublasStatus_t cublasXtDgemm(cublasXtHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, size_t m,
                             size_t n, size_t k, const double* alpha, const double* a, size_t lda,
                             const double* b, size_t ldb, const double* beta, double* c, size_t ldc) {
    return gemm(h, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, cublasDgemm);
}

}  // extern "C"
