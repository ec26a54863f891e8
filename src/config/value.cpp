#include "config/value.h"

#include <fmt/format.h>

#include "config/manual.h"

namespace heddle::config {
namespace {

[[noreturn]] void refuse(const Key& key, const Node& node, std::string_view what) {
    fail(node.origin, fmt::format("{}: '{}' {}", key.name, node.text, what));
}

Number bound(const Key& key, const char* text) {
    Number n;
    if (const auto wrong = parse_number(text, key.info.unit, n); !wrong.empty())
        throw InvariantError(fmt::format("declaration of '{}': bound '{}' {}", key.name, text, wrong));
    return n;
}

// A bound in cycles says nothing about a value in seconds.
bool applies(const char* text, const Key& key, Number value, Number& out) {
    if (!text) return false;
    out = bound(key, text);
    return key.info.unit != Unit::cycles_or_time || out.in_cycles == value.in_cycles;
}

Number parse_integer(const Key& key, const Node& node) {
    Number n;
    if (const auto wrong = parse_number(node.text, key.info.unit, n); !wrong.empty())
        refuse(key, node, wrong);
    Number low, high;
    const bool below = applies(key.info.min, key, n, low) && n.value < low.value;
    const bool above = applies(key.info.max, key, n, high) && n.value > high.value;
    if (below || above) refuse(key, node, "is out of range; allowed: " + describe_range(key));
    if (n.value < key.lowest || n.value > key.highest) {
        const Wide limit = n.value < key.lowest ? key.lowest : key.highest;
        refuse(key, node,
               fmt::format("is out of range; the {} is {}", n.value < key.lowest ? "minimum" : "maximum",
                           format_number({limit, n.in_cycles}, key.info.unit)));
    }
    if (key.info.power_of_two && (n.value <= 0 || (n.value & (n.value - 1)) != 0))
        refuse(key, node, "is not a power of two");
    return n;
}

Scalar parse_scalar(const Key& key, const Node& node) {
    if (node.kind != Node::Kind::scalar)
        fail(node.origin, fmt::format("{}: expected {}, not {}", key.name, describe_type(key),
                                      node.kind == Node::Kind::section ? "a section"
                                      : node.kind == Node::Kind::list  ? "a list"
                                                                       : "an empty value"));
    switch (key.kind) {
        case KeyKind::boolean:
            if (node.text == "true") return {{1}, {}};
            if (node.text == "false") return {{0}, {}};
            refuse(key, node, "is neither true nor false");
        case KeyKind::integer:
            return {parse_integer(key, node), {}};
        case KeyKind::name: {
            std::vector<std::string_view> names;
            for (const auto& n : key.names) {
                if (n.name == node.text) return {{n.value}, {}};
                names.push_back(n.name);
            }
            refuse(key, node, "is not one of its values" + suggestion(node.text, names));
        }
        default:
            break;
    }
    if (node.text.empty()) refuse(key, node, "is empty");
    return {{}, node.text};
}

void require_setting(const Key& key, const Node& node) {
    if (node.text.find('=') == std::string::npos) refuse(key, node, "is not KEY=VALUE");
}

}  // namespace

Value parse_value(const Key& key, const Node& node) {
    if (node.kind == Node::Kind::nothing) {
        if (node.dropped() && key.optional) return {false, {}};
        fail(node.origin,
             fmt::format("{}: expected {}, not {}", key.name, describe_type(key),
                         node.dropped() ? "'~' (only optional keys can be removed)" : "an empty value"));
    }
    Value value;
    value.origin = node.origin;
    const auto item = [&](const Node& at) {
        value.items.push_back(parse_scalar(key, at));
        value.items.back().origin = at.origin;
    };
    if (key.info.settings && node.kind == Node::Kind::section) {
        for (const Node& child : node.children) {
            item(child);
            value.items.back().text = child.name + "=" + child.text;
            value.items.back().origin = child.name_origin;
        }
        return value;
    }
    if (!key.list || ((key.info.one_or_list || key.info.settings) && node.kind == Node::Kind::scalar)) {
        item(node);
        if (key.info.settings) require_setting(key, node);
        return value;
    }
    if (node.kind != Node::Kind::list)
        fail(node.origin, fmt::format("{}: expected {}, such as [{}]", key.name, describe_type(key),
                                      node.kind == Node::Kind::scalar ? node.text : "..."));
    for (const Node& child : node.children) {
        item(child);
        if (key.info.settings) require_setting(key, child);
    }
    return value;
}

Node format_value(const Key& key, const Value& value) {
    if (!value.given) {
        Node none;
        none.text = "~";
        return none;
    }
    auto scalar = [&](const Scalar& s) -> Node {
        switch (key.kind) {
            case KeyKind::boolean:
                return Node::scalar(s.number.value ? "true" : "false", true);
            case KeyKind::integer:
                return Node::scalar(format_number(s.number, key.info.unit), key.info.unit == Unit::none);
            case KeyKind::name:
                for (const auto& n : key.names)
                    if (n.value == s.number.value) return Node::scalar(std::string(n.name));
                throw InvariantError(fmt::format("'{}' has a value that has no name", key.name));
            default:
                return Node::scalar(s.text);
        }
    };
    if (!key.list) return scalar(value.items.front());
    Node list = Node::list();
    for (const Scalar& s : value.items) list.add({}, scalar(s));
    return list;
}

Node inline_node(std::string_view text, const Origin& origin) {
    auto trim = [](std::string_view t) {
        while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
        while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
        return t;
    };
    text = trim(text);
    Node node;
    if (text == "~") {
        node.text = "~";
    } else if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
        node = Node::list();
        text = trim(text.substr(1, text.size() - 2));
        while (!text.empty()) {
            const auto comma = text.find(',');
            Node item = Node::scalar(std::string(trim(text.substr(0, comma))));
            item.origin = item.name_origin = origin;
            node.add({}, std::move(item));
            text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
        }
    } else if (!text.empty()) {
        node = Node::scalar(std::string(text));
    }
    node.origin = node.name_origin = origin;
    return node;
}

