// The driver API: errors, devices, contexts.
//
// There is one device and one address space; contexts are handles that a program creates, makes current and destroys. What was
// allocated in one stays when it goes. A runtime call in a thread that has none makes the primary one current; a driver call does
// not, and does without.

#include <array>
#include <cstring>
#include <map>

#include "cuda/runtime/driver.h"
#include "cuda/runtime/properties.h"
#include "cuda/runtime/unsupported.h"

using namespace heddle::cuda;
using heddle::SyncEvent;
using heddle::u64;

namespace {

struct ResultName {
    CUresult number;
    const char* name;
};
constexpr std::array kResults{
#define HEDDLE_RESULT(name, number) ResultName{name, #name},
#include "cuda/include/heddle/driver_errors.h"
#undef HEDDLE_RESULT
};

struct DriverContext {
    unsigned flags = 0;
    unsigned users = 1;
};
std::map<u64, DriverContext> contexts;
u64 next_context = 2;
DriverContext primary{0, 0};
bool runtime_uses_primary = false;
constexpr u64 kPrimary = 1;

thread_local bool contexts_gone = false;
/// A thread's contexts, the last one current. The program's static objects still call when the main thread's list is gone.
struct ThreadContexts : std::vector<CUcontext> {
    ~ThreadContexts() { contexts_gone = true; }
};
thread_local ThreadContexts current;
thread_local unsigned driver_calls = 0;  // of this thread, within one another
unsigned cache_config = 0, shared_config = 0;

CUcontext handle(u64 number) {
    return reinterpret_cast<CUcontext>(number);
}

DriverContext& context(CUcontext handle) {
    const u64 number = reinterpret_cast<u64>(handle);
    if (number == kPrimary) return primary;
    const auto at = contexts.find(number);
    require(at != contexts.end(), cudaErrorDeviceUninitialized);
    return at->second;
}

void check_ordinal(CUdevice device) {
    require(device == 0, cudaErrorInvalidDevice);
}

CUresult create(const char* name, CUcontext* out, unsigned flags, CUdevice device) {
    return driver_call(name, [&](Runtime&) {
        require(out != nullptr && (flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0);
        check_ordinal(device);
        contexts[next_context] = {flags, 1};
        *out = handle(next_context++);
        current.push_back(*out);
    });
}

void destroy(CUcontext handle) {
    context(handle);
    require(reinterpret_cast<u64>(handle) != kPrimary, cudaErrorDeviceUninitialized);
    contexts.erase(reinterpret_cast<u64>(handle));
    if (!current.empty() && current.back() == handle) current.pop_back();
}

}  // namespace

namespace heddle::cuda {

CUresult driver_code(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidDevicePointer:
        case cudaErrorInvalidHostPointer:
        case cudaErrorInvalidMemcpyDirection:
        case cudaErrorInvalidChannelDescriptor:
        case cudaErrorInvalidTexture:
            return CUDA_ERROR_INVALID_VALUE;
        case cudaErrorInvalidSymbol:
            return CUDA_ERROR_NOT_FOUND;
        case cudaErrorInvalidDeviceFunction:
            return CUDA_ERROR_INVALID_HANDLE;
        default:
            return static_cast<CUresult>(error);
    }
}

CUresult driver_call(const std::function<cudaError_t()>& runtime_function) {
    Runtime& r = Runtime::get();
    const std::lock_guard lock(r.mutex);
    const cudaError_t before = r.last_error;
    ++driver_calls;
    const CUresult result = driver_code(runtime_function());
    --driver_calls;
    r.last_error = before;
    return result;
}

CUresult driver_call(const char* name, const std::function<void(Runtime&)>& body, bool even_if_failed) {
    return driver_call([&] { return call_without_context(name, body, even_if_failed); });
}

void take_context() {
    if (contexts_gone || driver_calls != 0 || !current.empty()) return;
    const std::lock_guard lock(Runtime::get().mutex);
    runtime_uses_primary = true;
    current.push_back(handle(kPrimary));
}

int unsupported_in_driver(const char* name, const char* needs) {
    return driver_call(name, [&](Runtime& r) {
        r.note(std::string(name) + " is not supported by Heddle (it needs " + needs +
               "); it returns CUDA_ERROR_NOT_SUPPORTED");
        throw CudaError{cudaErrorNotSupported};
    });
}

}  // namespace heddle::cuda

