#pragma once
// A tree of text with the place that each piece came from: a machine file before it is interpreted, and a resolved
// machine when it is written out.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace heddle::config {

/// Where a piece of text came from: a place in a file, or a command-line option.
struct Origin {
    std::shared_ptr<const std::string> where;  ///< file name, or the whole option ("--set l1.size=3")
    u32 line = 0;                              ///< from 1; 0 for an option
    u32 column = 0;                            ///< from 1
    u32 layer = 0;  ///< 0: a file that extends none; more for those that extend it, and most for an option

    static constexpr u32 kOption = ~u32{0};

    /// "gtx480.yaml:12:3" or "--set l1.size=3".
    std::string text() const;
};

/// Throws the InputError "ORIGIN: MESSAGE".
[[noreturn]] void fail(const Origin& origin, const std::string& message);

/// A scalar, a list, a section (children in order, with names), or nothing: an empty value, or "~" (also "null"), which
/// says that there is to be none.
struct Node {
    enum class Kind : u8 { nothing, scalar, list, section };

    std::string name;  ///< of a section's child
    Kind kind = Kind::nothing;
    bool bare = false;           ///< a scalar that JSON shows without quotes (a count or a truth value)
    std::string text;            ///< of a scalar; "~" of a nothing that was written
    std::vector<Node> children;  ///< of a section or list, in order
    Origin origin;               ///< of the value
    Origin name_origin;          ///< of the name before it

    static Node scalar(std::string text, bool bare = false);
    static Node section();
    static Node list();

    /// Nothing, and written so: "~".
    bool dropped() const { return kind == Kind::nothing && !text.empty(); }
    const Node* find(std::string_view child_name) const;
    Node* find(std::string_view child_name);
    Node& add(std::string child_name, Node child);
    void remove(std::string_view child_name);
};

/// Reads YAML text into a tree; `file` is the name that errors give. Errors: InputError for bad YAML,
/// duplicate keys, aliases, tags, more than one document.
Node parse_yaml(std::string_view text, std::string_view file);

/// YAML text of a tree, two spaces per level, one key per line; short lists are on their key's line.
std::string to_yaml(const Node& node);

/// JSON text of a tree, indented by `indent` spaces a level (0: one line). Key order is kept.
std::string to_json(const Node& node, int indent = 2);

}  // namespace heddle::config
