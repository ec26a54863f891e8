// YAML text into a tree, from yaml-cpp's events: they carry line and column, keep duplicates visible and are
// much cheaper than its document tree.

#include <istream>
#include <streambuf>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "config/node.h"

namespace heddle::config {
namespace {

class TreeBuilder final : public YAML::EventHandler {
  public:
    TreeBuilder(std::shared_ptr<const std::string> file, std::string_view text)
        : file_(std::move(file)), text_(text) {}

    Node take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        root_ = Node{};
        root_.origin = at(mark);
    }
    void OnDocumentEnd() override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        fail(at(mark), "aliases are not supported; use 'extends' to share settings");
    }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        if (want_name()) fail(at(mark), "a key without a name");
        // "~" drops what is inherited, an empty value does not; yaml-cpp gives one event for both.
        Node node;
        const auto at_byte = static_cast<std::size_t>(mark.pos);
        if (at_byte < text_.size() && (text_[at_byte] == '~' || text_.substr(at_byte, 4) == "null"))
            node.text = "~";
        put(std::move(node), mark);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        // yaml-cpp reports "?" for a plain scalar and "!" for a quoted one.
        if (tag != "?" && tag != "!" && !tag.empty()) fail(at(mark), "tags are not supported: '" + tag + "'");
        if (tag == "!") require_closed(mark);
        if (want_name()) {
            name_key(mark, value);
        } else {
            put(Node::scalar(value), mark);
        }
    }
    void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
        fail(at(mark), "anchors are not supported: '&" + name + "'; use 'extends' to share settings");
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        if (want_name()) fail(at(mark), "a list cannot be a key");
        open(Node::list(), mark);
    }
    void OnSequenceEnd() override { stack_.pop_back(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        if (want_name()) fail(at(mark), "a section cannot be a key");
        open(Node::section(), mark);
    }
    void OnMapEnd() override { stack_.pop_back(); }

  private:
    Origin at(const YAML::Mark& mark) const {
        return {file_, static_cast<u32>(mark.line) + 1, static_cast<u32>(mark.column) + 1};
    }
    // yaml-cpp lets the end of the file close a quotation.
    void require_closed(const YAML::Mark& mark) const {
        const auto begin = static_cast<std::size_t>(mark.pos);
        const char quote = begin < text_.size() ? text_[begin] : ' ';
        if (quote != '"' && quote != '\'') return;  // a block scalar
        for (std::size_t i = begin + 1; i < text_.size(); ++i) {
            if (text_[i] == '\\' && quote == '"') {
                ++i;
            } else if (text_[i] == quote) {
                return;
            }
        }
        fail(at(mark), "the quotation is not closed");
    }
    // In a section names and values alternate; a name waits as a child without its value.
    bool want_name() const {
        return !stack_.empty() && stack_.back()->kind == Node::Kind::section && !named_;
    }
    void name_key(const YAML::Mark& mark, const std::string& name) {
        Node& section = *stack_.back();
        if (const Node* first = section.find(name))
            fail(at(mark),
                 "'" + name + "' is given twice; first in line " + std::to_string(first->name_origin.line));
        section.add(name, Node{}).name_origin = at(mark);
        named_ = true;
    }
    Node& put(Node node, const YAML::Mark& mark) {
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
    void open(Node node, const YAML::Mark& mark) { stack_.push_back(&put(std::move(node), mark)); }

    std::shared_ptr<const std::string> file_;
    std::string_view text_;
    Node root_;
    std::vector<Node*> stack_;  // a parent's children do not move while a child is open
    bool named_ = false;
};

// Reads a string_view as a stream without copying it.
struct ViewBuffer : std::streambuf {
    explicit ViewBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data());  // only read
        setg(begin, begin, begin + text.size());
    }
};

}  // namespace

Node parse_yaml(std::string_view text, std::string_view file) {
    const auto name = std::make_shared<const std::string>(file);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // yaml-cpp's marks do not count it
    ViewBuffer buffer(text);
    std::istream in(&buffer);
    TreeBuilder builder(name, text);
    try {
        YAML::Parser parser(in);
        if (!parser.HandleNextDocument(builder)) {
            Node empty;
            empty.origin = {name, 1, 1};
            return empty;
        }
        Node tree = builder.take();
        TreeBuilder rest(name, text);
        if (parser.HandleNextDocument(rest))
            fail({name, tree.origin.line, 1}, "more than one document in the file");
        return tree;
    } catch (const YAML::Exception& e) {
        fail({name, static_cast<u32>(e.mark.line) + 1, static_cast<u32>(e.mark.column) + 1},
             "bad YAML: " + e.msg);
    }
}

}  // namespace heddle::config
