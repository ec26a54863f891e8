#pragma once
// A command of the program, and how the program finds it.
//
// A command declares its options with CLI11, which provides the help text and the values. What the arguments *are* is
// decided earlier (arguments.h), because of a rule that CLI11 does not know: options may appear anywhere, except that
// everything after the name of a program belongs to the program, and what the command does not know after the name of a
// workload belongs to the workload.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

/// What is on the command line besides options.
struct Words {
    std::vector<std::string> words;
    std::vector<std::string> program_arguments;  ///< what follows a program's name
    /// For each word, as far as there are any: options that the command does not know and that follow a workload.
    std::vector<std::vector<std::string>> workload_arguments = {};
    bool literal = false;  ///< words came after "--": they are files, whatever their names
};

enum ExitCode : int {
    kDone = 0,
    kProgramFailed = 1,  ///< the simulated program
    kBadInput = 2,
    kInvariantBroke = 3,
    kInterrupted = 130,
};

class Command {
  public:
    virtual ~Command() = default;
    /// Adds its options. The values live in the command.
    virtual void declare(CLI::App& app) = 0;
    /// Throws InputError or InvariantError.
    virtual ExitCode run(const Words& words) = 0;
};

struct CommandEntry {
    std::string_view name;
    std::string_view words;  ///< what it takes besides options, for the usage line
    std::string_view about;
    std::unique_ptr<Command> (*make)();
    bool own_arguments = false;  ///< takes every argument as a word and shows its own help
};

/// In the order of the help.
const std::vector<CommandEntry>& commands();

std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_record();
std::unique_ptr<Command> make_cc();
std::unique_ptr<Command> make_env();
std::unique_ptr<Command> make_ptx();
std::unique_ptr<Command> make_dram();
std::unique_ptr<Command> make_audit();
std::unique_ptr<Command> make_compare();
std::unique_ptr<Command> make_model();
std::unique_ptr<Command> make_results();
std::unique_ptr<Command> make_study();
std::unique_ptr<Command> make_report();
std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_explain();

/// The whole program: everything but main(). Never throws.
int run_program(int argc, char** argv) noexcept;

/// Writes the text to standard output; InputError with the system's reason if that fails.
void print(std::string_view text);

/// The same for text that people read, in lines that fit the terminal if there is one.
void print_text(std::string_view text);

/// A message that is safe to show on a terminal: without control characters, and with the middle of long lines left
/// out.
std::string presentable(std::string_view text);

/// One line on standard error: "heddle: note: ...".
void note(std::string_view text);

}  // namespace heddle::cli
