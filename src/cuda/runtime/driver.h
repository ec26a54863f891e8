#pragma once
// The driver API over the runtime: the same device, memory, streams and events, whose handles are the same as well.
//
// A loaded module is code that the program registers late: a CUfunction is a key into it as a host stub's address is, so that
// launches, attributes and graphs take either.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/include/cuda.h"
#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// The driver's number for the runtime's error.
CUresult driver_code(cudaError_t error);
/// The body of a driver function: what `call` is for the runtime's, but cudaGetLastError does not see it.
CUresult driver_call(const char* name, const std::function<void(Runtime&)>& body,
                     bool even_if_failed = false);
/// A runtime function that does what the driver function does.
CUresult driver_call(const std::function<cudaError_t()>& runtime_function);

/// The PTX texts in an image: text (several may follow each other), or a fat binary, or what nvcc's wrapper of one points to.
/// Throws InputError if there is none.
std::vector<std::string> ptx_of_image(const void* image);
/// Splits text that holds several modules, each from its .version on.
std::vector<std::string> split_modules(std::string_view text);

inline void* pointer_at(CUdeviceptr address) {
    return reinterpret_cast<void*>(address);
}
inline Array& array_of(Runtime& r, CUarray handle) {
    return r.array(reinterpret_cast<cudaArray_const_t>(handle));
}

/// A function of this library by its plain name, for programs that ask at run time: in the form that this version of CUDA
/// (12000 is 12.0) gives the name. Null if there is none.
void* driver_function(const char* name, int version);

}  // namespace heddle::cuda
