#pragma once
// Audits a command trace file: `heddle audit FILE`.

#include <optional>
#include <string>
#include <vector>

#include "dram/audit/auditor.h"

namespace heddle::dram::audit {

struct AuditReport {
    AuditDevice device;
    u64 commands = 0;  ///< audited: up to the violation if there is one
    Cycle end;
    std::optional<Violation> violation;
    std::vector<SlackRow> slack;
    std::vector<RefreshCount> refreshes;
};

/// InputError "FILE:LINE: ..." if the file is malformed up to its end or to the first violation; a violation
/// is a result. text.h puts a report in words.
AuditReport audit_file(const std::string& path);

}  // namespace heddle::dram::audit
