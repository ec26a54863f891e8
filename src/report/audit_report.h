#pragma once
// A clean audit as text and as JSON, the same for a run and for a memory on its own.

#include <string>

#include "config/node.h"
#include "sim/record.h"

namespace heddle::report {

/// "audit: 1,234 commands, tightest slack 0 clocks (bank: ...), clean\n"
std::string audit_line(const AuditRecord& audit);
/// {channels, commands, tightest_rule, tightest_slack, clean}
config::Node audit_node(const AuditRecord& audit);

}  // namespace heddle::report
