#pragma once
// -maxrregcount: a limit for every kernel of a file that has no launch bounds of its own, as directives in its PTX.

#include <string>

namespace heddle::cuda {

/// The PTX text with `.maxnreg` behind the parameters of each .entry that says nothing of its block's threads or registers.
std::string with_register_limit(const std::string& ptx, unsigned registers);

}  // namespace heddle::cuda
