#pragma once
// Writes a request stream that `read_stream` (alone.h) and other DRAM simulators read: "0xADDR READ|WRITE CYCLE" a line.

#include <string_view>

#include "sim/output_file.h"
#include "sim/types.h"

namespace heddle::dram {

class StreamWriter {
  public:
    /// `heading` becomes comment lines. WriteError if the file can't be made or is not a regular one.
    StreamWriter(const std::string& path, std::string_view heading);

    /// `at` never decreases.
    void write(u64 address, bool write, Cycle at);
    /// The file gets its name. WriteError if something could not be written.
    void finish() { file_.finish(); }

  private:
    OutputFile file_;
};

}  // namespace heddle::dram
