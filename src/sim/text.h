#pragma once
// Text from outside, such as paths and file contents, made fit for where it goes.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Some editors put it before UTF-8; readers skip it.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Bytes of the character at the start of `text`, by the rules of UTF-8 (Unicode 15, table 3-7: no overlong form, no
/// surrogate); 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// `text` as UTF-8: each byte that is not part of a character becomes U+FFFD.
std::string valid_utf8(std::string_view text);

/// `text` as a terminal may be shown it: control characters and bytes that are not UTF-8 as "\x1b". Line feeds and tabs
/// stay if `lines`.
std::string printable(std::string_view text, bool lines);

/// `text` if it has at most `most` bytes; else its beginning and end, which together have about as many, and between them
/// how many bytes were left out.
std::string shortened(std::string_view text, std::size_t most);

/// Columns that `text` takes on a terminal: one a character, two for wide ones (East Asian), none for those that combine.
std::size_t width_of(std::string_view text);

/// The longest beginning of `text` that takes at most `width` columns, in bytes.
std::size_t prefix_of(std::string_view text, std::size_t width);

/// `text` in lines of at most `width` columns, broken between words where that is possible. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Lines of text that are wider than `width` columns are broken; what follows stands under the last column that begins, two
/// spaces behind another, in the line's first half, or as far right as the line began. 0: nothing is broken.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace heddle
