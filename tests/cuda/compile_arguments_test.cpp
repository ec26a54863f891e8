#include <gtest/gtest.h>

#include "cuda/compile.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

using Words = std::vector<std::string>;

TEST(CompileArguments, EachOptionGoesWhereTheDocumentationSays) {
    const struct {
        Words options, both, host, link;
    } cases[] = {
        // Both halves.
        {{"-Iinclude"}, {"-Iinclude"}, {}, {}},
        {{"-I", "include"}, {"-I", "include"}, {}, {}},
        {{"-DN=4", "-D", "M", "-UN"}, {"-DN=4", "-D", "M", "-UN"}, {}, {}},
        {{"-include", "first.h"}, {"-include", "first.h"}, {}, {}},
        {{"-std=c++20", "-Wall", "-fno-exceptions"}, {"-std=c++20", "-Wall", "-fno-exceptions"}, {}, {}},
        {{"--use_fast_math"}, {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero"}, {}, {}},
        // The host half.
        {{"-O3", "-g", "-march=native"}, {}, {"-O3", "-g", "-march=native"}, {}},
        {{"-Xcompiler", "-fPIC,-Wextra"}, {}, {"-fPIC", "-Wextra"}, {}},
        {{"-Xcompiler=-fopenmp"}, {}, {"-fopenmp"}, {}},
        // The linker.
        {{"-Llib", "-lm", "-l", "z"}, {}, {}, {"-Llib", "-lm", "-l", "z"}},
        {{"-Wl,-rpath,lib", "-Xlinker", "--gc-sections"}, {}, {}, {"-Wl,-rpath,lib", "-Wl,--gc-sections"}},
        // Heddle's own library stands for these.
        {{"-lcudart", "-lcudart_static", "-lcuda", "-l", "cudadevrt"}, {}, {}, {}},
        // Nothing.
        {{"-gencode", "arch=compute_75,code=sm_75", "-gencode=arch=compute_80,code=sm_80"}, {}, {}, {}},
        {{"-rdc=true", "-lineinfo", "-maxrregcount=32", "-maxrregcount", "64"}, {}, {}, {}},
        {{"-cudart", "shared", "-cudart=static", "-Xptxas", "-v", "-Xptxas=-O1"}, {}, {}, {}},
        {{"-G", "--generate-line-info", "--expt-relaxed-constexpr", "--extended-lambda"}, {}, {}, {}},
    };
    for (const auto& c : cases) {
        Words words = c.options;
        words.emplace_back("a.cu");
        const CompileJob job = parse_compile_arguments(words);
        EXPECT_EQ(job.compile_options, c.both) << c.options[0];
        EXPECT_EQ(job.host_options, c.host) << c.options[0];
        EXPECT_EQ(job.link_inputs, c.link) << c.options[0];
        EXPECT_EQ(job.architecture, "sm_70") << c.options[0];
        EXPECT_EQ(job.kind, CompileJob::Output::program) << c.options[0];
        ASSERT_EQ(job.sources.size(), 1u) << c.options[0];
        EXPECT_EQ(job.sources[0].path, "a.cu");
    }
}

TEST(CompileArguments, AnArchitectureThatClangDoesNotKnowBecomesTheNextLower) {
    const struct {
        Words options;
        const char* architecture;
    } cases[] = {
        {{"-arch=sm_80"}, "sm_80"},
        {{"-arch", "sm_75"}, "sm_75"},
        {{"-arch=sm_90a"}, "sm_86"},
        {{"-arch=compute_73"}, "sm_72"},
        {{"-arch=sm_20"}, "sm_35"},
        {{"-arch=native"}, "sm_70"},
        {{"--gpu-architecture=sm_61"}, "sm_61"},
    };
    for (const auto& c : cases) {
        Words words = c.options;
        words.emplace_back("a.cu");
        EXPECT_EQ(parse_compile_arguments(words).architecture, c.architecture) << c.options[0];
    }
}

TEST(CompileArguments, FilesAreSourcesOrObjectsAndOutputIsOneFile) {
    const CompileJob job = parse_compile_arguments({"a.cu", "b.cpp", "c.o", "-o", "prog"});
    ASSERT_EQ(job.sources.size(), 2u);
    EXPECT_TRUE(job.sources[0].cuda);
    EXPECT_FALSE(job.sources[1].cuda);
    EXPECT_EQ(job.link_inputs, Words{"c.o"});
    EXPECT_EQ(job.output, "prog");
    EXPECT_EQ(parse_compile_arguments({"-c", "a.cu"}).kind, CompileJob::Output::objects);
    EXPECT_EQ(parse_compile_arguments({"--ptx", "a.cu"}).kind, CompileJob::Output::ptx);
    EXPECT_THROW(parse_compile_arguments({}), InputError);
    EXPECT_THROW(parse_compile_arguments({"a.txt"}), InputError);
    EXPECT_THROW(parse_compile_arguments({"a.cu", "-I"}), InputError);
    EXPECT_THROW(parse_compile_arguments({"-c", "a.cu", "b.cu", "-o", "one.o"}), InputError);
}

}  // namespace
}  // namespace heddle::cuda
