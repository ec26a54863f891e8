#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <utility>

#include "cuda/kernel_feed.h"
#include "cuda/runtime/logs.h"
#include "cuda/runtime/unsupported.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

DeviceDescription description_of_environment() {
    const char* text = std::getenv(kDeviceVariable);
    if (text == nullptr) return {};
    try {
        return DeviceDescription::from_text(text);
    } catch (const InputError& error) {
        std::fprintf(stderr, "heddle: %s\n", error.what());
        std::_Exit(2);
    }
}

std::unique_ptr<HandoverWriter> reach_heddle(const char* text) {
    try {
        return std::make_unique<HandoverWriter>(text);
    } catch (const InputError& error) {
        std::fprintf(stderr, "heddle: %s\n", error.what());
        std::_Exit(2);
    }
}

ptx::MemoryCheck memory_check_of_environment() {
    const char* text = std::getenv(kMemoryCheckVariable);
    if (text == nullptr || *text == '\0') return ptx::MemoryCheck::warn;
    if (const auto check = ptx::memory_check(text)) return *check;
    std::fprintf(stderr, "heddle: %s: '%s' is not one of error, warn and off\n", kMemoryCheckVariable, text);
    std::_Exit(2);
}

std::string own_program() {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    const std::string whole(path, n > 0 ? static_cast<std::size_t>(n) : 0);
    return whole.substr(whole.rfind('/') + 1);
}

cudaError_t code_of(ptx::DeviceFault::Kind kind) {
    switch (kind) {
        case ptx::DeviceFault::Kind::illegal_address:
            return cudaErrorIllegalAddress;
        case ptx::DeviceFault::Kind::misaligned_address:
            return cudaErrorMisalignedAddress;
        case ptx::DeviceFault::Kind::assertion:
            return cudaErrorAssert;
        case ptx::DeviceFault::Kind::no_progress:
            return cudaErrorLaunchTimeout;
        case ptx::DeviceFault::Kind::unsupported:
            return cudaErrorNotSupported;
        case ptx::DeviceFault::Kind::bad_launch:
            return cudaErrorInvalidConfiguration;
        case ptx::DeviceFault::Kind::out_of_resources:
            return cudaErrorLaunchOutOfResources;
        case ptx::DeviceFault::Kind::stack_overflow:
            return cudaErrorHardwareStackError;
        case ptx::DeviceFault::Kind::trap:
            break;
    }
    return cudaErrorLaunchFailure;
}

/// Completes the recording when the program ends, after its own handlers.
struct AtEnd {
    ~AtEnd() { Runtime::get().finish(); }
};

}  // namespace

extern "C" {
/// The one device of the process. A program may have loaded several of the runtime's libraries (its own version's, and the one
/// that libcuda.so.1 brings): the first that the loader finds is for all.
__attribute__((visibility("default"))) void* __cudaHeddleRuntime() {
    // Never destroyed: the program's own destructors may still call.
    static Runtime* const runtime = Runtime::create();
    return runtime;
}
}

Runtime& Runtime::get() {
    static Runtime* const runtime = [] {
        void* const first = dlsym(RTLD_DEFAULT, "__cudaHeddleRuntime");
        return static_cast<Runtime*>(first != nullptr ? reinterpret_cast<void* (*)()>(first)()
                                                      : __cudaHeddleRuntime());
    }();
    return *runtime;
}

Runtime* Runtime::create() {
    return new Runtime;
}

Runtime::Runtime()
    : device_(description_of_environment()),
      context_(device_.limits, device_.memory_bytes),
      program_(own_program()) {
    process_ = getpid();
    context_.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    context_.memory_check = memory_check_of_environment();
    context_.warn = [this](const std::string& text) { note(text); };
    streams_[0] = std::make_unique<Stream>();
    if (const char* text = std::getenv(kHandoverVariable); text != nullptr) {
        handover_ = reach_heddle(text);
        // Programs that this one starts are not the one that is recorded.
        unsetenv(kHandoverVariable);
        recorder_ = std::make_unique<RecordingWriter>(handover_->recording(), program_, Compression::fast);
    }
    static AtEnd at_end;
}

Runtime::~Runtime() = default;

bool Runtime::recording() const {
    return recorder_ != nullptr && process_ == getpid();
}

