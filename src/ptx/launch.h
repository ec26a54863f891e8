#pragma once
// Launching a kernel: functional execution, and the stream of warp instructions that it leaves behind.
//
//     ptx::Launch launch{.kernel = k, .grid = {n, 1, 1}, .block = {256, 1, 1}, .args = bytes};
//     ptx::Execution execution(context, launch, &sink);
//     execution.run();                       // or: while (execution.advance()) {...}
//
// Order. CTAs enter a window of as many CTAs as the device keeps resident and run in turns (docs/ptx.md,
// "Windows"); a cooperative launch needs a window that holds the whole grid. The sink hears CTAs begin in
// launch order; the words of resident CTAs may alternate, those of one warp come in order, in chunks that
// never split an instruction.
//
// Time. %clock, %clock64 and %globaltimer count executed work: one for each warp instruction of the reading
// warp plus its nanosleeps; warps that meet at a CTA barrier leave it with the latest of their clocks; a CTA
// starts with the clock of the CTA whose place it takes, a kernel with the latest clock of the kernel before
// it. Monotonic, the same each run.
//
// Errors are DeviceFault, an InputError whose text names kernel, block, thread, and FILE:LINE of the
// instruction.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ptx/context.h"
#include "sim/error.h"
#include "trace/stream.h"

namespace heddle::ptx {

struct DeviceLaunch;

struct Launch {
    const Kernel* kernel = nullptr;
    Dim3 grid, block;
    u32 dynamic_shared = 0;
    std::vector<std::byte> args;  // kernel->decl.param_bytes bytes, laid out by its params
    bool cooperative = false;
    u64 stream = 0;
    u64 id = 1;         // KernelInfo::id
    std::string place;  // KernelInfo::place
    /// Where what the kernel launches goes (device_launch.h), in the order in which it was launched; null: nobody wants to know.
    std::vector<DeviceLaunch>* children = nullptr;
    u32 depth = 0;  // kernels that wait for this one

    /// From cudaLaunchKernel's array of pointers, one a parameter.
    void set_args(void** pointers);
};

/// Where an execution's stream goes. A recorder implements it.
class KernelSink {
  public:
    virtual ~KernelSink() = default;
    /// `static_insts` is complete and stays valid until end_kernel.
    virtual void begin_kernel(const KernelInfo& info, const std::vector<StaticInst>& static_insts) = 0;
    /// `cta` is the linear index; CTAs begin in ascending order.
    virtual void begin_cta(u64 cta, Dim3 index) = 0;
    /// The next words of a warp (layout: trace/stream.h).
    virtual void words(u64 cta, u32 warp, std::span<const u32> words) = 0;
    virtual void end_cta(u64 cta) = 0;
    virtual void end_kernel() = 0;
};

/// Why a kernel can't go on.
class DeviceFault : public InputError {
  public:
    enum class Kind : u8 {
        illegal_address,
        misaligned_address,
        assertion,  // __assertfail
        trap,
        no_progress,       // every warp waits for something that nobody will do
        unsupported,       // an instruction that Heddle does not execute
        bad_launch,        // sizes, arguments, too many resident CTAs needed
        out_of_resources,  // a CTA that no SM can hold
        stack_overflow,    // recursion deeper than local memory
    };
    DeviceFault(Kind kind, const std::string& what) : InputError(what), kind_(kind) {}
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

struct ExecutionStats {
    u64 warp_instructions = 0;  // as the stream counts them
    u64 thread_instructions = 0;
    u64 executed_operations = 0;  // internal operations of all warps, spins included
    u64 signals = 0, waits = 0;   // edges
};

class Execution {
  public:
    /// Checks the launch (DeviceFault bad_launch). `sink` may be null: results only.
    Execution(Context& context, const Launch& launch, KernelSink* sink);
    ~Execution();

    /// One turn of every resident CTA. False when the kernel has ended.
    bool advance();
    void run() {
        while (advance()) {
        }
    }

    const KernelInfo& info() const;
    const std::vector<StaticInst>& static_insts() const;
    const ExecutionStats& stats() const;

    struct Impl;  // execution.h

  private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::ptx
