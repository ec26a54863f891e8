#pragma once
// What commands that make many runs share: the store, the workers, the progress line, and the meaning of the words on
// the command line.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/source.h"
#include "study/matrix.h"
#include "study/page.h"
#include "study/store.h"
#include "study/streams.h"

namespace heddle::cli {

class BatchOptions {
  public:
    void declare(CLI::App& app);
    /// Loads plugins and opens the store. Throws InputError.
    void open();

    study::Store& store() { return *store_; }
    study::Keys& keys() { return *keys_; }
    /// The options that all runs of a command share: these and those that every command has.
    study::CommonOptions common(std::vector<std::string> options) const;
    /// The same. `max_instructions` as given; empty: no limit. Throws InputError.
    study::CommonOptions common(const SourceOptions& sources, const std::string& max_instructions) const;
    /// Those of --seeds, which only comparisons and studies have; none if it was not given. Throws InputError.
    void declare_seeds(CLI::App& app);
    std::vector<u64> seeds() const;
    /// Finds the SMs of workloads that want a search, and reports them; failed runs are reported as by `run`. Throws
    /// InputError.
    ExitCode divide(study::MatrixSpec& spec);
    /// The hash of each workload's stream; nothing if interrupted. Throws InputError.
    std::optional<study::Streams> streams(const study::MatrixSpec& spec);
    /// Makes the runs; failures and the workers' notes go to standard error.
    ExitCode run(study::Matrix& matrix);

  private:
    void open_store();
    study::BatchOptions workers() const;

    std::string store_file_, jobs_;
    std::optional<std::string> seeds_;
    bool strict_capacity_ = false;
    std::vector<std::string> plugins_;
    std::unique_ptr<study::Store> store_;
    std::unique_ptr<study::Keys> keys_;
};

/// An application as runs and their keys name it. Throws InputError if there is no such application.
study::AppSpec app_spec(const SourceOptions& sources, study::Store& store, const std::string& word,
                        bool literal, const std::vector<std::string>& arguments);

/// Words to workloads: neighbors joined by "+" are one.
std::vector<study::Workload> workloads_of(const SourceOptions& sources, study::Store& store,
                                          const Words& words);

/// "A,B" to {"A", "B"}.
std::vector<std::string> split_commas(const std::string& text);

/// "KEY=V1,V2" to ("KEY", {V1, V2}): commas inside brackets do not separate. Throws InputError.
std::pair<std::string, std::vector<std::string>> split_set(const std::string& set);

/// Whether the terminal shows more than ASCII.
bool unicode_terminal();

/// Writes an HTML page. Throws InputError.
void write_page(const std::string& path, const study::PageInput& input, BatchOptions& batch);

/// InputError if a page could not be written there; before long runs whose result it shall be.
void check_writable(const std::string& path);

}  // namespace heddle::cli
