#pragma once
// Applications that run together: words, joined by the word "+".

#include <string>
#include <vector>

namespace heddle::study {

/// Which words belong together: `count` from `first` on, at least one.
struct WordGroup {
    std::size_t first = 0, count = 0;
};

/// The groups between the "+". None if there are no words. Throws InputError where an application is missing.
std::vector<WordGroup> groups_of(const std::vector<std::string>& words);

/// The words of each application of a text: "a -x 1 + b" gives {{"a", "-x", "1"}, {"b"}}. Throws InputError where one is
/// missing.
std::vector<std::vector<std::string>> applications_of(const std::string& text);

}  // namespace heddle::study
