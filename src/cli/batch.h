#pragma once
// What commands that make many runs have in common: the store, the workers, the line that shows how far they are, and
// what the words of the command line name.

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/source.h"
#include "study/matrix.h"
#include "study/page.h"
#include "study/store.h"

namespace heddle::cli {

class BatchOptions {
  public:
    void declare(CLI::App& app);
    /// Loads plugins and opens the store. Throws InputError.
    void open();

    study::Store& store() { return *store_; }
    study::Keys& keys() { return *keys_; }
    const std::vector<std::string>& plugins() const { return plugins_; }
    /// What all runs of a command have. `max_instructions` as it was given; empty: no limit. Throws InputError.
    study::CommonOptions common(const SourceOptions& sources, const std::string& max_instructions) const;
    /// Those of --seeds, which only comparisons and studies have; none if it was not given. Throws InputError.
    void declare_seeds(CLI::App& app);
    std::vector<u64> seeds() const;
    /// Finds the SMs of workloads that want a search, and notes them; runs that fail are told as those of `run` are.
    /// Throws InputError.
    ExitCode divide(study::MatrixSpec& spec);
    /// Makes the runs; what went wrong and what workers noted stands on standard error then.
    ExitCode run(study::Matrix& matrix);

  private:
    void open_store();

    std::string store_file_, jobs_, seeds_;
    std::vector<std::string> plugins_;
    std::unique_ptr<study::Store> store_;
    std::unique_ptr<study::Keys> keys_;
};

/// An application as runs and their keys name it. Throws InputError if there is no such thing.
study::AppSpec app_spec(const SourceOptions& sources, study::Store& store, const std::string& word,
                        bool literal, const std::vector<std::string>& arguments);

/// Words to workloads: neighbours joined by "+" are one.
std::vector<study::Workload> workloads_of(const SourceOptions& sources, study::Store& store,
                                          const Words& words);

/// "A,B" to {"A", "B"}.
std::vector<std::string> split_commas(const std::string& text);

/// "KEY=V1,V2" to ("KEY", {V1, V2}): commas inside brackets do not divide. Throws InputError.
std::pair<std::string, std::vector<std::string>> split_set(const std::string& set);

/// Whether the terminal shows more than ASCII.
bool unicode_terminal();

/// Writes an HTML page. Throws InputError.
void write_page(const std::string& path, const study::PageInput& input, const study::Comparison& comparison,
                const study::Matrix& matrix, BatchOptions& batch);

/// InputError if a page could not be written there; before long runs whose result it shall be.
void check_writable(const std::string& path);

}  // namespace heddle::cli
