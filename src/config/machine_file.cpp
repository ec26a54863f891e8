#include "config/machine_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

#include "config/manual.h"
#include "sim/build.h"

namespace heddle::config {
namespace {

namespace fs = std::filesystem;

bool is_path(std::string_view word) {
    return word.find('/') != std::string_view::npos || word.ends_with(".yaml");
}

std::string read_file(const std::string& path, const std::string& blame) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw InputError(blame + "'" + path + "' is a directory, not a machine file");
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        throw InputError(fmt::format("{}cannot read '{}': {}", blame, path, std::strerror(errno)));
    return text;
}

// `blame` is "" for the command line and "FILE:LINE:COLUMN: " for an `extends`.
std::string locate(const std::string& word, const std::string& beside,
                   const std::vector<std::string>& directories, const std::string& blame) {
    if (is_path(word))
        return fs::path(word).is_absolute() || beside.empty()
                   ? word
                   : (fs::path(beside).parent_path() / word).string();
    std::vector<std::string> names;
    for (const ShippedMachine& m : shipped_machines(directories)) {
        if (m.name == word) return m.path;
        names.push_back(m.name);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    throw InputError(fmt::format("{}there is no machine '{}'{}", blame, word, suggestion(word, views)));
}

// Keys of `over` win; sections merge; "~" replaces, an empty value changes nothing.
void merge(Node& base, Node over) {
    if (over.kind == Node::Kind::nothing && !over.dropped()) return;
    if (base.kind != Node::Kind::section || over.kind != Node::Kind::section) {
        over.name = std::move(base.name);
        base = std::move(over);
        return;
    }
    base.origin = over.origin;
    base.name_origin = over.name_origin;
    for (Node& child : over.children) {
        std::string name = child.name;
        if (Node* inherited = base.find(name)) {
            merge(*inherited, std::move(child));
        } else {
            base.add(std::move(name), std::move(child));
        }
    }
}

/// The layer of a whole file.
void set_layer(Node& node, u32 layer) {
    node.origin.layer = node.name_origin.layer = layer;
    for (Node& child : node.children) set_layer(child, layer);
}

Node read_chain(const std::string& path, const std::vector<std::string>& directories,
                std::vector<std::string>& chain, const std::string& blame) {
    std::error_code error;
    const std::string identity = fs::weakly_canonical(path, error).string();
    if (std::find(chain.begin(), chain.end(), identity) != chain.end())
        throw InputError(fmt::format("{}'{}' extends itself", blame, path));
    chain.push_back(identity);
    Node tree = parse_yaml(read_file(path, blame), path);
    if (tree.kind == Node::Kind::nothing) {
        fail(tree.origin,
             "the machine file is empty; give at least extends: NAME (see 'heddle list machines')");
    } else if (tree.kind != Node::Kind::section) {
        fail(tree.origin, "a machine file must be a section of keys");
    }
    const Node* extends = tree.find("extends");
    if (!extends) return tree;
    if (extends->kind != Node::Kind::scalar)
        fail(extends->origin, "extends: expected the name or path of one machine");
    const std::string inner_blame = extends->origin.text() + ": extends: ";
    Node base =
        read_chain(locate(extends->text, path, directories, inner_blame), directories, chain, inner_blame);
    tree.remove("extends");
    set_layer(tree, base.origin.layer + 1);
    merge(base, std::move(tree));
    return base;
}

}  // namespace

std::vector<std::string> machine_directories() {
    return {shipped_folder("machines", "machines")};
}

std::vector<ShippedMachine> shipped_machines(const std::vector<std::string>& directories) {
    std::map<std::string, std::string> by_name;
    std::error_code error;
    for (const std::string& directory : directories.empty() ? machine_directories() : directories)
        for (const auto& entry : fs::directory_iterator(directory, error))
            if (entry.path().extension() == ".yaml")
                by_name.emplace(entry.path().stem().string(), entry.path().string());
    std::vector<ShippedMachine> machines;
    machines.reserve(by_name.size());
    for (auto& [name, path] : by_name) machines.push_back({name, path});
    return machines;
}

std::string locate_machine(const std::string& machine) {
    return locate(machine, {}, {}, {});
}

Node read_machine(const SchemaBase& schema, const Request& request) {
    std::vector<std::string> chain;
    const std::string path = locate(request.machine, {}, request.directories, {});
    Node tree = read_chain(path, request.directories, chain, {});
    for (const std::string& set : request.sets) apply_set(schema, tree, set);
    return tree;
}

}  // namespace heddle::config
