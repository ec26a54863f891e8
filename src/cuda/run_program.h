#pragma once
// Running a CUDA program for its stream: `heddle run ./program args`.
//
// The program runs as a child process with Heddle's libcudart first on its library path. The runtime executes the
// kernels and records what happens in memory, or in an unnamed file if it is large (cuda/handover.h); once the program
// has ended successfully, the recording is the stream. It is never reused for another run: each run executes the program again.

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "cuda/handover.h"
#include "trace/open.h"

namespace heddle::cuda {

/// The simulated program failed: exit code 1. The text says how, and includes the program's own exit code.
class ProgramFailure : public std::runtime_error {
  public:
    explicit ProgramFailure(const std::string& text, int program_code = 0)
        : std::runtime_error(text), program_code(program_code) {}
    const int program_code;  ///< with which it ended by itself, 0 if a signal or a kernel ended it
};

/// SIGINT or SIGTERM came while the program ran: exit code 130.
struct ProgramInterrupted {};

/// Where a program runs and where its output goes.
struct ProgramHost {
    DeviceDescription device;                        ///< what it sees of the machine
    bool output_to_error = false;                    ///< its standard output goes to standard error
    std::string memory_check{};                      ///< error, warn or off; empty: as the environment says
    const std::atomic<bool>* interrupted = nullptr;  ///< set by a signal handler: the program is told to end
};

/// What a program did; kept as long as anyone holds it or reads from it.
class ProgramRecording {
  public:
    explicit ProgramRecording(std::shared_ptr<const Handover> handover) : handover_(std::move(handover)) {}
    /// Its stream from the beginning; may be opened again.
    std::unique_ptr<StreamSource> open(const OpenOptions& options) const;

  private:
    std::shared_ptr<const Handover> handover_;
};

/// Runs the program to its end. Throws ProgramFailure (it failed, crashed, or a kernel did), ProgramInterrupted,
/// InputError (it did not use Heddle's CUDA runtime, or has no PTX).
ProgramRecording run_program(const std::string& path, const std::vector<std::string>& arguments,
                             const ProgramHost& host);

}  // namespace heddle::cuda
