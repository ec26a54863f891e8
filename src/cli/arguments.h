#pragma once
// Which arguments are options, which are words, and where a program's own arguments begin.

#include <string>
#include <vector>

#include "cli/command.h"

namespace heddle::cli {

struct Arguments {
    std::vector<std::string> options;  ///< options and their values, for CLI11
    Words words;
};

/// Splits what follows a command's name. An option's value is the next argument, or follows "=". After "--" everything
/// is a word. After a word that names a program (kind_of), everything is the program's. Throws InputError for an option
/// that `app` does not have, naming the nearest one, and for an option whose value is missing.
Arguments split(const CLI::App& app, const std::vector<std::string>& arguments);

/// The same, and `app` takes the options; what is left are the words. Throws CLI::CallForHelp too.
Words parse(CLI::App& app, const std::vector<std::string>& arguments);

/// The name in "--name=value", with '-' for '_', or in "-nvalue".
std::string option_name(const std::string& argument);
/// The long names of all options.
std::vector<std::string> long_options(const CLI::App& app);

/// An executable file in ELF format.
bool is_program(const std::string& path);

}  // namespace heddle::cli
