#pragma once
// A DRAM command as it appears on the command bus: what the device, the command trace and the auditor see.

#include "sim/types.h"

namespace heddle::dram {

enum class CommandKind : u8 {
    activate,
    precharge,  // one bank
    precharge_all,
    read,
    read_auto,  // with auto-precharge
    write,
    write_auto,
    refresh_all,
    refresh_same,  // the same bank of each bank group (DDR5)
    refresh_bank,
    count_
};

/// Coordinates of a channel's device; fields that a command does not use are 0.
struct Command {
    Cycle at;  // DRAM command clock of the channel
    CommandKind kind = CommandKind::activate;
    u8 pseudo = 0;  // pseudo-channel
    u8 rank = 0;
    u8 group = 0;    // bank group
    u8 bank = 0;     // bank in the group
    u32 row = 0;     // activate: opened; precharge: closed; read/write: open
    u32 column = 0;  // read/write: burst number in the row
};

}  // namespace heddle::dram
