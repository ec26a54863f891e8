#pragma once
// One memory: its channels in their clock, and what their controllers hear besides requests: messages of their peers, and
// the counters of each application at the end of every epoch. The latter two cost nothing where the scheduler wants neither.

#include <memory>
#include <string>
#include <vector>

#include "dram/geometry.h"
#include "memory/partition.h"

namespace heddle {

/// What schedulers hear of applications at the end of an epoch, counted from the start of the run.
class ApplicationCounters {
  public:
    virtual ~ApplicationCounters() = default;
    virtual u32 application_count() const = 0;
    /// Committed, thread instructions.
    virtual u64 instructions(u32 app) const = 0;
    /// Lines that missed in the caches in front of a channel.
    virtual u64 misses(u32 app, u32 channel) const = 0;
};

class MemoryNode final : public Domain, private dram::PeerPort {
  public:
    /// `pressure`: how applications suffer from translation; null where nobody tells. Throws InputError if the settings do
    /// not hold.
    MemoryNode(const std::string& name, const dram::MemorySettings& settings, const Clock& clock,
               const TranslationPressure* pressure);

    /// Before the first cycle. Epochs in core cycles are those of `core`.
    void start(const ApplicationCounters& counters, const Clock& core);
    void trace(LifetimeObserver* lifetimes) {
        for (auto& p : partitions_) p->trace(lifetimes);
    }

    const std::string& name() const { return name_; }
    const dram::MemorySettings& settings() const { return settings_; }
    u32 channels() const { return settings_.channels; }
    u64 bytes() const { return bytes_; }
    /// Bytes that one access of DRAM brings.
    u32 access_bytes() const { return partitions_[0]->channel().geometry().access_bytes; }
    /// Its scheduler wants to know which loads are complete.
    bool wants_groups() const { return partitions_[0]->channel().wants_groups(); }

    std::vector<std::unique_ptr<Partition>>& partitions() { return partitions_; }
    const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }
    /// What the scheduler has counted, over the channels.
    std::vector<dram::PolicyCounter> policy_counters() const;
    u64 accepted_reads() const;
    u64 accepted_writes() const;
    /// Bytes on the data buses up to `now` of its clock.
    u64 moved_bytes(Cycle now) const;
    bool quiet() const {
        return std::all_of(partitions_.begin(), partitions_.end(), [](const auto& p) { return p->quiet(); });
    }

  private:
    void run(Cycle now) override;
    void broadcast(const dram::Message& message, Cycle at) override;
    void next_epoch(Cycle now);
    void end_epoch(Cycle now);

    std::string name_;
    dram::MemorySettings settings_;
    u64 bytes_ = 0;
    std::vector<std::unique_ptr<Partition>> partitions_;

    // Epochs.
    const ApplicationCounters* counters_ = nullptr;
    Clock core_;
    u64 epoch_cycles_ = 0, epochs_ = 0;
    bool core_cycles_ = false;
    Cycle epoch_end_ = kNever;
    std::vector<dram::AppSignals> signals_;
};

}  // namespace heddle
