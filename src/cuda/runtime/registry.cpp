// Code that the program registers before main: fat binaries, kernels, variables, textures.

#include <algorithm>
#include <cstring>

#include "cuda/fatbin.h"
#include "cuda/runtime/runtime.h"
#include "ptx/parser.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

/// __cudaRegisterFatBinary's argument.
struct Wrapper {
    u32 magic, version;
    const void* data;         // the container, or PTX text (clang)
    const void* const* list;  // version 2: the containers of relocatable code, up to a null pointer
};

std::span<const std::byte> container_at(const void* data) {
    const auto* bytes = static_cast<const std::byte*>(data);
    const u64 n = container_bytes({bytes, kContainerHeader});
    if (n == 0) throw InputError("the program's fat binary is invalid: its first bytes do not match");
    return {bytes, n};
}

std::string text_of(const void* data) {
    u32 magic;
    std::memcpy(&magic, data, sizeof magic);
    if (magic != kContainerMagic) return static_cast<const char*>(data);
    return choose_ptx(read_container(container_at(data))).text;
}

}  // namespace

FatbinRegistration* Runtime::add_fatbin(const void* wrapper) {
    auto registration = std::make_unique<FatbinRegistration>();
    registration->wrappers.push_back(wrapper);
    registration->number = ++modules_;
    fatbins_.push_back(std::move(registration));
    return fatbins_.back().get();
}

FatbinRegistration* Runtime::add_relocatable(const void* wrapper) {
    if (relocatable_ == nullptr || relocatable_->program != nullptr)
        return relocatable_ = add_fatbin(wrapper);
    ++modules_;
    relocatable_->wrappers.push_back(wrapper);
    return relocatable_;
}

void Runtime::remove_fatbin(FatbinRegistration* registration) {
    if (registration == relocatable_) relocatable_ = nullptr;
    std::erase_if(fatbins_, [&](const auto& f) { return f.get() == registration; });
}

void Runtime::parse(FatbinRegistration& registration) {
    auto add = [&](const void* data) {
        const std::string text = text_of(data);
        if (is_device_runtime(text)) return;
        // "heddle ptx --text PROGRAM" shows the lines that messages name; it counts in the file's order.
        const u64 number = registration.number + registration.modules.size();
        registration.modules.push_back(
            ptx::Module::parse(text, program_ + ".ptx" + (number == 1 ? "" : std::to_string(number))));
    };
    for (const void* wrapper : registration.wrappers) {
        registration.first_module.push_back(registration.modules.size());
        Wrapper w;
        std::memcpy(&w, wrapper, sizeof w);
        if (w.magic != kWrapperMagic)
            throw InputError("the program registers code in a format unknown to Heddle");
        if (w.version == 2 && w.list != nullptr) {
            for (const void* const* p = w.list; *p != nullptr; ++p) add(*p);
        } else {
            add(w.data);
        }
    }
}

void Runtime::load(FatbinRegistration& registration) {
    if (registration.program != nullptr) return;
    if (registration.modules.empty()) parse(registration);
    registration.program = context_.load(registration.modules, registration.shared_with_host);
}

namespace {

/// The module of the file that has registered the part.
u32 module_of(const FatbinRegistration& f, const void* host) {
    const auto at = f.wrapper_of.find(host);
    return at == f.wrapper_of.end() ? 0 : static_cast<u32>(f.first_module.at(at->second));
}

}  // namespace

const ptx::Kernel& Runtime::kernel(const void* host) {
    for (auto& f : fatbins_) {
        const auto at = f->kernels.find(host);
        if (at == f->kernels.end()) continue;
        load(*f);
        const ptx::Kernel* k = f->program->kernel(at->second, module_of(*f, host));
        if (k == nullptr) throw InputError("the program's PTX has no kernel '" + at->second + "'");
        return *k;
    }
    throw CudaError{cudaErrorInvalidDeviceFunction};
}

const ptx::Symbol& Runtime::symbol(const void* host) {
    for (auto& f : fatbins_) {
        const auto at = f->variables.find(host);
        if (at == f->variables.end()) continue;
        load(*f);
        const ptx::Symbol* s = f->program->variable(at->second, module_of(*f, host));
        if (s == nullptr) throw InputError("the program's PTX has no variable '" + at->second + "'");
        return *s;
    }
    throw CudaError{cudaErrorInvalidSymbol};
}

std::shared_ptr<ptx::Program> Runtime::program_of_texture(const void* reference, std::string& name) {
    for (auto& f : fatbins_) {
        const auto at = f->textures.find(reference);
        if (at == f->textures.end()) continue;
        load(*f);
        name = at->second;
        return f->program;
    }
    throw CudaError{cudaErrorInvalidTexture};
}