extern "C" {

CUresult cuGetErrorString(CUresult error, const char** text) {
    if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *text = nullptr;
    for (const ResultName& r : kResults)
        if (r.number == error) *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** name) {
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *name = nullptr;
    for (const ResultName& r : kResults)
        if (r.number == error) *name = r.name;
    return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuInit(unsigned int flags) {
    return driver_call("cuInit", [&](Runtime&) { require(flags == 0); });
}
CUresult cuDriverGetVersion(int* version) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return driver_call([&] { return cudaDriverGetVersion(version); });
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return driver_call("cuDeviceGet", [&](Runtime&) {
        require(device != nullptr);
        check_ordinal(ordinal);
        *device = ordinal;
    });
}
CUresult cuDeviceGetCount(int* count) {
    return driver_call([&] { return cudaGetDeviceCount(count); });
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
    return driver_call("cuDeviceGetName", [&](Runtime& r) {
        require(name != nullptr && bytes > 0);
        check_ordinal(device);
        const std::string& text = r.device().name;
        const std::size_t n = std::min(text.size(), static_cast<std::size_t>(bytes) - 1);
        std::memcpy(name, text.data(), n);
        name[n] = 0;
    });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return driver_call("cuDeviceGetUuid", [&](Runtime& r) {
        require(uuid != nullptr);
        check_ordinal(device);
        cudaDeviceProp p;
        fill_properties(r.device(), p);
        std::memcpy(uuid, &p.uuid, sizeof *uuid);
    });
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
    return cuDeviceGetUuid(uuid, device);
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    return driver_call("cuDeviceTotalMem", [&](Runtime& r) {
        require(bytes != nullptr);
        check_ordinal(device);
        *bytes = r.memory().capacity();
    });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    // Memory that is mapped by hand is the driver API's alone (driver_memory.cpp).
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED && value != nullptr)
        return *value = 1, CUDA_SUCCESS;
    return driver_call(
        [&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}
CUresult cuDeviceGetProperties(CUdevprop* p, CUdevice device) {
    return driver_call("cuDeviceGetProperties", [&](Runtime& r) {
        require(p != nullptr);
        check_ordinal(device);
        cudaDeviceProp all;
        fill_properties(r.device(), all);
        p->maxThreadsPerBlock = all.maxThreadsPerBlock;
        std::memcpy(p->maxThreadsDim, all.maxThreadsDim, sizeof p->maxThreadsDim);
        std::memcpy(p->maxGridSize, all.maxGridSize, sizeof p->maxGridSize);
        p->sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock);
        p->totalConstantMemory = static_cast<int>(all.totalConstMem);
        p->SIMDWidth = all.warpSize;
        p->memPitch = static_cast<int>(all.memPitch);
        p->regsPerBlock = all.regsPerBlock;
        p->clockRate = all.clockRate;
        p->textureAlign = static_cast<int>(all.textureAlignment);
    });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return driver_call("cuDeviceComputeCapability", [&](Runtime& r) {
        require(major != nullptr && minor != nullptr);
        check_ordinal(device);
        cudaDeviceProp all;
        fill_properties(r.device(), all);
        *major = all.major;
        *minor = all.minor;
    });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
    return driver_call([&] { return cudaDeviceGetByPCIBusId(device, id); });
}
CUresult cuDeviceGetPCIBusId(char* id, int bytes, CUdevice device) {
    return driver_call([&] { return cudaDeviceGetPCIBusId(id, bytes, device); });
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
    return driver_call([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
    return driver_call([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return driver_call("cuDevicePrimaryCtxRetain", [&](Runtime&) {
        require(context != nullptr);
        check_ordinal(device);
        ++primary.users;
        *context = handle(kPrimary);
    });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return driver_call("cuDevicePrimaryCtxRelease", [&](Runtime&) {
        check_ordinal(device);
        require(primary.users != 0, cudaErrorDeviceUninitialized);
        --primary.users;
    });
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return driver_call("cuDevicePrimaryCtxReset", [&](Runtime&) { check_ordinal(device); });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
    return driver_call("cuDevicePrimaryCtxSetFlags", [&](Runtime&) {
        check_ordinal(device);
        primary.flags = flags;
    });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
    return driver_call("cuDevicePrimaryCtxGetState", [&](Runtime&) {
        check_ordinal(device);
        require(flags != nullptr && active != nullptr);
        *flags = primary.flags;
        *active = primary.users != 0 || runtime_uses_primary;
    });
}

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
    return create("cuCtxCreate", context, flags, device);
}
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int, unsigned int flags, CUdevice device) {
    return create("cuCtxCreate", context, flags, device);
}
CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams*, unsigned int flags, CUdevice device) {
    return create("cuCtxCreate", context, flags, device);
}
CUresult cuCtxDestroy(CUcontext context) {
    return driver_call(
        "cuCtxDestroy", [&](Runtime&) { destroy(context); }, true);
}
CUresult cuCtxAttach(CUcontext* out, unsigned int flags) {
    return driver_call("cuCtxAttach", [&](Runtime&) {
        require(out != nullptr && flags == 0);
        require(!current.empty(), cudaErrorDeviceUninitialized);
        *out = current.back();
        ++context(*out).users;
    });
}
CUresult cuCtxDetach(CUcontext handle) {
    return driver_call("cuCtxDetach", [&](Runtime&) {
        if (--context(handle).users == 0) destroy(handle);
    });
}
CUresult cuCtxPushCurrent(CUcontext handle) {
    return driver_call("cuCtxPushCurrent", [&](Runtime&) {
        context(handle);
        current.push_back(handle);
    });
}
CUresult cuCtxPopCurrent(CUcontext* out) {
    return driver_call("cuCtxPopCurrent", [&](Runtime&) {
        require(!current.empty(), cudaErrorDeviceUninitialized);
        if (out != nullptr) *out = current.back();
        current.pop_back();
    });
}
CUresult cuCtxSetCurrent(CUcontext handle) {
    return driver_call("cuCtxSetCurrent", [&](Runtime&) {
        if (handle != nullptr) context(handle);
        if (!current.empty()) current.pop_back();
        if (handle != nullptr) current.push_back(handle);
    });
}
CUresult cuCtxGetCurrent(CUcontext* out) {
    return driver_call("cuCtxGetCurrent", [&](Runtime&) {
        require(out != nullptr);
        *out = current.empty() ? nullptr : current.back();
    });
}
CUresult cuCtxGetDevice(CUdevice* device) {
    return driver_call("cuCtxGetDevice", [&](Runtime&) {
        require(device != nullptr);
        require(!current.empty(), cudaErrorDeviceUninitialized);
        *device = 0;
    });
}
CUresult cuCtxGetFlags(unsigned int* flags) {
    return driver_call("cuCtxGetFlags", [&](Runtime&) {
        require(flags != nullptr);
        require(!current.empty(), cudaErrorDeviceUninitialized);
        *flags = context(current.back()).flags;
    });
}
CUresult cuCtxSetFlags(unsigned int flags) {
    return driver_call("cuCtxSetFlags", [&](Runtime&) {
        require((flags & ~unsigned{CU_CTX_FLAGS_MASK}) == 0);
        require(!current.empty(), cudaErrorDeviceUninitialized);
        context(current.back()).flags = flags;
    });
}
CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
    return driver_call("cuCtxGetId", [&](Runtime&) {
        require(id != nullptr);
        if (handle == nullptr) {
            require(!current.empty(), cudaErrorDeviceUninitialized);
            handle = current.back();
        }
        context(handle);
        *id = reinterpret_cast<u64>(handle);
    });
}
CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int* version) {
    return driver_call("cuCtxGetApiVersion", [&](Runtime&) {
        require(version != nullptr);
        if (handle != nullptr) context(handle);
        *version = 3020;  // as the driver has said since CUDA 3.2
    });
}
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext of) {
    if (of == nullptr) return cuCtxGetDevice(device);
    return driver_call("cuCtxGetDevice", [&](Runtime&) {
        require(device != nullptr);
        context(of);
        *device = 0;
    });
}
CUresult cuCtxSynchronize() {
    return driver_call([] { return cudaDeviceSynchronize(); });
}
CUresult cuCtxSynchronize_v2(CUcontext of) {
    if (of != nullptr)
        if (const CUresult known = driver_call("cuCtxSynchronize", [&](Runtime&) { context(of); });
            known != CUDA_SUCCESS)
            return known;
    return cuCtxSynchronize();
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    return driver_call([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
    return driver_call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return cache_config = config, CUDA_SUCCESS;
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return *config = static_cast<CUfunc_cache>(cache_config), CUDA_SUCCESS;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
    return shared_config = config, CUDA_SUCCESS;
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return *config = static_cast<CUsharedconfig>(shared_config), CUDA_SUCCESS;
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return driver_call([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
CUresult cuCtxResetPersistingL2Cache() {
    return driver_call([] { return cudaCtxResetPersistingL2Cache(); });
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int) {
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}
CUresult cuCtxDisablePeerAccess(CUcontext) {
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
CUresult cuProfilerStart() {
    return driver_call([] { return cudaProfilerStart(); });
}
CUresult cuProfilerStop() {
    return driver_call([] { return cudaProfilerStop(); });
}

}  // extern "C"
