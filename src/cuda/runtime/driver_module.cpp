// The driver API: modules, their functions and variables, linking, launches.

#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "cuda/fatbin.h"
#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"
#include "ptx/module.h"
#include "sim/error.h"

using namespace heddle::cuda;
using heddle::InputError;
using heddle::u32;
using heddle::u64;

namespace {

struct DriverFunction {
    CUmodule module = nullptr;
    std::string name;
    // Of CUDA 3's launches.
    dim3 block{1, 1, 1};
    unsigned shared = 0;
    std::vector<std::byte> arguments;
};

struct DriverModule {
    FatbinRegistration* code = nullptr;
    std::map<std::string, std::unique_ptr<DriverFunction>> functions;
};
std::map<CUmodule, std::unique_ptr<DriverModule>> modules;

struct LinkState {
    std::string text;
};
std::map<CUlinkState, std::unique_ptr<LinkState>> links;

DriverModule& module_of(CUmodule handle) {
    const auto at = modules.find(handle);
    require(at != modules.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

LinkState& link_of(CUlinkState handle) {
    const auto at = links.find(handle);
    require(at != links.end(), cudaErrorInvalidResourceHandle);
    return *at->second;
}

DriverFunction& function_of(CUfunction handle) {
    for (auto& [key, module] : modules)
        for (auto& [name, f] : module->functions)
            if (reinterpret_cast<CUfunction>(f.get()) == handle) return *f;
    throw CudaError{cudaErrorInvalidResourceHandle};
}

/// The place that the caller gave for the text of errors.
struct ErrorLog {
    char* text = nullptr;
    size_t bytes = 0;

    ErrorLog(unsigned count, const CUjit_option* options, void** values) {
        for (unsigned k = 0; options != nullptr && k < count; ++k) {
            if (options[k] == CU_JIT_ERROR_LOG_BUFFER) text = static_cast<char*>(values[k]);
            if (options[k] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) bytes = reinterpret_cast<size_t>(values[k]);
        }
        if (text != nullptr && bytes != 0) *text = 0;
        for (unsigned k = 0; options != nullptr && k < count; ++k)
            if (options[k] == CU_JIT_INFO_LOG_BUFFER && values[k] != nullptr)
                *static_cast<char*>(values[k]) = 0;
    }

    void write(const std::string& message) const {
        if (text == nullptr || bytes == 0) return;
        const size_t n = std::min(message.size(), bytes - 1);
        std::memcpy(text, message.data(), n);
        text[n] = 0;
    }
};

CUmodule load(Runtime& r, const std::vector<std::string>& texts, const ErrorLog& log) {
    auto made = std::make_unique<DriverModule>();
    try {
        made->code = r.load_code(texts);
    } catch (const InputError& error) {
        log.write(error.what());
        r.note(error.what());
        throw CudaError{cudaErrorInvalidPtx};
    }
    const auto handle = reinterpret_cast<CUmodule>(made.get());
    modules[handle] = std::move(made);
    return handle;
}

CUresult load_image(const char* name, CUmodule* module, const void* image, unsigned count,
                    const CUjit_option* options, void** values) {
    return driver_call(name, [&](Runtime& r) {
        require(module != nullptr && image != nullptr);
        const ErrorLog log(count, options, values);
        std::vector<std::string> texts;
        try {
            texts = ptx_of_image(image);
        } catch (const InputError& error) {
            log.write(error.what());
            r.note(std::string(name) + ": " + error.what());
            throw CudaError{cudaErrorNoKernelImageForDevice};
        }
        *module = load(r, texts, log);
    });
}

std::string file_bytes(const char* path) {
    std::ifstream in(path, std::ios::binary);
    require(in.is_open(), cudaErrorFileNotFound);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

/// One packed block of arguments into pointers at each of them.
std::vector<void*> unpack(Runtime& r, CUfunction function, void** extra) {
    std::byte* block = nullptr;
    size_t bytes = 0;
    for (void** p = extra; *p != CU_LAUNCH_PARAM_END; p += 2) {
        if (*p == CU_LAUNCH_PARAM_BUFFER_POINTER) block = static_cast<std::byte*>(p[1]);
        if (*p == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<size_t*>(p[1]);
    }
    std::vector<void*> out;
    for (const heddle::ptx::Param& p : r.kernel(function).decl.params) {
        require(block != nullptr && u64{p.offset} + p.bytes <= bytes);
        out.push_back(block + p.offset);
    }
    return out;
}

CUresult launch_shaped(const char* name, CUfunction function, dim3 grid, CUstream stream) {
    return driver_call(name, [&](Runtime& r) {
        DriverFunction& f = function_of(function);
        size_t bytes = f.arguments.size();
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, f.arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                         &bytes, CU_LAUNCH_PARAM_END};
        std::vector<void*> params = unpack(r, function, extra);
        if (const cudaError_t e = cudaLaunchKernel(function, grid, f.block, params.data(), f.shared, stream);
            e != cudaSuccess)
            throw CudaError{e};
    });
}

CUresult set_argument(CUfunction function, int offset, const void* data, size_t bytes) {
    return driver_call("cuParamSet", [&](Runtime&) {
        DriverFunction& f = function_of(function);
        require(offset >= 0 && data != nullptr);
        const size_t end = static_cast<size_t>(offset) + bytes;
        if (f.arguments.size() < end) f.arguments.resize(end);
        std::memcpy(f.arguments.data() + offset, data, bytes);
    });
}

/// The largest blocks of whole warps that keep the most threads of an SM busy.
CUresult potential_block_size(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size,
                              size_t shared, int limit) {
    return driver_call("cuOccupancyMaxPotentialBlockSize", [&](Runtime& r) {
        require(grid != nullptr && block != nullptr);
        const heddle::ptx::Kernel& kernel = r.kernel(function);
        const heddle::ptx::DeviceLimits& limits = r.device().limits;
        u32 most = limits.threads_per_cta, best = 0, best_threads = 0, best_ctas = 0;
        if (kernel.decl.max_threads != 0) most = std::min(most, kernel.decl.max_threads);
        if (limit > 0) most = std::min(most, static_cast<u32>(limit));
        for (u32 threads = most; threads > 0; threads = threads > 32 ? (threads - 1) / 32 * 32 : 0) {
            const size_t bytes = size != nullptr ? size(static_cast<int>(threads)) : shared;
            const u32 ctas =
                r.context().resident_ctas_per_sm(kernel, {threads, 1, 1}, static_cast<u32>(bytes));
            if (ctas * threads <= best) continue;
            best = ctas * threads;
            best_threads = threads;
            best_ctas = ctas;
        }
        *block = static_cast<int>(best_threads);
        *grid = static_cast<int>(best_ctas * limits.sms);
    });
}

}  // namespace

namespace heddle::cuda {

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

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* file) {
    std::string bytes;
    const CUresult read = driver_call("cuModuleLoad", [&](Runtime&) {
        require(file != nullptr);
        bytes = file_bytes(file);
    });
    return read != CUDA_SUCCESS ? read
                                : load_image("cuModuleLoad", module, bytes.c_str(), 0, nullptr, nullptr);
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return load_image("cuModuleLoadData", module, image, 0, nullptr, nullptr);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
    return load_image("cuModuleLoadDataEx", module, image, count, options, values);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
    return load_image("cuModuleLoadFatBinary", module, image, 0, nullptr, nullptr);
}
CUresult cuModuleUnload(CUmodule module) {
    return driver_call("cuModuleUnload", [&](Runtime& r) {
        r.remove_fatbin(module_of(module).code);
        modules.erase(module);
    });
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return driver_call("cuModuleGetFunction", [&](Runtime&) {
        require(function != nullptr && name != nullptr);
        DriverModule& m = module_of(module);
        require(m.code->program->kernel(name) != nullptr, cudaErrorSymbolNotFound);
        auto& f = m.functions[name];
        if (f == nullptr) {
            f = std::make_unique<DriverFunction>();
            f->module = module;
            f->name = name;
            m.code->kernels[f.get()] = name;
        }
        *function = reinterpret_cast<CUfunction>(f.get());
    });
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
    return driver_call("cuModuleGetGlobal", [&](Runtime&) {
        require(name != nullptr && (pointer != nullptr || bytes != nullptr));
        const heddle::ptx::Symbol* s = module_of(module).code->program->variable(name);
        require(s != nullptr && s->address != 0, cudaErrorSymbolNotFound);
        if (pointer != nullptr) *pointer = s->address;
        if (bytes != nullptr) *bytes = s->decl.bytes;
    });
}

CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* state) {
    return driver_call("cuLinkCreate", [&](Runtime&) {
        require(state != nullptr);
        auto made = std::make_unique<LinkState>();
        *state = reinterpret_cast<CUlinkState>(made.get());
        links[*state] = std::move(made);
    });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t bytes, const char*, unsigned int,
                       CUjit_option*, void**) {
    return driver_call("cuLinkAddData", [&](Runtime& r) {
        require(data != nullptr && bytes != 0);
        // Text may end before the bytes do, and need not end with a zero.
        const std::string copy(static_cast<const char*>(data), bytes);
        try {
            for (const std::string& text : ptx_of_image(copy.c_str())) link_of(state).text += text + "\n";
        } catch (const InputError& error) {
            r.note(std::string("cuLinkAddData: ") + error.what());
            throw CudaError{cudaErrorNoKernelImageForDevice};
        }
    });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned int count,
                       CUjit_option* options, void** values) {
    std::string bytes;
    const CUresult read = driver_call("cuLinkAddFile", [&](Runtime&) {
        require(file != nullptr);
        bytes = file_bytes(file);
    });
    return read != CUDA_SUCCESS
               ? read
               : cuLinkAddData(state, type, bytes.data(), bytes.size(), file, count, options, values);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
    return driver_call("cuLinkComplete", [&](Runtime&) {
        require(image != nullptr);
        LinkState& link = link_of(state);
        *image = link.text.data();
        if (bytes != nullptr) *bytes = link.text.size() + 1;
    });
}
CUresult cuLinkDestroy(CUlinkState state) {
    return driver_call("cuLinkDestroy", [&](Runtime&) {
        link_of(state);
        links.erase(state);
    });
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** params, void** extra) {
    return driver_call("cuLaunchKernel", [&](Runtime& r) {
        require(params == nullptr || extra == nullptr);
        std::vector<void*> unpacked;
        if (extra != nullptr) {
            unpacked = unpack(r, function, extra);
            params = unpacked.data();
        }
        if (const cudaError_t e = cudaLaunchKernel(function, {grid_x, grid_y, grid_z},
                                                   {block_x, block_y, block_z}, params, shared, stream);
            e != cudaSuccess)
            throw CudaError{e};
    });
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void** params) {
    return driver_call([&] {
        return cudaLaunchCooperativeKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
                                           params, shared, stream);
    });
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    cudaFuncAttributes a;
    const CUresult result = driver_call([&] { return cudaFuncGetAttributes(&a, function); });
    if (result != CUDA_SUCCESS) return result;
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            return *value = a.maxThreadsPerBlock, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            return *value = static_cast<int>(a.sharedSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            return *value = static_cast<int>(a.constSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            return *value = static_cast<int>(a.localSizeBytes), CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            return *value = a.numRegs, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            return *value = a.ptxVersion, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            return *value = a.binaryVersion, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            return *value = a.cacheModeCA, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            return *value = a.maxDynamicSharedSizeBytes, CUDA_SUCCESS;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return *value = a.preferredShmemCarveout, CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return driver_call(
        [&] { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    return driver_call([&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
    return driver_call(
        [&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return driver_call("cuFuncGetModule", [&](Runtime&) {
        require(module != nullptr);
        *module = function_of(function).module;
    });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t shared) {
    return driver_call(
        [&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned int) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size,
                                          size_t shared, int limit) {
    return potential_block_size(grid, block, function, size, shared, limit);
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize size, size_t shared, int limit,
                                                   unsigned int) {
    return potential_block_size(grid, block, function, size, shared, limit);
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    return driver_call("cuFuncSetBlockShape", [&](Runtime&) {
        require(x > 0 && y > 0 && z > 0);
        function_of(function).block =
            dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
    return driver_call("cuFuncSetSharedSize", [&](Runtime&) { function_of(function).shared = bytes; });
}
CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
    return driver_call("cuParamSetSize", [&](Runtime&) { function_of(function).arguments.resize(bytes); });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
    return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* data, unsigned int bytes) {
    return set_argument(function, offset, data, bytes);
}
CUresult cuLaunch(CUfunction function) {
    return launch_shaped("cuLaunch", function, dim3(1, 1, 1), nullptr);
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return launch_shaped("cuLaunchGrid", function,
                         dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), nullptr);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    return launch_shaped("cuLaunchGridAsync", function,
                         dim3(static_cast<unsigned>(width), static_cast<unsigned>(height), 1), stream);
}

}  // extern "C"
