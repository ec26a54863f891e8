#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cuda/asm_escapes.h"
#include "cuda/child.h"
#include "cuda/compile.h"
#include "cuda/nvcc_options.h"
#include "cuda/packages.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

using Words = std::vector<std::string>;
using Output = CompileJob::Output;
using Language = CompileJob::Language;

CompileJob parse(Words words) {
    words.emplace_back("a.cu");
    return parse_compile_arguments(words);
}

TEST(CompileArguments, EachOptionGoesWhereTheDocumentationSays) {
    const struct {
        Words options, both, host, device, link;
    } cases[] = {
        // Both halves.
        {{"-Iinclude"}, {"-I", "include"}, {}, {}, {}},
        {{"-I", "include"}, {"-I", "include"}, {}, {}, {}},
        {{"--include-path=a,b"}, {"-I", "a", "-I", "b"}, {}, {}, {}},
        {{"-DN=f(1,2)", "-D", "M", "-UN"}, {"-D", "N=f(1,2)", "-D", "M", "-U", "N"}, {}, {}, {}},
        {{"-isystem=x"}, {"-isystem", "x"}, {}, {}, {}},
        {{"-include", "first.h"}, {"-include", "first.h"}, {}, {}, {}},
        {{"-Wall", "-fno-exceptions"}, {"-Wall", "-fno-exceptions"}, {}, {}, {}},
        {{"-w", "-Werror", "all-warnings"}, {"-w", "-Werror"}, {}, {}, {}},
        {{"--extended-lambda"}, {"-D__CUDACC_EXTENDED_LAMBDA__=1"}, {}, {}, {}},
        {{"--default-stream=per-thread"}, {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}, {}, {}, {}},
        {{"--default-stream", "legacy"}, {}, {}, {}, {}},
        // The host half.
        {{"-O3", "-g", "-march=native"}, {}, {"-O3", "-g", "-march=native"}, {}, {}},
        {{"-Xcompiler", "-fPIC,-Wextra"}, {}, {"-fPIC", "-Wextra"}, {}, {}},
        {{"-Xcompiler=-fopenmp"}, {}, {"-fopenmp"}, {}, {"-fopenmp"}},
        {{"-Xcompiler", "\"-fPIC\""}, {}, {"-fPIC"}, {}, {}},
        {{"-MD", "-MF", "a.d", "-MT", "a.o"}, {}, {"-MD", "-MF", "a.d", "-MT", "a.o"}, {}, {}},
        {{"-forward-unknown-to-host-compiler", "-mfancy"}, {}, {"-mfancy"}, {}, {}},
        // The device half.
        {{"-fmad=false"}, {}, {}, {"-ffp-contract=off"}, {}},
        {{"--fmad", "false"}, {}, {}, {"-ffp-contract=off"}, {}},
        {{"-fmad=true", "-ftz=false"}, {}, {}, {}, {}},
        {{"-ftz=true"}, {}, {}, {"-fcuda-flush-denormals-to-zero"}, {}},
        {{"-prec-div=false"}, {}, {}, {"-mllvm", "-nvptx-prec-divf32=1"}, {}},
        {{"-prec-sqrt", "false"}, {}, {}, {"-mllvm", "-nvptx-prec-sqrtf32=0"}, {}},
        {{"-use_fast_math"},
         {"-D__USE_FAST_MATH__=1"},
         {},
         {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero", "-mllvm", "-nvptx-prec-divf32=0",
          "-mllvm", "-nvptx-prec-sqrtf32=0"},
         {}},
        // The linker.
        {{"-Llib", "-lm", "-l", "z"}, {}, {}, {}, {"-Llib", "-lm", "-lz"}},
        {{"-Wl,-rpath,lib", "-Xlinker", "--gc-sections"},
         {},
         {},
         {},
         {"-Wl,-rpath,lib", "-Xlinker", "--gc-sections"}},
        // Heddle's own library stands for these.
        {{"-lcudart", "-lcudart_static", "-lcuda", "-l", "cudadevrt"}, {}, {}, {}, {}},
        {{"-lineinfo", "--generate-line-info", "-lgomp"},
         {},
         {},
         {"-gline-directives-only", "-gline-directives-only"},
         {"-fopenmp"}},
        // Nothing.
        {{"-cudart", "shared", "-cudart=static", "-Xptxas", "-v", "-Xptxas=-O1"}, {}, {}, {}, {}},
        {{"-Xcudafe", "--diag_suppress=1", "-res-usage", "-t4", "-m64"}, {}, {}, {}, {}},
        {{"-ccbin", "g++", "-diag-suppress=177", "-allow-unsupported-compiler"}, {}, {}, {}, {}},
    };
    for (const auto& c : cases) {
        const CompileJob job = parse(c.options);
        EXPECT_EQ(job.compile_options, c.both) << c.options[0];
        EXPECT_EQ(job.host_options, c.host) << c.options[0];
        EXPECT_EQ(job.device_options, c.device) << c.options[0];
        EXPECT_EQ(job.link_inputs, c.link) << c.options[0];
        EXPECT_EQ(job.architecture, "sm_70") << c.options[0];
        EXPECT_EQ(job.kind, Output::program) << c.options[0];
        ASSERT_EQ(job.sources.size(), 1u) << c.options[0];
        EXPECT_EQ(job.sources[0].path, "a.cu");
    }
}

