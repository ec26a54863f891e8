#pragma once
// PTX function -> internal code: lowering, optimisation, registers, operations.

#include <vector>

#include "ptx/ast.h"
#include "ptx/code.h"
#include "ptx/module.h"

namespace heddle::ptx {

FunctionCode compile_function(const ast::Unit& unit, const ast::Function& function,
                              std::vector<Unsupported>& unsupported);

}  // namespace heddle::ptx
