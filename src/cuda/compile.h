#pragma once
// `heddle cc`: CUDA sources to a program, by Debian's clang alone.
//
// A .cu file is compiled twice. The device half becomes PTX text (clang, with the headers of src/cuda/include in place of
// NVIDIA's toolkit); the host half embeds that text where nvcc's fat binary would stand and registers it with the
// runtime. Everything is linked against Heddle's libcudart.so.12, whose folder the program remembers, so that it also
// runs by itself. Options are those of nvcc (cuda/nvcc_options.h) and clang; docs/cuda.md says what each does.

#include <string>
#include <vector>

namespace heddle::cuda {

/// What the arguments of `heddle cc` ask for.
struct CompileJob {
    enum class Output {
        program,
        objects,        // -c, -dc
        ptx,            // -ptx, -cubin, -fatbin: PTX text under each of these names
        preprocessed,   // -E: the host half
        intermediate,   // -cuda: the same, into NAME.cu.cpp.ii
        dependencies,   // -M, -MM
        archive,        // -lib
        device_link,    // -dlink: an object that has nothing left to do
        run,            // -run: the program, started
        version,        // --version
        architectures,  // --list-gpu-arch, --list-gpu-code
        help,           // --help
    };
    enum class Language { cuda, cpp, c };
    struct Source {
        std::string path;
        Language language = Language::cuda;
    };
    std::vector<Source> sources;
    std::vector<std::string> compile_options;  // of both halves
    std::vector<std::string> device_options;   // of the device half only
    std::vector<std::string> host_options;     // of the host half, and of .cpp and .c files
    std::vector<std::string> link_inputs;      // objects, libraries and the linker's options, in order
    std::vector<std::string> run_arguments;    // of the program, with -run
    std::string output;                        // empty: not given
    std::string output_folder;                 // -odir; empty: here
    std::string architecture = "sm_70";        // one that clang knows
    std::string named_architecture = "70";     // what __CUDA_ARCH__ says, a tenth of it: "90" of sm_90a
    std::string standard = "gnu++17";
    std::string ptx_extension = ".ptx";          // .cubin and .fatbin with -cubin and -fatbin
    std::string architecture_words = "compute";  // of a listing of architectures: compute, sm
    std::string toolkit;      // the folder that stands for NVIDIA's toolkit (heddle env); empty: none
    std::string cuda_path;    // --cuda-path: NVIDIA's toolkit, whose headers serve; empty: Heddle's do
    std::string keep_folder;  // -keep, -keep-dir: the PTX stays there; empty: nowhere
    unsigned registers = 0;   // -maxrregcount; 0: none
    Output kind = Output::program;
    bool separate = false;  // -rdc=true, -dc: other files may define what this one names
    bool shared = false;    // -shared
    bool verbose = false;   // -v: the commands are shown
    bool dry_run = false;   // --dryrun: they are shown, and not run
};

/// Throws InputError: no source, an unknown option, an option without its value, -o with several objects.
CompileJob parse_compile_arguments(const std::vector<std::string>& arguments);

/// Runs it. What clang says goes to standard error as it is. False if a compiler or the linker failed, or the program that
/// -run started. Throws InputError if there is no clang, or a file is missing.
bool compile(const CompileJob& job);

/// What stands first where a program is linked with the runtime: a runtime that is built with sanitizers needs theirs in
/// front of all else. Empty otherwise.
std::vector<std::string> first_link_words();

}  // namespace heddle::cuda
