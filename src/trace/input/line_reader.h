#pragma once
// Text, line by line, out of one reused buffer: big reads, no copies of lines, lines counted for messages.
//
// The parser works on pointers: after ensure(), [at(), limit()) holds the whole next line or all that is
// left of the file, and kPadding zero bytes follow the end of what was read, so looking a little past a
// line is safe.

#include <memory>
#include <string>
#include <string_view>

#include "trace/input/byte_source.h"

namespace heddle {

/// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);

class LineReader {
  public:
    /// A longer line is not text that anybody wrote.
    static constexpr std::size_t kMaxLine = 8 << 10;
    static constexpr std::size_t kPadding = 256;

    /// Opens the file; errors as open_bytes.
    explicit LineReader(const std::string& path);

    /// Makes the next line available as a whole unless the file ends before.
    void ensure() {
        if (limit_ - at_ < static_cast<std::ptrdiff_t>(kMaxLine) && !ended_) refill();
    }
    const char* at() const { return at_; }
    const char* limit() const { return limit_; }
    /// Moves past `lines` lines that end at `to`.
    void advance(const char* to, u64 lines) {
        at_ = to;
        line_ += lines;
    }

    /// The next line without its end (\n or \r\n). False at the file's end. A last line without an end is
    /// an error unless `allow_open_end`.
    bool line(std::string_view& text, bool allow_open_end = false);
    /// The next line that is not blank.
    bool text_line(std::string_view& text, bool allow_open_end = false);

    bool at_end() {
        ensure();
        return at_ == limit_;
    }

    /// Compression or reading failed somewhere ahead; fail() tells how.
    bool damaged() const { return !source_->damage().empty(); }

    const std::string& path() const { return path_; }
    /// Number of the line last returned by line(), counted from 1.
    u64 line_number() const { return line_; }

    /// Throws InputError "PATH:LINE: what". Damaged compression is reported instead of its consequences.
    [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }
    [[noreturn]] void fail_at(u64 line, const std::string& what) const;

  private:
    void refill();

    std::string path_;
    std::unique_ptr<ByteSource> source_;
    std::unique_ptr<char[]> buffer_;
    const char* at_ = nullptr;
    const char* limit_ = nullptr;
    u64 line_ = 0;
    bool ended_ = false;
};

}  // namespace heddle
