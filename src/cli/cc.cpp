// heddle cc: CUDA sources to a program that Heddle can run.

#include <cstdlib>

#include "cli/command.h"
#include "cuda/compile.h"

namespace heddle::cli {
namespace {

constexpr const char* kHelp =
    "Compiles CUDA with clang and Heddle's own headers; no CUDA toolkit is needed.\n"
    "Usage: heddle cc FILE.cu... [FILE.cpp...] [OPTIONS] -o PROGRAM\n"
    "\n"
    "Options are nvcc's, and clang's where nvcc has none:\n"
    "  -o FILE              the program (a.out)\n"
    "  -c, -dc              objects only; -dc: other files may define what a file names (-rdc=true)\n"
    "  -ptx, -cubin         the device half as PTX text only\n"
    "  -E, -M, -MM          the preprocessed text; the files it includes\n"
    "  -lib, -shared        a static or a shared library\n"
    "  -arch=sm_NN          the device that code is made for (sm_70)\n"
    "  -x cu                read files as CUDA, whatever their names\n"
    "  -std=c++NN           the language (gnu++17)\n"
    "  -I -D -U -include    both halves of a source\n"
    "  -O... -g             the host half; the device half is always compiled with -O3\n"
    "  -use_fast_math -ftz -prec-div -prec-sqrt -fmad\n"
    "                       the device half's arithmetic\n"
    "  -L -l -Xlinker A,B   the linker\n"
    "  -Xcompiler A,B       the host half\n"
    "  -v, --dryrun         show the commands; run none of them\n"
    "  -keep, -keep-dir D   keep the PTX\n"
    "  -optf FILE           more options from a file\n"
    "  -V, --version        the version of nvcc that programs see\n"
    "\n"
    "Every other option of nvcc is accepted, and changes nothing here.\n";

class Cc final : public Command {
  public:
    void declare(CLI::App&) override {}

    ExitCode run(const Words& words) override {
        cuda::CompileJob job = cuda::parse_compile_arguments(words.words);
        if (job.kind == cuda::CompileJob::Output::help) {
            print_text(kHelp);
            return kDone;
        }
        if (const char* toolkit = std::getenv("HEDDLE_TOOLKIT")) job.toolkit = toolkit;
        return cuda::compile(job) ? kDone : kBadInput;
    }
};

}  // namespace

std::unique_ptr<Command> make_cc() {
    return std::make_unique<Cc>();
}

}  // namespace heddle::cli
