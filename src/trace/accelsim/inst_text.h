#pragma once
// One instruction line, read in full. This is the slow path: each different line is read once, later ones
// are recognized by their text (line_cache.h).

#include <string_view>

#include "trace/accelsim/dialect.h"
#include "trace/input/line_reader.h"
#include "trace/instruction.h"

namespace heddle::accelsim {

struct InstText {
    StaticInst inst;
    const Opcode* opcode = nullptr;  // null: no table lists it
    std::string_view name;           // the whole opcode with its modifiers
    u32 mask_at = 0;                 // offset of the mask's eight digits
    u32 fixed_bytes = 0;  // bytes that repeat when the instruction does: the whole line with its end, or
                          // up to the address mode if it has addresses
    bool has_addresses = false;  // mem_width > 0
};

/// `line` starts after the place prefix of old versions and ends after the line's '\n'. Errors name the
/// line after the reader's current one.
InstText parse_inst(const LineReader& in, u64 line_number, std::string_view line, const Dialect& dialect);

}  // namespace heddle::accelsim
