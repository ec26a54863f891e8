// Part of cusparse.h.

// What descriptors hold, and those of what is only read.
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* type);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_offsets, void** col_indices, void** values,
                                cusparseIndexType_t* offset, cusparseIndexType_t* index,
                                cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* nnz,
                                void** row_indices, void** col_indices, void** values,
                                cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* first, void* second, void* values);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* cols, int64_t* ld,
                                  void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data, size_t bytes);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                        int64_t nnz, const void* row_offsets, const void* col_indices,
                                        const void* values, cusparseIndexType_t offset,
                                        cusparseIndexType_t index, cusparseIndexBase_t base,
                                        cudaDataType type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t cols,
                                        int64_t nnz, const void* row_indices, const void* col_indices,
                                        const void* values, cusparseIndexType_t index,
                                        cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t cols,
                                          int64_t ld, const void* values, cudaDataType type,
                                          cusparseOrder_t order);

// Several right sides: matrices in column order.
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* description);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t description);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t description,
                                         size_t* bytes);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType compute,
                                       cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t description,
                                       void* buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t description);

// Sparse vectors, and dense products at the places of a sparse matrix (CSR).
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void* result, cudaDataType compute, size_t* bytes);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* result, cudaDataType compute, void* buffer);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* cosine, const void* sine,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                          cusparseSDDMMAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                          cusparseSDDMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t algorithm, void* buffer);

// The product of two matrices in CSR. workEstimation and compute are called twice, first without a buffer; the row offsets of C are
// there after cusparseSpGEMM_compute, and cusparseSpMatGetSize says nnz.
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* description);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t description, size_t* bytes,
                                               void* buffer);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t description, int64_t* count);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t description,
                                        size_t* bytes, void* buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t description);
