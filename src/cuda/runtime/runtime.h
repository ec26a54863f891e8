#pragma once
// The state behind libcudart's functions: one device, its memory and modules, streams, events, the recorder.
//
// Everything runs when it is called, in the order of the calls: that order satisfies every stream, event and graph
// dependence a program can state, and results never depend on timing. What may overlap on a machine is told by the events
// in the recording. One mutex guards all; a call holds it while it runs (host functions excepted).

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/device.h"
#include "cuda/handover.h"
#include "cuda/include/cuda_runtime_api.h"
#include "ptx/device_launch.h"
#include "ptx/launch.h"
#include "trace/recording.h"

namespace heddle::cuda {

struct Graph;
struct GraphNode;

/// Thrown inside the runtime, turned into the call's result.
struct CudaError {
    cudaError_t code;
};

/// One __cudaRegisterFatBinary, or all relocatable code of the program: what carries the code, and what the program calls
/// its parts.
struct FatbinRegistration {
    std::vector<const void*> wrappers;  // several of relocatable code, which is linked together
    u64 number = 0;                     // of its first module
    std::vector<std::shared_ptr<const ptx::Module>> modules;  // parsed when first needed
    std::shared_ptr<ptx::Program> program;
    std::vector<std::size_t> first_module;  // by wrapper
    // What the program calls the parts of the second wrapper and later ones.
    std::map<const void*, std::size_t> wrapper_of;
    std::map<const void*, std::string> kernels;    // by the host stub's address
    std::map<const void*, std::string> variables;  // by the host shadow's address
    std::map<const void*, std::string> textures;   // by the texture reference's address
    std::map<std::string, void**> managed;         // nvcc's pointers to managed variables
    // Managed variables of heddle cc: where they are.
    std::map<std::string, u64, std::less<>> shared_with_host;
};

/// Streams of the recording that kernels launch in have numbers from here.
inline constexpr u64 kDeviceStreams = u64{1} << 32;

struct Stream {
    u64 number = 0;             // in the recording; 0: the default stream
    bool blocking = true;       // waits for the default stream and is waited for by it
    bool dirty = false;         // has had work since the default stream last waited for it
    u64 seen_default_work = 0;  // the default stream's work that it has waited for
    int priority = 0;
    unsigned flags = 0;
    Graph* capture = nullptr;               // work goes there instead of running
    std::vector<GraphNode*> capture_after;  // what its next work comes after
    std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes;
};

struct Event {
    u64 number = 0;  // in the recording; changes with each record
    u64 clock = 0;   // when recorded
    bool recorded = false;
    bool timing = true;
    bool interprocess = false;
    Graph* capture = nullptr;  // last recorded in a stream that captures into it
    std::vector<GraphNode*> capture_after;
};

struct Array {
    u64 address = 0;
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  // as given: 0 in dimensions it lacks
    u64 pitch = 0, slice = 0;
    unsigned flags = 0;

    u64 texel_bytes() const { return static_cast<u64>(format.x + format.y + format.z + format.w) / 8; }
    u64 rows() const { return extent.height == 0 ? 1 : extent.height; }
    u64 slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

struct KernelSettings {
    int dynamic_shared = 0;
};

class Runtime {
  public:
    static Runtime& get();
    static Runtime* create();
    /// After the program's last statement: completes the recording.
    void finish();

    std::recursive_mutex mutex;
    cudaError_t last_error = cudaSuccess;
    cudaError_t sticky = cudaSuccess;  // a kernel failed; nothing works any more, as on a device

    const DeviceDescription& device() const { return device_; }
    ptx::Context& context() { return context_; }
    ptx::DeviceMemory& memory() { return context_.memory(); }

    // Code.
    FatbinRegistration* add_fatbin(const void* wrapper);
    /// Code of one file that names what other files define. All of it, up to its first use, is linked together.
    FatbinRegistration* add_relocatable(const void* wrapper);
    void remove_fatbin(FatbinRegistration* registration);
    /// Code that the program brings at run time: PTX texts, linked together and loaded. Throws InputError.
    FatbinRegistration* load_code(const std::vector<std::string>& texts);
    /// The kernel behind a host stub. Throws CudaError if there is none.
    const ptx::Kernel& kernel(const void* host);
    /// The variable behind a host shadow.
    const ptx::Symbol& symbol(const void* host);
    std::shared_ptr<ptx::Program> program_of_texture(const void* reference, std::string& name);
    /// Gives nvcc's managed variables their memory.
    void load_managed();
    /// Managed variables of heddle cc are their own host shadows, which lie in a section of the program.
    void add_managed_section(const char* begin, const char* end) {
        managed_sections_.emplace_back(begin, end);
    }
    bool in_managed_section(const char* host) const;
    /// Gives them the values that the code of the registration's last wrapper states.
    void initialise_managed(const FatbinRegistration& registration);
    KernelSettings& settings(const void* host) { return settings_[host]; }

