// Libraries of kernels that a program loads by hand, in the runtime's form and the driver's, and what is known about a kernel.

#include "cuda/runtime/modules.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

CUmodule module_in(CUlib_st* library) {
    return reinterpret_cast<CUmodule>(library);
}
CUfunction function_behind(CUkern_st* kernel) {
    return reinterpret_cast<CUfunction>(kernel);
}

void load_library(Runtime& r, const char* name, CUlib_st** library, const void* image, const ErrorLog& log) {
    require(library != nullptr && image != nullptr);
    *library = reinterpret_cast<CUlib_st*>(load_image(r, name, image, log));
}

void load_library_file(Runtime& r, const char* name, CUlib_st** library, const char* file,
                       const ErrorLog& log) {
    require(file != nullptr);
    load_library(r, name, library, file_bytes(file).c_str(), log);
}

ErrorLog log_in(cudaJitOption* options, void** values, unsigned count) {
    return ErrorLog(count, reinterpret_cast<const CUjit_option*>(options), values);
}

void kernel_in(CUkern_st** kernel, CUlib_st* library, const char* name) {
    require(kernel != nullptr && name != nullptr);
    *kernel = reinterpret_cast<CUkern_st*>(function_in(module_in(library), name));
}

template <class Address>
void variable_of_library(Address* address, size_t* bytes, CUlib_st* library, const char* name, bool managed) {
    require(name != nullptr && (address != nullptr || bytes != nullptr));
    const heddle::ptx::Symbol& s = variable_in(module_in(library), name);
    require(s.decl.managed || !managed, cudaErrorSymbolNotFound);
    if (address != nullptr) *address = Address(s.address);
    if (bytes != nullptr) *bytes = s.decl.bytes;
}

void kernel_count(unsigned* count, CUlib_st* library) {
    require(count != nullptr);
    *count = static_cast<unsigned>(module_of(module_in(library)).code->program->kernels().size());
}

void list_kernels(CUkern_st** kernels, unsigned count, CUlib_st* library) {
    require(kernels != nullptr);
    list_functions(module_in(library), reinterpret_cast<CUfunction*>(kernels), count);
}

/// There is none that host and device call by one address.
void unified_function(void** function, CUlib_st* library, const char* name) {
    require(function != nullptr && name != nullptr);
    module_of(module_in(library));
    throw CudaError{cudaErrorSymbolNotFound};
}

void parameter_of(Runtime& r, const void* kernel, size_t index, size_t* offset, size_t* bytes) {
    const auto& all = r.kernel(kernel).decl.params;
    require(offset != nullptr && index < all.size());
    *offset = all[index].offset;
    if (bytes != nullptr) *bytes = all[index].bytes;
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* options,
                                void** values, unsigned int count, cudaLibraryOption*, void**, unsigned int) {
    return call("cudaLibraryLoadData", [&](Runtime& r) {
        load_library(r, "cudaLibraryLoadData", library, code, log_in(options, values, count));
    });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption* options,
                                    void** values, unsigned int count, cudaLibraryOption*, void**,
                                    unsigned int) {
    return call("cudaLibraryLoadFromFile", [&](Runtime& r) {
        load_library_file(r, "cudaLibraryLoadFromFile", library, file, log_in(options, values, count));
    });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return call("cudaLibraryUnload", [&](Runtime& r) { unload(r, module_in(library)); });
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetKernel", [&](Runtime&) { kernel_in(kernel, library, name); });
}
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetGlobal",
                [&](Runtime&) { variable_of_library(pointer, bytes, library, name, false); });
}
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetManaged",
                [&](Runtime&) { variable_of_library(pointer, bytes, library, name, true); });
}
cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
    return call("cudaLibraryGetUnifiedFunction",
                [&](Runtime&) { unified_function(function, library, name); });
}
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
    return call("cudaLibraryGetKernelCount", [&](Runtime&) { kernel_count(count, library); });
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count, cudaLibrary_t library) {
    return call("cudaLibraryEnumerateKernels", [&](Runtime&) { list_kernels(kernels, count, library); });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int device) {
    if (device != 0)
        return call("cudaKernelSetAttributeForDevice",
                    [](Runtime&) { throw CudaError{cudaErrorInvalidDevice}; });
    return cudaFuncSetAttribute(kernel, attribute, value);
}
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* bytes) {
    return call("cudaFuncGetParamInfo", [&](Runtime& r) { parameter_of(r, kernel, index, offset, bytes); });
}
cudaError_t cudaFuncGetParamCount(const void* kernel, size_t* count) {
    return call("cudaFuncGetParamCount", [&](Runtime& r) {
        require(count != nullptr);
        *count = r.kernel(kernel).decl.params.size();
    });
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                           unsigned int count, CUlibraryOption*, void**, unsigned int) {
    return driver_call("cuLibraryLoadData", [&](Runtime& r) {
        load_library(r, "cuLibraryLoadData", library, code, ErrorLog(count, options, values));
    });
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                               unsigned int count, CUlibraryOption*, void**, unsigned int) {
    return driver_call("cuLibraryLoadFromFile", [&](Runtime& r) {
        load_library_file(r, "cuLibraryLoadFromFile", library, file, ErrorLog(count, options, values));
    });
}
CUresult cuLibraryUnload(CUlibrary library) {
    return driver_call("cuLibraryUnload", [&](Runtime& r) { unload(r, module_in(library)); });
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetKernel", [&](Runtime&) { kernel_in(kernel, library, name); });
}
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
    return driver_call("cuLibraryGetKernelCount", [&](Runtime&) { kernel_count(count, library); });
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
    return driver_call("cuLibraryEnumerateKernels", [&](Runtime&) { list_kernels(kernels, count, library); });
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
    return driver_call("cuLibraryGetModule", [&](Runtime&) {
        require(module != nullptr);
        module_of(module_in(library));
        *module = module_in(library);
    });
}
CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetGlobal",
                       [&](Runtime&) { variable_of_library(pointer, bytes, library, name, false); });
}
CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetManaged",
                       [&](Runtime&) { variable_of_library(pointer, bytes, library, name, true); });
}
CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* name) {
    return driver_call("cuLibraryGetUnifiedFunction",
                       [&](Runtime&) { unified_function(function, library, name); });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    return driver_call("cuKernelGetFunction", [&](Runtime& r) {
        require(function != nullptr);
        r.kernel(kernel);
        *function = function_behind(kernel);
    });
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
    return driver_call("cuKernelGetLibrary", [&](Runtime&) {
        require(library != nullptr);
        *library = reinterpret_cast<CUlibrary>(function_of(function_behind(kernel)).module);
    });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
    return cuFuncGetName(name, function_behind(kernel));
}
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
    return cuFuncGetParamInfo(function_behind(kernel), index, offset, bytes);
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE
                       : cuFuncGetAttribute(value, attribute, function_behind(kernel));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE
                       : cuFuncSetAttribute(function_behind(kernel), attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : cuFuncSetCacheConfig(function_behind(kernel), config);
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
    return driver_call([&] { return cudaFuncGetName(name, function); });
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* bytes) {
    return driver_call([&] { return cudaFuncGetParamInfo(function, index, offset, bytes); });
}
CUresult cuFuncLoad(CUfunction function) {
    return driver_call("cuFuncLoad", [&](Runtime& r) { r.kernel(function); });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
    return driver_call("cuFuncIsLoaded", [&](Runtime& r) {
        require(state != nullptr);
        r.kernel(function);
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    });
}

}  // extern "C"
