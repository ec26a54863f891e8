#include "dram/audit/bank_state.h"

#include <string>

namespace heddle::dram::audit {

namespace {

std::string row_text(u32 row) {
    return "row " + std::to_string(row);
}

}  // namespace

StateFault BankState::fault(std::string_view rule, std::string detail, const Bank& bank) const {
    return {rule, std::move(detail), bank.touched ? std::optional(bank.last) : std::nullopt};
}

std::optional<StateFault> BankState::check(const Command& c) const {
    if (c.kind == CommandKind::precharge_all) return {};
    const Nodes nodes = topology_.banks(c);
    if (c.kind == CommandKind::refresh_all || c.kind == CommandKind::refresh_same ||
        c.kind == CommandKind::refresh_bank) {
        for (u32 i = 0, b = nodes.first; i < nodes.count; ++i, b += nodes.step)
            if (banks_[b].open)
                return fault("state: a refresh needs its banks precharged",
                             row_text(banks_[b].row) + " is open", banks_[b]);
        return {};
    }

    const Bank& bank = banks_[nodes.first];
    switch (c.kind) {
        case CommandKind::activate:
            if (bank.open)
                return fault("state: ACT needs a closed bank", row_text(bank.row) + " is open", bank);
            return {};
        case CommandKind::precharge:
            if (bank.open && bank.row != c.row)
                return fault("state: PREpb names the row that it closes",
                             "names " + row_text(c.row) + ", " + row_text(bank.row) + " is open", bank);
            if (!bank.open && c.row != 0)
                return fault("state: PREpb names the row that it closes",
                             "names " + row_text(c.row) + ", the bank is closed", bank);
            return {};
        default:
            if (!bank.open) return fault("state: a burst needs its row open", "the bank is closed", bank);
            if (bank.row != c.row)
                return fault("state: a burst needs its row open",
                             "names " + row_text(c.row) + ", " + row_text(bank.row) + " is open", bank);
            return {};
    }
}

void BankState::record(const Command& c) {
    switch (c.kind) {
        case CommandKind::activate:
        case CommandKind::precharge:
        case CommandKind::precharge_all:
        case CommandKind::read_auto:
        case CommandKind::write_auto:
            break;
        default:
            return;
    }
    const Nodes nodes = topology_.banks(c);
    for (u32 i = 0, b = nodes.first; i < nodes.count; ++i, b += nodes.step) {
        const bool opens = c.kind == CommandKind::activate;
        banks_[b] = {opens, true, opens ? c.row : 0, c};
    }
}

}  // namespace heddle::dram::audit
