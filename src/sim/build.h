#pragma once
// What only the build knows.

#include <string>
#include <string_view>

namespace heddle {

/// Of Heddle, as "0.1.0".
std::string heddle_version();
/// A file or folder of the checkout that this program was built from: its machines, studies, workloads, headers.
std::string checkout(std::string_view path);
/// The shared library of AddressSanitizer that this program was built with; empty if it was built without.
std::string sanitizer_library();

}  // namespace heddle
