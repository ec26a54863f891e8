#include "sim/text.h"

#include <algorithm>

#include "sim/types.h"

namespace heddle {
namespace {

u8 byte(std::string_view text, std::size_t at) {
    return static_cast<u8>(text[at]);
}

u32 code_point(std::string_view character) {
    u32 code = byte(character, 0);
    if (character.size() > 1) code &= 0x7fu >> character.size();
    for (std::size_t k = 1; k < character.size(); ++k) code = code << 6 | (byte(character, k) & 0x3fu);
    return code;
}

struct Range {
    u32 first, last;
};

/// Unicode 15: blocks of combining marks, and characters that take no room.
constexpr Range kCombining[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f},
                                {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x20d0, 0x20ff},
                                {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
/// Unicode 15, EastAsianWidth W and F, by blocks.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf},
                           {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
                           {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                           {0x1f900, 0x1f9ff}, {0x20000, 0x2fffd}, {0x30000, 0x3fffd}};

template <std::size_t N>
bool in(const Range (&ranges)[N], u32 code) {
    for (const Range& r : ranges)
        if (code >= r.first && code <= r.last) return true;
    return false;
}

std::size_t width_of_character(std::string_view character) {
    const u32 code = code_point(character);
    if (code < 0x300) return 1;
    return in(kCombining, code) ? 0 : in(kWide, code) ? 2 : 1;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const u8 first = byte(text, 0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                               : first >= 0xe0 && first <= 0xef ? 3
                               : first >= 0xf0 && first <= 0xf4 ? 4
                                                                : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(text, k) & 0xc0) != 0x80) return 0;
    const u8 second = byte(text, 1);
    const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return bad ? 0 : length;
}

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

std::string printable(std::string_view text, bool lines) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        std::size_t length = utf8_length(text);
        const u8 first = byte(text, 0);
        const bool kept = lines && (first == '\n' || first == '\t');
        // C1 controls are C2 80 to C2 9F.
        const bool control =
            first < 0x20 || first == 0x7f || (length == 2 && first == 0xc2 && byte(text, 1) < 0xa0);
        if (length != 0 && (kept || !control)) {
            out += text.substr(0, length);
        } else {
            length = length == 0 ? 1 : length;
            for (std::size_t k = 0; k < length; ++k)
                out.append("\\x").append(1, kHex[byte(text, k) >> 4]).append(1, kHex[byte(text, k) & 15]);
        }
        text.remove_prefix(length);
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t head = most / 2, tail = text.size() - most / 3;
    // Not inside a character.
    while (head > 0 && (byte(text, head) & 0xc0) == 0x80) --head;
    while (tail < text.size() && (byte(text, tail) & 0xc0) == 0x80) ++tail;
    std::string out(text.substr(0, head));
    out += " ... (";
    out += std::to_string(tail - head);
    out += " more bytes) ... ";
    return out += text.substr(tail);
}

std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        width += length == 0 ? 1 : width_of_character(text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return width;
}

std::size_t prefix_of(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8_length(text.substr(at));
        const std::size_t own = length == 0 ? 1 : width_of_character(text.substr(at, length));
        if (own > width) break;
        width -= own;
        at += length == 0 ? 1 : length;
    }
    return at;
}

namespace {

/// Takes from `text` what goes into a line of `width` columns: at least one character, and spaces behind it.
std::string_view take_line(std::string_view& text, std::size_t width) {
    std::size_t end = prefix_of(text, width);
    if (end < text.size() && text[end] != ' ') {
        const std::size_t space = text.substr(0, end).rfind(' ');
        if (space != std::string_view::npos && text.find_first_not_of(' ') < space) end = space;
    }
    if (end == 0) end = std::max<std::size_t>(1, utf8_length(text));
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Where what does not fit goes on.
std::size_t hanging(std::string_view line, std::size_t width) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    std::size_t indent = start == 0 ? 2 : start;
    for (std::size_t gap = line.find("  ", start); gap != std::string_view::npos;
         gap = line.find("  ", gap)) {
        gap = std::min(line.find_first_not_of(' ', gap), line.size());
        const std::size_t column = width_of(line.substr(0, gap));
        if (gap == line.size() || column * 2 > width) break;
        indent = column;
    }
    return indent * 2 > width ? 0 : indent;
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    if (width_of(text) <= width) return {std::string(text)};
    std::vector<std::string> lines;
    do lines.emplace_back(take_line(text, width));
    while (!text.empty());
    return lines;
}

std::string fitted(std::string_view text, std::size_t width) {
    if (width == 0) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (width_of(line) <= width) {
            out += line;
        } else {
            const std::size_t indent = hanging(line, width);
            out += take_line(line, width);
            while (!line.empty()) {
                out.append(1, '\n').append(indent, ' ');
                out += take_line(line, width - indent);
            }
        }
        if (end < text.size()) out += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

}  // namespace heddle
