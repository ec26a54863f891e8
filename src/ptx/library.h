#pragma once
// Functions that a program calls by name and does not define: __nv_* mathematics (NVIDIA's libdevice names,
// which clang leaves as calls). docs/ptx.md lists each with its largest error.

#include <string_view>

#include "ptx/types.h"

namespace heddle::ptx {

struct LibraryFunction {
    std::string_view name;  // without "__nv_"
    Type result = Type::none;
    u8 arguments = 1;
    Type argument = Type::none;  // of all of them
    double (*f1)(double) = nullptr;
    double (*f2)(double, double) = nullptr;
    double (*f3)(double, double, double) = nullptr;
};

/// The index of "__nv_NAME" in the table, or -1.
int find_library(std::string_view name);
const LibraryFunction& library_function(int index);

}  // namespace heddle::ptx