TEST(CompileArguments, AnArchitectureThatClangDoesNotKnowBecomesTheNextLower) {
    const struct {
        Words options;
        const char *architecture, *named;
    } cases[] = {
        {{"-arch=sm_80"}, "sm_80", "80"},
        {{"-arch", "sm_75"}, "sm_75", "75"},
        {{"-arch=sm_90a"}, "sm_86", "90"},
        {{"-arch=compute_73"}, "sm_72", "73"},
        {{"-arch=sm_20"}, "sm_35", "35"},
        {{"-arch=native"}, "sm_70", "70"},
        {{"--gpu-architecture=sm_61"}, "sm_61", "61"},
        {{"-gencode", "arch=compute_75,code=sm_75", "-gencode=arch=compute_80,code=[sm_80,compute_80]"},
         "sm_80",
         "80"},
        {{"-gencode", "arch=compute_35,code=sm_35"}, "sm_35", "35"},
        {{"--gpu-architecture", "compute_60", "--gpu-code", "sm_75"}, "sm_60", "60"},
    };
    for (const auto& c : cases) {
        const CompileJob job = parse(c.options);
        EXPECT_EQ(job.architecture, c.architecture) << c.options[0];
        EXPECT_EQ(job.named_architecture, c.named) << c.options[0];
    }
}

TEST(CompileArguments, WhatNamesNoArchitectureIsAnError) {
    for (const char* value : {"foo", "sm_", "80", "compute_x"})
        EXPECT_THROW(parse({"-arch", value}), InputError) << value;
    EXPECT_EQ(parse({"-arch=all-major"}).architecture, "sm_70");
}

TEST(CompileArguments, HeadersOfAnInstalledToolkitStayOutUnlessAskedFor) {
    namespace fs = std::filesystem;
    const fs::path toolkit = fs::temp_directory_path() / ("heddle-include-" + std::to_string(getpid()));
    fs::create_directories(toolkit / "crt");
    std::ofstream(toolkit / "cuda_runtime.h") << "";
    const std::string folder = toolkit.string();
    EXPECT_EQ(parse({"-I" + folder}).compile_options, (Words{"-I", folder}));  // the program's own header
    std::ofstream(toolkit / "crt" / "host_config.h") << "";
    EXPECT_EQ(parse({"-I" + folder, "-I", "mine", "-isystem", folder}).compile_options,
              (Words{"-I", "mine"}));
    EXPECT_EQ(parse({"-I" + folder, "--cuda-path", folder}).compile_options, (Words{"-I", folder}));
    fs::remove_all(toolkit);
}

TEST(CompileArguments, PhasesAndSettingsOfTheJob) {
    EXPECT_EQ(parse({"-c"}).kind, Output::objects);
    EXPECT_EQ(parse({"--ptx"}).kind, Output::ptx);
    EXPECT_EQ(parse({"-cubin"}).ptx_extension, ".cubin");
    EXPECT_EQ(parse({"-E"}).kind, Output::preprocessed);
    EXPECT_EQ(parse({"-cuda"}).kind, Output::intermediate);
    EXPECT_EQ(parse({"-M"}).kind, Output::dependencies);
    EXPECT_EQ(parse({"-lib"}).kind, Output::archive);
    EXPECT_EQ(parse({"-dlink"}).kind, Output::device_link);
    EXPECT_EQ(parse({"-run"}).kind, Output::run);
    EXPECT_EQ(parse_compile_arguments({"--version"}).kind, Output::version);
    EXPECT_EQ(parse_compile_arguments({"-V"}).kind, Output::version);
    EXPECT_EQ(parse_compile_arguments({"--list-gpu-arch"}).kind, Output::architectures);
    EXPECT_TRUE(parse({"-dc"}).separate);
    EXPECT_EQ(parse({"-dc"}).kind, Output::objects);
    EXPECT_TRUE(parse({"-rdc=true"}).separate);
    EXPECT_TRUE(parse({"-rdc", "true"}).separate);
    EXPECT_FALSE(parse({"--relocatable-device-code=false"}).separate);
    EXPECT_TRUE(parse({"--shared"}).shared);
    EXPECT_TRUE(parse({"--dryrun"}).dry_run);
    EXPECT_EQ(parse({"-std", "c++14"}).standard, "c++14");
    EXPECT_EQ(parse({"--std=c++20"}).standard, "c++20");
    EXPECT_EQ(parse({"-maxrregcount=32"}).registers, 32u);
    EXPECT_EQ(parse({"--maxrregcount", "64"}).registers, 64u);
    EXPECT_EQ(parse({"-Xptxas", "-v,--maxrregcount=40"}).registers, 40u);
    EXPECT_EQ(parse({"-keep-dir", "k"}).keep_folder, "k");
    EXPECT_EQ(parse({"--keep"}).keep_folder, ".");
    EXPECT_EQ(parse({"-odir", "out"}).output_folder, "out");
    EXPECT_EQ(parse_compile_arguments({"-x", "cu", "k.cpp"}).sources[0].language, Language::cuda);
}

