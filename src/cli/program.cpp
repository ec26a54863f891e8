// The program as a whole: which command, its help, and how errors are reported.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "config/manual.h"
#include "cuda/run_program.h"
#include "report/table.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/text.h"

namespace heddle::cli {
namespace {

std::string general_help() {
    std::string out =
        "Heddle simulates the memory system of a GPU: what happens to a program's loads and "
        "stores.\n\nUsage: heddle COMMAND [OPTIONS] [ARGUMENTS]\n\n";
    for (const CommandEntry& c : commands())
        out += fmt::format("  {:<29}  {}\n", fmt::format("{} {}", c.name, c.words), c.about);
    out +=
        "  help [COMMAND]                 this text, or a command's options (also COMMAND --help)\n  "
        "--version                      the version\n\nExit codes: 0 success, 1 the simulated program "
        "failed, 2 bad input, 3 an error in Heddle itself or a\nDRAM command that breaks its standard, 130 "
        "interrupted.\n";
    return out;
}

/// CLI11's help with our usage line.
class Usage final : public CLI::Formatter {
  public:
    explicit Usage(std::string words) : words_(std::move(words)) { column_width(30); }
    std::string make_usage(const CLI::App* app, std::string) const override {
        return fmt::format("Usage: {} [OPTIONS] {}\n", app->get_name(), words_);
    }

  private:
    std::string words_;
};

ExitCode run_command(const CommandEntry& entry, const std::vector<std::string>& arguments) {
    const auto command = entry.make();
    if (entry.own_arguments) return command->run({.words = arguments, .program_arguments = {}});
    CLI::App app(std::string(entry.about), fmt::format("heddle {}", entry.name));
    app.formatter(std::make_shared<Usage>(std::string(entry.words)));
    command->declare(app);
    Words words;
    try {
        words = parse(app, arguments);
    } catch (const CLI::CallForHelp&) {
        print_text(app.help());
        return kDone;
    }
    return command->run(words);
}

const CommandEntry* find_command(const std::string& name) {
    const auto it = std::find_if(commands().begin(), commands().end(),
                                 [&](const CommandEntry& c) { return c.name == name; });
    return it == commands().end() ? nullptr : &*it;
}

const CommandEntry& known_command(const std::string& name) {
    if (const CommandEntry* entry = find_command(name)) return *entry;
    std::vector<std::string_view> names{"help"};
    for (const CommandEntry& c : commands()) names.push_back(c.name);
    throw InputError(fmt::format("there is no command '{}'{}", name, config::suggestion(name, names)));
}

constexpr const char* kNoCommand = "missing COMMAND; 'heddle help' lists the commands";

/// An option stands where a command is missing: it is one of a command's, or nobody knows it.
[[noreturn]] void no_command(const std::string& argument) {
    const std::string name = option_name(argument);
    std::vector<std::string> known{"--version"};
    bool is_known = name == known.front();
    for (const CommandEntry& entry : commands()) {
        if (entry.own_arguments) continue;
        const auto command = entry.make();
        CLI::App app;
        command->declare(app);
        is_known |= app.get_option_no_throw(name) != nullptr;
        for (std::string& option : long_options(app)) known.push_back(std::move(option));
    }
    if (is_known) throw InputError(kNoCommand);
    const std::string nearest = config::did_you_mean(name, {known.begin(), known.end()});
    throw InputError(fmt::format("unknown option '{}'{}", name,
                                 nearest.empty() ? "; 'heddle help' lists the commands" : nearest));
}

ExitCode dispatch(std::vector<std::string> arguments) {
    if (arguments.empty()) throw InputError(kNoCommand);
    const std::string& first = arguments.front();
    if (first == "--version") {
        print("heddle " + heddle_version() + "\n");
        return kDone;
    }
    if (first == "help" && arguments.size() > 1) return run_command(known_command(arguments[1]), {"--help"});
    if (first == "help" || first == "--help" || first == "-h") {
        print_text(general_help());
        return kDone;
    }
    // Options may stand before the command too.
    auto at = arguments.begin();
    if (first.starts_with('-')) {
        at = std::find_if(arguments.begin(), arguments.end(),
                          [](const std::string& a) { return find_command(a) != nullptr; });
        if (at == arguments.end()) no_command(first);
    }
    const CommandEntry& entry = known_command(*at);
    arguments.erase(at);
    return run_command(entry, arguments);
}

int fail(ExitCode code, const char* what) {
    // In one write, so that it stays contiguous beside other programs' output.
    std::fputs(("heddle: " + presentable(what) + '\n').c_str(), stderr);
    return code;
}

}  // namespace

const std::vector<CommandEntry>& commands() {
    static const std::vector<CommandEntry> table = {
        {"run", "[SOURCE [+ SOURCE]...]", "simulate programs, traces or recordings on a machine", make_run},
        {"compare", "WORKLOAD...", "run workloads on variants of machines, side by side", make_compare},
        {"study", "NAME|list", "run an experiment and score the claims of its paper", make_study},
        {"report", "STUDY", "run a study, or find its results, and write an HTML page", make_report},
        {"model", "APP [+ APP]...", "compare an analytical model of shared DRAM with simulation", make_model},
        {"results", "[list|show|export|delete]", "show, export or delete the results kept so far",
         make_results},
        {"record", "-o FILE SOURCE", "record a program, trace or pattern in one compact file", make_record},
        {"cc", "FILE.cu... -o PROGRAM", "compile CUDA with clang, without a CUDA toolkit", make_cc, true},
        {"env", "[COMMAND...]", "run a build with Heddle in place of nvcc and the CUDA toolkit", make_env,
         true},
        {"ptx", "FILE", "list the kernels in a program or PTX file, and what is not supported", make_ptx},
        {"dram", "FILE", "run a machine's memory on its own, on a file of requests", make_dram},
        {"audit", "FILE", "check a file of DRAM commands against its standard", make_audit},
        {"list", "WHAT", "list workloads, machines, policies, studies or metrics", make_list},
        {"explain", "[KEY...]",
         "explain a machine or study key, a policy or a workload; without KEY, all keys", make_explain},
    };
    return table;
}

void print(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw InputError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_text(std::string_view text) {
    print(fitted(text, report::screen_width()));
}

std::string presentable(std::string_view text) {
    constexpr std::size_t kMost = 1'000;
    std::string out;
    for (;;) {
        const std::size_t end = text.find('\n');
        out += shortened(printable(text.substr(0, end), true), kMost);
        if (end == std::string_view::npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

void note(std::string_view text) {
    const std::string line = fmt::format("heddle: note: {}\n", presentable(text));
    std::fputs(fitted(line, terminal_columns(STDERR_FILENO)).c_str(), stderr);
}

int run_program(int argc, char** argv) noexcept {
    // A file at its size limit is an error of the write, which says what could not be written.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        report::screen_width() = terminal_columns(STDOUT_FILENO);
        return dispatch({argv + std::min(argc, 1), argv + argc});
    } catch (const cuda::ProgramFailure& error) {
        return fail(kProgramFailed, error.what());
    } catch (const cuda::ProgramInterrupted&) {
        note("interrupted");
        return kInterrupted;
    } catch (const InputError& error) {
        return fail(kBadInput, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(kBadInput, error.what());
    } catch (const InvariantError& error) {
        return fail(kInvariantBroke, error.what());
    } catch (const std::bad_alloc&) {
        return fail(kBadInput, "out of memory: this run needs more than is available");
    } catch (const std::exception& error) {
        return fail(kInvariantBroke, error.what());
    } catch (...) {
        return fail(kInvariantBroke, "an unknown error");
    }
}

}  // namespace heddle::cli
