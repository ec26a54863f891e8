#pragma once
// The independent auditor on every DRAM channel of a run: `heddle run --audit`.

#include <memory>
#include <vector>

#include "sim/record.h"

namespace heddle {
class Simulation;
namespace dram {
class Audit;
}
}  // namespace heddle

namespace heddle::cli {

class RunAudit {
  public:
    /// Observes the channels from now on. InputError if the machine's memory cannot be audited.
    explicit RunAudit(Simulation& simulation);
    ~RunAudit();
    RunAudit(const RunAudit&) = delete;
    RunAudit& operator=(const RunAudit&) = delete;

    /// After the run. InvariantError that describes the first violation, if there was one.
    AuditRecord finish();

  private:
    Simulation& simulation_;
    std::vector<std::unique_ptr<dram::Audit>> audits_;
};

}  // namespace heddle::cli
