// Launching kernels, what is known about them, how many CTAs of one fit.

#include <algorithm>

#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/runtime.h"

using namespace heddle::cuda;
using heddle::Dim3;
using heddle::u32;
using heddle::u64;
namespace ptx = heddle::ptx;

namespace {

struct CallConfiguration {
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
};
thread_local std::vector<CallConfiguration> configurations;

Dim3 dim(dim3 d) {
    return {d.x, d.y, d.z};
}

void launch(Runtime& r, const void* host, dim3 grid, dim3 block, void** args, size_t shared, bool cooperative,
            cudaStream_t stream) {
    if (const u64 most = r.device().limits.shared_per_sm; shared > most) {
        r.note("kernel '" + r.kernel(host).decl.name + "': " + std::to_string(shared) +
               " bytes of dynamic shared memory a block; the device has " + std::to_string(most));
        throw CudaError{cudaErrorInvalidValue};
    }
    KernelCall call{host, dim(grid), dim(block), pack_arguments(r, host, args), shared, cooperative};
    submit_kernel(r, stream, std::move(call));
}

u32 blocks_per_sm(Runtime& r, const void* host, int threads, size_t shared) {
    require(threads > 0);
    return r.context().resident_ctas_per_sm(r.kernel(host), {static_cast<u32>(threads), 1, 1},
                                            static_cast<u32>(shared));
}

}  // namespace

namespace heddle::cuda {

std::vector<std::byte> pack_arguments(Runtime& r, const void* host, void** args) {
    ptx::Launch l;
    l.kernel = &r.kernel(host);
    if (!l.kernel->decl.params.empty()) {
        require(args != nullptr);
        l.set_args(args);
    }
    return std::move(l.args);
}

void** arguments_of(Runtime& r, const void* host, void** args, void** extra, std::vector<void*>& room) {
    require(args == nullptr || extra == nullptr);
    if (extra == nullptr) return args;
    std::byte* block = nullptr;
    size_t bytes = 0;
    for (void** p = extra; *p != CU_LAUNCH_PARAM_END; p += 2) {
        if (*p == CU_LAUNCH_PARAM_BUFFER_POINTER) block = static_cast<std::byte*>(p[1]);
        if (*p == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<size_t*>(p[1]);
    }
    for (const ptx::Param& p : r.kernel(host).decl.params) {
        require(block != nullptr && u64{p.offset} + p.bytes <= bytes);
        room.push_back(block + p.offset);
    }
    return room.data();
}

}  // namespace heddle::cuda

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    const CallConfiguration c = configurations.back();
    configurations.pop_back();
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *static_cast<cudaStream_t*>(stream) = c.stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                             cudaStream_t stream) {
    return call("cudaLaunchKernel",
                [&](Runtime& r) { launch(r, func, grid, block, args, shared, false, stream); });
}

cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                                        cudaStream_t stream) {
    return call("cudaLaunchCooperativeKernel",
                [&](Runtime& r) { launch(r, func, grid, block, args, shared, true, stream); });
}

/// One device's part of a launch on several. CUDA 13 has it no more.
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned int count, unsigned int) {
    return call("cudaLaunchCooperativeKernelMultiDevice", [&](Runtime& r) {
        require(list != nullptr && count != 0);
        require(count == 1, cudaErrorInvalidDevice);
        launch(r, list->func, list->gridDim, list->blockDim, list->args, list->sharedMem, true, list->stream);
    });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
    return call("cudaLaunchKernelExC", [&](Runtime& r) {
        require(config != nullptr);
        bool cooperative = false;
        for (unsigned k = 0; k < config->numAttrs; ++k) {
            const cudaLaunchAttribute& a = config->attrs[k];
            if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative != 0;
            if (a.id == cudaLaunchAttributeClusterDimension)
                require(a.val.clusterDim.x * a.val.clusterDim.y * a.val.clusterDim.z <= 1,
                        cudaErrorNotSupported);
        }
        launch(r, func, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, cooperative,
               config->stream);
    });
}

