#pragma once
// Runs of Heddle in processes of their own: whatever happens in one does not affect this program or the others. Workers
// end when this program does, however it ends. A worker reads what it is to run as JSON (run_spec.h).

#include <optional>
#include <string>
#include <vector>

#include "sim/child_process.h"
#include "study/run_spec.h"

namespace heddle::study {

/// How a worker ended.
struct WorkerEnd {
    std::size_t job = 0;
    ChildEnd end;
    double seconds = 0;  ///< from start to end
};

/// What went wrong with a worker, from what it has written.
std::string why_it_failed(const ChildEnd& end);

class Workers {
  public:
    /// `program`: the file that is executed.
    explicit Workers(std::string program) : program_(std::move(program)) {}

    std::size_t running() const { return running_.size(); }
    /// Simulates the run; its record is what the worker writes. Throws InputError if the system gives no process.
    void start(std::size_t job, const RunSpec& run);
    /// Waits for one to end, at most some milliseconds; nothing if none has.
    std::optional<WorkerEnd> wait();

  private:
    struct Running {
        std::size_t job = 0;
        double started = 0;
        ChildProcess process;
    };

    std::string program_;
    std::vector<Running> running_;
};

}  // namespace heddle::study
