#pragma once
// A PTX module: the text of one translation unit, parsed and checked, before it has addresses.
//
//     auto module = ptx::Module::parse(text, "vecadd.ptx");
//     for (const auto& k : module->kernels()) ...
//
// Parsing throws InputError "FILE:LINE: what is wrong" for text that isn't PTX. Instructions that are PTX but
// can't be executed (surfaces, matrix instructions, device-side launches) are no error here: unsupported()
// lists them, and executing one is. A module is immutable and holds no addresses; Context::load (context.h)
// links modules and gives their variables memory.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::ptx {

namespace ast {
struct Unit;
}
struct FunctionCode;

/// A parameter's place in the kernel's argument bytes.
struct Param {
    std::string name;
    u32 offset = 0, bytes = 0, align = 1;
};

/// What a launch and `heddle ptx` need to know of an .entry.
struct KernelDecl {
    std::string name;
    u32 line = 0;
    u32 architecture = 0;  // of its text's .target: 75 of sm_75
    std::vector<Param> params;
    u32 param_bytes = 0;
    u32 static_shared_bytes = 0;
    u32 local_bytes = 0;  // a thread's local depot, without callees
    // 32-bit registers a thread: estimate by liveness and linear scan, 255 or .maxnreg at most.
    u32 registers = 0;
    u32 max_threads = 0;  // .maxntid/.reqntid product; 0: not given
    u32 min_ctas = 0;     // .minnctapersm: CTAs that an SM shall hold; 0: not given
    bool uses_dynamic_shared = false;
};

enum class VariableSpace : u8 { global, constant, texture, sampler, surface };

/// A module-scope variable. `bytes` is 0 for an unsized extern array.
struct VariableDecl {
    std::string name;
    u32 line = 0;
    VariableSpace space = VariableSpace::global;
    u64 bytes = 0;
    u32 align = 1;
    bool is_extern = false;  // defined by another module
    bool managed = false;    // .attribute(.managed)
    bool initialised = false;
};

/// An instruction or call that parses and can't be executed.
struct Unsupported {
    std::string what;      // "wmma.load.a.sync.aligned...": matrix instruction
    std::string function;  // where it stands
    u32 line = 0;
};

class Module {
  public:
    static std::shared_ptr<const Module> parse(std::string_view text, std::string_view name);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    const std::string& name() const { return name_; }
    /// "9.0", "sm_75" as the text says.
    const std::string& version() const { return version_; }
    const std::string& target() const { return target_; }
    const std::vector<KernelDecl>& kernels() const { return kernels_; }
    const std::vector<VariableDecl>& variables() const { return variables_; }
    const std::vector<Unsupported>& unsupported() const { return unsupported_; }
    const ast::Unit& unit() const { return *unit_; }
    /// The functions with bodies, compiled, in the order of the text.
    const std::vector<FunctionCode>& functions() const { return functions_; }

  private:
    Module();

    std::string name_, version_, target_;
    std::vector<KernelDecl> kernels_;
    std::vector<VariableDecl> variables_;
    std::vector<Unsupported> unsupported_;
    std::unique_ptr<ast::Unit> unit_;
    std::vector<FunctionCode> functions_;
};

}  // namespace heddle::ptx
