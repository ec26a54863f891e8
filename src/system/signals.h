#pragma once
// What the DRAM controllers of one memory hear besides their requests: their peers' messages, and the counters of
// each application at the end of every epoch. Costs nothing where the scheduler wants neither.

#include <memory>
#include <vector>

#include "sim/clock.h"
#include "system/application.h"
#include "system/partition.h"

namespace heddle {

class MemorySignals final : public dram::PeerPort {
  public:
    MemorySignals(std::vector<std::unique_ptr<Partition>>& partitions, const Clock& core, const Clock& memory,
                  Agenda& memory_agenda)
        : partitions_(partitions), core_(core), memory_(memory), agenda_(memory_agenda) {}

    /// Connects the channels and begins the first epoch; to be called once all partitions are there.
    void start();
    /// When the epoch ends, in cycles of the memory; kNever if the policy has none.
    Cycle epoch_end() const { return epoch_end_; }
    /// Tells every channel the counters; before any channel's step of that cycle.
    void end_epoch(const std::vector<std::unique_ptr<Application>>& apps, Cycle now);

  private:
    void broadcast(const dram::Message& message, Cycle at) override;

    void next_epoch(Cycle now);

    std::vector<std::unique_ptr<Partition>>& partitions_;
    const Clock core_, memory_;
    Agenda& agenda_;
    u64 epoch_cycles_ = 0, epochs_ = 0;
    bool core_cycles_ = false;
    Cycle epoch_end_ = kNever;
    std::vector<dram::AppSignals> signals_;
};

}  // namespace heddle
