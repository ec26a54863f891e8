#include "cli/arguments.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "cli/command.h"
#include "cli/source.h"
#include "config/manual.h"
#include "cuda/workload.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

/// An argument that starts with '-': "--name=value" and "-nvalue" hold the value themselves.
struct OptionText {
    std::string name;
    std::string value;
    bool has_value = false;

    explicit OptionText(const std::string& argument) {
        name = option_name(argument);
        has_value = name.size() < argument.size();
        if (has_value) value = argument.substr(name.size() + (argument.starts_with("--") ? 1 : 0));
    }
};

[[noreturn]] void unknown_option(const CLI::App& app, const std::string& name) {
    const std::vector<std::string> known = long_options(app);
    const std::vector<std::string_view> views(known.begin(), known.end());
    throw InputError(fmt::format("unknown option '{}'{}", name, config::suggestion(name, views)));
}

/// What follows a program belongs to the program; a user who meant Heddle should be told.
void warn_of_options(const CLI::App& app, const std::string& program,
                     const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        const OptionText text(argument);
        // Programs have sizes and seeds of their own.
        const bool ours = argument.starts_with("--") && text.name != "--size" && text.name != "--seed" &&
                          app.get_option_no_throw(text.name) != nullptr;
        if (argument != "+" && !ours) continue;
        note(fmt::format("'{}' after {} is an argument of that program; {}", argument, program,
                         ours ? "options for heddle go before it"
                              : "to run it beside others, record it first and give the recording"));
        return;
    }
}

}  // namespace

std::string option_name(const std::string& argument) {
    const bool is_long = argument.starts_with("--");
    std::string name = argument.substr(0, is_long ? argument.find('=') : 2);
    // Keys and options look alike; both spellings are accepted.
    if (is_long) std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::vector<std::string> long_options(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

bool is_program(const std::string& path) {
    if (access(path.c_str(), X_OK) != 0) return false;
    std::ifstream in(path, std::ios::binary);
    char magic[4] = {};
    return in.read(magic, 4) && std::string_view(magic, 4) ==
                                    "\x7f"
                                    "ELF";
}

Arguments split(const CLI::App& app, const std::vector<std::string>& arguments) {
    Arguments out;
    const bool takes_workloads = app.get_option_no_throw("--size") != nullptr;
    std::vector<std::string>* workload = nullptr;  // where options of the workload named last go
    std::vector<const CLI::Option*> seen;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--" && !out.words.literal) {
            out.words.literal = true;
            continue;
        }
        if (out.words.literal || argument.size() < 2 || argument[0] != '-') {
            out.words.words.push_back(argument);
            if (takes_workloads && !out.words.literal && argument != "+") {
                out.words.workload_arguments.resize(out.words.words.size());
                workload = cuda::is_workload(argument) ? &out.words.workload_arguments.back() : nullptr;
                if (workload != nullptr) continue;
            }
            if (!is_program(argument) || kind_of(argument, out.words.literal) != SourceKind::program)
                continue;
            out.words.program_arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                               arguments.end());
            warn_of_options(app, argument, out.words.program_arguments);
            break;
        }
        OptionText text(argument);
        const CLI::Option* option = app.get_option_no_throw(text.name);
        if (option == nullptr && workload != nullptr && text.name.starts_with("--")) {
            workload->push_back(argument);
            if (text.has_value) continue;
            if (i + 1 == arguments.size())
                throw InputError(fmt::format("{} needs a value, as every option of a workload", text.name));
            workload->push_back(arguments[++i]);
            continue;
        }
        if (option == nullptr) {
            // An argument of what was meant as a program?
            for (const std::string& word : out.words.words)
                if (takes_workloads && word != "+") refuse_missing(word, out.words.literal);
            unknown_option(app, text.name);
        }
        const bool repeatable = option->get_items_expected_max() > 1;
        if (!repeatable && std::find(seen.begin(), seen.end(), option) != seen.end())
            throw InputError(fmt::format("{} is given twice", text.name));
        seen.push_back(option);
        const bool takes_value = option->get_items_expected_max() != 0;
        if (!takes_value && text.has_value)
            throw InputError(fmt::format("{} takes no value, but '{}' gives one", text.name, argument));
        if (takes_value && !text.has_value) {
            if (i + 1 == arguments.size())
                throw InputError(
                    fmt::format("{0} needs a value: {0} {1}", text.name, option->get_type_name()));
            text.value = arguments[++i];
        }
        out.options.push_back(text.name);
        if (takes_value) out.options.push_back(text.value);
    }
    return out;
}

Words parse(CLI::App& app, const std::vector<std::string>& arguments) {
    Arguments given = split(app, arguments);
    // CLI11 takes them last first.
    std::reverse(given.options.begin(), given.options.end());
    try {
        app.parse(std::move(given.options));
    } catch (const CLI::CallForHelp&) {
        throw;
    } catch (const CLI::ParseError& error) {
        throw InputError(error.what());
    }
    return std::move(given.words);
}

}  // namespace heddle::cli
