#pragma once
// What only the build knows, and where what belongs to the program lies.
//
// The program may run in the checkout that it was built in, in a copy of that, from an installation
// (`cmake --install`: bin/heddle, lib/heddle, share/heddle), or as a copied file. What it needs is looked for beside it,
// in that order, and then where it was built.

#include <string>
#include <string_view>

namespace heddle {

/// Heddle's version, as "0.1.0".
std::string heddle_version();
/// `path` below the root of the checkout that this program was built from. Whether there is such a file is not looked at.
std::string checkout(std::string_view path);
/// Path of the shared library of AddressSanitizer that this program was built with; empty if it was built without.
std::string sanitizer_library();

/// The folder of the running program.
std::string program_folder();
/// Whether the program runs where it was built, or in a copy of that folder.
bool in_build_folder();
/// A folder of files that Heddle ships: share/heddle/`installed` or, in a checkout, `source`. If there is none: where it
/// was in the checkout.
std::string shipped_folder(std::string_view installed, std::string_view source);
/// The folder of Heddle's libcudart.so.*. If there is none: that of the program.
std::string library_folder();

}  // namespace heddle
