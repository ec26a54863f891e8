#include "dram/audit/audit_file.h"

#include "dram/audit/command_trace.h"

namespace heddle::dram::audit {

AuditReport audit_file(const std::string& path) {
    CommandTraceReader reader(path);
    Auditor auditor(reader.device());
    AuditReport report;
    report.device = reader.device();
    Command command;
    while (!auditor.violation() && reader.next(command)) auditor.observe(command);
    if (!auditor.violation()) auditor.finish(reader.end());
    report.violation = auditor.violation();
    report.commands = auditor.commands();
    report.end = report.violation ? report.violation->command.at : reader.end();
    report.slack = auditor.slack();
    report.refreshes = auditor.refreshes();
    return report;
}

}  // namespace heddle::dram::audit
