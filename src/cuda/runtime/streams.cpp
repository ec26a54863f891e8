// Streams, events, host functions. What order() and submit() do to the recording: runtime.h.

#include "cuda/runtime/graph.h"
#include "cuda/runtime/runtime.h"

using namespace heddle::cuda;
using heddle::SyncEvent;
using heddle::u64;

namespace heddle::cuda {

void Runtime::host_waits(cudaStream_t handle) {
    const Stream& s = stream(handle);
    require(s.capture == nullptr, cudaErrorStreamCaptureUnsupported);
    wait(SyncEvent::Kind::host_stream, s.number, 0);
}

}  // namespace heddle::cuda

namespace {

void record_event(Runtime& r, cudaEvent_t handle, cudaStream_t stream) {
    Event& e = r.event(handle);
    Stream& s = r.stream(stream);
    e.capture = s.capture;
    e.capture_after = s.capture_after;
    if (s.capture != nullptr) return;
    r.order(s);
    e.number = r.next_event_number();
    // Two events are never at the same time.
    r.add_copy_time(0);
    e.clock = r.clock();
    e.recorded = true;
    r.record(SyncEvent{SyncEvent::Kind::record, s.number, e.number});
}

/// What a stream's kernels shall do with L2 is kept and changes nothing.
void check_attribute(Runtime& r, cudaStreamAttrID attribute, const cudaStreamAttrValue& value) {
    if (attribute != cudaStreamAttributeAccessPolicyWindow) return;
    const cudaAccessPolicyWindow& w = value.accessPolicyWindow;
    require(w.hitRatio >= 0 && w.hitRatio <= 1 && w.num_bytes <= r.device().l2_bytes &&
            w.missProp != cudaAccessPropertyPersisting);
}

cudaError_t create_stream(const char* name, cudaStream_t* stream, unsigned flags, int priority) {
    return call(name, [&](Runtime& r) {
        require(stream != nullptr && (flags & ~unsigned{cudaStreamNonBlocking}) == 0);
        *stream = r.add_stream(flags, priority);
    });
}

cudaError_t create_event(const char* name, cudaEvent_t* event, unsigned flags) {
    return call(name, [&](Runtime& r) {
        // An event for several processes has no time.
        require(event != nullptr &&
                ((flags & cudaEventInterprocess) == 0 || (flags & cudaEventDisableTiming) != 0));
        *event = r.add_event(flags);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create_stream("cudaStreamCreate", stream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return create_stream("cudaStreamCreateWithFlags", stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    return create_stream("cudaStreamCreateWithPriority", stream, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", [&](Runtime& r) { r.remove_stream(stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call("cudaStreamSynchronize", [&](Runtime& r) { r.host_waits(stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call("cudaStreamQuery", [&](Runtime& r) { r.host_waits(stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    return call("cudaStreamWaitEvent", [&](Runtime& r) {
        Stream& s = r.stream(stream);
        const Event& e = r.event(event);
        if (e.capture != nullptr) {
            // A capture spreads to a stream that waits for an event recorded in it.
            join_capture(s, e);
            return;
        }
        if (!e.recorded) return;
        r.order(s);
        r.record(SyncEvent{SyncEvent::Kind::wait, s.number, e.number});
    });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* data) {
    return call("cudaLaunchHostFunc", [&](Runtime& r) {
        require(fn != nullptr);
        r.submit(stream, cudaGraphNodeTypeHost, [&r, fn, data](Stream& s) {
            r.wait(SyncEvent::Kind::host_stream, s.number, 0);
            fn(data);
        });
    });
}
/// How the device's thread waits for the function changes nothing.
cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void* data, unsigned int) {
    return cudaLaunchHostFunc(stream, fn, data);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
    return call("cudaStreamAddCallback", [&](Runtime& r) {
        require(callback != nullptr);
        r.submit(stream, cudaGraphNodeTypeHost, [&r, stream, callback, data](Stream& s) {
            r.wait(SyncEvent::Kind::host_stream, s.number, 0);
            callback(stream, cudaSuccess, data);
        });
    });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    return call("cudaStreamGetFlags", [&](Runtime& r) { *flags = r.stream(stream).flags; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return call("cudaStreamGetPriority", [&](Runtime& r) { *priority = r.stream(stream).priority; });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return call("cudaStreamGetId", [&](Runtime& r) { *id = r.stream(stream).number; });
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    return call("cudaStreamSetAttribute", [&](Runtime& r) {
        require(value != nullptr);
        check_attribute(r, attribute, *value);
        r.stream(stream).attributes[attribute] = *value;
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    return call("cudaStreamGetDevice", [&](Runtime& r) {
        r.stream(stream);
        *device = 0;
    });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    return call("cudaStreamGetAttribute", [&](Runtime& r) {
        require(value != nullptr);
        const auto& known = r.stream(stream).attributes;
        const auto at = known.find(attribute);
        *value = at == known.end() ? cudaStreamAttrValue{} : at->second;
    });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return call("cudaStreamCopyAttributes",
                [&](Runtime& r) { r.stream(to).attributes = r.stream(from).attributes; });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return create_event("cudaEventCreate", event, 0);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return create_event("cudaEventCreateWithFlags", event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call("cudaEventDestroy", [&](Runtime& r) { r.remove_event(event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call("cudaEventRecord", [&](Runtime& r) { record_event(r, event, stream); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
    return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call("cudaEventSynchronize", [&](Runtime& r) {
        const Event& e = r.event(event);
        if (e.recorded) r.wait(SyncEvent::Kind::host_event, 0, e.number);
    });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&](Runtime& r) {
        require(ms != nullptr);
        const Event &a = r.event(start), &b = r.event(end);
        require(a.recorded && b.recorded && a.timing && b.timing, cudaErrorInvalidResourceHandle);
        const auto ns = static_cast<heddle::i64>(b.clock - a.clock);
        *ms = static_cast<float>(static_cast<double>(ns) * 1e-6);
    });
}
cudaError_t cudaEventElapsedTime_v2(float* ms, cudaEvent_t start, cudaEvent_t end) {
    return cudaEventElapsedTime(ms, start, end);
}

}  // extern "C"
