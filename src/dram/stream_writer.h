#pragma once
// Writes a request stream that `read_stream` (alone.h) and other DRAM simulators read: "0xADDR READ|WRITE CYCLE" a line.

#include <cstdio>
#include <string>
#include <string_view>

#include "sim/types.h"

namespace heddle::dram {

class StreamWriter {
  public:
    /// `heading` becomes comment lines. InputError if the file can't be made or is not a regular one.
    StreamWriter(std::string path, std::string_view heading);
    ~StreamWriter();
    StreamWriter(const StreamWriter&) = delete;
    StreamWriter& operator=(const StreamWriter&) = delete;

    /// `at` never decreases.
    void write(u64 address, bool write, Cycle at);
    /// Closes. InputError if something could not be written.
    void finish();

  private:
    [[noreturn]] void fail(std::string_view what) const;

    std::string path_;
    std::FILE* file_ = nullptr;
};

}  // namespace heddle::dram
