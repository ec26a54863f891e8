#include "memory/memory_node.h"

#include "dram/specification.h"
#include "dram/statistics.h"

namespace heddle {

MemoryNode::MemoryNode(const std::string& name, const dram::MemorySettings& settings, const Clock& clock,
                       const TranslationPressure* pressure)
    : Domain(clock, settings.channels),
      name_(name),
      settings_(settings),
      bytes_(settings.channels * dram::resolve(settings).geometry.capacity()) {
    const auto specification = std::make_shared<const dram::Specification>(settings);
    for (u32 c = 0; c < settings.channels; ++c)
        partitions_.push_back(std::make_unique<Partition>(
            dram::Channel(specification, static_cast<u16>(c), pressure), *this, c));
}

void MemoryNode::start(const ApplicationCounters& counters, const Clock& core) {
    counters_ = &counters;
    core_ = core;
    signals_.resize(counters.application_count());
    for (u32 c = 0; c < channels(); ++c) {
        partitions_[c]->channel().applications(counters.application_count());
        partitions_[c]->channel().connect(this);
        // Refresh begins with the run, not with a channel's first request.
        agenda().wake(c, Cycle(1));
    }
    epoch_cycles_ = partitions_.front()->channel().epoch_cycles();
    core_cycles_ = partitions_.front()->channel().epoch_in_core_cycles();
    if (epoch_cycles_ != 0) next_epoch(Cycle{0});
}

void MemoryNode::run(Cycle now) {
    if (now >= epoch_end_) end_epoch(now);
    agenda().run(now, [&](u32 channel) { agenda().wake(channel, partitions_[channel]->step(now)); });
}

/// If several epochs passed without a call, one is reported. An epoch of core cycles ends in the first memory cycle
/// that is not earlier.
void MemoryNode::next_epoch(Cycle now) {
    do {
        const Cycle end(++epochs_ * epoch_cycles_);
        epoch_end_ = core_cycles_ ? clock().at_or_after(core_.tick(end)) : end;
    } while (epoch_end_ <= now);
    agenda().wake(0, epoch_end_);
}

/// Before any channel's step of that cycle.
void MemoryNode::end_epoch(Cycle now) {
    for (u32 a = 0; a < signals_.size(); ++a) signals_[a].instructions = counters_->instructions(a);
    for (u32 c = 0; c < channels(); ++c) {
        for (u32 a = 0; a < signals_.size(); ++a) signals_[a].misses = counters_->misses(a, c);
        partitions_[c]->channel().signals(signals_, now);
    }
    next_epoch(now);
}

void MemoryNode::broadcast(const dram::Message& message, Cycle at) {
    for (u32 c = 0; c < channels(); ++c)
        if (c != message.source) partitions_[c]->deliver(message, at);
}

std::vector<dram::PolicyCounter> MemoryNode::policy_counters() const {
    std::vector<dram::PolicyCounter> sum;
    for (const auto& p : partitions_) dram::add_counters(sum, p->channel().policy_counters());
    return sum;
}

u64 MemoryNode::accepted_reads() const {
    u64 n = 0;
    for (const auto& p : partitions_) n += p->accepted_reads();
    return n;
}

u64 MemoryNode::accepted_writes() const {
    u64 n = 0;
    for (const auto& p : partitions_) n += p->accepted_writes();
    return n;
}

u64 MemoryNode::moved_bytes(Cycle now) const {
    u64 n = 0;
    for (const auto& p : partitions_) {
        const dram::Statistics& s = p->channel().statistics(now);
        n += s.read_bytes + s.written_bytes;
    }
    return n;
}

}  // namespace heddle
