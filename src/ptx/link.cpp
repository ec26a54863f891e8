// Context::load: names become addresses.

#include <algorithm>
#include <cstring>

#include "ptx/context.h"
#include "ptx/device_runtime.h"
#include "ptx/emit.h"
#include "ptx/fit.h"
#include "ptx/ir.h"
#include "sim/error.h"

namespace heddle::ptx {

namespace {

using NameMap = std::map<std::string_view, u32>;

class Linker {
  public:
    Linker(DeviceMemory& memory, const std::vector<std::shared_ptr<const Module>>& modules,
           const std::map<std::string, u64, std::less<>>& given)
        : memory_(memory),
          modules_(modules),
          given_(given),
          own_functions_(modules.size()),
          own_variables_(modules.size()) {
        code_ = std::make_shared<Code>();
        code_->modules = modules;
    }

    void functions() {
        for (u32 m = 0; m < modules_.size(); ++m) {
            const ast::Unit& unit = modules_[m]->unit();
            for (const FunctionCode& f : modules_[m]->functions()) {
                const u32 id = static_cast<u32>(code_->functions.size());
                code_->functions.emplace_back().code = &f;
                module_of_.push_back(m);
                own_functions_[m].emplace(f.name, id);
                const ast::Function& ast = unit.functions[unit.function_ids.at(unit.name_ids.at(f.name))];
                if (ast.is_static) continue;
                const auto [at, added] = functions_.emplace(f.name, id);
                const ast::Unit& other = *code_->functions[at->second].code->unit;
                if (!added && !ast.is_weak &&
                    !other.functions[other.function_ids.at(other.name_ids.at(f.name))].is_weak)
                    throw InputError(unit.place(f.line) + "'" + f.name + "' is also defined in " +
                                     other.name + ":" +
                                     std::to_string(code_->functions[at->second].code->line));
            }
        }
    }

    void variables() {
        for (u32 m = 0; m < modules_.size(); ++m)
            for (const ast::Variable& v : modules_[m]->unit().variables) {
                if (v.is_extern && !(v.space == Space::shared && v.bytes == 0)) continue;
                const u32 id = static_cast<u32>(variables_.size());
                const auto same = globals_.find(v.name);
                if (!v.is_static && same != globals_.end()) {
                    if (!v.is_weak && !variables_[same->second].v->is_weak && v.space != Space::shared)
                        throw InputError(modules_[m]->unit().place(v.line) + "'" + std::string(v.name) +
                                         "' is defined twice");
                    own_variables_[m].emplace(v.name, same->second);
                    continue;
                }
                own_variables_[m].emplace(v.name, id);
                if (!v.is_static) globals_.emplace(v.name, id);
                variables_.push_back({&v, m, place(v)});
            }
    }

    void initialise() {
        for (const Placed& p : variables_) {
            if (p.v->data.empty() && p.v->relocations.empty()) continue;
            if (given_.contains(p.v->name)) continue;
            std::memcpy(reinterpret_cast<void*>(p.address), p.v->data.data(), p.v->data.size());
            for (const ast::Relocation& r : p.v->relocations) {
                const std::string_view name = modules_[p.module]->unit().names[r.name];
                const u64 value =
                    (address_of(p.module, name, p.v->line, r.generic) + static_cast<u64>(r.addend)) >>
                    r.shift;
                std::memcpy(reinterpret_cast<void*>(p.address + r.at), &value, r.bytes);
            }
        }
    }

    void link() {
        for (u32 id = 0; id < code_->functions.size(); ++id) {
            LinkedFunction& f = code_->functions[id];
            for (const CallSite& site : f.code->calls) {
                u32 callee = ast::kNone;
                if (!site.callee.empty()) {
                    callee = find_function(module_of_[id], site.callee);
                    if (callee == ast::kNone)
                        throw InputError(f.code->unit->place(site.line) + "function '" + site.callee +
                                         "' is not defined");
                }
                f.callees.push_back(callee);
            }
            uses(id);
        }
        for (u32 id = 0; id < code_->functions.size(); ++id) reach(id);
        place_shared();
        for (u32 id = 0; id < code_->functions.size(); ++id) constants(id);
    }