void Runtime::load_managed() {
    for (auto& f : fatbins_) {
        if (f->managed.empty()) continue;
        load(*f);
        for (auto& [name, pointer] : f->managed)
            if (const ptx::Symbol* s = f->program->variable(name))
                *pointer = reinterpret_cast<void*>(s->address);
    }
}

bool Runtime::in_managed_section(const char* host) const {
    return std::any_of(managed_sections_.begin(), managed_sections_.end(),
                       [&](const auto& s) { return host >= s.first && host < s.second; });
}

void Runtime::initialise_managed(const FatbinRegistration& registration) {
    if (registration.shared_with_host.empty()) return;
    Wrapper w;
    std::memcpy(&w, registration.wrappers.back(), sizeof w);
    ptx::ast::Unit unit;
    unit.name = program_ + ".ptx";
    unit.text = text_of(w.data);
    ptx::Parser(unit).parse();
    for (const ptx::ast::Variable& v : unit.variables) {
        const auto at = registration.shared_with_host.find(v.name);
        if (at == registration.shared_with_host.end() || v.is_extern) continue;
        if (!v.relocations.empty())
            throw InputError("the managed variable '" + at->first +
                             "' begins with an address, which Heddle can't give it before main");
        auto* const bytes = reinterpret_cast<std::byte*>(at->second);
        std::fill_n(bytes, v.bytes, std::byte{0});
        if (!v.data.empty()) std::memcpy(bytes, v.data.data(), v.data.size());
    }
}

}  // namespace heddle::cuda

using heddle::u64;
using heddle::cuda::call_without_context;
using heddle::cuda::FatbinRegistration;
using heddle::cuda::Runtime;

namespace {

FatbinRegistration& of(void** handle) {
    return *reinterpret_cast<FatbinRegistration*>(handle);
}

/// Of several files that are linked together: the part is of the one that registers now.
void note_file(FatbinRegistration& f, const void* host) {
    if (f.wrappers.size() > 1) f.wrapper_of[host] = f.wrappers.size() - 1;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    FatbinRegistration* f = nullptr;
    call_without_context(
        "__cudaRegisterFatBinary", [&](Runtime& r) { f = r.add_fatbin(wrapper); }, true);
    return reinterpret_cast<void**>(f);
}

void __cudaRegisterFatBinaryEnd(void** handle) {
    call_without_context(
        "__cudaRegisterFatBinaryEnd", [&](Runtime& r) { r.initialise_managed(of(handle)); }, true);
}

/// Where a file compiled by `heddle cc` keeps its managed variables; called before it registers them.
void __cudaManagedSectionHeddle(const char* begin, const char* end) {
    call_without_context(
        "__cudaManagedSectionHeddle", [&](Runtime& r) { r.add_managed_section(begin, end); }, true);
}

/// What a file compiled by `heddle cc -rdc=true` calls before main in place of the function that nvlink would write for it:
/// `names` registers the file's kernels and variables under the handle.
void __cudaRegisterRelocatableHeddle(void (*names)(void**), void* wrapper, void*, void (*)(void*)) {
    FatbinRegistration* f = nullptr;
    call_without_context(
        "__cudaRegisterRelocatableHeddle", [&](Runtime& r) { f = r.add_relocatable(wrapper); }, true);
    names(reinterpret_cast<void**>(f));
    call_without_context(
        "__cudaRegisterRelocatableHeddle", [&](Runtime& r) { r.initialise_managed(*f); }, true);
}

void __cudaUnregisterFatBinary(void** handle) {
    call_without_context(
        "__cudaUnregisterFatBinary", [&](Runtime& r) { r.remove_fatbin(&of(handle)); }, true);
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
    call_without_context(
        "__cudaRegisterFunction",
        [&](Runtime&) {
            of(handle).kernels[host] = name;
            note_file(of(handle), host);
        },
        true);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
    call_without_context(
        "__cudaRegisterVar",
        [&](Runtime& r) {
            of(handle).variables[host] = name;
            note_file(of(handle), host);
            if (r.in_managed_section(host)) of(handle).shared_with_host[name] = reinterpret_cast<u64>(host);
        },
        true);
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t, int,
                              int) {
    call_without_context(
        "__cudaRegisterManagedVar",
        [&](Runtime&) {
            of(handle).managed[name] = host;
            of(handle).variables[host] = name;
        },
        true);
}

void __cudaRegisterTexture(void** handle, const textureReference* host, const void**, const char* name, int,
                           int, int) {
    call_without_context(
        "__cudaRegisterTexture", [&](Runtime&) { of(handle).textures[host] = name; }, true);
}

void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

char __cudaInitModule(void**) {
    call_without_context(
        "__cudaInitModule", [](Runtime& r) { r.load_managed(); }, true);
    return 1;
}
}
