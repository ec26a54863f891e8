#pragma once
// Reads text files line by line and word by word. What is wrong ends the program with "FILE:LINE: what".

#include <charconv>
#include <fstream>
#include <limits>
#include <string_view>

#include "workload.h"

namespace workloads {

class Reader {
  public:
    explicit Reader(std::string file) : file_(std::move(file)), in_(file_) {
        if (!in_) reject(file_ + ": cannot be read");
    }
    bool next() {
        at_ = 0;
        if (!std::getline(in_, line_)) return false;
        ++number_;
        return true;
    }
    const std::string& line() const { return line_; }
    bool blank() const { return line_.find_first_not_of(kSpace) == std::string::npos; }
    bool one_word() const {
        const std::size_t begin = line_.find_first_not_of(kSpace), end = line_.find_first_of(kSpace, begin);
        return begin != std::string::npos && line_.find_first_not_of(kSpace, end) == std::string::npos;
    }
    bool begins(std::string_view with) const { return line_.compare(0, with.size(), with) == 0; }

    /// Has this line more words?
    bool more() const { return line_.find_first_not_of(kSpace, at_) != std::string::npos; }
    /// The next word of this line; empty at its end.
    std::string_view word() {
        const std::size_t begin = line_.find_first_not_of(kSpace, at_);
        if (begin == std::string::npos) return {};
        at_ = std::min(line_.find_first_of(kSpace, begin), line_.size());
        return std::string_view(line_).substr(begin, at_ - begin);
    }
    /// The next word, a whole number; `shape` is what this line should look like.
    u64 whole(const char* shape) { return number<u64>(shape); }
    /// In the range of single precision.
    double real(const char* shape) {
        const double value = number<double>(shape);
        if (!(std::fabs(value) <= double{std::numeric_limits<float>::max()})) misshapen(shape);
        return value;
    }
    /// The next word, one of `vertices` labels from `first` on; returned from 0 on.
    u32 vertex(u64 first, u64 vertices, const char* shape) {
        const u64 label = whole(shape);
        if (label < first || label - first >= vertices)
            fail("vertex " + std::to_string(label) + " is not in " + std::to_string(first) + " to " +
                 std::to_string(vertices + first - 1));
        return static_cast<u32>(label - first);
    }

    [[noreturn]] void misshapen(const char* shape) const {
        fail(std::string("expected \"") + shape + "\", found \"" + line_ + "\"");
    }
    [[noreturn]] void fail(const std::string& what) const {
        reject(file_ + ":" + std::to_string(number_) + ": " + what);
    }
    /// A file that announces how many of something it has.
    void must_have(u64 announced, u64 read, const char* what) const {
        if (announced != read)
            fail(std::to_string(announced) + " " + what + " are announced, there are " +
                 std::to_string(read));
    }

  private:
    static constexpr const char* kSpace = " \t\r";

    template <class T>
    T number(const char* shape) {
        std::string_view text = word();
        if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
        T value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) misshapen(shape);
        return value;
    }

    std::string file_, line_;
    std::ifstream in_;
    std::size_t at_ = 0;
    u64 number_ = 0;
};

}  // namespace workloads
