#pragma once
// The line on a terminal while a simulation runs.

#include <chrono>
#include <string>

#include "machine/simulation.h"

namespace heddle::cli {

/// The text of the line: "42 % of 512 CTAs, cycle 1,234,567, 1,000,000 warp instructions/s, 3 s left". `elapsed` is
/// since the start. Kernels that have not started are unknown, so the share and the time left refer to those that have.
std::string progress_text(const RunProgress& progress, std::chrono::milliseconds elapsed);

/// Shows it on standard error if that is a terminal, a few times a second; the destructor erases it.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    bool active() const { return active_; }
    void show(const RunProgress& progress);

  private:
    using Clock = std::chrono::steady_clock;
    bool active_ = false;
    bool shown_ = false;
    Clock::time_point start_, next_;
};

}  // namespace heddle::cli
