// The driver API: streams and events. Their handles are the runtime's.

#include <memory>

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;

namespace {

/// A driver callback hears the driver's number.
struct Callback {
    CUstreamCallback function;
    void* data;
};

void run_callback(cudaStream_t stream, cudaError_t status, void* data) {
    const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
    callback->function(stream, driver_code(status), callback->data);
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
    return driver_call([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
    return driver_call([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
    return driver_call([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
    return driver_call([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
    return driver_call([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    return driver_call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int flags) {
    if (callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // Not under the driver's lock, so that the callback may call.
    return driver_code(cudaStreamAddCallback(stream, run_callback, new Callback{callback, data}, flags));
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    return driver_code(cudaLaunchHostFunc(stream, function, data));
}
CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
    return driver_call([&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
    return driver_call([&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
    const CUresult known = driver_call("cuStreamGetCtx", [&](Runtime& r) { r.stream(stream); });
    return known != CUDA_SUCCESS ? known : cuCtxGetCurrent(context);
}
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
    if (green != nullptr) *green = nullptr;
    return cuStreamGetCtx(stream, context);
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags) {
    return driver_call(
        [&] { return cudaStreamAttachMemAsync(stream, reinterpret_cast<void*>(pointer), bytes, flags); });
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return driver_call(
        [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    return driver_call([&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    return driver_call(
        [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
    return driver_call([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
    return driver_call([&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    return driver_call([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventSynchronize(CUevent event) {
    return driver_call([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
    return driver_call([&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent end) {
    return driver_call([&] { return cudaEventElapsedTime(ms, start, end); });
}
CUresult cuEventElapsedTime_v2(float* ms, CUevent start, CUevent end) {
    return cuEventElapsedTime(ms, start, end);
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
    return driver_call([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
    return driver_call([&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
    return driver_call([&] { return cudaStreamGetDevice(stream, device); });
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
    return driver_call([&] { return cudaStreamCopyAttributes(to, from); });
}
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
    static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));
    return driver_call([&] {
        return cudaStreamGetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                      reinterpret_cast<cudaStreamAttrValue*>(value));
    });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
    return driver_call([&] {
        return cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                      reinterpret_cast<const cudaStreamAttrValue*>(value));
    });
}

}  // extern "C"
