#pragma once
// What a word on the command line names, and the stream behind it.
//
// A bare word is a workload or a synthetic pattern if there is one of that name, otherwise a file: a kernelslist.g, a
// single kernel trace, a recording, a program. A word with a '/' in it ("./stream") and a word after "--" is always a
// file. A pattern with its settings in one word is "pattern:random,divergence=8" (trace/pattern.h).

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "machine/settings.h"
#include "trace/open.h"

namespace CLI {
class App;
}

namespace heddle::cli {

/// Of --strict-capacity, which all commands have that simulate.
inline constexpr const char* kStrictCapacityHelp =
    "exit with an error if the program uses more device memory than the machine has";

/// A synthetic pattern as `list` and the help show it.
struct PatternEntry {
    std::string_view name;
    std::string_view about;
};
std::span<const PatternEntry> patterns();

/// What a word names, by the rules above.
enum class SourceKind { workload, pattern, program, file };
SourceKind kind_of(const std::string& word, bool literal);

/// Throws InputError if the word names a file and there is none.
void refuse_missing(const std::string& word, bool literal);

/// Where programs run and where their output goes.
struct SourceHost {
    const MachineSettings& machine;
    std::string machine_name;
    bool output_to_error = false;  ///< a program's standard output goes to standard error
};

/// A stream that has been opened, and how to open it again.
struct Source {
    std::unique_ptr<StreamSource> stream;
    std::function<std::unique_ptr<StreamSource>()> again;
};

/// What decides a source's stream, and how to name it to another process in the same folder.
struct SourceFacts {
    std::string word;
    std::string identity;            ///< its kind and settings
    std::vector<std::string> files;  ///< whose contents decide it too
    bool seeded = false;             ///< --seed decides it too
};

/// Options that say what a source produces.
class SourceOptions {
  public:
    SourceOptions();
    void declare(CLI::App& app);

    /// The streams that the words name, joined by "+"; `default_word` if there are none. A program runs at once, on
    /// `host`. `only`: the Nth alone is opened; 0: all. Throws InputError: no such thing, options that the source does
    /// not take; and what cuda::run_program throws. `again` needs this object.
    std::vector<Source> open(const Words& words, const std::string& default_word, const SourceHost& host,
                             std::size_t only = 0) const;
    /// Which of the words name applications; a "+" stands between two. Throws InputError if it does not.
    static std::vector<std::size_t> applications(const Words& words);
    /// The files that the words name: programs, what is replayed with the kernels that a list names, and arguments. Throws
    /// InputError as applications() does, and for a list that can't be read.
    static std::vector<std::string> files(const Words& words);

    /// Of one application; `arguments` are its own. Throws InputError if there is no such thing.
    SourceFacts facts(const std::string& word, bool literal, const std::vector<std::string>& arguments) const;
    /// Options of `heddle run` for a source named by its facts.
    std::vector<std::string> run_options() const;

    u64 seed() const;  ///< 1 if not given
    void set_seed(u64 seed) { seed_ = std::to_string(seed); }
    bool has_seed() const { return !seed_.empty(); }

  private:
    std::unique_ptr<StreamSource> open_one(const std::string& word, bool literal) const;
    Source open_source_of(const std::string& word, const Words& words,
                          const std::vector<std::string>& workload_arguments, const SourceHost& host) const;
    std::vector<std::string> workload_options(const std::vector<std::string>& arguments) const;
    OpenOptions open_options() const;
    /// Throws InputError for an unknown --memcheck, or for any if the source (`what`, if it isn't empty) has no kernels to run.
    void check_memory_check(std::string_view what) const;
    void refuse_pattern_options(const std::string& word, std::string_view what) const;
    void refuse_options_of_others(const std::string& word, std::string_view what) const;

    /// The whole text of the pattern that the word names.
    std::string pattern_text(const std::string& word) const;

    std::string kernels_, seed_, size_, memory_check_;
    std::vector<std::string> pattern_values_;  // by row of the table of pattern options; empty: not given
};

}  // namespace heddle::cli
