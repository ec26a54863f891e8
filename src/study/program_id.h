#pragma once
// Which program this is.

#include <string>

namespace heddle::study {

/// The linker's build id, a digest of what it has linked, in hexadecimal; empty if it left none.
std::string program_build_id();

}  // namespace heddle::study
