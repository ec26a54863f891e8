// The driver API: modules, their functions and variables, linking, launches.

#include <cstring>
#include <map>
#include <memory>

#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/modules.h"
#include "ptx/module.h"
#include "sim/error.h"

using namespace heddle::cuda;
using heddle::InputError;
using heddle::u32;
using heddle::u64;

namespace {

struct LinkState {
    std::string text;
};
std::map<CUlinkState, std::unique_ptr<LinkState>> links;

LinkState& link_of(CUlinkState handle) {
    const auto at = links.find(handle);
    require(at != links.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

CUresult load_module(const char* name, CUmodule* module, const void* image, unsigned count,
                     const CUjit_option* options, void** values) {
    return driver_call(name, [&](Runtime& r) {
        require(module != nullptr && image != nullptr);
        *module = load_image(r, name, image, ErrorLog(count, options, values));
    });
}

CUresult load_module_file(const char* name, CUmodule* module, const char* file) {
    return driver_call(name, [&](Runtime& r) {
        require(module != nullptr && file != nullptr);
        *module = load_image(r, name, file_bytes(file).c_str(), ErrorLog(0, nullptr, nullptr));
    });
}

cudaLaunchConfig_t launch_config(const CUlaunchConfig& c) {
    return {{c.gridDimX, c.gridDimY, c.gridDimZ},
            {c.blockDimX, c.blockDimY, c.blockDimZ},
            c.sharedMemBytes,
            c.hStream,
            reinterpret_cast<cudaLaunchAttribute*>(c.attrs),
            c.numAttrs};
}

CUresult launch_shaped(const char* name, CUfunction function, dim3 grid, CUstream stream) {
    return driver_call(name, [&](Runtime& r) {
        LoadedFunction& f = function_of(function);
        size_t bytes = f.arguments.size();
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, f.arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                         &bytes, CU_LAUNCH_PARAM_END};
        std::vector<void*> unpacked;
        void** const params = arguments_of(r, function, nullptr, extra, unpacked);
        if (const cudaError_t e = cudaLaunchKernel(function, grid, f.block, params, f.shared, stream);
            e != cudaSuccess)
            throw CudaError{e};
    });
}

CUresult set_argument(CUfunction function, int offset, const void* data, size_t bytes) {
    return driver_call("cuParamSet", [&](Runtime&) {
        LoadedFunction& f = function_of(function);
        require(offset >= 0 && data != nullptr);
        const size_t end = static_cast<size_t>(offset) + bytes;
        if (f.arguments.size() < end) f.arguments.resize(end);
        std::memcpy(f.arguments.data() + offset, data, bytes);
    });
}

/// The largest blocks of whole warps that keep the most threads of an SM busy.
CUresult potential_block_size(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size,
                              size_t shared, int limit) {
    return driver_call("cuOccupancyMaxPotentialBlockSize", [&](Runtime& r) {
        require(grid != nullptr && block != nullptr);
        const heddle::ptx::Kernel& kernel = r.kernel(function);
        const heddle::ptx::DeviceLimits& limits = r.device().limits;
        u32 most = limits.threads_per_cta, best = 0, best_threads = 0, best_ctas = 0;
        if (kernel.decl.max_threads != 0) most = std::min(most, kernel.decl.max_threads);
        if (limit > 0) most = std::min(most, static_cast<u32>(limit));
        for (u32 threads = most; threads > 0; threads = threads > 32 ? (threads - 1) / 32 * 32 : 0) {
            const size_t bytes = size != nullptr ? size(static_cast<int>(threads)) : shared;
            const u32 ctas =
                r.context().resident_ctas_per_sm(kernel, {threads, 1, 1}, static_cast<u32>(bytes));
            if (ctas * threads <= best) continue;
            best = ctas * threads;
            best_threads = threads;
            best_ctas = ctas;
        }
        *block = static_cast<int>(best_threads);
        *grid = static_cast<int>(best_ctas * limits.sms);
    });
}

}  // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
    return load_module_file("cuModuleLoad", module, file);
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return load_module("cuModuleLoadData", module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
    return load_module("cuModuleLoadDataEx", module, image, count, options, values);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
    return load_module("cuModuleLoadFatBinary", module, image, 0, nullptr, nullptr);
}
CUresult cuModuleUnload(CUmodule module) {
    return driver_call("cuModuleUnload", [&](Runtime& r) { unload(r, module); });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return driver_call("cuModuleGetFunction", [&](Runtime&) {
        require(function != nullptr && name != nullptr);
        *function = function_in(module, name);
    });
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
    return driver_call("cuModuleGetGlobal", [&](Runtime&) {
        require(name != nullptr && (pointer != nullptr || bytes != nullptr));
        const heddle::ptx::Symbol& s = variable_in(module, name);
        if (pointer != nullptr) *pointer = s.address;
        if (bytes != nullptr) *bytes = s.decl.bytes;
    });
}
// All of a module is loaded with it.
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return *mode = CU_MODULE_EAGER_LOADING, CUDA_SUCCESS;
}
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
    return driver_call("cuModuleGetFunctionCount", [&](Runtime&) {
        require(count != nullptr);
        *count = static_cast<unsigned>(module_of(module).code->program->kernels().size());
    });
}
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
    return driver_call("cuModuleEnumerateFunctions", [&](Runtime&) {
        require(functions != nullptr);
        list_functions(module, functions, count);
    });
}

CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* state) {
    return driver_call("cuLinkCreate", [&](Runtime&) {
        require(state != nullptr);
        auto made = std::make_unique<LinkState>();
        *state = reinterpret_cast<CUlinkState>(made.get());
        links[*state] = std::move(made);
    });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t bytes, const char*, unsigned int,
                       CUjit_option*, void**) {
    return driver_call("cuLinkAddData", [&](Runtime& r) {
        require(data != nullptr && bytes != 0);
        // Text may end before the bytes do, and need not end with a zero.
        const std::string copy(static_cast<const char*>(data), bytes);
        try {
            for (const std::string& text : ptx_of_image(copy.c_str())) link_of(state).text += text + "\n";
        } catch (const InputError& error) {
            r.note(std::string("cuLinkAddData: ") + error.what());
            throw CudaError{cudaErrorNoKernelImageForDevice};
        }
    });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned int count,
                       CUjit_option* options, void** values) {
    std::string bytes;
    const CUresult read = driver_call("cuLinkAddFile", [&](Runtime&) {
        require(file != nullptr);
        bytes = file_bytes(file);
    });
    return read != CUDA_SUCCESS
               ? read
               : cuLinkAddData(state, type, bytes.data(), bytes.size(), file, count, options, values);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
    return driver_call("cuLinkComplete", [&](Runtime&) {
        require(image != nullptr);
        LinkState& link = link_of(state);
        *image = link.text.data();
        if (bytes != nullptr) *bytes = link.text.size() + 1;
    });
}
CUresult cuLinkDestroy(CUlinkState state) {
    return driver_call("cuLinkDestroy", [&](Runtime&) {
        link_of(state);
        links.erase(state);
    });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** params, void** extra) {
    return driver_call("cuLaunchKernel", [&](Runtime& r) {
        std::vector<void*> unpacked;
        params = arguments_of(r, function, params, extra, unpacked);
        if (const cudaError_t e = cudaLaunchKernel(function, {grid_x, grid_y, grid_z},
                                                   {block_x, block_y, block_z}, params, shared, stream);
            e != cudaSuccess)
            throw CudaError{e};
    });
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
    static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
    return driver_call("cuLaunchKernelEx", [&](Runtime& r) {
        require(config != nullptr);
        std::vector<void*> unpacked;
        params = arguments_of(r, function, params, extra, unpacked);
        const cudaLaunchConfig_t all = launch_config(*config);
        if (const cudaError_t e = cudaLaunchKernelExC(&all, function, params); e != cudaSuccess)
            throw CudaError{e};
    });
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
    return driver_call(
        [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t all = launch_config(*config);
    return driver_call([&] { return cudaOccupancyMaxPotentialClusterSize(size, function, &all); });
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaLaunchConfig_t all = launch_config(*config);
    return driver_call([&] { return cudaOccupancyMaxActiveClusters(clusters, function, &all); });
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void** params) {
    return driver_call([&] {
        return cudaLaunchCooperativeKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                           params, shared, stream);
    });
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    cudaFuncAttributes a;
    const CUresult result = driver_call([&] { return cudaFuncGetAttributes(&a, function); });
    if (result != CUDA_SUCCESS) return result;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return *value = a.maxThreadsPerBlock, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            return *value = static_cast<int>(a.sharedSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            return *value = static_cast<int>(a.constSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            return *value = static_cast<int>(a.localSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            return *value = a.numRegs, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            return *value = a.ptxVersion, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            return *value = a.binaryVersion, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            return *value = a.cacheModeCA, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            return *value = a.maxDynamicSharedSizeBytes, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return *value = a.preferredShmemCarveout, CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return driver_call(
        [&] { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    return driver_call([&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
    return driver_call(
        [&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return driver_call("cuFuncGetModule", [&](Runtime&) {
        require(module != nullptr);
        *module = function_of(function).module;
    });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared) {
    return driver_call(
        [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned int) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size,
                                          size_t shared, int limit) {
    return potential_block_size(grid, block, function, size, shared, limit);
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize size, size_t shared, int limit,
                                                   unsigned int) {
    return potential_block_size(grid, block, function, size, shared, limit);
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    return driver_call("cuFuncSetBlockShape", [&](Runtime&) {
        require(x > 0 && y > 0 && z > 0);
        function_of(function).block =
            dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
    return driver_call("cuFuncSetSharedSize", [&](Runtime&) { function_of(function).shared = bytes; });
}
CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
    return driver_call("cuParamSetSize", [&](Runtime&) { function_of(function).arguments.resize(bytes); });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
    return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* data, unsigned int bytes) {
    return set_argument(function, offset, data, bytes);
}
CUresult cuLaunch(CUfunction function) {
    return launch_shaped("cuLaunch", function, dim3(1, 1, 1), nullptr);
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return launch_shaped("cuLaunchGrid", function,
                         dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), nullptr);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    return launch_shaped("cuLaunchGridAsync", function,
                         dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), stream);
}

}  // extern "C"
