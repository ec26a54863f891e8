#pragma once
// One run: a machine, the applications on it, from the first event to the result.

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "machine/machine.h"
#include "sim/record.h"

namespace heddle {

struct RunProgress {
    u64 cycles = 0;  // core cycles simulated
    u64 warp_instructions = 0;
    u64 ctas_done = 0, ctas_known = 0;  // of the kernels that have started
};

struct RunOptions {
    u64 max_instructions = 0;  // thread instructions of all applications; 0: no limit
    u64 max_cycles = 0;        // core cycles that are simulated; 0: no limit
    u64 seed = 1;
    bool strict_capacity = false;  // using more device memory than there is is an InputError, not a warning
    u64 timeline_cycles = 0;       // sample the main counters each so many core cycles; 0: never
    const std::atomic<bool>* interrupted = nullptr;    // set by a signal handler: stop with a partial result
    std::function<void(const RunProgress&)> progress;  // called now and then
};

class Simulation {
  public:
    /// See Machine.
    explicit Simulation(const MachineSettings& machine,
                        std::unique_ptr<CtaPlacement> placement = std::make_unique<AllOnFirst>(),
                        std::vector<PageAccesses> profile = {});

    /// An application; see Machine::add. With several, each that finishes is launched again until all have finished
    /// once; its own figures are those of its first run, the machine's those of the time until the last end.
    void add(std::unique_ptr<StreamSource> source, Reopen again = {}, const Share& share = {}) {
        machine_.add(std::move(source), std::move(again), share);
    }

    /// Runs to the end (or the limit, or the interruption) and gives the result, `simulation` left empty.
    /// Throws InputError on bad input, InvariantError on deadlock, livelock or a broken conservation law.
    RunRecord run(const RunOptions& options);

    Machine& machine() { return machine_; }
    const Machine& machine() const { return machine_; }
    /// The first GPU, and its memory.
    Gpu& gpu() { return machine_.home(); }
    MemoryNode& memory() { return machine_.home_memory(); }
    /// As simulated: including what its designs set.
    const MachineSettings& settings() const { return settings_; }

  private:
    RunProgress progress() const;
    /// The message if more device memory is used than exists; otherwise empty.
    std::string beyond_capacity() const;

    MachineSettings settings_;
    Machine machine_;
};

}  // namespace heddle
