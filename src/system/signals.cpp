#include "system/signals.h"

namespace heddle {

void MemorySignals::start() {
    for (auto& p : partitions_) p->channel().connect(this);
    const u64 cycles = partitions_.front()->channel().epoch_cycles();
    if (cycles == 0) return;
    epoch_end_ = Cycle(cycles);
    agenda_.wake(0, epoch_end_);
}

void MemorySignals::end_epoch(const std::vector<std::unique_ptr<Application>>& apps, Cycle now) {
    signals_.resize(apps.size());
    for (std::size_t a = 0; a < apps.size(); ++a) signals_[a].instructions = apps[a]->thread_instructions();
    for (auto& p : partitions_) {
        for (std::size_t a = 0; a < apps.size(); ++a) signals_[a].misses = p->misses(apps[a]->id());
        p->channel().signals(signals_, now);
    }
    const u64 cycles = partitions_.front()->channel().epoch_cycles();
    // Of epochs that nobody was awake for, one has been told.
    while (epoch_end_ <= now) epoch_end_ += cycles;
    agenda_.wake(0, epoch_end_);
}

void MemorySignals::broadcast(const dram::Message& message, Cycle at) {
    for (std::size_t c = 0; c < partitions_.size(); ++c)
        if (c != message.source) partitions_[c]->deliver(message, at);
}

}  // namespace heddle
