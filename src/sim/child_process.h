#pragma once
// A program that this one starts, and how it ends.

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/types.h"

namespace heddle {

struct ChildOptions {
    /// Set (or replaced) in its environment.
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::optional<std::string> input = {};  ///< what it reads from its standard input; none: ours
    bool keep_output = false;               ///< its standard output and standard error are ChildEnd's
    bool output_to_error = false;           ///< its standard output goes to its standard error
    std::string error_file = {};  ///< where its standard error goes instead of ours; empty: nowhere else
    bool fixed_addresses =
        false;  ///< without the system's randomisation of addresses, where it can be switched off
    /// Interrupts from the keyboard do not reach it, and it is killed when this program ends, however that ends.
    bool worker = false;
    const std::atomic<bool>* interrupted = nullptr;  ///< set by a signal handler: it is told to end (SIGTERM)
};

/// How it ended: its exit code, or the signal that killed it.
struct ChildEnd {
    int code = 0;
    int signal = 0;  ///< 0: it exited by itself
    std::string out = {}, error = {};
};

class ChildProcess {
  public:
    /// Starts `arguments[0]` (found on PATH if it has no '/'). Throws InputError if that is not possible.
    explicit ChildProcess(const std::vector<std::string>& arguments, const ChildOptions& options = {});
    /// Kills it if it has not ended.
    ~ChildProcess();
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    /// Nothing if it is still running. Once it has ended it may not be asked again.
    std::optional<ChildEnd> poll();
    ChildEnd wait();

    /// -1 once it has ended.
    int pid() const { return pid_; }

  private:
    ChildEnd ended(int status);
    void close_files();

    std::string name_;
    const std::atomic<bool>* interrupted_ = nullptr;
    int pid_ = -1;               // -1: it has ended
    int out_ = -1, error_ = -1;  // files in memory
};

/// Starts it and waits for its end. Interrupts reach the child as well, as it is in our process group (unless it is a
/// worker); we go on waiting for it.
inline ChildEnd run_child(const std::vector<std::string>& arguments, const ChildOptions& options = {}) {
    return ChildProcess(arguments, options).wait();
}

/// The program's file on PATH; empty if there is none.
std::string find_on_path(const std::string& name);

}  // namespace heddle
