#pragma once
// Code that a program brings at run time: the driver API's modules, and both APIs' libraries. The two are one thing here, so a
// library's handle is that of its module, and a kernel's that of its function.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/runtime/driver.h"

namespace heddle::cuda {

struct LoadedFunction {
    CUmodule module = nullptr;
    std::string name;
    // Of CUDA 3's launches.
    dim3 block{1, 1, 1};
    unsigned shared = 0;
    std::vector<std::byte> arguments;
};

struct LoadedModule {
    FatbinRegistration* code = nullptr;
    std::map<std::string, std::unique_ptr<LoadedFunction>> functions;
};

/// The place that the caller gave for the text of errors. The runtime's options have the driver's numbers.
struct ErrorLog {
    char* text = nullptr;
    size_t bytes = 0;

    ErrorLog(unsigned count, const CUjit_option* options, void** values);
    void write(const std::string& message) const;
};

/// Throw cudaErrorInvalidResourceHandle.
LoadedModule& module_of(CUmodule handle);
LoadedFunction& function_of(CUfunction handle);
/// Throw cudaErrorSymbolNotFound.
CUfunction function_in(CUmodule module, const std::string& name);
const ptx::Symbol& variable_in(CUmodule module, const std::string& name);
/// As many as there is room for, in the order of the text.
void list_functions(CUmodule module, CUfunction* functions, unsigned count);

/// `name`: of the call, for messages.
CUmodule load_image(Runtime& r, const char* name, const void* image, const ErrorLog& log);
void unload(Runtime& r, CUmodule module);
/// Throws cudaErrorFileNotFound.
std::string file_bytes(const char* path);

}  // namespace heddle::cuda
