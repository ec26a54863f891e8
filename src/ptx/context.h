#pragma once
// Everything a program's kernels share: memory, linked modules, textures, the limits of the device they run
// on.
//
//     ptx::Context context(limits);
//     auto program = context.load({module_a, module_b});      // links, gives variables memory
//     const ptx::Kernel* k = program->kernel("_Z6vecaddPKfS0_Pfi");
//     u64 d = context.memory().allocate(ptx::MemoryKind::device, bytes);
//     ptx::Execution(context, launch, sink).run();             // launch.h

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "ptx/memory.h"
#include "ptx/memory_check.h"
#include "ptx/module.h"
#include "ptx/texture.h"
#include "trace/stream.h"

namespace heddle::ptx {

struct Code;  // a linked program's internal code

/// What a device offers; decides how many CTAs are resident at once. Defaults: GH100.
struct DeviceLimits {
    u32 sms = 132;
    u32 threads_per_sm = 2048;
    u32 warps_per_sm = 64;
    u32 ctas_per_sm = 32;
    u32 registers_per_sm = 65536;
    u32 register_granule = 256;  // a warp's registers are given out in multiples of this
    u32 shared_per_sm = 228 * 1024;
    u32 shared_per_cta = 227 * 1024;
    u32 reserved_shared_per_cta = 1024;  // the system's share of each CTA
    u32 threads_per_cta = 1024;
};

/// A kernel of a loaded program, ready to launch.
struct Kernel {
    KernelDecl decl;
    std::shared_ptr<Code> code;
    u32 function = 0;             // in code
    u32 module = 0;               // of those that the program was loaded from
    u32 registers = 0;            // a thread's, callees included
    u32 static_shared_bytes = 0;  // with what its callees declare
};

/// A variable of a loaded program.
struct Symbol {
    VariableDecl decl;
    u32 module = 0;
    u64 address = 0;  // of global and constant variables
    u64 texture = 0;  // .texref: the bound handle, set by Program::bind_texture
};

/// Modules linked together: names resolve across them, variables have addresses and their initial values.
class Program {
  public:
    /// Null if there is no such name. Of several, which only their modules see, that of `module`, else the first.
    const Kernel* kernel(std::string_view name, u32 module = 0) const;
    const Symbol* variable(std::string_view name, u32 module = 0) const;
    const std::vector<Kernel>& kernels() const { return kernels_; }
    const std::vector<Symbol>& variables() const { return variables_; }
    /// cudaBindTexture*: what fetches through the .texref read from now on (0 unbinds). False: no such name.
    bool bind_texture(std::string_view name, u64 handle);

  private:
    friend class Context;
    std::vector<Kernel> kernels_;
    std::vector<Symbol> variables_;
    std::shared_ptr<Code> code_;
};

class Context {
  public:
    /// `device_bytes`: how much memory the device has.
    explicit Context(const DeviceLimits& limits = {}, u64 device_bytes = u64{80} << 30);
    ~Context();

    /// Links the modules (in this order) and loads them. Throws InputError for undefined or doubly defined
    /// names.
    /// `placed`: variables that live where the caller says, in memory that holds their values already.
    std::shared_ptr<Program> load(const std::vector<std::shared_ptr<const Module>>& modules,
                                  const std::map<std::string, u64, std::less<>>& placed = {});

    DeviceMemory& memory() { return memory_; }
    TextureTable& textures() { return textures_; }
    const DeviceLimits& limits() const { return limits_; }
    /// The kernel as it runs in such blocks: with as many registers a thread as an SM has for one of them (fit.h).
    const Kernel& fit(const Kernel& kernel, Dim3 block) const;
    /// CTAs of this shape that one SM holds (0: none fits), and the whole device.
    u32 resident_ctas_per_sm(const Kernel& kernel, Dim3 block, u32 dynamic_shared) const;
    u64 resident_ctas(const Kernel& kernel, Dim3 block, u32 dynamic_shared) const;

    /// Memory that the barrier of a cooperative launch counts in (%envreg1 and %envreg2 hold its address), zeroed.
    u64 cooperative_workspace();
    /// What accesses outside a surface reach where they shall read zeros, or be lost: 16 bytes each.
    u64 surface_zeros();
    u64 surface_sink() { return surface_zeros() + 16; }

    /// Where printf's text goes; standard output if not set.
    std::function<void(std::string_view)> print;
    /// Of accesses outside allocations; `warn` is where warnings go, which are dropped if it is not set.
    MemoryCheck memory_check = MemoryCheck::warn;
    std::function<void(const std::string&)> warn;
    /// True the first time for each line of a module's text.
    bool first_warning(const ast::Unit& unit, u32 line) { return warned_.emplace(&unit, line).second; }
    /// %globaltimer's value, in nanoseconds, and each warp's %clock at the start of the next kernel. See
    /// launch.h.
    u64 clock = 0;

  private:
    DeviceLimits limits_;
    DeviceMemory memory_;
    TextureTable textures_;
    u64 workspace_ = 0;
    u64 surface_zeros_ = 0;
    std::set<std::pair<const ast::Unit*, u32>> warned_;
};

}  // namespace heddle::ptx
