// The one device: properties, attributes, limits; errors; versions.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <set>

#include "cuda/runtime/properties.h"
#include "cuda/runtime/runtime.h"

using namespace heddle::cuda;
using heddle::u64;

namespace heddle::cuda {

void fill_properties(const DeviceDescription& d, cudaDeviceProp& p) {
    const ptx::DeviceLimits& l = d.limits;
    std::memset(&p, 0, sizeof p);
    std::snprintf(p.name, sizeof p.name, "%s", d.name.c_str());
    p.totalGlobalMem = d.memory_bytes;
    p.sharedMemPerBlock = std::min<u64>(l.shared_per_cta, 48 * 1024);
    p.regsPerBlock = p.regsPerMultiprocessor = static_cast<int>(l.registers_per_sm);
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = static_cast<int>(l.threads_per_cta);
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = static_cast<int>(l.threads_per_cta);
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = static_cast<int>(d.clock_hz / 1000);
    p.totalConstMem = 65536;
    p.major = kCapability / 10;
    p.minor = kCapability % 10;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.deviceOverlap = 1;
    p.multiProcessorCount = static_cast<int>(l.sms);
    p.canMapHostMemory = 1;
    p.maxTexture1D = p.maxTexture1DMipmap = 131072;
    p.maxTexture1DLinear = 1 << 28;
    p.maxTexture2D[0] = 131072;
    p.maxTexture2D[1] = 65536;
    p.maxTexture2DLinear[0] = 131072;
    p.maxTexture2DLinear[1] = 65000;
    p.maxTexture2DLinear[2] = 2097120;
    for (int& n : p.maxTexture3D) n = 16384;
    p.maxTextureCubemap = p.maxTextureCubemapLayered[0] = 32768;
    p.maxTextureCubemapLayered[1] = 2046;
    for (int& n : p.maxTexture2DGather) n = 32768;
    p.maxTexture1DLayered[0] = p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768;
    p.maxTexture1DLayered[1] = p.maxTexture2DLayered[2] = 2048;
    p.maxSurface1D = p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = 32768;
    p.maxSurface1DLayered[0] = p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
    p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = 2048;
    p.maxSurfaceCubemapLayered[1] = 2046;
    p.maxSurface2D[0] = p.maxTexture2D[0];
    p.maxSurface2D[1] = p.maxTexture2D[1];
    for (int& n : p.maxSurface3D) n = 16384;
    p.surfaceAlignment = 512;
    p.concurrentKernels = 1;
    p.asyncEngineCount = 1;
    p.unifiedAddressing = 1;
    p.memoryClockRate = static_cast<int>(d.memory_clock_hz / 1000);
    p.memoryBusWidth = static_cast<int>(d.memory_bus_bits);
    p.l2CacheSize = static_cast<int>(d.l2_bytes);
    // Lines that persist are taken and change nothing; a real device sets aside some three quarters of L2 at most.
    p.persistingL2CacheMaxSize = static_cast<int>(d.l2_bytes / 4 * 3);
    p.accessPolicyMaxWindowSize = static_cast<int>(d.l2_bytes);
    p.maxThreadsPerMultiProcessor = static_cast<int>(l.threads_per_sm);
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = l.shared_per_sm;
    p.managedMemory = 1;
    p.concurrentManagedAccess = 1;
    p.computePreemptionSupported = 1;
    p.canUseHostPointerForRegisteredMem = 1;
    p.cooperativeLaunch = 1;
    p.sharedMemPerBlockOptin = l.shared_per_cta;
    p.maxBlocksPerMultiProcessor = static_cast<int>(l.ctas_per_sm);
    p.reservedSharedMemPerBlock = l.reserved_shared_per_cta;
    p.hostRegisterSupported = 1;
    p.memoryPoolsSupported = 1;
    p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
    p.ipcEventSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
}

}  // namespace heddle::cuda

