// Functions of the driver API by their names, for programs that ask at run time.

#include <cstring>
#include <dlfcn.h>

#include "cuda/runtime/driver.h"

// Both forms are defined here.
#undef cuGetProcAddress

using namespace heddle::cuda;

namespace {

/// Functions that have other forms than a first and a second one, or whose second is newer than CUDA 11.0: what ends the form's
/// name, and the version that it came with. Older forms first.
struct LaterForm {
    std::string_view name, ending;
    int since;
};
constexpr LaterForm kLaterForms[] = {
    {"cuCtxCreate", "_v3", 11040},
    {"cuCtxCreate", "_v4", 12050},
    {"cuGetProcAddress", "", 0},
    {"cuGetProcAddress", "_v2", 12000},
    {"cuGraphAddKernelNode", "", 0},
    {"cuGraphAddKernelNode", "_v2", 12000},
    {"cuGraphKernelNodeGetParams", "", 0},
    {"cuGraphKernelNodeGetParams", "_v2", 12000},
    {"cuGraphKernelNodeSetParams", "", 0},
    {"cuGraphKernelNodeSetParams", "_v2", 12000},
    {"cuGraphExecKernelNodeSetParams", "", 0},
    {"cuGraphExecKernelNodeSetParams", "_v2", 12000},
    {"cuGraphExecUpdate", "", 0},
    {"cuGraphExecUpdate", "_v2", 12000},
    {"cuGraphInstantiate", "WithFlags", 12000},
    {"cuMemAdvise", "", 0},
    {"cuMemAdvise", "_v2", 12020},
    {"cuMemPrefetchAsync", "", 0},
    {"cuMemPrefetchAsync", "_v2", 12020},
    {"cuGraphAddNode", "", 0},
    {"cuGraphAddNode", "_v2", 12030},
    {"cuGraphGetEdges", "", 0},
    {"cuGraphGetEdges", "_v2", 12030},
    {"cuGraphNodeGetDependencies", "", 0},
    {"cuGraphNodeGetDependencies", "_v2", 12030},
    {"cuGraphNodeGetDependentNodes", "", 0},
    {"cuGraphNodeGetDependentNodes", "_v2", 12030},
    {"cuGraphAddDependencies", "", 0},
    {"cuGraphAddDependencies", "_v2", 12030},
    {"cuGraphRemoveDependencies", "", 0},
    {"cuGraphRemoveDependencies", "_v2", 12030},
    {"cuStreamUpdateCaptureDependencies", "", 0},
    {"cuStreamUpdateCaptureDependencies", "_v2", 12030},
    {"cuStreamGetCaptureInfo", "", 0},
    {"cuStreamGetCaptureInfo", "_v2", 11030},
    {"cuStreamGetCaptureInfo", "_v3", 12030},
    {"cuStreamGetCtx", "", 0},
    {"cuStreamGetCtx", "_v2", 12050},
    {"cuEventElapsedTime", "", 0},
    {"cuEventElapsedTime", "_v2", 12080},
    {"cuMemcpyBatchAsync", "", 0},
    {"cuMemcpyBatchAsync", "_v2", 13000},
    {"cuMemcpy3DBatchAsync", "", 0},
    {"cuMemcpy3DBatchAsync", "_v2", 13000},
    {"cuCtxGetDevice", "", 0},
    {"cuCtxGetDevice", "_v2", 13000},
    {"cuCtxSynchronize", "", 0},
    {"cuCtxSynchronize", "_v2", 13000},
};

}  // namespace

namespace heddle::cuda {

void* driver_function(const char* name, int version) {
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&driver_code), &info) == 0) return nullptr;
    void* const self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (self == nullptr) return nullptr;
    // The newest form that the version has stands for the plain name.
    void* found = nullptr;
    if (std::strncmp(name, "cu", 2) == 0) {
        // Second forms of the others either are as old as what programs ask for, or do what the first ones did.
        std::string_view ending = "_v2";
        for (const LaterForm& l : kLaterForms)
            if (l.name == name && version >= l.since) ending = l.ending;
        found = dlsym(self, std::string(name).append(ending).c_str());
        if (found == nullptr) found = dlsym(self, name);
    }
    dlclose(self);
    return found;
}

}  // namespace heddle::cuda

extern "C" {

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t,
                             int* symbol_status) {
    if (symbol == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = driver_function(symbol, version);
    if (symbol_status != nullptr) *symbol_status = *function == nullptr ? 1 : 0;
    return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

/// CUDA 11's form.
CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                             unsigned long long, cudaDriverEntryPointQueryResult* result) {
    return call_without_context("cudaGetDriverEntryPoint", [&](Runtime&) {
        require(symbol != nullptr && function != nullptr);
        *function = driver_function(symbol, static_cast<int>(version));
        const bool found = *function != nullptr;
        if (result != nullptr)
            *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
        else
            require(found, cudaErrorSymbolNotFound);
    });
}

}  // extern "C"
