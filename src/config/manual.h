#pragma once
// What the declarations say, as text: `heddle explain`, the reference manual, the nearest word for an error,
// and the self-check of all declarations.

#include <string>
#include <string_view>
#include <vector>

#include "config/schema.h"

namespace heddle::config {

/// One declared place of a machine description.
struct Place {
    std::string path;        ///< "memories.NAME.scheduler": NAME stands for an instance's name
    std::string short_path;  ///< "dram.scheduler": with aliases, as --set takes it
    const Key* key = nullptr;
    std::string_view policy;             ///< if the place is a policy of choice `key`: its name
    const PolicyEntry* entry = nullptr;  ///< and what is known of it
};

/// Every declared place in declared order: keys, sections, maps, and the policies after their choice.
std::vector<Place> all_places(const SchemaBase& schema);

/// What a key, section or policy does: meaning, values, units, default, range, source. `suffix` is as in --set, with or
/// without instance names; lines have at most `width` characters. InputError with the nearest place if there is none.
std::string explain(const SchemaBase& schema, std::string_view suffix, std::size_t width = 100);

/// The reference of all keys and policies in Markdown.
std::string reference_manual(const SchemaBase& schema, std::string_view title);

/// Levenshtein distance with a swap of neighbors as one step.
unsigned edit_distance(std::string_view a, std::string_view b);

/// Whether a word at this distance could have been meant: at most a third of the wrong word differs, or one letter
/// of two.
bool is_near(std::string_view wrong, unsigned distance);

/// ", did you mean 'x'?", or nothing if nothing is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& candidates);

/// ", did you mean 'x'?" or, if nothing is near, "; possible: a, b, c". Empty for no candidates.
std::string suggestion(std::string_view wrong, const std::vector<std::string_view>& candidates);

/// What is wrong with the declarations themselves: a default out of its range, a key without a meaning, two keys of the
/// same name, a policy that is registered twice or whose parameter has no default. One line each.
std::vector<std::string> defects(const SchemaBase& schema);

}  // namespace heddle::config
