#include "cuda/asm_escapes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace heddle::cuda {

std::vector<SourcePlace> unknown_escapes(std::string_view compiler_said) {
    // FILE:LINE:COLUMN: error: ...
    constexpr std::string_view message = ": error: invalid % escape in inline assembly string";
    std::vector<SourcePlace> places;
    for (std::size_t at = compiler_said.find(message); at != std::string_view::npos;
         at = compiler_said.find(message, at + 1)) {
        const std::size_t newline = compiler_said.rfind('\n', at);
        const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
        const std::string_view place = compiler_said.substr(begin, at - begin);
        const std::size_t column = place.rfind(':');
        const std::size_t line = column == std::string_view::npos ? column : place.rfind(':', column - 1);
        if (line == std::string_view::npos) continue;
        SourcePlace p{std::string(place.substr(0, line))};
        std::from_chars(place.data() + line + 1, place.data() + column, p.line);
        std::from_chars(place.data() + column + 1, place.data() + place.size(), p.column);
        places.push_back(std::move(p));
    }
    return places;
}

std::string double_escapes(const std::string& text, const std::vector<SourcePlace>& places) {
    std::vector<std::size_t> signs;
    for (const SourcePlace& p : places) {
        std::size_t at = 0;
        for (std::size_t line = 1; line < p.line && at != std::string::npos; ++line) {
            at = text.find('\n', at);
            if (at != std::string::npos) ++at;
        }
        if (at == std::string::npos) continue;
        // The place is inside the string, behind the sign; the strings end before ':' or ')'.
        const std::size_t behind = std::min(at + p.column, text.size());
        const std::size_t first = text.rfind('%', behind);
        if (first == std::string::npos || first < at) continue;
        bool inside = true;
        for (std::size_t k = first; k + 1 < text.size(); ++k) {
            const char c = text[k];
            if (c == '"' && text[k - 1] != '\\') inside = !inside;
            if (!inside && (c == ':' || c == ')')) break;
            if (!inside || c != '%') continue;
            if (text[k + 1] == '%')
                ++k;
            else if (std::isalpha(static_cast<unsigned char>(text[k + 1])) != 0)
                signs.push_back(k);
        }
    }
    std::sort(signs.begin(), signs.end());
    signs.erase(std::unique(signs.begin(), signs.end()), signs.end());
    std::string out = text;
    for (std::size_t k = signs.size(); k-- > 0;) out.insert(signs[k], 1, '%');
    return out;
}

}  // namespace heddle::cuda
