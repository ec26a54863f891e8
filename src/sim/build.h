#pragma once
// What only the build knows.

#include <string>
#include <string_view>

namespace heddle {

/// Heddle's version, as "0.1.0".
std::string heddle_version();
/// `path` below the root of the checkout that this program was built from: its machines, studies, workloads, headers.
/// Whether there is such a file is not looked at.
std::string checkout(std::string_view path);
/// Path of the shared library of AddressSanitizer that this program was built with; empty if it was built without.
std::string sanitizer_library();

}  // namespace heddle
