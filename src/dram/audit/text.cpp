#include "dram/audit/text.h"

#include <fmt/format.h>
#include <iterator>

#include "dram/audit/audit_file.h"
#include "dram/audit/auditor.h"
#include "sim/text.h"

namespace heddle::dram::audit {

namespace {

std::string thousands(u64 value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

void add_refreshes(std::string& out, const AuditReport& report) {
    const RefreshMode mode = report.device.refresh;
    fmt::format_to(std::back_inserter(out), "refresh: {}\n", name_of(mode));
    for (const RefreshCount& c : report.refreshes) {
        fmt::format_to(std::back_inserter(out), "  pseudo-channel {}, rank {}: REFab {}, REFsb {}, REFpb {}",
                       c.pseudo, c.rank, thousands(c.all_bank), thousands(c.same_bank),
                       thousands(c.per_bank));
        if (mode != RefreshMode::off) fmt::format_to(std::back_inserter(out), "; due {}", thousands(c.due));
        out += '\n';
    }
}

void add_rules(std::string& out, const AuditReport& report) {
    std::size_t width = 0;
    std::size_t unused = 0;
    for (const SlackRow& row : report.slack) {
        if (row.exercised == 0)
            ++unused;
        else
            width = std::max(width, row.rule.size());
    }
    if (width > 0)
        fmt::format_to(std::back_inserter(out), "{:<{}}  {:>13}  {:>8}  {:>8}  {}\n", "rule", width,
                       "exercised", "needs", "slack", "tightest at");
    for (const SlackRow& row : report.slack)
        if (row.exercised != 0)
            fmt::format_to(std::back_inserter(out), "{:<{}}  {:>13}  {:>8}  {:>8}  {}\n", row.rule, width,
                           thousands(row.exercised), row.required, row.slack, row.command.at.v);
    if (unused == 0) return;
    fmt::format_to(std::back_inserter(out), "never exercised ({} rule{}):\n", unused, unused == 1 ? "" : "s");
    for (const SlackRow& row : report.slack)
        if (row.exercised == 0) fmt::format_to(std::back_inserter(out), "  {}\n", row.rule);
}

}  // namespace

std::string place_text(const Command& c) {
    return fmt::format("pseudo-channel {}, rank {}, bank group {}, bank {}", c.pseudo, c.rank, c.group,
                       c.bank);
}

std::string describe(const Command& c) {
    std::string text = fmt::format("{} at {} (", name_of(c.kind), c.at.v);
    switch (c.kind) {
        case CommandKind::precharge_all:
        case CommandKind::refresh_all:
            return text + fmt::format("pseudo-channel {}, rank {})", c.pseudo, c.rank);
        case CommandKind::refresh_same:
            return text + fmt::format("pseudo-channel {}, rank {}, bank {})", c.pseudo, c.rank, c.bank);
        case CommandKind::refresh_bank:
            return text + place_text(c) + ")";
        case CommandKind::activate:
        case CommandKind::precharge:
            return text + place_text(c) + fmt::format(", row {})", c.row);
        default:
            return text + place_text(c) + fmt::format(", row {}, column {})", c.row, c.column);
    }
}

std::string describe(const Violation& v) {
    std::string text = v.number == 0
                           ? fmt::format("end of the stream at {}", v.command.at.v)
                           : fmt::format("command {}: {}", thousands(v.number), describe(v.command));
    text += fmt::format(" breaks '{}' ({})", v.rule, v.source);
    if (!v.detail.empty()) text += ": " + v.detail;
    if (v.preceding) text += fmt::format(", after {}", describe(*v.preceding));
    if (v.required != 0 && v.preceding) text += fmt::format(": {} clocks, needs {}", v.actual, v.required);
    if (v.required != 0 && !v.preceding) text += fmt::format(": not before clock {}", v.required);
    return text;
}

std::string describe(const AuditReport& report) {
    const AuditDevice& d = report.device;
    std::string out;
    if (!d.label.empty()) out += printable(d.label, false) + "\n";
    fmt::format_to(
        std::back_inserter(out),
        "{}: pseudo-channels {}, ranks {}, bank groups {}, banks in a group {}, rows {}, columns {}\n",
        d.standard, d.pseudos, d.ranks, d.groups, d.banks, thousands(d.rows), thousands(d.columns));
    fmt::format_to(std::back_inserter(out), "{} command{} in {} clocks: ", thousands(report.commands),
                   report.commands == 1 ? "" : "s", thousands(report.end.v));
    out += report.violation ? "VIOLATION\n" + describe(*report.violation) : std::string("no violation");
    out += '\n';
    add_refreshes(out, report);
    add_rules(out, report);
    return out;
}

}  // namespace heddle::dram::audit
