// Request streams of Ramulator, DRAMsim3 and Heddle, told apart line by line.

#include <charconv>
#include <fmt/format.h>
#include <string_view>

#include "dram/alone.h"
#include "sim/error.h"
#include "trace/input/line_reader.h"

namespace heddle::dram {

namespace {

constexpr const char* kExpected =
    "expected '0xADDRESS R|W', '0xADDRESS READ|WRITE CYCLE' or 'LD|ST 0xADDRESS'";
/// Three days at 1 GHz. Refreshes are simulated one by one up to the cycle of a request.
constexpr u64 kLastCycle = (u64{1} << 48) - 1;

std::string_view next_word(std::string_view& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return line = {}, std::string_view{};
    const std::size_t last = std::min(line.find_first_of(" \t", first), line.size());
    const std::string_view word = line.substr(first, last - first);
    line.remove_prefix(last);
    return word;
}

/// A word for a message: its beginning, and nothing that a terminal could take for a command.
std::string shown(std::string_view word) {
    constexpr std::size_t kLongest = 40;
    std::string text;
    for (const char c : word.substr(0, kLongest)) text += c >= ' ' && c <= '~' ? c : '?';
    return word.size() > kLongest ? text + "..." : text;
}

enum class Number : u8 { good, malformed, too_large };

Number parse(std::string_view digits, int base, u64& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
    if (digits.empty() || end != digits.data() + digits.size()) return Number::malformed;
    return error == std::errc() ? Number::good : Number::too_large;
}

class Parser {
  public:
    Parser(const LineReader& lines, u64 limit) : lines_(lines), limit_(limit) {}

    StreamEntry entry(std::string_view line) const {
        const std::string_view first = next_word(line), second = next_word(line);
        StreamEntry e;
        const bool kind_first = first == "LD" || first == "ST";
        e.address = address(kind_first ? second : first);
        e.write = kind_first ? first == "ST" : is_write(second);
        if (const std::string_view cycle = next_word(line); !cycle.empty()) {
            if (kind_first) fail("'" + shown(cycle) + "' after the request: " + kExpected);
            e.not_before = not_before(cycle);
        }
        if (const std::string_view rest = next_word(line); !rest.empty())
            fail("'" + shown(rest) + "' after the request: " + kExpected);
        return e;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { lines_.fail(what); }

    u64 address(std::string_view word) const {
        const bool marked = word.starts_with("0x") || word.starts_with("0X");
        u64 value = 0;
        const Number n = parse(marked ? word.substr(2) : word, 16, value);
        if (n == Number::malformed) fail("address '" + shown(word) + "': " + kExpected);
        // Some tools print bare hexadecimal digits, others bare decimal ones.
        if (!marked)
            fail(fmt::format(
                "address '{0}' has no 0x; addresses are hexadecimal: write 0x{0} if that is meant",
                shown(word)));
        if (n == Number::too_large || value >= limit_)
            fail(fmt::format("address {} is beyond the memory, which ends at {:#x}", shown(word), limit_));
        return value;
    }
    bool is_write(std::string_view word) const {
        if (word == "W" || word == "WRITE" || word == "w") return true;
        if (word != "R" && word != "READ" && word != "r") fail("kind '" + shown(word) + "': " + kExpected);
        return false;
    }
    Cycle not_before(std::string_view word) const {
        u64 value = 0;
        const Number n = parse(word, 10, value);
        if (n == Number::malformed) fail("cycle '" + shown(word) + "': " + kExpected);
        if (n == Number::too_large || value > kLastCycle)
            fail(fmt::format("cycle {} is too large; the limit is {}", shown(word), kLastCycle));
        return Cycle(value);
    }

    const LineReader& lines_;
    const u64 limit_;
};

}  // namespace

std::vector<StreamEntry> read_stream(const std::string& file, u64 limit) {
    LineReader lines(file);
    const Parser parser(lines, limit);
    std::vector<StreamEntry> stream;
    for (std::string_view line; lines.text_line(line, true);) {
        if (trimmed(line).front() == '#') continue;
        const StreamEntry entry = parser.entry(line);
        if (!stream.empty() && entry.not_before < stream.back().not_before)
            lines.fail(fmt::format("cycle {} is before that of the previous request, {}", entry.not_before.v,
                                   stream.back().not_before.v));
        stream.push_back(entry);
    }
    if (lines.damaged()) lines.fail("");
    if (stream.empty()) throw InputError(file + ": contains no request");
    return stream;
}

}  // namespace heddle::dram
