#include "dram/audit/data_bus.h"

#include <bit>

namespace heddle::dram::audit {

DataBus::DataBus(const StandardRules& standard, const AuditDevice& device) : buses_(device.pseudos) {
    // Latencies count from the command's last clock.
    const i64 steps = device.steps_per_clock;
    const auto last_clock = [&](CommandKind kind) {
        return (standard.half_clocks[static_cast<std::size_t>(kind)] - 2) * steps / 2;
    };
    read_delay_ = steps * device.clocks("CL") + last_clock(CommandKind::read);
    write_delay_ = steps * device.clocks("CWL") + last_clock(CommandKind::write);
    length_ = steps * device.clocks(standard.burst);
    turnaround_gap_ = steps;
    rank_gap_ = device.clocks("CS") == AuditDevice::absent ? -1 : steps * device.clocks("CS");
    reach_ = std::max(read_delay_, write_delay_) + length_ + std::max(rank_gap_, turnaround_gap_);
    // A clock brings at most one burst command, and what is further back than this can't collide any more.
    const i64 span = reach_ - std::min(read_delay_, write_delay_) + 1;
    for (Bus& bus : buses_) bus.bursts.resize(std::bit_ceil(static_cast<std::size_t>(span)));
}

DataBus::Burst DataBus::burst_of(const Command& c) const {
    const bool read = c.kind == CommandKind::read || c.kind == CommandKind::read_auto;
    return {static_cast<i64>(c.at.v) + (read ? read_delay_ : write_delay_), read, c};
}

}  // namespace heddle::dram::audit
