#include "ptx/module.h"

#include <algorithm>

#include "ptx/emit.h"
#include "ptx/parser.h"
#include "sim/error.h"

namespace heddle::ptx {

Module::Module() = default;
Module::~Module() = default;

namespace {

/// 75 of "sm_75", 90 of "sm_90a"; 0 if there is no number.
u32 architecture(std::string_view target) {
    u32 number = 0;
    for (const char c : target)
        if (c >= '0' && c <= '9') number = number * 10 + static_cast<u32>(c - '0');
    return number;
}

KernelDecl declare_kernel(const ast::Unit& unit, const ast::Function& f, const FunctionCode& code) {
    KernelDecl k;
    k.name = std::string(f.name);
    k.line = f.line;
    k.architecture = architecture(unit.target);
    for (const ast::Variable& v : f.params) {
        Param p;
        p.name = std::string(v.name);
        p.bytes = static_cast<u32>(v.bytes);
        p.align = v.align;
        p.offset = static_cast<u32>(ceil_div(k.param_bytes, v.align) * v.align);
        k.param_bytes = p.offset + p.bytes;
        k.params.push_back(std::move(p));
    }
    k.static_shared_bytes = code.shared_bytes;
    k.local_bytes = code.local_bytes;
    k.registers = code.registers;
    k.max_threads = f.max_threads;
    k.min_ctas = f.min_ctas;
    k.uses_dynamic_shared = code.uses_dynamic_shared;
    return k;
}

VariableDecl declare_variable(const ast::Variable& v) {
    VariableDecl d;
    d.name = std::string(v.name);
    d.line = v.line;
    d.space = v.type == Type::texref       ? VariableSpace::texture
              : v.type == Type::samplerref ? VariableSpace::sampler
              : v.type == Type::surfref    ? VariableSpace::surface
              : v.space == Space::constant ? VariableSpace::constant
                                           : VariableSpace::global;
    d.bytes = v.bytes;
    d.align = v.align;
    d.is_extern = v.is_extern;
    d.managed = v.managed;
    d.initialised = v.initialised;
    return d;
}

}  // namespace

std::shared_ptr<const Module> Module::parse(std::string_view text, std::string_view name) {
    std::shared_ptr<Module> m(new Module);
    m->name_ = name;
    m->unit_ = std::make_unique<ast::Unit>();
    ast::Unit& unit = *m->unit_;
    unit.name = name;
    unit.text = text;
    Parser(unit).parse();
    m->version_ = unit.version;
    m->target_ = unit.target;
    if (unit.address_size == 32)
        throw InputError(unit.place(1) + "modules with 32-bit addresses are not supported");
    for (const ast::Function& f : unit.functions) {
        if (!f.has_body) continue;
        const u32 most = f.max_registers != 0 ? std::clamp(f.max_registers, kFewestRegisters, kMostRegisters)
                                              : kMostRegisters;
        m->functions_.push_back(compile_function(unit, f, m->unsupported_, most));
        if (f.is_entry) m->kernels_.push_back(declare_kernel(unit, f, m->functions_.back()));
    }
    for (const ast::Variable& v : unit.variables)
        if (v.space != Space::shared) m->variables_.push_back(declare_variable(v));
    return m;
}

}  // namespace heddle::ptx