    // Streams. 0, 1 and 2 are the default stream's handles.
    Stream& stream(cudaStream_t handle);
    cudaStream_t add_stream(unsigned flags, int priority);
    void remove_stream(cudaStream_t handle);
    Event& event(cudaEvent_t handle);
    cudaEvent_t add_event(unsigned flags);
    void remove_event(cudaEvent_t handle);
    /// No stream captures into the graph any more, and no event leads to it.
    void end_capture(const Graph* graph);
    u64 next_event_number() { return next_event_++; }
    Array& array(cudaArray_const_t handle);

    /// A stream is about to get work: states its order against the default stream in the recording.
    void order(Stream& stream);
    /// Runs `work` now, or adds it to the graph that the stream captures into.
    void submit(cudaStream_t stream, cudaGraphNodeType type, std::function<void(Stream&)> work);
    /// The host waits: states it in the recording.
    void wait(SyncEvent::Kind kind, u64 stream, u64 event);
    /// Of a call that returns when the stream's work is done.
    void host_waits(cudaStream_t handle);
    void record(ProgramEvent event);
    /// What the program calls its parts, in the recording only (ranges.cpp). Where nothing is recorded they do nothing, and
    /// push_range and pop_range return kNoRanges; else the depth of what they open or close, from 0.
    static constexpr int kNoRanges = -2;
    u64 start_range(const char* domain, const char* name, u32 color);
    void end_range(u64 number);
    int push_range(const char* domain, const char* name, u32 color);
    int pop_range(const char* domain);
    void mark(const char* domain, const char* name, u32 color);
    void launch(const void* host, Dim3 grid, Dim3 block, std::vector<std::byte> args, u64 shared,
                bool cooperative, Stream& stream);

    /// Runs a launch in the stream, then what its kernel launched.
    void execute(ptx::Launch launch, Stream& stream);
    /// What a kernel launched that has run in the stream.
    void execute_children(std::vector<ptx::DeviceLaunch>& children, const Stream& stream);

    /// Says why the program can't be simulated: to heddle run, else on standard error. The first counts.
    void report(const std::string& text, Outcome outcome = Outcome::failed);
    /// The recording can't be written. That is no fault of the program's, which would take an error code for one: it ends.
    [[noreturn]] void give_up(const WriteError& error);
    /// A line on standard error, once for each text.
    void note(const std::string& text);

    std::map<u64, Array> arrays;                // by handle
    std::map<u64, std::vector<u64>> mipmapped;  // handles of the levels' arrays, by handle
    u64 next_array = 1;
    /// The clock of event times: nanoseconds of executed work (docs/ptx.md), plus what copies add.
    u64 clock() const { return context_.clock + copied_; }
    void add_copy_time(u64 bytes) { copied_ += bytes / 16 + 1; }

    ~Runtime();

  private:
    Runtime();
    void load(FatbinRegistration& registration);
    void parse(FatbinRegistration& registration);
    /// In the recording `then` waits for what `before` has been given.
    void after(const Stream& before, const Stream& then);
    /// A child that the program forks has no recorder: the file is its parent's.
    bool recording() const;

    DeviceDescription device_;
    ptx::Context context_;
    std::string program_;                       // its name, without folders
    std::unique_ptr<HandoverWriter> handover_;  // to heddle run; null: there is none
    u64 modules_ = 0;                           // registered so far
    u64 loaded_texts_ = 0;
    std::unique_ptr<RecordingWriter> recorder_;
    bool failed_ = false;  // for good; it has been said why
    int process_ = 0;
    u64 copied_ = 0;
    u64 launches_ = 0;
    static constexpr u64 kOpenRange = ~u64{0};
    void hand_over_ranges();
    // In the order in which they began; while open with kOpenRange launches.
    std::vector<ProgramRange> ranges_;
    // Numbers of open ones, by thread and domain.
    std::map<std::pair<std::thread::id, std::string>, std::vector<u64>> pushed_;
    u64 next_event_ = 1, next_stream_ = 3;
    u64 next_device_stream_ = kDeviceStreams;
    u64 default_work_ = 0;  // changes with each piece of work of the default stream
    std::set<std::string> noted_;
    std::vector<std::unique_ptr<FatbinRegistration>> fatbins_;
    FatbinRegistration* relocatable_ = nullptr;  // one of them
    std::vector<std::pair<const char*, const char*>> managed_sections_;
    std::map<const void*, KernelSettings> settings_;
    std::map<u64, std::unique_ptr<Stream>> streams_;
    std::map<u64, std::unique_ptr<Event>> events_;
};

/// The body of a runtime function: takes the lock, turns what is thrown into an error code, remembers it. As on a card, the
/// thread has a context from then on (take_context).
cudaError_t call(const char* name, const std::function<void(Runtime&)>& body);
/// The same of a function that needs no context: it asks about the device, or registers something.
cudaError_t call_without_context(const char* name, const std::function<void(Runtime&)>& body,
                                 bool even_if_failed = false);
/// Where the thread has no context current, the primary one is from then on (driver_device.cpp).
void take_context();

/// Throws the code unless the condition holds.
inline void require(bool condition, cudaError_t code = cudaErrorInvalidValue) {
    if (!condition) throw CudaError{code};
}

}  // namespace heddle::cuda
