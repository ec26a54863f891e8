#pragma once
// From what a user names to a stream: an Accel-Sim list or kernel trace, a recording of Heddle's, a pattern.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/stream.h"

namespace heddle {

/// Which launches of a program are wanted: "3-5,9" are the third to fifth and the ninth, counted from 1 in
/// program order. Default: all.
class KernelSelection {
  public:
    KernelSelection() = default;
    /// Throws InputError naming the part that is not a number or range.
    explicit KernelSelection(std::string_view text);

    bool all() const { return ranges_.empty(); }
    bool contains(u64 launch) const;
    /// The last launch that is wanted; 0 if all are.
    u64 last() const;
    const std::string& text() const { return text_; }

  private:
    struct Range {
        u64 first, last;
    };
    std::string text_;
    std::vector<Range> ranges_;
};

struct OpenOptions {
    KernelSelection kernels;
    /// Warp instructions after which the program ends; 0: no bound (trace/filters.h).
    u64 max_instructions = 0;
};

/// Opens a kernelslist.g, a single kernel trace (plain or compressed), a recording, or "pattern:..." and
/// applies the options. What a file is, its content tells, not its name. Throws InputError: missing, a
/// folder, empty or none of these, with the nearest right thing.
std::unique_ptr<StreamSource> open_source(const std::string& path_or_pattern,
                                          const OpenOptions& options = {});

/// The kernel traces that a list names; none if the file is not a list. Errors as open_source.
std::vector<std::string> files_of_list(const std::string& path);

/// True if the file's content is one that open_source reads (so `heddle run WORD` can tell a trace from a
/// program). False if it can't be read.
bool is_stream_file(const std::string& path);

}  // namespace heddle
