#pragma once
// One key's value between text and member: parsing with the checks that its declaration asks for, and
// writing.

#include <string>
#include <string_view>

#include "config/node.h"
#include "config/schema.h"

namespace heddle::config {

/// The value of a key from a node of a machine file. InputError at the node if it is not a valid one.
/// References and policy names are not looked up here.
Value parse_value(const Key& key, const Node& node);

/// The canonical text of a value; Kind::nothing if it is not given.
Node format_value(const Key& key, const Value& value);

/// Text on one line as a node: "[a, b]" is a list, "~" nothing, everything else a scalar.
Node inline_node(std::string_view text, const Origin& origin);

/// The key's default as a node; nothing if it has none.
Node default_node(const Key& key);

/// "1KiB to 1MiB, a power of two": the values that are allowed. Empty if the member's type is the only bound.
std::string describe_range(const Key& key);

/// "a list of bytes (B, KiB, ...)", "true or false", "one of back, through".
std::string describe_type(const Key& key);

}  // namespace heddle::config
