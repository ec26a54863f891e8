// heddle env: an environment in which Makefiles and CMake find Heddle where they look for NVIDIA's toolkit.

#include "cli/command.h"
#include "cuda/child.h"
#include "cuda/toolkit.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

constexpr const char* kEnvHelp =
    "Runs a command, such as a build, with Heddle in place of `nvcc` and the CUDA toolkit.\n"
    "Usage: heddle env [--] COMMAND [ARGUMENTS...]\n"
    "       heddle env               print the environment as shell commands: eval \"$(heddle env)\"\n"
    "\n"
    "  heddle env make              a Makefile that uses nvcc, CUDA_HOME, CUDA_PATH, CUDA_DIR, ...\n"
    "  heddle env cmake -B build    CMake's CUDA language and find_package(CUDAToolkit)\n"
    "\n"
    "Programs run on their own, or through a machine's memory system with `heddle run ./program`.\n";

/// In single quotes, as a POSIX shell reads it.
std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

class Env final : public Command {
  public:
    void declare(CLI::App&) override {}

    ExitCode run(const Words& words) override {
        std::vector<std::string> command = words.words;
        if (!command.empty() && (command[0] == "--help" || command[0] == "-h")) {
            print_text(kEnvHelp);
            return kDone;
        }
        if (!command.empty() && command[0] == "--") command.erase(command.begin());
        if (!command.empty() && command[0].starts_with("-"))
            throw InputError("heddle env has no option '" + command[0] + "' (heddle env --help)");
        const auto environment = cuda::toolkit_environment(cuda::make_toolkit());
        if (command.empty()) {
            for (const auto& [name, value] : environment)
                print("export " + name + "=" + shell_quoted(value) + "\n");
            return kDone;
        }
        cuda::ChildOptions options;
        options.environment = environment;
        const cuda::ChildEnd end = cuda::run_child(command, options);
        return end.code == 0 && end.signal == 0 ? kDone : kProgramFailed;
    }
};

}  // namespace

std::unique_ptr<Command> make_env() {
    return std::make_unique<Env>();
}

}  // namespace heddle::cli