    std::vector<Kernel> kernels() const {
        std::vector<Kernel> list;
        for (u32 m = 0, id = 0; m < modules_.size(); ++m) {
            u32 k = 0;
            for (const FunctionCode& code : modules_[m]->functions()) {
                if (code.is_entry) {
                    Kernel kernel;
                    kernel.decl = modules_[m]->kernels()[k++];
                    kernel.code = code_;
                    kernel.function = id;
                    kernel.module = m;
                    const LinkedFunction& f = code_->functions[id];
                    for (u32 r : f.reach)
                        kernel.registers = std::max(kernel.registers, code_->functions[r].code->registers);
                    kernel.static_shared_bytes = f.own_shared + code.shared_bytes;
                    list.push_back(std::move(kernel));
                }
                ++id;
            }
        }
        return list;
    }

    std::vector<Symbol> symbols() const {
        std::vector<Symbol> list;
        for (u32 m = 0; m < modules_.size(); ++m)
            for (const VariableDecl& v : modules_[m]->variables()) {
                if (v.is_extern) continue;
                const u32 id = own_variables_[m].at(v.name);
                if (variables_[id].module != m) continue;
                list.push_back({v, m, variables_[id].address});
            }
        return list;
    }
    std::shared_ptr<Code> code() const { return code_; }

  private:
    struct Placed {
        const ast::Variable* v;
        u32 module;
        u64 address;
    };

    u64 place(const ast::Variable& v) {
        if (v.space == Space::shared) return 0;  // place_shared() does it
        if (v.type == Type::texref) {
            const u64 reference = kTextureReference + code_->textures->names.size();
            code_->textures->names[reference] = v.name;
            return reference;
        }
        if (v.type == Type::samplerref || v.type == Type::surfref || v.bytes == 0) return 0;
        if (const auto at = given_.find(v.name); at != given_.end()) {
            if (!memory_.register_host(reinterpret_cast<void*>(at->second), v.bytes, MemoryKind::managed))
                throw InputError("the variable '" + std::string(v.name) +
                                 "' lies in memory that is registered already");
            return at->second;
        }
        const MemoryKind kind = v.managed                    ? MemoryKind::managed
                                : v.space == Space::constant ? MemoryKind::constant
                                                             : MemoryKind::module;
        const u64 at = memory_.allocate(kind, v.bytes, std::max(v.align, 4u), v.name);
        if (at == 0)
            throw InputError("no room for the variable '" + std::string(v.name) + "' of " +
                             std::to_string(v.bytes) + " bytes");
        return at;
    }

    u32 find_function(u32 module, std::string_view name) const {
        if (const auto own = own_functions_[module].find(name); own != own_functions_[module].end())
            return own->second;
        const auto at = functions_.find(name);
        return at == functions_.end() ? ast::kNone : at->second;
    }

    u64 address_of(u32 module, std::string_view name, u32 line, bool generic) {
        if (const u32 id = find_variable(module, name); id != ast::kNone)
            return variables_[id].address +
                   (generic && variables_[id].v->space == Space::shared ? kSharedWindow : 0);
        const u32 f = find_function(module, name);
        if (f == ast::kNone)
            throw InputError(modules_[module]->unit().place(line) + "'" + std::string(name) +
                             "' is not defined");
        taken_.push_back(f);
        return function_address(f);
    }

    u32 find_variable(u32 module, std::string_view name) const {
        if (const auto own = own_variables_[module].find(name); own != own_variables_[module].end())
            return own->second;
        const auto at = globals_.find(name);
        return at == globals_.end() ? ast::kNone : at->second;
    }

    /// The shared variables and the functions' addresses that a function's code names.
    void uses(u32 id) {
        const FunctionCode& code = *code_->functions[id].code;
        auto& used = shared_of_.emplace_back();
        for (const Constant& c : code.constants) {
            if (c.kind != Constant::Kind::variable && c.kind != Constant::Kind::function) continue;
            const std::string_view name = code.unit->names[c.name];
            const u32 v = find_variable(module_of_[id], name);
            if (v == ast::kNone)
                address_of(module_of_[id], name, code.line, false);
            else if (variables_[v].v->space == Space::shared && variables_[v].v->bytes != 0)
                used.push_back(v);
        }
    }

