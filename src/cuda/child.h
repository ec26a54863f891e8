#pragma once
// Starting another program and waiting for it.

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/types.h"

namespace heddle::cuda {

struct ChildOptions {
    /// Set (or replaced) in its environment.
    std::vector<std::pair<std::string, std::string>> environment;
    bool output_to_error = false;  // its standard output goes to its standard error
    std::string error_file;        // where its standard error goes instead of ours; empty: nowhere else
    // Without the system's randomisation of addresses, where it can be switched off.
    bool fixed_addresses = false;
    const std::atomic<bool>* interrupted = nullptr;  // set by a signal handler: the child gets SIGTERM
};

/// How a child ended: its exit code, or the signal that killed it.
struct ChildEnd {
    int code = 0;
    int signal = 0;  // 0: it exited by itself
};

/// Runs `arguments[0]` (found on PATH if it has no '/') and waits. Interrupts go to the child as well, as it is in our
/// process group; we go on waiting for it. Throws InputError if it can't be started.
ChildEnd run_child(const std::vector<std::string>& arguments, const ChildOptions& options = {});

/// The program's file on PATH; empty if there is none.
std::string find_on_path(const std::string& name);

/// What a compiler said, without the escape sequences that colour it on a terminal.
std::string without_colours(std::string_view text);

/// A new empty folder, removed with what it holds by the destructor.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace heddle::cuda
