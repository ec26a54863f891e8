#pragma once
// The options of nvcc 12 as a table: long and short name, whether a value follows, and what the option does here.
// Source of the names: "NVIDIA CUDA Compiler Driver NVCC", release 12.0, chapter 4.2.

#include <span>
#include <string_view>

namespace heddle::cuda {

enum class OptionValue {
    none,      // a switch
    required,  // --name VALUE, --name=VALUE; a single letter also joined: -IDIR
    boolean,   // --name, --name=true, --name false
};

/// What an option does. The value goes where the name says.
enum class OptionUse {
    both,             // to both halves of a .cu file, with the option's first short name
    host,             // to the host half
    link,             // to the linker
    library,          // -l: to the linker, unless Heddle's own libraries stand for it
    host_words,       // -Xcompiler A,B
    link_words,       // -Xlinker A,B
    architecture,     // -arch
    code,             // -gencode, -code: an architecture in its value counts if -arch names none
    standard,         // -std
    language,         // -x
    output,           // -o
    output_folder,    // -odir
    host_compiler,    // -ccbin
    optimise,         // -O
    host_debug,       // -g
    no_exceptions,    // -noeh
    profile,          // -pg
    fast_math,        // -use_fast_math
    flush_denormals,  // -ftz
    divide,           // -prec-div
    square_root,      // -prec-sqrt
    contract,         // -fmad
    registers,        // -maxrregcount
    separate,         // -rdc
    default_stream,   // -default-stream
    extended_lambda,  // --extended-lambda
    relaxed,          // --expt-relaxed-constexpr
    debug_device,     // -G
    line_info,        // -lineinfo: faults name lines of the sources
    warnings_off,     // -w
    werror,           // -Werror
    forward_unknown,  // -forward-unknown-to-host-compiler
    shared,           // -shared
    phase,            // -c, -ptx, -E, -M, ...: the job's output
    dependencies,     // -MD, -MMD, -MP, -MF, -MT: of the host half, which sees the same headers
    keep,             // -keep
    cuda_path,        // clang's --cuda-path
    keep_folder,      // -keep-dir
    dry_run,          // -dryrun
    verbose,          // -v
    options_file,     // -optf
    ptxas,            // -Xptxas: -v shows what kernels need
    resources,        // -res-usage
    run_arguments,    // -run-args
    archiver,         // -arbin
    listing,          // --list-gpu-arch, --version, --help
    ignored,          // nothing here for it to act on
};

struct NvccOption {
    std::string_view long_name;   // without dashes
    std::string_view short_name;  // without dash; may be empty
    OptionValue value;
    OptionUse use;
};

std::span<const NvccOption> nvcc_options();

/// The option of that name (without dashes, as written after one or two); null if nvcc has none.
const NvccOption* find_nvcc_option(std::string_view name);

}  // namespace heddle::cuda
