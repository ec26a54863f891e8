#pragma once
// Which row each bank has open, and which commands that allows.

#include <optional>
#include <string_view>
#include <vector>

#include "dram/audit/topology.h"

namespace heddle::dram::audit {

struct StateFault {
    std::string_view rule;
    std::string detail;
    std::optional<Command> preceding;  ///< the command that brought the bank into the state
};

class BankState {
  public:
    explicit BankState(const Topology& topology) : topology_(topology), banks_(topology.count(Level::bank)) {}

    /// A precharge of a closed bank is legal (JEDEC: it does nothing), but can't name a row.
    std::optional<StateFault> check(const Command& command) const;
    /// For a command that check() passed.
    void record(const Command& command);

  private:
    struct Bank {
        bool open = false;
        bool touched = false;  // `last` holds a command
        u32 row = 0;
        Command last;  // that opened or closed it
    };

    StateFault fault(std::string_view rule, std::string detail, const Bank& bank) const;

    Topology topology_;
    std::vector<Bank> banks_;
};

}  // namespace heddle::dram::audit
