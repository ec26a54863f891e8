#include "report/audit_report.h"

#include <fmt/format.h>

#include "report/figures.h"

namespace heddle::report {

std::string audit_line(const AuditRecord& audit) {
    std::string out = fmt::format("audit: {} commands, ", grouped(audit.commands));
    if (!audit.tightest_rule.empty())
        out += fmt::format("tightest slack {} {} ({}), ", grouped(audit.slack),
                           audit.slack == 1 ? "clock" : "clocks", audit.tightest_rule);
    return out + "clean\n";
}

config::Node audit_node(const AuditRecord& audit) {
    using config::Node;
    Node node = Node::section();
    node.add("channels", Node::scalar(std::to_string(audit.channels), true));
    node.add("commands", Node::scalar(std::to_string(audit.commands), true));
    if (!audit.tightest_rule.empty()) {
        node.add("tightest_rule", Node::scalar(audit.tightest_rule));
        node.add("tightest_slack", Node::scalar(std::to_string(audit.slack), true));
    }
    node.add("clean", Node::scalar("true", true));
    return node;
}

}  // namespace heddle::report