Node default_node(const Key& key) {
    static const auto where = std::make_shared<const std::string>("built-in default");
    return key.info.def ? inline_node(key.info.def, {where, 0, 0}) : Node{};
}

std::string describe_range(const Key& key) {
    const char* min = key.info.min;
    const char* max = key.info.max;
    std::string text = min && max ? fmt::format("{} to {}", min, max)
                       : min      ? fmt::format("at least {}", min)
                       : max      ? fmt::format("at most {}", max)
                                  : std::string{};
    if (key.info.power_of_two) text += text.empty() ? "a power of two" : ", a power of two";
    return text;
}

std::string describe_type(const Key& key) {
    std::string one;
    switch (key.kind) {
        case KeyKind::boolean:
            one = "true or false";
            break;
        case KeyKind::integer:
            one = describe_unit(key.info.unit);
            if (key.info.clock) one += fmt::format(" of the {} clock", key.info.clock);
            break;
        case KeyKind::name: {
            one = "one of ";
            for (const auto& n : key.names) one.append(&n == &key.names.front() ? "" : ", ").append(n.name);
            break;
        }
        case KeyKind::text:
            one =
                key.info.refers_to ? fmt::format("the name of one of the {}", key.info.refers_to) : "a text";
            break;
        case KeyKind::choice:
            one = fmt::format("the name of a {}", key.point->what());
            break;
        case KeyKind::section:
            one = "a section";
            break;
        case KeyKind::map:
            one = "a section of named instances";
            break;
    }
    if (key.info.settings) return "KEY=VALUE, a list of these, or a section of KEY: VALUE";
    if (key.info.one_or_list) return fmt::format("{}, or a list: each item {}", one, one);
    return key.list ? "a list: each item " + one : one;
}

}  // namespace heddle::config
