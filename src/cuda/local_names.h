#pragma once
// Kernels and variables that only their own file sees, in relocatable code.
//
// clang 14 gives them names that no other file has, by a suffix of its own, but registers them, and refers to variables, by the
// plain names. The plain names come back, as names of their file alone: the runtime's linker knows which file asks.

#include <string>

namespace heddle::cuda {

/// The PTX text of one file with plain local names. Lines stay lines.
std::string with_local_names(const std::string& ptx);

}  // namespace heddle::cuda
