#include "cuda/local_names.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "cuda/undefined.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kDigits = 16, kFewestDigits = 8;  // of a 64-bit number without leading zeros

/// The length of clang's suffix at `at`; 0: there is none.
std::size_t suffix_length(std::string_view text, std::size_t at) {
    for (const std::string_view mark : {std::string_view("__static__"), std::string_view("__intern__")}) {
        if (text.substr(at, mark.size()) != mark) continue;
        std::size_t digits = 0;
        while (digits < kDigits && at + mark.size() + digits < text.size() &&
               std::isxdigit(static_cast<unsigned char>(text[at + mark.size() + digits])) != 0)
            ++digits;
        if (digits >= kFewestDigits) return mark.size() + digits;
    }
    return 0;
}

/// The text without clang's suffixes, and the names that had one.
std::string plain_text(std::string_view text, std::set<std::string, std::less<>>& names) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == '_' ? suffix_length(text, at) : 0;
        if (length == 0) {
            plain += text[at++];
            continue;
        }
        std::size_t begin = plain.size();
        while (begin > 0 && is_ptx_name(plain[begin - 1])) --begin;
        names.insert(plain.substr(begin));
        at += length;
    }
    return plain;
}

/// What a line declares that begins with a directive: the name in front of its parameters, size or value.
std::string_view declared(std::string_view line) {
    std::size_t end = std::min(line.find_first_of("([;="), line.size());
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_ptx_name(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

}  // namespace

std::string with_local_names(const std::string& ptx) {
    std::set<std::string, std::less<>> names;
    plain_text(ptx, names);
    if (names.empty()) return ptx;
    std::string out;
    for (std::size_t at = 0; at < ptx.size();) {
        const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
        const std::string_view whole = std::string_view(ptx).substr(at, end - at);
        const std::string plain = plain_text(whole, names);
        std::string_view line = plain;
        at = end + 1;
        if (line.starts_with('.') && names.contains(declared(line))) {
            for (const std::string_view linkage : {std::string_view(".visible "), std::string_view(".weak ")})
                if (line.starts_with(linkage)) line.remove_prefix(linkage.size());
            // Beside the variable itself stands one that other code of the file refers to.
            const bool variable = line.find(".global") != line.npos || line.find(".const") != line.npos;
            if (variable && plain.size() == whole.size()) line = {};
        }
        out += line;
        out += '\n';
    }
    return out;
}

}  // namespace heddle::cuda