namespace {

struct ErrorText {
    int number;
    const char *name, *text;
};
constexpr std::array kErrors{
#define HEDDLE_ERROR(name, number, text) ErrorText{number, #name, text},
#include "cuda/include/heddle/errors.h"
#undef HEDDLE_ERROR
};

const ErrorText* find_error(cudaError_t error) {
    for (const ErrorText& e : kErrors)
        if (e.number == static_cast<int>(error)) return &e;
    return nullptr;
}

std::array<size_t, 7> limits{1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

/// Who wants to hear that memory is taken away, which never happens.
std::set<u64> notifications;
u64 next_notification = 1;

/// There is device 0 and no other.
void check_device(int device) {
    require(device == 0, cudaErrorInvalidDevice);
}

cudaError_t synchronize(const char* name) {
    return call(name, [](Runtime& r) { r.wait(heddle::SyncEvent::Kind::host_device, 0, 0); });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return call_without_context("cudaGetDeviceCount", [&](Runtime&) {
        require(count != nullptr);
        *count = 1;
    });
}
cudaError_t cudaGetDevice(int* device) {
    return call_without_context("cudaGetDevice", [&](Runtime&) {
        require(device != nullptr);
        *device = 0;
    });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    return cudaGetDevice(device);
}
cudaError_t cudaSetDevice(int device) {
    return call("cudaSetDevice", [&](Runtime&) { check_device(device); });
}
cudaError_t cudaSetDeviceFlags(unsigned int) {
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int*, int) {
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
    return cudaSetDevice(device);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int device) {
    return call_without_context("cudaDeviceGetAttribute", [&](Runtime& r) {
        require(value != nullptr);
        check_device(device);
        cudaDeviceProp p;
        fill_properties(r.device(), p);
        *value = attribute(p, a);
        require(*value >= 0);
    });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int device) {
    return call_without_context("cudaDeviceGetPCIBusId", [&](Runtime&) {
        require(id != nullptr && bytes >= 13);
        check_device(device);
        std::snprintf(id, static_cast<size_t>(bytes), "0000:00:00.0");
    });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
    return synchronize("cudaDeviceSynchronize");
}
cudaError_t cudaThreadSynchronize() {
    return synchronize("cudaThreadSynchronize");
}
cudaError_t cudaDeviceReset() {
    return synchronize("cudaDeviceReset");
}
cudaError_t cudaThreadExit() {
    return synchronize("cudaThreadExit");
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", [&](Runtime& r) {
        require(static_cast<size_t>(limit) < limits.size(), cudaErrorUnsupportedLimit);
        limits[static_cast<size_t>(limit)] = value;
        if (limit == cudaLimitMallocHeapSize) r.memory().set_heap_limit(value);
    });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call("cudaDeviceGetLimit", [&](Runtime&) {
        require(value != nullptr && static_cast<size_t>(limit) < limits.size(), cudaErrorUnsupportedLimit);
        *value = limits[static_cast<size_t>(limit)];
    });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return call_without_context("cudaDeviceCanAccessPeer", [&](Runtime&) {
        require(can != nullptr);
        check_device(device);
        check_device(peer);
        *can = 0;  // of itself a device is no peer
    });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int) {
    return call("cudaDeviceEnablePeerAccess", [&](Runtime&) {
        require(peer != 0, cudaErrorInvalidDevice);
        check_device(peer);
    });
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
    return call("cudaDeviceDisablePeerAccess",
                [&](Runtime&) { throw CudaError{cudaErrorPeerAccessNotEnabled}; });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
    return call_without_context("cudaDeviceGetP2PAttribute", [&](Runtime&) {
        require(value != nullptr);
        throw CudaError{cudaErrorInvalidDevice};
    });
}
/// Nothing but the program writes to the device.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope) {
    return call("cudaDeviceFlushGPUDirectRDMAWrites", [&](Runtime&) {
        require(target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                (scope == cudaFlushGPUDirectRDMAWritesToOwner ||
                 scope == cudaFlushGPUDirectRDMAWritesToAllDevices));
    });
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* desc,
                                                 int device) {
    return call_without_context("cudaDeviceGetTexture1DLinearMaxWidth", [&](Runtime& r) {
        require(texels != nullptr && desc != nullptr);
        check_device(device);
        cudaDeviceProp p;
        fill_properties(r.device(), p);
        *texels = static_cast<size_t>(p.maxTexture1DLinear);
    });
}
/// The device has no atomics that host and device both take part in by hardware (hostNativeAtomicSupported).
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                const cudaAtomicOperation* operations, unsigned int count,
                                                int device) {
    return call_without_context("cudaDeviceGetHostAtomicCapabilities", [&](Runtime&) {
        require(capabilities != nullptr && operations != nullptr && count != 0);
        check_device(device);
        std::fill_n(capabilities, count, 0u);
    });
}
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation*,
                                               unsigned int, int, int) {
    return call_without_context("cudaDeviceGetP2PAtomicCapabilities", [&](Runtime&) {
        require(capabilities != nullptr);
        throw CudaError{cudaErrorInvalidDevice};  // a device is no peer of itself
    });
}
cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback, void*,
                                                cudaAsyncCallbackHandle_t* handle) {
    return call("cudaDeviceRegisterAsyncNotification", [&](Runtime&) {
        require(callback != nullptr && handle != nullptr);
        check_device(device);
        notifications.insert(next_notification);
        *handle = reinterpret_cast<cudaAsyncCallbackHandle_t>(next_notification++);
    });
}
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle) {
    return call("cudaDeviceUnregisterAsyncNotification", [&](Runtime&) {
        check_device(device);
        require(notifications.erase(reinterpret_cast<u64>(handle)) != 0);
    });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
    return cudaSuccess;
}
cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaGetLastError() {
    Runtime& r = Runtime::get();
    const std::lock_guard lock(r.mutex);
    const cudaError_t error = r.last_error;
    // A failed kernel's error stays.
    r.last_error = r.sticky;
    return error;
}
cudaError_t cudaPeekAtLastError() {
    Runtime& r = Runtime::get();
    const std::lock_guard lock(r.mutex);
    return r.last_error;
}
const char* cudaGetErrorString(cudaError_t error) {
    const ErrorText* e = find_error(error);
    return e == nullptr ? "unrecognized error code" : e->text;
}
const char* cudaGetErrorName(cudaError_t error) {
    const ErrorText* e = find_error(error);
    return e == nullptr ? "unrecognized error code" : e->name;
}

}  // extern "C"
