#include "system/signals.h"

namespace heddle {

void MemorySignals::start() {
    for (auto& p : partitions_) p->channel().connect(this);
    epoch_cycles_ = partitions_.front()->channel().epoch_cycles();
    core_cycles_ = partitions_.front()->channel().epoch_in_core_cycles();
    if (epoch_cycles_ != 0) next_epoch(Cycle{0});
}

/// Of epochs that nobody was awake for, one has been told. One of core cycles ends in the first cycle of the memory that
/// is not earlier.
void MemorySignals::next_epoch(Cycle now) {
    do {
        const Cycle end(++epochs_ * epoch_cycles_);
        epoch_end_ = core_cycles_ ? memory_.at_or_after(core_.tick(end)) : end;
    } while (epoch_end_ <= now);
    agenda_.wake(0, epoch_end_);
}

void MemorySignals::end_epoch(const std::vector<std::unique_ptr<Application>>& apps, Cycle now) {
    signals_.resize(apps.size());
    for (std::size_t a = 0; a < apps.size(); ++a)
        signals_[a].instructions = apps[a]->work().thread_instructions;
    for (auto& p : partitions_) {
        for (std::size_t a = 0; a < apps.size(); ++a) signals_[a].misses = p->misses(apps[a]->id());
        p->channel().signals(signals_, now);
    }
    next_epoch(now);
}

void MemorySignals::broadcast(const dram::Message& message, Cycle at) {
    for (std::size_t c = 0; c < partitions_.size(); ++c)
        if (c != message.source) partitions_[c]->deliver(message, at);
}

}  // namespace heddle
