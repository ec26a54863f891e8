#pragma once
// `heddle cc`: CUDA sources to a program, by Debian's clang alone.
//
// A .cu file is compiled twice. The device half becomes PTX text (clang, with the headers of src/cuda/include in place of
// NVIDIA's toolkit); the host half embeds that text where nvcc's fat binary would stand and registers it with the
// runtime. Everything is linked against Heddle's libcudart.so.12, whose folder the program remembers, so that it also
// runs by itself. Options are those of nvcc and clang (docs/cuda.md).

#include <string>
#include <vector>

namespace heddle::cuda {

/// What the arguments of `heddle cc` ask for.
struct CompileJob {
    enum class Output { program, objects, ptx };
    struct Source {
        std::string path;
        bool cuda = false;
    };
    std::vector<Source> sources;
    std::vector<std::string> compile_options;  // of both halves
    std::vector<std::string> host_options;     // of the host half only
    std::vector<std::string> link_inputs;      // objects, libraries and the linker's options, in order
    std::string output;                        // empty: not given
    std::string architecture = "sm_70";
    Output kind = Output::program;
    bool verbose = false;  // -v: the commands are shown
};

/// Throws InputError: no source, an option without its value, -o with several objects.
CompileJob parse_compile_arguments(const std::vector<std::string>& arguments);

/// Runs it. What clang says goes to standard error as it is. False if a compiler or the linker failed. Throws
/// InputError if there is no clang, or a file is missing.
bool compile(const CompileJob& job);

}  // namespace heddle::cuda
