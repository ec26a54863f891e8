#pragma once
// PTX function -> internal code: lowering, optimisation, registers, operations.
//
// A function that needs more registers than it may have is compiled again: with fewer loads on the way at once, then with
// values in memory (spill.h), more of them each time. It may still need more than that in the end: the operands of one
// instruction, what passes between functions.

#include <vector>

#include "ptx/ast.h"
#include "ptx/code.h"
#include "ptx/module.h"

namespace heddle::ptx {

/// What a thread can have at most (PTX ISA 8.5, ".maxnreg"; CUDA programming guide, "Technical Specifications per Compute
/// Capability"), and what ptxas takes at least whatever the limit is.
inline constexpr u32 kMostRegisters = 255, kFewestRegisters = 16;

FunctionCode compile_function(const ast::Unit& unit, const ast::Function& function,
                              std::vector<Unsupported>& unsupported, u32 most_registers);

}  // namespace heddle::ptx
