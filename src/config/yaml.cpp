// YAML text into a tree, from libyaml's events: they carry line and column, keep duplicates visible and are
// cheap, which short runs notice.

#include <yaml.h>

#include "config/node.h"
#include "sim/text.h"

namespace heddle::config {
namespace {

std::string_view words(const yaml_char_t* text) {
    return text == nullptr ? std::string_view{} : reinterpret_cast<const char*>(text);
}

class TreeBuilder {
  public:
    explicit TreeBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

    Node take() { return std::move(root_); }

    void on_document(const yaml_mark_t& mark) {
        if (seen_) fail({file_, root_.origin.line, 1}, "more than one document in the file");
        seen_ = true;
        root_.origin = at(mark);
    }
    void on_alias(const yaml_mark_t& mark) {
        fail(at(mark), "aliases are not supported; use 'extends' to share settings");
    }
    void on_scalar(const yaml_event_t& event) {
        const auto& scalar = event.data.scalar;
        const yaml_mark_t& mark = event.start_mark;
        properties(mark, scalar.anchor, scalar.tag);
        const std::string value(reinterpret_cast<const char*>(scalar.value), scalar.length);
        const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        // "~" drops what is inherited, an empty value does not.
        const bool dropped = plain && (value == "~" || value == "null");
        if (want_name()) {
            if (plain && (value.empty() || dropped)) fail(at(mark), "a key has no name");
            name_key(mark, value);
        } else if (dropped || (plain && value.empty())) {
            Node node;
            if (dropped) node.text = "~";
            put(std::move(node), mark);
        } else {
            put(Node::scalar(value), mark);
        }
    }
    void on_list(const yaml_event_t& event) {
        properties(event.start_mark, event.data.sequence_start.anchor, event.data.sequence_start.tag);
        if (want_name()) fail(at(event.start_mark), "a list cannot be a key");
        open(Node::list(), event.start_mark);
    }
    void on_section(const yaml_event_t& event) {
        properties(event.start_mark, event.data.mapping_start.anchor, event.data.mapping_start.tag);
        if (want_name()) fail(at(event.start_mark), "a section cannot be a key");
        open(Node::section(), event.start_mark);
    }
    void on_end() { stack_.pop_back(); }

  private:
    Origin at(const yaml_mark_t& mark) const {
        return {file_, static_cast<u32>(mark.line) + 1, static_cast<u32>(mark.column) + 1};
    }
    void properties(const yaml_mark_t& mark, const yaml_char_t* anchor, const yaml_char_t* tag) const {
        if (anchor != nullptr)
            fail(at(mark), "anchors are not supported: '&" + std::string(words(anchor)) +
                               "'; use 'extends' to share settings");
        if (tag != nullptr) fail(at(mark), "tags are not supported: '" + std::string(words(tag)) + "'");
    }
    // In a section names and values alternate; a name waits as a child without its value.
    bool want_name() const {
        return !stack_.empty() && stack_.back()->kind == Node::Kind::section && !named_;
    }
    void name_key(const yaml_mark_t& mark, const std::string& name) {
        Node& section = *stack_.back();
        if (const Node* first = section.find(name))
            fail(at(mark),
                 "'" + name + "' is given twice; first on line " + std::to_string(first->name_origin.line));
        section.add(name, Node{}).name_origin = at(mark);
        named_ = true;
    }
    Node& put(Node node, const yaml_mark_t& mark) {
        node.origin = at(mark);
        if (stack_.empty()) {
            root_ = std::move(node);
            return root_;
        }
        Node& parent = *stack_.back();
        if (parent.kind == Node::Kind::list) {
            node.name_origin = node.origin;
            return parent.add({}, std::move(node));
        }
        Node& child = parent.children.back();
        node.name = std::move(child.name);
        node.name_origin = std::move(child.name_origin);
        if (node.kind == Node::Kind::nothing && !node.dropped()) node.origin = node.name_origin;
        child = std::move(node);
        named_ = false;
        return child;
    }
    void open(Node node, const yaml_mark_t& mark) { stack_.push_back(&put(std::move(node), mark)); }

    std::shared_ptr<const std::string> file_;
    Node root_;
    std::vector<Node*> stack_;  // a parent's children do not move while a child is open
    bool named_ = false;
    bool seen_ = false;  // a document
};

struct Parser {
    explicit Parser(std::string_view text) {
        yaml_parser_initialize(&parser);
        const char* begin = text.empty() ? "" : text.data();  // libyaml wants a place even for nothing
        yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(begin), text.size());
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    }
    ~Parser() { yaml_parser_delete(&parser); }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;
    yaml_parser_t parser;
};
struct Event {
    Event() = default;
    ~Event() { yaml_event_delete(&event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    yaml_event_t event{};
};

}  // namespace

Node parse_yaml(std::string_view text, std::string_view file) {
    const auto name = std::make_shared<const std::string>(file);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    Parser parser(text);
    TreeBuilder builder(name);
    for (;;) {
        Event next;
        yaml_event_t& event = next.event;
        if (yaml_parser_parse(&parser.parser, &event) == 0) {
            const yaml_parser_t& p = parser.parser;
            const std::string_view problem = p.problem != nullptr ? p.problem : "it cannot be read";
            // Something begun and not ended is found at the end of the file; the place where it began is more
            // helpful.
            const bool open = p.context != nullptr && problem == "found unexpected end of stream";
            const yaml_mark_t& mark = open ? p.context_mark : p.problem_mark;
            const bool quotation =
                open && std::string_view(p.context).find("quoted scalar") != std::string_view::npos;
            fail({name, static_cast<u32>(mark.line) + 1, static_cast<u32>(mark.column) + 1},
                 quotation ? "the closing quote is missing" : "bad YAML: " + std::string(problem));
        }
        switch (event.type) {
            case YAML_DOCUMENT_START_EVENT:
                builder.on_document(event.start_mark);
                break;
            case YAML_ALIAS_EVENT:
                builder.on_alias(event.start_mark);
                break;
            case YAML_SCALAR_EVENT:
                builder.on_scalar(event);
                break;
            case YAML_SEQUENCE_START_EVENT:
                builder.on_list(event);
                break;
            case YAML_MAPPING_START_EVENT:
                builder.on_section(event);
                break;
            case YAML_SEQUENCE_END_EVENT:
            case YAML_MAPPING_END_EVENT:
                builder.on_end();
                break;
            case YAML_STREAM_END_EVENT: {
                Node tree = builder.take();
                if (tree.origin.line == 0) tree.origin = {name, 1, 1};
                return tree;
            }
            default:
                break;
        }
    }
}

}  // namespace heddle::config
