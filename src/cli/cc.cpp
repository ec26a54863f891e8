// heddle cc: CUDA sources to a program that Heddle can run.

#include "cli/command.h"
#include "cuda/compile.h"

namespace heddle::cli {
namespace {

constexpr const char* kHelp =
    "Compiles CUDA with clang and Heddle's own headers; no CUDA toolkit is needed.\n"
    "Usage: heddle cc FILE.cu... [FILE.cpp...] [OPTIONS] -o PROGRAM\n"
    "\n"
    "Options are nvcc's and clang's:\n"
    "  -o FILE              the program (a.out)\n"
    "  -c                   objects only\n"
    "  --ptx                the device half as PTX text only\n"
    "  -arch=sm_NN          the device that code is made for (sm_70)\n"
    "  -I -D -U -std= -W... both halves of a source\n"
    "  -O... -g             the host half; the device half is always compiled with -O3\n"
    "  -L -l -Wl,...        the linker\n"
    "  -v                   show the commands\n"
    "  -Xcompiler A,B       the host half; other options of nvcc that mean nothing here are ignored\n";

class Cc final : public Command {
  public:
    void declare(CLI::App&) override {}

    ExitCode run(const Words& words) override {
        for (const std::string& word : words.words)
            if (word == "--help" || word == "-h") {
                print(kHelp);
                return kDone;
            }
        return cuda::compile(cuda::parse_compile_arguments(words.words)) ? kDone : kBadInput;
    }
};

}  // namespace

std::unique_ptr<Command> make_cc() {
    return std::make_unique<Cc>();
}

}  // namespace heddle::cli
