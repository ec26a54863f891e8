#pragma once
// Connects a channel with the independent auditor (dram/audit): tells it the device, hands it each command.

#include <string>

#include "dram/audit/auditor.h"
#include "dram/channel.h"
#include "dram/geometry.h"
#include "sim/record.h"

namespace heddle::dram {

/// The device of the settings as the auditor wants it described.
audit::AuditDevice audit_device(const MemorySettings& settings, std::string label);

/// Observe a channel with it; ask at the end.
class Audit final : public CommandObserver {
  public:
    Audit(const MemorySettings& settings, std::string label)
        : Audit(audit_device(settings, std::move(label))) {}
    explicit Audit(const audit::AuditDevice& device) : auditor_(device) {}
    void on_command(const Command& command) override {
        auditor_.observe(command);
        last_ = command.at;
    }
    /// The clock of the last command seen; 0 before the first.
    Cycle last_command() const { return last_; }
    /// The run ended. InvariantError that describes the first violation, if there was one.
    void finish(Cycle end);
    /// The same, and adds what was seen to the verdict on all channels.
    void finish(Cycle end, AuditRecord& verdict);
    const audit::Auditor& auditor() const { return auditor_; }

  private:
    audit::Auditor auditor_;
    Cycle last_{0};
};

}  // namespace heddle::dram
