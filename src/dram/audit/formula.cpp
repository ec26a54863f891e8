#include "dram/audit/formula.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "sim/error.h"

namespace heddle::dram::audit {

std::vector<Term> terms_of(std::string_view text) {
    std::vector<Term> terms;
    i64 sign = 1;
    bool want_term = true;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        at = end;
        const bool is_sign = word == "+" || word == "-";
        if (is_sign == want_term) throw InvariantError("formula '" + std::string(text) + "' is not a sum");
        want_term = is_sign;
        if (is_sign) {
            sign = word == "+" ? 1 : -1;
            continue;
        }
        // "32AW" is a name although it starts with a digit.
        i64 number = 0;
        const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool is_number = error == std::errc() && rest == word.data() + word.size();
        terms.push_back(is_number ? Term{{}, sign * number} : Term{word, sign});
    }
    if (want_term) throw InvariantError("formula '" + std::string(text) + "' is not a sum");
    return terms;
}

}  // namespace heddle::dram::audit
