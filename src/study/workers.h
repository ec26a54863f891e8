#pragma once
// Runs of Heddle in processes of their own: whatever happens in one does not affect this program or the others. Workers
// end when this program does, however it ends.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/types.h"

namespace heddle::study {

/// How a worker ended.
struct WorkerEnd {
    std::size_t job = 0;
    int code = 0;    ///< exit code
    int signal = 0;  ///< that ended it; 0: none
    std::string out, error;
    double seconds = 0;  ///< from start to end
};

class Workers {
  public:
    /// `program`: the file that is executed.
    explicit Workers(std::string program) : program_(std::move(program)) {}
    /// Ends those that are still running.
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    std::size_t running() const { return running_.size(); }
    /// Throws InputError if the system gives no process.
    void start(std::size_t job, const std::vector<std::string>& arguments);
    /// Waits for one to end, at most some milliseconds; nothing if none has.
    std::optional<WorkerEnd> wait();

  private:
    struct Running {
        std::size_t job = 0;
        int out = -1, error = -1;  // files in memory
        double started = 0;
    };

    std::string program_;
    std::map<int, Running> running_;  // by process
};

}  // namespace heddle::study
