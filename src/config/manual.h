#pragma once
// What the declarations say, as text: `heddle explain` and the reference manual.

#include <string>
#include <string_view>
#include <vector>

#include "config/schema.h"

namespace heddle::config {

/// One declared place: the path has "NAME" where an instance's name stands.
struct Place {
    std::string path;  ///< "memories.NAME.scheduler"
    const Key* key = nullptr;
    std::string_view policy;  ///< the policy whose parameter it is; empty for others
    std::string_view point;   ///< that policy's point
};

/// Every declared key, sections and maps included, in declared order; policies' parameters after their
/// choice.
std::vector<Place> all_places(const SchemaBase& schema);

/// What the key or policy does: meaning, values, units, default, range, source. `suffix` as in --set, with or
/// without instance names. Several matches are all shown. InputError with the nearest key if there is none.
std::string explain(const SchemaBase& schema, std::string_view suffix);

/// The reference of all keys in Markdown.
std::string reference_manual(const SchemaBase& schema, std::string_view title);

/// Levenshtein distance with transposition of neighbours as one step.
unsigned edit_distance(std::string_view a, std::string_view b);

/// ", did you mean 'x'?" or, if nothing is near, "; possible: a, b, c" (shortened). Empty for no candidates.
std::string suggestion(std::string_view wrong, const std::vector<std::string_view>& candidates);

}  // namespace heddle::config
