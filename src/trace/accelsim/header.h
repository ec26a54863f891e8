#pragma once
// The header of a kernel trace: the lines that start with '-', up to the first that starts with '#'.

#include <string>
#include <vector>

#include "trace/accelsim/dialect.h"
#include "trace/input/line_reader.h"
#include "trace/stream.h"

namespace heddle::accelsim {

/// Register numbers of the stream: R<n> is n, UR<n> is kUniformBase + n.
inline constexpr u16 kUniformBase = 256;

/// Uniform registers of a GPU: none before Turing, 63 and a zero register up to Hopper, 128 names since.
constexpr u16 uniform_registers(const Dialect& dialect) {
    if (dialect.generation < Generation::turing) return 0;
    return dialect.binary_version < 100 ? 64 : 128;
}

struct Header {
    KernelInfo kernel;
    Dialect dialect;
    std::vector<std::string> warnings;  // unknown header lines, a newer GPU than the tables know
};

/// Reads and checks the header. Throws InputError naming the line at fault.
Header read_header(LineReader& in);

}  // namespace heddle::accelsim