TEST(CompileArguments, EveryOptionOfNvccIsTakenInEachOfItsForms) {
    for (const NvccOption& option : nvcc_options()) {
        for (const std::string_view name : {option.long_name, option.short_name}) {
            if (name.empty() || option.use == OptionUse::options_file) continue;
            std::string value = "1";
            if (option.use == OptionUse::language) value = "cu";
            if (option.use == OptionUse::architecture || option.use == OptionUse::code) value = "sm_80";
            if (option.use == OptionUse::default_stream) value = "legacy";
            if (option.value == OptionValue::boolean) value = "true";
            for (const char* dashes : {"-", "--"}) {
                const std::string word = dashes + std::string(name);
                if (name == "optix-ir" || name == "ltoir") {
                    EXPECT_THROW(parse({word}), InputError) << word;
                    continue;
                }
                if (option.value != OptionValue::required) {
                    EXPECT_NO_THROW(parse({word})) << word;
                }
                if (option.value == OptionValue::none) continue;
                EXPECT_NO_THROW(parse({word, value})) << word;
                EXPECT_NO_THROW(parse({word + "=" + value})) << word;
            }
        }
    }
}

TEST(CompileArguments, FilesAreSourcesOrObjectsAndOutputIsOneFile) {
    const CompileJob job = parse_compile_arguments({"a.cu", "b.cpp", "c.o", "d.c", "-o", "prog"});
    ASSERT_EQ(job.sources.size(), 3u);
    EXPECT_EQ(job.sources[0].language, Language::cuda);
    EXPECT_EQ(job.sources[1].language, Language::cpp);
    EXPECT_EQ(job.sources[2].language, Language::c);
    EXPECT_EQ(job.link_inputs, Words{"c.o"});
    EXPECT_EQ(job.output, "prog");
    EXPECT_THROW(parse_compile_arguments({}), InputError);
    EXPECT_THROW(parse_compile_arguments({"a.txt"}), InputError);
    EXPECT_THROW(parse_compile_arguments({"a.cu", "-I"}), InputError);
    EXPECT_THROW(parse_compile_arguments({"-c", "a.cu", "b.cu", "-o", "one.o"}), InputError);
    EXPECT_THROW(parse({"--no-such-option"}), InputError);
    EXPECT_THROW(parse({"-maxrregcount=many"}), InputError);
    EXPECT_THROW(parse({"-default-stream=none"}), InputError);
    EXPECT_THROW(parse({"-x", "fortran"}), InputError);
    EXPECT_THROW(parse({"-optf", "no-such-file"}), InputError);
}

TEST(CompileArguments, AnOptionsFileHoldsWordsWithQuotes) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/options";
    std::ofstream(path) << "-DA=1 \"-DB=two words\"\n-I'a folder' -DC=\\\"q\\\"\n";
    EXPECT_EQ(parse({"--options-file", path}).compile_options,
              (Words{"-D", "A=1", "-D", "B=two words", "-I", "a folder", "-D", "C=\"q\""}));
    std::ofstream(path) << "\"-DA";
    EXPECT_THROW(parse({"-optf", path}), InputError);
}

TEST(CompilerMessages, ColouredOnesSayTheSame) {
    const std::string header =
        "\033[1ma.cu:1:10: \033[0m\033[0;1;31mfatal error: \033[0m\033[1m'thrust/sort.h' file not "
        "found\033[0m\n"
        "#include <thrust/sort.h>\n\033[0;1;32m         ^~~~~~~~~~~~~~~\n\033[0m1 error generated.\n";
    EXPECT_EQ(without_colours(header),
              "a.cu:1:10: fatal error: 'thrust/sort.h' file not found\n"
              "#include <thrust/sort.h>\n         ^~~~~~~~~~~~~~~\n1 error generated.\n");
    EXPECT_EQ(missing_header(without_colours(header), "/nonexistent").package, "libthrust-dev");
    const auto places = unknown_escapes(without_colours(
        "\033[1m/x/a.cu:2:21: \033[0m\033[0;1;31merror: \033[0m\033[1minvalid % escape in inline assembly "
        "string\033[0m\n"));
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].file, "/x/a.cu");
    EXPECT_EQ(places[0].line, 2u);
    EXPECT_EQ(places[0].column, 21u);
    EXPECT_EQ(without_colours("plain"), "plain");
    EXPECT_EQ(without_colours("cut off \033[1"), "cut off ");
}

TEST(Child, OutputAndErrorsGoToOneFile) {
    const TemporaryFolder folder;
    ChildOptions options;
    options.output_to_error = true;
    options.error_file = folder.path() + "/said";
    EXPECT_EQ(run_child({"sh", "-c", "echo out; echo error >&2"}, options).code, 0);
    std::ifstream in(options.error_file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "out\nerror\n");
}

}  // namespace
}  // namespace heddle::cuda
