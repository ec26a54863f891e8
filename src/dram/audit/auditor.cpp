#include "dram/audit/auditor.h"

#include <algorithm>
#include <tuple>

#include "dram/audit/binding.h"
#include "dram/audit/text.h"
#include "sim/error.h"

namespace heddle::dram::audit {

namespace {

std::vector<CommandKind> kinds_in(std::string_view names) {
    std::vector<CommandKind> kinds;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        const CommandKind kind = find_kind(names.substr(0, end));
        if (kind == CommandKind::count_)
            throw InvariantError("unknown command in a rule: " + std::string(names));
        kinds.push_back(kind);
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return kinds;
}

std::string text_of(const Rule& rule) {
    std::string text(name_of(rule.level));
    if (rule.sibling) text = "other " + text;
    text.append(": ").append(rule.preceding).append(" -> ").append(rule.following);
    text.append(", ").append(rule.formula);
    if (rule.window != 1) text += ", window " + std::to_string(rule.window);
    return text;
}

const StandardRules& standard_of(const AuditDevice& device) {
    if (const std::string wrong = problem(device).text; !wrong.empty())
        throw InputError((device.label.empty() ? "audited device" : device.label) + ": " + wrong);
    return *find_standard(device.standard);
}

bool is_burst(CommandKind kind) {
    return kind == CommandKind::read || kind == CommandKind::read_auto || kind == CommandKind::write ||
           kind == CommandKind::write_auto;
}

bool is_refresh(CommandKind kind) {
    return kind == CommandKind::refresh_all || kind == CommandKind::refresh_same ||
           kind == CommandKind::refresh_bank;
}

}  // namespace

Auditor::Auditor(const AuditDevice& device)
    : device_(device),
      standard_(standard_of(device)),
      half_clocks_(half_clocks_of(standard_, device)),
      split_bus_(has_split_bus(standard_, device)),
      topology_(device, standard_.all_bank),
      history_(topology_),
      banks_(topology_),
      data_bus_(standard_, device),
      refreshes_(device, topology_) {
    for (std::size_t k = 0; k < kKinds; ++k) {
        const auto kind = static_cast<CommandKind>(k);
        const auto timings = standard_.refresh_timings(kind);
        exists_[k] =
            !is_refresh(kind) || (!timings.empty() && device.clocks(timings.front()) != AuditDevice::absent);
    }
    for (const BoundRule& bound : rules_of(standard_, device)) {
        add_rule(text_of(*bound.rule), std::string(bound.source));
        add_checks(*bound.rule, bound.clocks);
    }
    for (std::vector<Check>& checks : checks_)
        std::ranges::stable_sort(checks, std::greater<>(), &Check::level);
    history_.build();

    first_data_bus_rule_ = add_rule("data bus: bursts apart", "data bus");
    add_rule("data bus: an idle clock from read to write", "data bus");
    if (device.clocks("CS") != AuditDevice::absent)
        add_rule("data bus: CS idle clocks from rank to rank", "data bus");
    command_bus_rule_ = add_rule(split_bus_ ? "row command bus" : "command bus", "command bus");
    if (split_bus_) add_rule("column command bus", "command bus");
    if (!refreshes_.on()) return;
    late_rule_ =
        add_rule("refresh: at most " + std::to_string(device.max_postponed) + " postponed", "refresh");
    early_rule_ =
        add_rule("refresh: at most " + std::to_string(device.max_pulled_in) + " pulled in", "refresh");
}

u32 Auditor::add_rule(std::string rule, std::string source) {
    rules_.push_back({std::move(rule), std::move(source)});
    tightest_.emplace_back();
    return static_cast<u32>(rules_.size() - 1);
}

void Auditor::add_checks(const Rule& rule, i64 clocks) {
    const auto id = static_cast<u32>(rules_.size() - 1);
    const auto half_clocks = [&](CommandKind kind) -> i64 {
        return half_clocks_[static_cast<std::size_t>(kind)];
    };
    for (const CommandKind before : kinds_in(rule.preceding)) {
        history_.keep(rule.level, before, rule.window);
        for (const CommandKind after : kinds_in(rule.following)) {
            // From last clocks to first clocks.
            const i64 required = steps(2 * clocks + half_clocks(before) - half_clocks(after));
            checks_[static_cast<std::size_t>(after)].push_back(
                {id, rule.level, before, rule.window, rule.sibling, required});
        }
    }
}

void Auditor::judge(u32 rule, const Command* preceding, const Command& command, i64 required) {
    const i64 since = preceding != nullptr ? static_cast<i64>(preceding->at.v) : 0;
    const i64 actual = static_cast<i64>(command.at.v) - since;
    const i64 slack = actual - required;
    const auto pair = [&] { return preceding != nullptr ? std::optional(*preceding) : std::nullopt; };
    Tightest& t = tightest_[rule];
    if (t.exercised++ == 0 || slack < t.slack) {
        t.slack = slack;
        t.required = required;
        t.preceding = pair();
        t.command = command;
    }
    if (slack >= worst_) return;
    worst_ = slack;
    violation_ = {rules_[rule].rule, rules_[rule].source, {}, commands_, command, pair(), required, actual};
}

void Auditor::fail_state(std::string_view rule, std::string detail, const Command& command,
                         std::optional<Command> preceding) {
    violation_ = {std::string(rule), "state", std::move(detail), commands_, command, preceding, 0, 0};
    if (preceding) violation_->actual = static_cast<i64>(command.at.v) - static_cast<i64>(preceding->at.v);
}

void Auditor::fail_late(const Command& command) {
    const RuleText& rule = rules_[late_rule_];
    violation_ = {rule.rule, rule.source, {}, commands_, command, {}, 0, 0};
    violation_->detail = place_text(topology_.place_of(refreshes_.bank_at_deadline())) +
                         " was due a refresh before clock " + std::to_string(refreshes_.deadline().v);
}

bool Auditor::well_formed(const Command& c) {
    if (static_cast<std::size_t>(c.kind) >= kKinds || !exists_[static_cast<std::size_t>(c.kind)]) {
        fail_state("state: the device has the command", "its timings are not given", c);
        return false;
    }
    if (c.at < now_) {
        fail_state("state: commands come in time order", "the stream was at " + std::to_string(now_.v), c);
        return false;
    }
    const std::tuple<const char*, u32, u32> limits[] = {{"pseudo-channel", c.pseudo, device_.pseudos},
                                                        {"rank", c.rank, device_.ranks},
                                                        {"bank group", c.group, device_.groups},
                                                        {"bank", c.bank, device_.banks},
                                                        {"row", c.row, device_.rows},
                                                        {"column", c.column, device_.columns}};
    for (const auto& [what, value, limit] : limits) {
        if (value < limit) continue;
        fail_state("state: coordinates exist on the device",
                   std::string(what) + " " + std::to_string(value) + ", the last one is " +
                       std::to_string(limit - 1),
                   c, {});
        return false;
    }
    return true;
}

void Auditor::judge_node(const Check& check, u32 node, const Command& command) {
    if (const Command* p = history_.find(check.level, check.preceding, node, check.window))
        judge(check.rule, p, command, check.required);
}

void Auditor::observe(const Command& command) {
    if (violation_) return;
    ++commands_;
    if (!well_formed(command)) return;
    now_ = command.at;
    end_ = std::max(end_, now_);
    if (auto fault = banks_.check(command)) {
        fail_state(fault->rule, std::move(fault->detail), command, fault->preceding);
        return;
    }

    worst_ = 0;
    for (const Check& check : checks_[static_cast<std::size_t>(command.kind)]) {
        const Nodes nodes = topology_.addressed(check.level, command);
        for (u32 i = 0, node = nodes.first; i < nodes.count; ++i, node += nodes.step) {
            if (!check.sibling) {
                judge_node(check, node, command);
                continue;
            }
            const Nodes family = topology_.family(check.level, node);
            for (u32 other = family.first; other < family.first + family.count; ++other)
                if (other != node) judge_node(check, other, command);
        }
    }
    check_buses(command);
    check_refresh(command);

    history_.record(command);
    banks_.record(command);
}

void Auditor::check_buses(const Command& command) {
    const bool burst = is_burst(command.kind);
    if (burst) {
        data_bus_.place(command, [&](BusRule rule, const Command& earlier, i64 slack) {
            const i64 distance = static_cast<i64>(command.at.v) - static_cast<i64>(earlier.at.v);
            judge(first_data_bus_rule_ + static_cast<u32>(rule), &earlier, command, distance - slack);
        });
    }
    const u32 column = split_bus_ && burst ? 1 : 0;
    Bus& bus = buses_[column];
    if (bus.used) {
        const i64 length = half_clocks_[static_cast<std::size_t>(bus.last.kind)];
        judge(command_bus_rule_ + column, &bus.last, command, steps(length));
    }
    bus = {true, command};
}

void Auditor::check_refresh(const Command& command) {
    const bool refresh = is_refresh(command.kind);
    if (refreshes_.on()) {
        if (!violation_ && command.at >= refreshes_.deadline()) fail_late(command);
        if (refresh) {
            const i64 left = refreshes_.clocks_left(command);
            Tightest& late = tightest_[late_rule_];
            if (late.exercised++ == 0 || left < late.slack) {
                late.slack = left;
                late.required = static_cast<i64>(command.at.v) + left;
                late.command = command;
            }
            if (refreshes_.may_be_early(command)) {
                const i64 since = refreshes_.clocks_since_allowed(command);
                judge(early_rule_, nullptr, command, static_cast<i64>(command.at.v) - since);
            }
        }
    }
    if (refresh) refreshes_.record(command);
}

void Auditor::finish(Cycle end) {
    if (violation_) return;
    Command at_end;
    at_end.at = end;
    if (end < now_)
        fail_state("state: commands come in time order", "a command came at " + std::to_string(now_.v),
                   at_end);
    else if (end >= refreshes_.deadline())
        fail_late(at_end);
    if (violation_) violation_->number = 0;
    end_ = end;
}

std::vector<SlackRow> Auditor::slack() const {
    std::vector<SlackRow> rows;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const Tightest& t = tightest_[i];
        rows.push_back(
            {rules_[i].rule, rules_[i].source, t.exercised, t.slack, t.required, t.preceding, t.command});
    }
    return rows;
}

}  // namespace heddle::dram::audit
