#pragma once
// Which nodes of the device a command concerns: channel > pseudo-channel > rank > bank group > bank.

#include "dram/audit/rule.h"

namespace heddle::dram::audit {

/// `count` node numbers of one level, from `first` in steps.
struct Nodes {
    u32 first;
    u32 step;
    u32 count;
};

class Topology {
  public:
    Topology(const AuditDevice& device, Level all_bank)
        : pseudos_(device.pseudos),
          ranks_(device.ranks),
          groups_(device.groups),
          banks_(device.banks),
          all_bank_(all_bank) {}

    u32 count(Level level) const {
        const u32 ranks = pseudos_ * ranks_;
        const u32 counts[] = {1, pseudos_, ranks, ranks * groups_, ranks * groups_ * banks_};
        return counts[static_cast<std::size_t>(level)];
    }

    u32 node(Level level, const Command& c) const {
        const u32 rank = c.pseudo * ranks_ + c.rank;
        switch (level) {
            case Level::channel:
                return 0;
            case Level::pseudo:
                return c.pseudo;
            case Level::rank:
                return rank;
            case Level::group:
                return rank * groups_ + c.group;
            default:
                return (rank * groups_ + c.group) * banks_ + c.bank;
        }
    }

    /// The nodes that the command is a command *to*, as rules count it: a command to all banks of a rank is
    /// one to the rank and to what holds the rank, and to no single bank.
    Nodes addressed(Level level, const Command& c) const {
        switch (c.kind) {
            case CommandKind::precharge_all:
            case CommandKind::refresh_all:
                if (level > all_bank_) return {0, 1, 0};
                break;
            case CommandKind::refresh_same:
                if (level == Level::group) return {node(Level::rank, c) * groups_, 1, groups_};
                if (level == Level::bank)
                    return {node(Level::rank, c) * groups_ * banks_ + c.bank, banks_, groups_};
                break;
            default:
                break;
        }
        return {node(level, c), 1, 1};
    }

    /// The banks whose state the command needs or changes.
    Nodes banks(const Command& c) const {
        if (c.kind != CommandKind::precharge_all && c.kind != CommandKind::refresh_all)
            return addressed(Level::bank, c);
        const u32 in_scope = banks_in_scope();
        return {node(all_bank_, c) * in_scope, 1, in_scope};
    }

    /// The other nodes of the level with the same parent, and the node itself.
    Nodes family(Level level, u32 node) const {
        const u32 sizes[] = {1, pseudos_, ranks_, groups_, banks_};
        const u32 size = sizes[static_cast<std::size_t>(level)];
        return {node / size * size, 1, size};
    }

    /// Where the bank is, as a command says it.
    Command place_of(u32 bank) const {
        Command c;
        c.bank = static_cast<u8>(bank % banks_);
        c.group = static_cast<u8>(bank / banks_ % groups_);
        c.rank = static_cast<u8>(bank / banks_ / groups_ % ranks_);
        c.pseudo = static_cast<u8>(bank / banks_ / groups_ / ranks_);
        return c;
    }

    /// Banks that one PREab or REFab addresses.
    u32 banks_in_scope() const { return count(Level::bank) / count(all_bank_); }
    Level all_bank() const { return all_bank_; }

  private:
    u32 pseudos_, ranks_, groups_, banks_;
    Level all_bank_;
};

}  // namespace heddle::dram::audit
