#pragma once
// What the opaque structures of cublasLt.h hold.

#include "cublasLt.h"

namespace heddle_lt {

struct Layout {
    int32_t type, order;
    uint64_t rows, cols;
    int64_t ld;
    int32_t batch;
    int64_t stride, plane;
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));

struct Product {
    int32_t compute, scale, pointer_mode, trans_a, trans_b, trans_c, fill, epilogue;
    const void* bias;
    int64_t bias_stride;
    /// An attribute that changes the result and is not there was set.
    bool unsupported;
};
static_assert(sizeof(Product) <= sizeof(cublasLtMatmulDescOpaque_t));

inline Layout& of(cublasLtMatrixLayout_t p) {
    return *reinterpret_cast<Layout*>(p);
}
inline Product& of(cublasLtMatmulDesc_t p) {
    return *reinterpret_cast<Product*>(p);
}

}  // namespace heddle_lt
