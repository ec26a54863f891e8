#pragma once
// Compiles a policy apart from the program, as its author would.

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

#include "built.h"

namespace heddle {

/// `include`: a folder that is looked through before the program's headers.
inline void build_plugin(const std::string& source, const std::string& object,
                         const std::string& include = checkout("src")) {
    const std::string command = "c++ -std=c++20 -O1 -fPIC -shared -I" + include + " -I" + checkout("src") +
                                " " + source + " -o " + object;
    ASSERT_EQ(std::system(command.c_str()), 0);
}

}  // namespace heddle
