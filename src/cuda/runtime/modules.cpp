#include "cuda/runtime/modules.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cuda/fatbin.h"
#include "ptx/module.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

std::map<CUmodule, std::unique_ptr<LoadedModule>> loaded_modules;

CUmodule load_texts(Runtime& r, const std::vector<std::string>& texts, const ErrorLog& log) {
    auto made = std::make_unique<LoadedModule>();
    try {
        made->code = r.load_code(texts);
    } catch (const InputError& error) {
        log.write(error.what());
        r.note(error.what());
        throw CudaError{cudaErrorInvalidPtx};
    }
    const auto handle = reinterpret_cast<CUmodule>(made.get());
    loaded_modules[handle] = std::move(made);
    return handle;
}

}  // namespace

ErrorLog::ErrorLog(unsigned count, const CUjit_option* options, void** values) {
    if (options == nullptr || values == nullptr) return;
    for (unsigned k = 0; k < count; ++k) {
        if (options[k] == CU_JIT_ERROR_LOG_BUFFER) text = static_cast<char*>(values[k]);
        if (options[k] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = reinterpret_cast<size_t>(values[k]);
        if (options[k] == CU_JIT_INFO_LOG_BUFFER && values[k] != nullptr) *static_cast<char*>(values[k]) = 0;
    }
    if (text != nullptr && bytes != 0) *text = 0;
}

void ErrorLog::write(const std::string& message) const {
    if (text == nullptr || bytes == 0) return;
    const size_t n = std::min(message.size(), bytes - 1);
    std::memcpy(text, message.data(), n);
    text[n] = 0;
}

LoadedModule& module_of(CUmodule handle) {
    const auto at = loaded_modules.find(handle);
    require(at != loaded_modules.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

LoadedFunction& function_of(CUfunction handle) {
    for (auto& [key, module] : loaded_modules)
        for (auto& [name, f] : module->functions)
            if (reinterpret_cast<CUfunction>(f.get()) == handle) return *f;
    throw CudaError{cudaErrorInvalidResourceHandle};
}

CUfunction function_in(CUmodule module, const std::string& name) {
    LoadedModule& m = module_of(module);
    require(m.code->program->kernel(name) != nullptr, cudaErrorSymbolNotFound);
    auto& f = m.functions[name];
    if (f == nullptr) {
        f = std::make_unique<LoadedFunction>();
        f->module = module;
        f->name = name;
        m.code->kernels[f.get()] = name;
    }
    return reinterpret_cast<CUfunction>(f.get());
}

void list_functions(CUmodule module, CUfunction* functions, unsigned count) {
    const auto& kernels = module_of(module).code->program->kernels();
    for (unsigned k = 0; k < std::min<std::size_t>(count, kernels.size()); ++k)
        functions[k] = function_in(module, kernels[k].decl.name);
}

const ptx::Symbol& variable_in(CUmodule module, const std::string& name) {
    const ptx::Symbol* s = module_of(module).code->program->variable(name);
    require(s != nullptr && s->address != 0, cudaErrorSymbolNotFound);
    return *s;
}

CUmodule load_image(Runtime& r, const char* name, const void* image, const ErrorLog& log) {
    std::vector<std::string> texts;
    try {
        texts = ptx_of_image(image);
    } catch (const InputError& error) {
        log.write(error.what());
        r.note(std::string(name) + ": " + error.what());
        throw CudaError{cudaErrorNoKernelImageForDevice};
    }
    return load_texts(r, texts, log);
}

void unload(Runtime& r, CUmodule module) {
    r.remove_fatbin(module_of(module).code);
    loaded_modules.erase(module);
}

std::string file_bytes(const char* path) {
    std::ifstream in(path, std::ios::binary);
    require(in.is_open(), cudaErrorFileNotFound);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::vector<std::string> split_modules(std::string_view text) {
    // What stands before the first .version (comments) belongs to the first module.
    std::vector<std::string> out;
    std::size_t begin = 0;
    bool seen = false;
    for (std::size_t line = 0; line < text.size();) {
        std::size_t end = text.find('\n', line);
        end = end == std::string_view::npos ? text.size() : end + 1;
        const std::size_t word = text.find_first_not_of(" \t", line);
        if (word < end && text.substr(word).starts_with(".version")) {
            if (seen) {
                out.emplace_back(text.substr(begin, line - begin));
                begin = line;
            }
            seen = true;
        }
        line = end;
    }
    out.emplace_back(text.substr(begin));
    return out;
}

std::vector<std::string> ptx_of_image(const void* image) {
    const auto* bytes = static_cast<const std::byte*>(image);
    u32 magic;
    std::memcpy(&magic, bytes, sizeof magic);
    if (magic == kWrapperMagic) {
        // {magic, version, data}: what nvcc -fatbin -c and the runtime's registration use.
        const void* data;
        std::memcpy(&data, bytes + 8, sizeof data);
        return ptx_of_image(data);
    }
    if (magic == kContainerMagic) {
        const u64 n = container_bytes({bytes, kContainerHeader});
        return {choose_ptx(read_container({bytes, n})).text};
    }
    if (std::memcmp(bytes, "\177ELF", 4) == 0)
        throw InputError(
            "the image is machine code (a cubin); Heddle executes PTX: nvcc -ptx, or -arch=compute_NN for a "
            "fat binary");
    return split_modules(static_cast<const char*>(image));
}

FatbinRegistration* Runtime::load_code(const std::vector<std::string>& texts) {
    std::vector<std::shared_ptr<const ptx::Module>> parsed;
    for (const std::string& text : texts)
        parsed.push_back(ptx::Module::parse(text, "module" + std::to_string(++loaded_texts_) + ".ptx"));
    auto program = context_.load(parsed);
    auto registration = std::make_unique<FatbinRegistration>();
    registration->modules = std::move(parsed);
    registration->program = std::move(program);
    fatbins_.push_back(std::move(registration));
    return fatbins_.back().get();
}

}  // namespace heddle::cuda
