#pragma once
// NVIDIA's libraries that consist of headers only, Thrust, CUB and libcu++, as Debian's packages have them. They are
// installed when a program first includes them.

#include <string>
#include <string_view>

namespace heddle::cuda {

/// A header that a compiler did not find, and the package that has it.
struct MissingHeader {
    std::string header, package;  // both empty: none, or one of the program's own
};

/// From what the compiler said ("fatal error: 'thrust/sort.h' file not found"). `include` is where packages put headers: if
/// the library's folder is there, it lacks the header, and installing the package would not help.
MissingHeader missing_header(std::string_view compiler_said, const std::string& include = "/usr/include");

/// Says what it does and runs apt-get, as root or by a sudo that asks for no password. Throws InputError that names the
/// header and the command if that is not possible, or fails.
void install(const MissingHeader& missing);

}  // namespace heddle::cuda
