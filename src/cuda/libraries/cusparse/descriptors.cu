// Handles and descriptors: made, set, asked, destroyed.

#include "descriptors.cuh"

namespace {

bool narrow(cusparseIndexType_t type) {
    return type == CUSPARSE_INDEX_32I;
}

cusparseStatus_t make_matrix(cusparseSpMatDescr_t* out, cusparseFormat_t format, int64_t rows, int64_t cols,
                             int64_t nnz, void* first, void* second, void* values, cusparseIndexType_t offset,
                             cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type) {
    HEDDLE_SPARSE_CHECK(out != nullptr && rows >= 0 && cols >= 0 && nnz >= 0);
    if (!narrow(offset) || !narrow(index)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    *out = new cusparseSpMatDescr{format,
                                  rows,
                                  cols,
                                  nnz,
                                  static_cast<int*>(first),
                                  static_cast<int*>(second),
                                  values,
                                  base,
                                  type,
                                  CUSPARSE_FILL_MODE_LOWER,
                                  CUSPARSE_DIAG_TYPE_NON_UNIT};
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t tell_matrix(cusparseConstSpMatDescr_t matrix, cusparseFormat_t format, int64_t* rows,
                             int64_t* cols, int64_t* nnz, void** first, void** second, void** values,
                             cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type) {
    HEDDLE_SPARSE_CHECK(matrix && first && second && values && index && base && type &&
                        matrix->format == format);
    *first = matrix->first;
    *second = matrix->second;
    *values = matrix->values;
    *index = CUSPARSE_INDEX_32I;
    *base = matrix->base;
    *type = matrix->type;
    return cusparseSpMatGetSize(matrix, rows, cols, nnz);
}

struct StatusText {
    cusparseStatus_t status;
    const char *name, *text;
};
constexpr StatusText kTexts[] = {
    {CUSPARSE_STATUS_SUCCESS, "CUSPARSE_STATUS_SUCCESS", "success"},
    {CUSPARSE_STATUS_NOT_INITIALIZED, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {CUSPARSE_STATUS_ALLOC_FAILED, "CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {CUSPARSE_STATUS_INVALID_VALUE, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {CUSPARSE_STATUS_ARCH_MISMATCH, "CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {CUSPARSE_STATUS_MAPPING_ERROR, "CUSPARSE_STATUS_MAPPING_ERROR", "texture memory error"},
    {CUSPARSE_STATUS_EXECUTION_FAILED, "CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {CUSPARSE_STATUS_INTERNAL_ERROR, "CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
     "matrix type not supported"},
    {CUSPARSE_STATUS_ZERO_PIVOT, "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {CUSPARSE_STATUS_NOT_SUPPORTED, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {CUSPARSE_STATUS_INSUFFICIENT_RESOURCES, "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES",
     "insufficient resources"},
};

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
    HEDDLE_SPARSE_CHECK(handle != nullptr);
    *handle = new cusparseContext;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t h) {
    HEDDLE_SPARSE_HANDLE(h);
    delete h;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* version) {
    HEDDLE_SPARSE_CHECK(version != nullptr);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
    HEDDLE_SPARSE_CHECK(value != nullptr);
    *value = type == MAJOR_VERSION ? CUSPARSE_VER_MAJOR : 0;
    return CUSPARSE_STATUS_SUCCESS;
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
    for (const StatusText& t : kTexts)
        if (t.status == status) return t.name;
    return "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
    for (const StatusText& t : kTexts)
        if (t.status == status) return t.text;
    return "unrecognized error code";
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t stream) {
    HEDDLE_SPARSE_HANDLE(h);
    h->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t h, cudaStream_t* stream) {
    HEDDLE_SPARSE_HANDLE(h);
    *stream = h->stream;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode) {
    HEDDLE_SPARSE_HANDLE(h);
    h->pointer_mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t* mode) {
    HEDDLE_SPARSE_HANDLE(h);
    *mode = h->pointer_mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description) {
    HEDDLE_SPARSE_CHECK(description != nullptr);
    *description = new cusparseMatDescr;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description) {
    delete description;
    return CUSPARSE_STATUS_SUCCESS;
}
#define HEDDLE_SPARSE_SETTING(name, Type, field)                                        \
    cusparseStatus_t cusparseSetMat##name(cusparseMatDescr_t description, Type value) { \
        HEDDLE_SPARSE_CHECK(description != nullptr);                                    \
        description->field = value;                                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                 \
    }                                                                                   \
    Type cusparseGetMat##name(const cusparseMatDescr_t description) {                   \
        return description->field;                                                      \
    }
HEDDLE_SPARSE_SETTING(Type, cusparseMatrixType_t, type)
HEDDLE_SPARSE_SETTING(FillMode, cusparseFillMode_t, fill)
HEDDLE_SPARSE_SETTING(DiagType, cusparseDiagType_t, diagonal)
HEDDLE_SPARSE_SETTING(IndexBase, cusparseIndexBase_t, base)

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                     cudaDataType type) {
    HEDDLE_SPARSE_CHECK(vector != nullptr && size >= 0 && nnz >= 0);
    if (!narrow(index)) return CUSPARSE_STATUS_NOT_SUPPORTED;
    *vector = new cusparseSpVecDescr{size, nnz, static_cast<int*>(indices), values, base, type};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
    delete vector;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType type) {
    HEDDLE_SPARSE_CHECK(vector != nullptr && size >= 0);
    *vector = new cusparseDnVecDescr{size, values, type};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
    delete vector;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
    HEDDLE_SPARSE_CHECK(vector != nullptr && values != nullptr);
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
    HEDDLE_SPARSE_CHECK(vector != nullptr);
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_offsets, void* col_indices, void* values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type) {
    return make_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, col_indices, values, offset,
                       index, base, type);
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* col_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type) {
    return make_matrix(matrix, CUSPARSE_FORMAT_CSC, rows, cols, nnz, col_offsets, row_indices, values, offset,
                       index, base, type);
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t nnz,
                                   void* row_indices, void* col_indices, void* values,
                                   cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type) {
    return make_matrix(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, col_indices, values, index,
                       index, base, type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second,
                                        void* values) {
    HEDDLE_SPARSE_CHECK(matrix != nullptr);
    matrix->first = static_cast<int*>(first);
    matrix->second = static_cast<int*>(second);
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second,
                                        void* values) {
    return cusparseCsrSetPointers(matrix, first, second, values);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* cols,
                                      int64_t* nnz) {
    HEDDLE_SPARSE_CHECK(matrix && rows && cols && nnz);
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
    HEDDLE_SPARSE_CHECK(matrix && format);
    *format = matrix->format;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
    HEDDLE_SPARSE_CHECK(matrix && base);
    *base = matrix->base;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
    HEDDLE_SPARSE_CHECK(matrix && values);
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
    HEDDLE_SPARSE_CHECK(matrix);
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t bytes) {
    HEDDLE_SPARSE_CHECK(matrix && data && bytes == sizeof(int));
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->fill = *static_cast<cusparseFillMode_t*>(data);
    else
        matrix->diagonal = *static_cast<cusparseDiagType_t*>(data);
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t cols, int64_t ld,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
    HEDDLE_SPARSE_CHECK(matrix && rows >= 0 && cols >= 0 &&
                        ld >= (order == CUSPARSE_ORDER_COL ? rows : cols));
    *matrix = new cusparseDnMatDescr{rows, cols, ld, values, type, order};
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}

// What descriptors hold.
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type) {
    HEDDLE_SPARSE_CHECK(vector && size && values && type);
    *size = vector->size;
    *values = vector->values;
    *type = vector->type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type) {
    HEDDLE_SPARSE_CHECK(vector && size && nnz && indices && values && index && base && type);
    *size = vector->size;
    *nnz = vector->nnz;
    *indices = vector->indices;
    *values = vector->values;
    *index = CUSPARSE_INDEX_32I;
    *base = vector->base;
    *type = vector->type;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
    HEDDLE_SPARSE_CHECK(vector && values);
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
    HEDDLE_SPARSE_CHECK(vector != nullptr);
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_offsets, void** col_indices, void** values,
                                cusparseIndexType_t* offset, cusparseIndexType_t* index,
                                cusparseIndexBase_t* base, cudaDataType* type) {
    HEDDLE_SPARSE_CHECK(offset != nullptr);
    *offset = CUSPARSE_INDEX_32I;
    return tell_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, cols, nnz, row_offsets, col_indices, values, index,
                       base, type);
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_indices, void** col_indices, void** values,
                                cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type) {
    return tell_matrix(matrix, CUSPARSE_FORMAT_COO, rows, cols, nnz, row_indices, col_indices, values, index,
                       base, type);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second,
                                        void* values) {
    return cusparseCsrSetPointers(matrix, first, second, values);
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld,
                                  void** values, cudaDataType* type, cusparseOrder_t* order) {
    HEDDLE_SPARSE_CHECK(matrix && rows && cols && ld && values && type && order);
    *rows = matrix->rows;
    *cols = matrix->cols;
    *ld = matrix->ld;
    *values = matrix->values;
    *type = matrix->type;
    *order = matrix->order;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
    HEDDLE_SPARSE_CHECK(matrix && values);
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
    HEDDLE_SPARSE_CHECK(matrix != nullptr);
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data, size_t bytes) {
    HEDDLE_SPARSE_CHECK(matrix && data && bytes == sizeof(int));
    *static_cast<int*>(data) = attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<int>(matrix->fill)
                                                                     : static_cast<int>(matrix->diagonal);
    return CUSPARSE_STATUS_SUCCESS;
}

