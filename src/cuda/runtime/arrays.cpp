// What is asked about arrays that are sparse, mapped later or of several planes. Heddle makes none of these, so the questions find
// an array that is not.

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

cudaError_t no_such_array(const char* name, const void* out, cudaArray_t array) {
    return call(name, [&](Runtime& r) {
        r.array(array);
        require(out != nullptr);
        throw CudaError{cudaErrorInvalidValue};
    });
}

cudaError_t no_such_mipmap(const char* name, const void* out, cudaMipmappedArray_t array) {
    return call(name, [&](Runtime& r) {
        require(r.mipmapped.contains(reinterpret_cast<u64>(array)), cudaErrorInvalidResourceHandle);
        require(out != nullptr);
        throw CudaError{cudaErrorInvalidValue};
    });
}

}  // namespace

extern "C" {

cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned int) {
    return no_such_array("cudaArrayGetPlane", plane, array);
}
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties* properties, cudaArray_t array) {
    return no_such_array("cudaArrayGetSparseProperties", properties, array);
}
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties* properties,
                                                  cudaMipmappedArray_t array) {
    return no_such_mipmap("cudaMipmappedArrayGetSparseProperties", properties, array);
}
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* requirements, cudaArray_t array,
                                           int) {
    return no_such_array("cudaArrayGetMemoryRequirements", requirements, array);
}
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* requirements,
                                                    cudaMipmappedArray_t array, int) {
    return no_such_mipmap("cudaMipmappedArrayGetMemoryRequirements", requirements, array);
}

}  // extern "C"