    /// The shared variables of all that a kernel may come to call, in order.
    std::vector<u32> shared_of_kernel(const LinkedFunction& kernel) const {
        std::vector<u32> all;
        for (u32 r : kernel.reach) all.insert(all.end(), shared_of_[r].begin(), shared_of_[r].end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    /// A kernel's block has what the kernel uses, not what others of its module do. A variable has one address for all kernels
    /// that use it: the first that is free in each of them. What several kernels have in common goes first.
    void place_shared() {
        std::vector<u32> top(code_->functions.size());  // by function, of kernels
        std::vector<std::vector<u32>> kernels_of(variables_.size()), kernels_calling(top.size());
        for (u32 id = 0; id < top.size(); ++id) {
            const LinkedFunction& f = code_->functions[id];
            if (!f.code->is_entry) continue;
            for (u32 v : shared_of_kernel(f)) kernels_of[v].push_back(id);
            for (u32 r : f.reach) kernels_calling[r].push_back(id);
        }
        auto put = [&top](const std::vector<u32>& kernels, u64 bytes, u32 align) {
            u32 at = 0;
            for (u32 k : kernels) at = std::max(at, top[k]);
            at = static_cast<u32>(ceil_div(at, align) * align);
            for (u32 k : kernels) top[k] = at + static_cast<u32>(bytes);
            return at;
        };
        auto place = [&](bool common) {
            for (u32 v = 0; v < variables_.size(); ++v)
                if (!kernels_of[v].empty() && (kernels_of[v].size() > 1) == common)
                    variables_[v].address =
                        put(kernels_of[v], variables_[v].v->bytes, variables_[v].v->align);
        };
        place(true);
        for (u32 id = 0; id < top.size(); ++id)
            if (LinkedFunction& f = code_->functions[id]; !f.code->is_entry && f.code->shared_bytes != 0)
                f.own_shared = put(kernels_calling[id], f.code->shared_bytes, f.code->shared_align);
        place(false);
        for (u32 id = 0; id < top.size(); ++id)
            if (LinkedFunction& f = code_->functions[id]; f.code->is_entry)
                f.own_shared = put({id}, 0, f.code->shared_align);
    }

    void constants(u32 id) {
        LinkedFunction& f = code_->functions[id];
        f.constants.resize(f.code->constants.size() * kSlotBytes);
        for (std::size_t k = 0; k < f.code->constants.size(); ++k) {
            const Constant& c = f.code->constants[k];
            u64 value = c.value;
            if (c.kind == Constant::Kind::own_shared) value += f.own_shared;
            if (c.kind == Constant::Kind::variable || c.kind == Constant::Kind::function)
                value += address_of(module_of_[id], f.code->unit->names[c.name], f.code->line, false);
            splat(f.constants.data() + k * kSlotBytes, value, c.width == Width::w64);
        }
    }

    void reach(u32 id) {
        LinkedFunction& f = code_->functions[id];
        f.reach.assign(1, id);
        for (std::size_t k = 0; k < f.reach.size(); ++k) {
            const LinkedFunction& g = code_->functions[f.reach[k]];
            auto add = [&](u32 callee) {
                if (callee != ast::kNone &&
                    std::find(f.reach.begin(), f.reach.end(), callee) == f.reach.end())
                    f.reach.push_back(callee);
            };
            for (u32 callee : g.callees) add(callee);
            if (g.code->calls_indirect)
                for (u32 callee : taken_) add(callee);
        }
    }

    DeviceMemory& memory_;
    const std::vector<std::shared_ptr<const Module>>& modules_;
    const std::map<std::string, u64, std::less<>>& given_;
    std::shared_ptr<Code> code_;
    std::vector<NameMap> own_functions_, own_variables_;
    NameMap functions_, globals_;
    std::vector<Placed> variables_;
    std::vector<u32> module_of_, taken_;
    // By function: the module's shared variables that its code names.
    std::vector<std::vector<u32>> shared_of_;
};

}  // namespace

Context::Context(const DeviceLimits& limits, u64 device_bytes) : limits_(limits), memory_(device_bytes) {}
Context::~Context() = default;

u64 Context::cooperative_workspace() {
    constexpr u64 kBytes = 256;
    if (workspace_ == 0)
        workspace_ = memory_.allocate(MemoryKind::module, kBytes, 16, "cooperative launch workspace");
    std::memset(reinterpret_cast<void*>(workspace_), 0, kBytes);
    return workspace_;
}

u64 Context::surface_zeros() {
    if (surface_zeros_ == 0)
        surface_zeros_ = memory_.allocate(MemoryKind::module, 32, 16, "outside of surfaces");
    return surface_zeros_;
}

std::shared_ptr<Program> Context::load(const std::vector<std::shared_ptr<const Module>>& given,
                                       const std::map<std::string, u64, std::less<>>& placed) {
    std::vector<std::shared_ptr<const Module>> modules = given;
    if (auto runtime = device_runtime(given)) modules.push_back(std::move(runtime));
    Linker linker(memory_, modules, placed);
    linker.functions();
    linker.variables();
    linker.initialise();
    linker.link();
    auto program = std::make_shared<Program>();
    program->kernels_ = linker.kernels();
    for (Kernel& k : program->kernels_) {
        const u32 most = register_limit(limits_, k.decl);
        if (most >= kFewestRegisters && k.registers > most) k = Kernel(fitted(k, most));
    }
    for (const Kernel& k : program->kernels_) linker.code()->kernels[k.function] = &k;
    for (const Kernel& k : program->kernels_) k.code->kernels = linker.code()->kernels;
    program->variables_ = linker.symbols();
    program->code_ = linker.code();
    return program;
}

namespace {

template <class T>
const T* named(const std::vector<T>& list, std::string_view name, u32 module) {
    const T* first = nullptr;
    for (const T& one : list) {
        if (one.decl.name != name) continue;
        if (one.module == module) return &one;
        if (first == nullptr) first = &one;
    }
    return first;
}

}  // namespace

const Kernel* Program::kernel(std::string_view name, u32 module) const {
    return named(kernels_, name, module);
}

const Symbol* Program::variable(std::string_view name, u32 module) const {
    return named(variables_, name, module);
}

bool Program::bind_texture(std::string_view name, u64 handle) {
    const Symbol* s = variable(name);
    if (s == nullptr || s->decl.space != VariableSpace::texture) return false;
    code_->textures->bindings[std::string(name)] = handle;
    return true;
}

u32 Context::resident_ctas_per_sm(const Kernel& kernel, Dim3 block, u32 dynamic_shared) const {
    const u64 threads = block.count(), warps = ceil_div(threads, kLanes);
    if (threads == 0 || threads > limits_.threads_per_cta) return 0;
    u64 n = std::min<u64>(limits_.ctas_per_sm, limits_.threads_per_sm / threads);
    n = std::min(n, limits_.warps_per_sm / warps);
    const u64 shared = u64{kernel.static_shared_bytes} + dynamic_shared;
    if (shared > limits_.shared_per_cta) return 0;
    const u64 all_shared = shared + limits_.reserved_shared_per_cta;
    if (all_shared != 0) n = std::min(n, limits_.shared_per_sm / all_shared);
    const u64 granule = limits_.register_granule, needed = fit(kernel, block).registers;
    const u64 registers = std::max<u64>(ceil_div(needed * kLanes, granule), 1) * granule * warps;
    n = std::min(n, limits_.registers_per_sm / registers);
    return static_cast<u32>(n);
}

const Kernel& Context::fit(const Kernel& kernel, Dim3 block) const {
    const u32 most = register_limit(limits_, block.count());
    return most < kFewestRegisters ? kernel : fitted(kernel, most);
}

u64 Context::resident_ctas(const Kernel& kernel, Dim3 block, u32 dynamic_shared) const {
    return u64{resident_ctas_per_sm(kernel, block, dynamic_shared)} * limits_.sms;
}

}  // namespace heddle::ptx