// Of what is only read. Descriptors are the same.
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type) {
    return cusparseCreateSpVec(const_cast<cusparseSpVecDescr_t*>(vector), size, nnz,
                               const_cast<void*>(indices), const_cast<void*>(values), index, base, type);
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType type) {
    return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t*>(vector), size, const_cast<void*>(values),
                               type);
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                        int64_t nnz, const void* row_offsets, const void* col_indices,
                                        const void* values, cusparseIndexType_t offset,
                                        cusparseIndexType_t index, cusparseIndexBase_t base,
                                        cudaDataType type) {
    return cusparseCreateCsr(const_cast<cusparseSpMatDescr_t*>(matrix), rows, cols, nnz,
                             const_cast<void*>(row_offsets), const_cast<void*>(col_indices),
                             const_cast<void*>(values), offset, index, base, type);
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                        int64_t nnz, const void* row_indices, const void* col_indices,
                                        const void* values, cusparseIndexType_t index,
                                        cusparseIndexBase_t base, cudaDataType type) {
    return cusparseCreateCoo(const_cast<cusparseSpMatDescr_t*>(matrix), rows, cols, nnz,
                             const_cast<void*>(row_indices), const_cast<void*>(col_indices),
                             const_cast<void*>(values), index, base, type);
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t cols,
                                          int64_t ld, const void* values, cudaDataType type,
                                          cusparseOrder_t order) {
    return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t*>(matrix), rows, cols, ld,
                               const_cast<void*>(values), type, order);
}

}  // extern "C"
