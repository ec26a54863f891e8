#pragma once
// The auditor's findings in words.

#include <string>

#include "dram/command.h"

namespace heddle::dram::audit {

struct Violation;
struct AuditReport;

/// "pseudo-channel 0, rank 0, bank group 1, bank 2"
std::string place_text(const Command& command);
/// "RD at 1010 (pseudo-channel 0, rank 0, bank group 1, bank 2, row 5, column 3)"; coordinates that the
/// command does not use are left out.
std::string describe(const Command& command);
/// One line: the command, the rule it breaks, the earlier command, clocks found and needed.
std::string describe(const Violation& violation);
/// The whole result for a person: device, verdict, refreshes, and the table of rules with their slack.
std::string describe(const AuditReport& report);

}  // namespace heddle::dram::audit
