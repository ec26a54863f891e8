#pragma once
// Workloads times variants: plans the runs, takes from the store what is there, makes the rest in worker processes,
// and gives every figure of every cell.

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/machine_file.h"
#include "study/result.h"
#include "study/run_spec.h"
#include "study/store.h"

namespace heddle::study {

/// On which machine an application's IPC alone is measured.
enum class AloneOn : u8 {
    baseline,  // the baseline's: one measure for all variants
    variant,   // each variant's own
};

struct MatrixSpec {
    std::vector<Workload> workloads;
    std::vector<Variant> variants;
    std::size_t baseline = 0;  ///< of the variants
    AloneOn alone_on = AloneOn::baseline;
    std::vector<std::string> metrics;                          ///< as the user names them
    std::map<std::string, config::Origin> metric_places = {};  ///< where a file names them, for errors
    CommonOptions common;
    std::vector<u64> seeds = {};  ///< each run is made with each of them; empty: once, with the usual one
};

struct BatchProgress {
    std::size_t total = 0, done = 0, from_store = 0, running = 0, failed = 0;
    double seconds_left = -1;  ///< negative: not known yet
};

struct BatchOptions {
    std::string program;  ///< the file that workers execute
    unsigned jobs = 1;
    const std::atomic<bool>* interrupted = nullptr;
    std::function<void(const BatchProgress&)> progress;
};

/// One run of the plan.
struct PlannedRun {
    RunSpec spec;
    std::string key;
    std::optional<Result> result;
    nlohmann::ordered_json shown = {};  ///< of the result, on a page (page_run.h)
    std::string error = {};             ///< why there is no result
    bool from_store = false;
    double seconds = 0;  ///< of the worker, when it was made
};

class Matrix {
  public:
    /// Plans the runs. Throws InputError for everything that can be known to be wrong before anything runs.
    Matrix(MatrixSpec spec, Keys& keys);

    /// Makes the runs that are not in the store. False if interrupted; what had finished is then in the store.
    bool run(Store& store, const BatchOptions& options);

    const MatrixSpec& spec() const { return spec_; }
    const std::vector<Metric>& metrics() const { return metrics_; }
    const std::vector<PlannedRun>& runs() const { return runs_; }
    /// How often each cell was run: as many times as there are seeds, else once.
    std::size_t repetitions() const { return seeds_.size(); }
    const PlannedRun& cell(std::size_t workload, std::size_t variant, std::size_t repetition = 0) const;
    /// The application's run alone that the cell's metrics are measured by, where one was planned; else null.
    const PlannedRun* alone(std::size_t workload, std::size_t variant, std::size_t application) const;
    /// A metric of a cell; nothing if its run failed or has no such figure. The metric need not be one of metrics(),
    /// but must not need runs alone that were not planned.
    std::optional<double> figure(const Metric& metric, std::size_t workload, std::size_t variant,
                                 std::size_t repetition) const;
    /// Its mean over all seeds; nothing if it is missing with one of them.
    std::optional<double> figure(const Metric& metric, std::size_t workload, std::size_t variant) const;
    /// Throws InputError if there is no such metric.
    Metric metric(const std::string& name) const { return find_metric(name, names_, most_apps_); }
    /// Every name that a run of the baseline has, applications' counters with ".N".
    const std::vector<std::string>& names() const { return names_; }
    /// Notes that workers wrote for the user, each once.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    /// A run that needs figures of others first.
    struct Profiled {
        std::size_t run = 0;
        std::vector<std::size_t> alone;
        std::vector<config::Profile> profiles;
    };

    /// What is run of a cell with one seed.
    struct Cell {
        std::size_t run = 0;
        std::vector<std::size_t> alone;  // of each application, where it is wanted
    };

    std::size_t plan(RunSpec spec, std::optional<u64> seed, Keys& keys);
    const Cell& at(std::size_t workload, std::size_t variant, std::size_t repetition) const {
        return cells_[workload][variant][repetition];
    }
    bool make(Store& store, const BatchOptions& options, const std::vector<std::size_t>& which,
              BatchProgress& progress);
    bool fill(const Profiled& profiled);
    static void take(PlannedRun& run, const std::string& record);
    void finish(Store& store, PlannedRun& run, const std::string& out, double seconds);
    void note(const std::string& error_output);

    MatrixSpec spec_;
    std::vector<Metric> metrics_;
    std::vector<std::string> names_;
    std::size_t most_apps_ = 1;  // of a workload
    std::vector<PlannedRun> runs_;
    std::map<std::string, std::size_t> by_key_;
    std::vector<std::optional<u64>> seeds_;              // nothing: the usual one
    std::vector<std::vector<std::vector<Cell>>> cells_;  // [workload][variant][repetition]
    std::vector<Profiled> profiled_;
    Keys* keys_ = nullptr;
    std::vector<std::string> notes_;
};

}  // namespace heddle::study
