#pragma once
// Which rules of a standard exist on a given device, and what they come to in clocks.

#include <string_view>
#include <vector>

#include "dram/audit/device.h"
#include "dram/audit/rule.h"

namespace heddle::dram::audit {

struct BoundRule {
    const Rule* rule;
    std::string_view source;
    i64 clocks;  ///< from last clock to last clock; may be negative
};

/// A rule exists unless it is about bank groups or other ranks that the device does not have, is replaced
/// because of a given timing, or needs an optional timing that is not given.
std::vector<BoundRule> rules_of(const StandardRules& standard, const AuditDevice& device);

/// How long each kind of command occupies its bus on the device, and whether it has two buses.
KindTable half_clocks_of(const StandardRules& standard, const AuditDevice& device);
bool has_split_bus(const StandardRules& standard, const AuditDevice& device);

}  // namespace heddle::dram::audit
