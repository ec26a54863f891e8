#pragma once
// The independent judge of a channel's command stream.
//
// An Auditor reads the commands of one channel in time order and holds each against everything that the
// device's standard asks: the distance to every earlier command that constrains it, the state of its bank,
// its command bus, its burst on the data bus, and refreshes that are neither too late nor too early. It knows
// the standard's tables (rule.h) and nothing of any controller, and works the plain way: remember the last
// commands of each kind at each node, and for a new command look back through every rule that it follows in.
//
//     Auditor auditor(device);              // InputError if the description is wrong
//     auditor.observe(command);             // for each command; never throws
//     auditor.finish(end);                  // the clock at which the run ended
//     if (auditor.violation()) ... describe(*auditor.violation())
//
// Command::at is the first clock of a command that takes several, in steps of AuditDevice::steps_per_clock, and so are
// all times and distances below. Commands of one clock may come in any
// order. The first violation ends the audit: later commands are ignored. Of several faults of one command the
// one with the largest shortfall is reported, then the one of the narrowest node. slack() tells how tight
// each rule came, also for a clean run: a rule that was never exercised has proved nothing.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dram/audit/bank_state.h"
#include "dram/audit/data_bus.h"
#include "dram/audit/device.h"
#include "dram/audit/history.h"
#include "dram/audit/refresh_ledger.h"

namespace heddle::dram::audit {

struct Violation {
    std::string rule;  ///< as in SlackRow
    std::string source;
    std::string detail;  ///< what else there is to say; may be empty
    u64 number = 0;      ///< the command's place in the stream, from 1; 0: the end of the stream
    Command command;     ///< at fault; at the end of the stream only its clock counts
    std::optional<Command>
        preceding;     ///< that it came too soon after, or that brought the bank into its state
    i64 required = 0;  ///< clocks from the first clock of `preceding` to that of `command`; 0 for states
    i64 actual = 0;
};

struct SlackRow {
    std::string rule;  ///< "bank: ACT -> RD RDA, RCDRD" or "data bus: overlap"
    std::string source;
    u64 exercised = 0;  ///< times that a command followed one that the rule constrains
    i64 slack = 0;      ///< least clocks to spare; the rest is of the pair that had them
    i64 required = 0;
    std::optional<Command> preceding;  ///< none: `required` is a clock of the run
    Command command;
};

class Auditor {
  public:
    explicit Auditor(const AuditDevice& device);

    void observe(const Command& command);
    /// The run ended at `end`: refreshes due by then count.
    void finish(Cycle end);

    const std::optional<Violation>& violation() const { return violation_; }
    /// Every rule that exists on the device, in the order of the standard's table.
    std::vector<SlackRow> slack() const;
    /// Refresh commands, and those due until finish(), or until the violation.
    std::vector<RefreshCount> refreshes() const { return refreshes_.counts(end_); }
    u64 commands() const { return commands_; }

  private:
    /// One rule for one pair of kinds.
    struct Check {
        u32 rule;
        Level level;
        CommandKind preceding;
        u8 window;
        bool sibling;
        i64 required;
    };
    struct Tightest {
        u64 exercised = 0;
        i64 slack = 0;
        i64 required = 0;
        std::optional<Command> preceding;
        Command command;
    };
    struct RuleText {
        std::string rule;
        std::string source;
    };
    struct Bus {
        bool used = false;
        Command last;
    };

    u32 add_rule(std::string rule, std::string source);
    void add_checks(const Rule& rule, i64 clocks);
    /// Rounded up to whole steps.
    i64 steps(i64 half_clocks) const { return (half_clocks * device_.steps_per_clock + 1) >> 1; }

    /// The command came `actual` clocks after `preceding` (of the run without one), the rule asks for
    /// `required`.
    void judge(u32 rule, const Command* preceding, const Command& command, i64 required);
    void judge_node(const Check& check, u32 node, const Command& command);
    void check_buses(const Command& command);
    void check_refresh(const Command& command);
    bool well_formed(const Command& command);
    void fail_state(std::string_view rule, std::string detail, const Command& command,
                    std::optional<Command> preceding = {});
    void fail_late(const Command& command);

    AuditDevice device_;
    const StandardRules& standard_;
    const KindTable half_clocks_;
    const bool split_bus_;
    Topology topology_;
    History history_;
    BankState banks_;
    DataBus data_bus_;
    RefreshLedger refreshes_;

    std::array<std::vector<Check>, kKinds> checks_;  // by the following command, narrowest level first
    std::array<bool, kKinds> exists_{};              // the device has the command
    std::vector<RuleText> rules_;
    std::vector<Tightest> tightest_;  // beside rules_
    u32 first_data_bus_rule_ = 0;
    u32 command_bus_rule_ = 0;  // with a split bus: of rows, then of columns
    u32 late_rule_ = 0;
    u32 early_rule_ = 0;
    std::array<Bus, 2> buses_;  // one alone without a split

    u64 commands_ = 0;
    Cycle now_{0};
    Cycle end_{0};
    i64 worst_ = 0;  // largest shortfall of the present command
    std::optional<Violation> violation_;
};

}  // namespace heddle::dram::audit