// CUDA 13 gives a kernel a handle first; ours is the host stub's address.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* func) {
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(func));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared,
                               cudaStream_t stream) {
    return call("__cudaLaunchKernel",
                [&](Runtime& r) { launch(r, kernel, grid, block, args, shared, false, stream); });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* func) {
    return __cudaGetKernel(kernel, func);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* func) {
    *function = static_cast<cudaFunction_t>(const_cast<void*>(func));
    return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char** name, const void* func) {
    return call("cudaFuncGetName", [&](Runtime& r) {
        require(name != nullptr);
        *name = r.kernel(func).decl.name.c_str();
    });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* func) {
    return call("cudaFuncGetAttributes", [&](Runtime& r) {
        require(attributes != nullptr);
        const ptx::Kernel& k = r.kernel(func);
        const ptx::DeviceLimits& limits = r.device().limits;
        attributes->sharedSizeBytes = k.static_shared_bytes;
        attributes->constSizeBytes = 0;
        attributes->localSizeBytes = k.decl.local_bytes;
        u64 threads = limits.threads_per_cta;  // a kernel is fitted to its block (ptx/fit.h)
        if (k.decl.max_threads != 0) threads = std::min<u64>(threads, k.decl.max_threads);
        attributes->maxThreadsPerBlock = static_cast<int>(threads);
        attributes->numRegs = static_cast<int>(k.registers);
        attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(k.decl.architecture);
        attributes->cacheModeCA = 0;
        attributes->maxDynamicSharedSizeBytes =
            std::max(r.settings(func).dynamic_shared,
                     static_cast<int>(std::min<u64>(limits.shared_per_cta, 48 * 1024)) -
                         static_cast<int>(k.static_shared_bytes));
        attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    });
}

cudaError_t cudaFuncSetAttribute(const void* func, cudaFuncAttribute attribute, int value) {
    return call("cudaFuncSetAttribute", [&](Runtime& r) {
        const ptx::Kernel& k = r.kernel(func);
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;
        require(value >= 0 &&
                static_cast<u64>(value) + k.static_shared_bytes <= r.device().limits.shared_per_cta);
        r.settings(func).dynamic_shared = value;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* func, cudaFuncCache) {
    return call("cudaFuncSetCacheConfig", [&](Runtime& r) { r.kernel(func); });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* func, cudaSharedMemConfig) {
    return call("cudaFuncSetSharedMemConfig", [&](Runtime& r) { r.kernel(func); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* func, int threads,
                                                          size_t shared) {
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Runtime& r) {
        require(blocks != nullptr);
        *blocks = static_cast<int>(blocks_per_sm(r, func, threads, shared));
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* func, int threads,
                                                                   size_t shared, unsigned int) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, func, threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* func, int blocks,
                                                      int threads) {
    return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&](Runtime& r) {
        require(bytes != nullptr && blocks > 0);
        const ptx::DeviceLimits& limits = r.device().limits;
        const u64 share = limits.shared_per_sm / static_cast<u64>(blocks);
        const u64 used = u64{r.kernel(func).static_shared_bytes} + limits.reserved_shared_per_cta;
        u64 free = share > used ? std::min<u64>(share - used, limits.shared_per_cta) : 0;
        if (static_cast<int>(blocks_per_sm(r, func, threads, free)) < blocks) free = 0;
        *bytes = free;
    });
}

// A cluster is one block.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* func, const cudaLaunchConfig_t*) {
    return call("cudaOccupancyMaxPotentialClusterSize", [&](Runtime& r) {
        require(size != nullptr);
        r.kernel(func);
        *size = 1;
    });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* func,
                                           const cudaLaunchConfig_t* config) {
    return call("cudaOccupancyMaxActiveClusters", [&](Runtime& r) {
        require(clusters != nullptr && config != nullptr);
        *clusters = static_cast<int>(r.context().resident_ctas(r.kernel(func), dim(config->blockDim),
                                                               static_cast<u32>(config->dynamicSmemBytes)));
    });
}

}  // extern "C"
