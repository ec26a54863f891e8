#include "study/applications.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "sim/error.h"
#include "sim/join.h"

namespace heddle::study {

std::vector<WordGroup> groups_of(const std::vector<std::string>& words) {
    std::vector<WordGroup> groups;
    if (words.empty()) return groups;
    for (std::size_t first = 0; first <= words.size();) {
        const auto plus = std::find(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), "+");
        const auto end = static_cast<std::size_t>(plus - words.begin());
        if (end == first)
            throw InputError(fmt::format("'{}': there is no application {} '+'", join(words, " "),
                                         plus == words.end() ? "after" : "before"));
        groups.push_back({first, end - first});
        first = end + 1;
        if (plus == words.end()) break;
    }
    return groups;
}

std::vector<std::vector<std::string>> applications_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty()) throw InputError("there is no application");
    std::vector<std::vector<std::string>> out;
    for (const WordGroup& g : groups_of(words)) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(g.first);
        out.emplace_back(first, first + static_cast<std::ptrdiff_t>(g.count));
    }
    return out;
}

}  // namespace heddle::study
