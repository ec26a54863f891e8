#include "config/node.h"

#include <algorithm>

namespace heddle::config {

std::string Origin::text() const {
    if (!where) return "built-in";
    if (line == 0) return *where;
    return *where + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void fail(const Origin& origin, const std::string& message) {
    throw InputError(origin.text() + ": " + message);
}

Node Node::scalar(std::string text, bool bare) {
    Node n;
    n.kind = Kind::scalar;
    n.text = std::move(text);
    n.bare = bare;
    return n;
}

Node Node::section() {
    Node n;
    n.kind = Kind::section;
    return n;
}

Node Node::list() {
    Node n;
    n.kind = Kind::list;
    return n;
}

const Node* Node::find(std::string_view child_name) const {
    for (const Node& child : children)
        if (child.name == child_name) return &child;
    return nullptr;
}

Node* Node::find(std::string_view child_name) {
    return const_cast<Node*>(static_cast<const Node*>(this)->find(child_name));
}

Node& Node::add(std::string child_name, Node child) {
    child.name = std::move(child_name);
    return children.emplace_back(std::move(child));
}

void Node::remove(std::string_view child_name) {
    std::erase_if(children, [&](const Node& child) { return child.name == child_name; });
}

}  // namespace heddle::config
