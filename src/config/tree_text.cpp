// Trees out as YAML and JSON.

#include "config/node.h"
#include "sim/text.h"

namespace heddle::config {
namespace {

bool plain_safe(std::string_view text) {
    if (text.empty() || text == "~" || text == "null" || text.front() == ' ' || text.back() == ' ')
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (word || c == '_' || c == '/' || c == '.') continue;
        // Inside a word these mean nothing to YAML; at its start they may.
        if (i > 0 && (c == '-' || c == '+' || c == '%' || c == ' ' || c == '(' || c == ')')) continue;
        if (i == 0 && c == '-' && text.size() > 1 && text[1] >= '0' && text[1] <= '9') continue;
        return false;
    }
    return true;
}

/// As UTF-8, whatever bytes a path has: so JSON and YAML want it.
void append_quoted(std::string& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (const char c : valid_utf8(text)) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\r':
                out += "\\r";
                break;
            default:
                if (const auto b = static_cast<unsigned char>(c); b < 0x20 || b == 0x7f) {
                    out.append("\\u00").append(1, kHex[b >> 4]).append(1, kHex[b & 15]);
                } else {
                    out += c;
                }
        }
    }
    out += '"';
}

void append_scalar(std::string& out, const std::string& text) {
    if (plain_safe(text)) {
        out += text;
    } else {
        append_quoted(out, text);
    }
}

void write_yaml(std::string& out, const Node& node, std::size_t depth) {
    for (const Node& child : node.children) {
        out.append(depth * 2, ' ');
        append_scalar(out, child.name);
        out += ':';
        switch (child.kind) {
            case Node::Kind::nothing:
                out += " ~\n";
                break;
            case Node::Kind::scalar:
                out += ' ';
                append_scalar(out, child.text);
                out += '\n';
                break;
            case Node::Kind::list:
                out += " [";
                for (const Node& item : child.children) {
                    if (&item != &child.children.front()) out += ", ";
                    append_scalar(out, item.text);
                }
                out += "]\n";
                break;
            case Node::Kind::section:
                out += child.children.empty() ? " {}\n" : "\n";
                write_yaml(out, child, depth + 1);
                break;
        }
    }
}

void write_json(std::string& out, const Node& node, std::size_t indent, std::size_t depth) {
    const bool is_list = node.kind == Node::Kind::list;
    auto new_line = [&](std::size_t level) {
        if (indent == 0) return;
        out += '\n';
        out.append(level * indent, ' ');
    };
    switch (node.kind) {
        case Node::Kind::nothing:
            out += "null";
            return;
        case Node::Kind::scalar:
            if (node.bare) {
                out += node.text;
            } else {
                append_quoted(out, node.text);
            }
            return;
        case Node::Kind::list:
        case Node::Kind::section:
            break;
    }
    out += is_list ? '[' : '{';
    for (const Node& child : node.children) {
        if (&child != &node.children.front()) out += is_list ? ", " : ",";
        if (!is_list) {
            new_line(depth + 1);
            append_quoted(out, child.name);
            out += indent == 0 ? ":" : ": ";
        }
        write_json(out, child, indent, depth + 1);
    }
    if (!is_list && !node.children.empty()) new_line(depth);
    out += is_list ? ']' : '}';
}

}  // namespace

std::string to_yaml(const Node& node) {
    std::string out;
    write_yaml(out, node, 0);
    return out;
}

std::string to_json(const Node& node, int indent) {
    std::string out;
    write_json(out, node, static_cast<std::size_t>(indent), 0);
    return out;
}

}  // namespace heddle::config
