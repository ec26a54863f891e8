#include "trace/input/line_reader.h"

#include <cstring>

#include "sim/error.h"
#include "sim/text.h"

namespace heddle {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

namespace {

// Stays in the second-level cache, so that copying from the page cache is all that reading costs.
constexpr std::size_t kBuffer = 256 << 10;
// The first read is small: often only a header is wanted, and decompressing more would be wasted.
constexpr std::size_t kFirstRead = 2 * LineReader::kMaxLine;

}  // namespace

LineReader::LineReader(const std::string& path)
    : path_(path), source_(open_bytes(path)), buffer_(new char[kBuffer + kPadding]) {
    at_ = limit_ = buffer_.get();
}

void LineReader::refill() {
    char* begin = buffer_.get();
    const std::size_t kept = static_cast<std::size_t>(limit_ - at_);
    std::memmove(begin, at_, kept);
    at_ = begin;
    char* to = begin + kept;
    char* const end = begin + (line_ == 0 && kept == 0 ? kFirstRead : kBuffer);
    while (to != end) {
        const std::size_t got = source_->read(to, static_cast<std::size_t>(end - to));
        if (got == 0) {
            ended_ = true;
            break;
        }
        to += got;
    }
    std::memset(to, 0, kPadding);
    limit_ = to;
}

bool LineReader::line(std::string_view& text, bool allow_open_end) {
    ensure();
    if (at_ == limit_) return false;
    const std::size_t left = static_cast<std::size_t>(limit_ - at_);
    const char* end = static_cast<const char*>(std::memchr(at_, '\n', left < kMaxLine ? left : kMaxLine));
    ++line_;
    if (end == nullptr) {
        if (left >= kMaxLine) fail("a line of more than 8192 bytes; is this a text file?");
        if (!source_->damage().empty() || !allow_open_end)
            fail("the file ends in the middle of a line: it was cut off, or its last line has no line end");
        end = limit_;
    }
    text = std::string_view(at_, static_cast<std::size_t>(end - at_));
    at_ = end == limit_ ? end : end + 1;
    if (line_ == 1 && text.starts_with(kByteOrderMark)) [[unlikely]]
        text.remove_prefix(kByteOrderMark.size());
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return true;
}

bool LineReader::text_line(std::string_view& text, bool allow_open_end) {
    while (line(text, allow_open_end))
        if (text.find_first_not_of(" \t") != std::string_view::npos) return true;
    return false;
}

void LineReader::fail_at(u64 line, const std::string& what) const {
    const std::string& damage = source_->damage();
    throw InputError(path_ + ":" + std::to_string(line == 0 ? 1 : line) + ": " +
                     (damage.empty() ? what : damage));
}

}  // namespace heddle
