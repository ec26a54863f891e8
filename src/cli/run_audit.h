#pragma once
// What watches the commands of every DRAM channel of a run: the independent auditor (`heddle run --audit`) and
// command traces (`--command-trace FILE`).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/record.h"

namespace heddle {
class Simulation;
namespace dram {
class Audit;
class CommandFiles;
}  // namespace dram
}  // namespace heddle

namespace heddle::cli {

class RunAudit {
  public:
    /// Observes the channels from now on; an empty `command_trace` writes none. InputError if the machine's memory
    /// cannot be described to the auditor, or a file cannot be created.
    RunAudit(Simulation& simulation, bool audit, const std::string& command_trace);
    ~RunAudit();
    RunAudit(const RunAudit&) = delete;
    RunAudit& operator=(const RunAudit&) = delete;

    /// Call after the run. Sets the verdict if there was an audit; throws an InvariantError that describes the first
    /// violation, if there was one. The traces are complete then.
    void finish(std::optional<AuditRecord>& verdict);

  private:
    Simulation& simulation_;
    std::vector<std::unique_ptr<dram::Audit>> audits_;
    std::unique_ptr<dram::CommandFiles> files_;
};

}  // namespace heddle::cli