void Runtime::finish() {
    const std::lock_guard lock(mutex);
    if (!recording()) return;
    try {
        if (sticky == cudaSuccess && !failed_) {
            hand_over_ranges();
            recorder_->finish();
        }
    } catch (const WriteError& error) {
        report(error.what(), Outcome::unwritten);
    } catch (const std::exception& error) {
        report(error.what());
    }
    recorder_.reset();
}

void Runtime::report(const std::string& text, Outcome outcome) {
    if (std::exchange(failed_, true)) return;
    if (handover_ == nullptr || process_ != getpid())
        std::fprintf(stderr, "heddle: %s\n", text.c_str());
    else
        handover_->tell(outcome, text);
}

void Runtime::give_up(const WriteError& error) {
    report(error.what(), Outcome::unwritten);
    std::fflush(nullptr);
    std::_Exit(2);
}

void Runtime::record(ProgramEvent event) {
    if (recording() && sticky == cudaSuccess) recorder_->add(event);
}

Stream& Runtime::stream(cudaStream_t handle) {
    const u64 number = reinterpret_cast<u64>(handle);
    const auto at = streams_.find(number <= 2 ? 0 : number);
    require(at != streams_.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

cudaStream_t Runtime::add_stream(unsigned flags, int priority) {
    auto s = std::make_unique<Stream>();
    s->number = next_stream_;
    s->blocking = (flags & cudaStreamNonBlocking) == 0;
    s->priority = priority;
    s->flags = flags;
    streams_[next_stream_] = std::move(s);
    return reinterpret_cast<cudaStream_t>(next_stream_++);
}

void Runtime::remove_stream(cudaStream_t handle) {
    Stream& s = stream(handle);
    require(s.number != 0, cudaErrorInvalidResourceHandle);
    // Its work goes on; what the default stream gets later waits for it.
    if (s.blocking && s.dirty) after(s, *streams_.at(0));
    streams_.erase(s.number);
}

Event& Runtime::event(cudaEvent_t handle) {
    const auto at = events_.find(reinterpret_cast<u64>(handle));
    require(at != events_.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

cudaEvent_t Runtime::add_event(unsigned flags) {
    auto e = std::make_unique<Event>();
    e->timing = (flags & cudaEventDisableTiming) == 0;
    e->interprocess = (flags & cudaEventInterprocess) != 0;
    const u64 handle = next_event_number();
    events_[handle] = std::move(e);
    return reinterpret_cast<cudaEvent_t>(handle);
}

void Runtime::remove_event(cudaEvent_t handle) {
    require(events_.erase(reinterpret_cast<u64>(handle)) != 0, cudaErrorInvalidResourceHandle);
}

void Runtime::end_capture(const Graph* graph) {
    for (auto& [number, s] : streams_)
        if (s->capture == graph) s->capture = nullptr;
    for (auto& [handle, e] : events_)
        if (e->capture == graph) e->capture = nullptr;
}

Array& Runtime::array(cudaArray_const_t handle) {
    const auto at = arrays.find(reinterpret_cast<u64>(handle));
    require(at != arrays.end(), cudaErrorInvalidResourceHandle);
    return at->second;
}

void Runtime::after(const Stream& before, const Stream& then) {
    const u64 number = next_event_number();
    record(SyncEvent{SyncEvent::Kind::record, before.number, number});
    record(SyncEvent{SyncEvent::Kind::wait, then.number, number});
}

void Runtime::order(Stream& s) {
    Stream& null = *streams_.at(0);
    if (&s == &null) {
        for (auto& [number, other] : streams_)
            if (other->blocking && other.get() != &s && std::exchange(other->dirty, false)) after(*other, s);
        // Each blocking stream has this to wait for once it gets work.
        default_work_ = next_event_number();
    } else if (s.blocking) {
        if (s.seen_default_work != default_work_) after(null, s);
        s.seen_default_work = default_work_;
        s.dirty = true;
    }
}

void Runtime::wait(SyncEvent::Kind kind, u64 stream, u64 event) {
    record(SyncEvent{kind, stream, event});
}

void Runtime::launch(const void* host, Dim3 grid, Dim3 block, std::vector<std::byte> args, u64 shared,
                     bool cooperative, Stream& s) {
    const ptx::Kernel& k = kernel(host);
    ptx::Launch l;
    l.kernel = &k;
    l.grid = grid;
    l.block = block;
    l.dynamic_shared = static_cast<u32>(shared);
    l.args = std::move(args);
    l.cooperative = cooperative;
    l.stream = s.number;
    l.id = ++launches_;
    try {
        execute(std::move(l), s);
    } catch (const ptx::DeviceFault& fault) {
        const cudaError_t code = code_of(fault.kind());
        if (fault.kind() == ptx::DeviceFault::Kind::bad_launch ||
            fault.kind() == ptx::DeviceFault::Kind::out_of_resources) {
            // As on a device: the call fails, the program may go on.
            --launches_;
            note(fault.what());
            throw CudaError{cooperative &&
                                    grid.count() > context_.resident_ctas(k, block, static_cast<u32>(shared))
                                ? cudaErrorCooperativeLaunchTooLarge
                                : code};
        }
        std::fflush(stdout);
        report(fault.what());
        sticky = code;  // for all calls to come; the launch itself, as on a device, has gone well
    }
}

void Runtime::execute(ptx::Launch l, Stream& s) {
    std::vector<ptx::DeviceLaunch> children;
    l.children = &children;
    if (recording()) {
        auto stream = feed_kernel(context_, l);
        if (s.number < kDeviceStreams) order(s);
        recorder_->add(LaunchEvent{std::move(stream)});
    } else {
        if (recorder_ != nullptr) note("a forked process runs kernels; they are not in the recording");
        ptx::Execution(context_, l, nullptr).run();
    }
    execute_children(children, s);
}

void Runtime::execute_children(std::vector<ptx::DeviceLaunch>& children, const Stream& parent) {
    for (const bool tail : {false, true}) {
        // Each block has a stream of its own; a device works on 32 at a time.
        constexpr u64 kStreams = 32;
        std::map<u64, Stream> streams;
        for (ptx::DeviceLaunch& child : children) {
            if (child.tail != tail) continue;
            const auto [at, fresh] = streams.try_emplace(child.cta % kStreams);
            Stream& s = at->second;
            if (fresh) {
                s.number = next_device_stream_++;
                after(parent, s);
            }
            if (child.has_run) {
                if (recording() && child.stream != nullptr) {
                    child.stream->place(s.number, ++launches_);
                    recorder_->add(LaunchEvent{std::move(child.stream)});
                }
                execute_children(child.children, s);
                continue;
            }
            child.launch.stream = s.number;
            child.launch.id = ++launches_;
            execute(std::move(child.launch), s);
        }
        for (const auto& [cta, s] : streams) after(s, parent);
    }
}

void Runtime::note(const std::string& text) {
    if (!noted_.insert(text).second) return;
    add_log(cudaLogLevelWarning, text);
    std::fflush(stdout);
    std::fprintf(stderr, "heddle: note: %s\n", text.c_str());
}

cudaError_t call(const char* name, const std::function<void(Runtime&)>& body) {
    take_context();
    return call_without_context(name, body);
}

cudaError_t call_without_context(const char* name, const std::function<void(Runtime&)>& body,
                                 bool even_if_failed) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard lock(runtime.mutex);
    cudaError_t code = cudaSuccess;
    if (runtime.sticky != cudaSuccess && !even_if_failed) {
        code = runtime.sticky;
    } else {
        try {
            body(runtime);
        } catch (const CudaError& error) {
            code = error.code;
        } catch (const WriteError& error) {
            runtime.give_up(error);
        } catch (const InputError& error) {
            runtime.report(error.what());
            runtime.sticky = code = cudaErrorUnknown;
        } catch (const std::bad_alloc&) {
            code = cudaErrorMemoryAllocation;
        } catch (const std::exception& error) {
            runtime.report(std::string(name) + ": an error in Heddle: " + error.what());
            runtime.sticky = code = cudaErrorUnknown;
        }
    }
    if (code != cudaSuccess) {
        runtime.last_error = code;
        add_log(cudaLogLevelError,
                std::string(name) + ": " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")");
    }
    return code;
}

cudaError_t unsupported(const char* name, const char* needs) {
    return call_without_context(name, [&](Runtime& r) {
        r.note(std::string(name) + " is not supported by Heddle (it needs " + needs +
               "); it returns cudaErrorNotSupported");
        throw CudaError{cudaErrorNotSupported};
    });
}

}  // namespace heddle::cuda
