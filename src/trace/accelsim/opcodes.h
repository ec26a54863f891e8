#pragma once
// What a SASS opcode does: data, one row an opcode, with the GPU generations that have it.
// Source of the names: NVIDIA "CUDA Binary Utilities", instruction set reference, Kepler to Hopper.

#include <string_view>

#include "trace/instruction.h"

namespace heddle::accelsim {

enum class Generation : u8 { kepler, pascal, volta, turing, ampere, ada, hopper };

struct Opcode {
    std::string_view name;  // before the first '.'
    Generation first, last;
    OpClass op;
    MemOp mem = MemOp::none;
    MemSpace space = MemSpace::none;
    bool generic = false;          // space found from the first active address
    bool needs_addresses = false;  // with active lanes and no address it is a damaged line
    u8 dst_registers = 1;          // 32-bit registers written, unless a modifier says otherwise
};

/// The row of an opcode (text before the first '.'), or null if this generation's table lists none.
const Opcode* find_opcode(Generation generation, std::string_view name);

/// The generation whose table serves a binary version (35, 60, 61, 70, 75, 80, 86, 89, 90; others get the
/// nearest older one).
struct BinaryVersion {
    Generation generation;
    bool exact;  // the version has a table of its own
};
BinaryVersion generation_of(u32 binary_version);

}  // namespace heddle::accelsim
