// --set KEY=VALUE: which keys of this machine a dotted suffix means, and putting the value there.

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "config/machine_file.h"
#include "config/manual.h"
#include "config/value.h"

namespace heddle::config {
namespace {

/// A step of a path: a name, and for an instance of a map with an alias that alias.
struct Step {
    std::string_view name;
    const char* alias = nullptr;
};

/// One thing of a machine that can be set.
struct Target {
    std::vector<Step> path;
    bool whole = false;   ///< a section or instance: can only be dropped
    bool absent = false;  ///< inside an optional section that the machine lacks
};

std::string join(const std::vector<Step>& path) {
    std::string text;
    for (const Step& step : path) text.append(text.empty() ? "" : ".").append(step.name);
    return text;
}

class Collector {
  public:
    std::vector<Target> run(const SchemaBase& schema, const Node& tree) {
        section(schema, &tree, false);
        return std::move(targets_);
    }

  private:
    static const Node* child(const Node* node, std::string_view name) {
        const Node* found = node ? node->find(name) : nullptr;
        return found && !found->dropped() ? found : nullptr;
    }

    void section(const SchemaBase& schema, const Node* node, bool absent) {
        for (const Key& key : schema.keys()) {
            path_.push_back({key.name});
            const Node* given = child(node, key.name);
            switch (key.kind) {
                case KeyKind::section:
                    targets_.push_back({path_, true, absent});
                    section(*key.schema, given, absent || (key.optional && !given));
                    break;
                case KeyKind::map:
                    if (!given) break;
                    for (const Node& instance : given->children) {
                        if (instance.dropped()) continue;
                        path_.push_back({instance.name, key.in.alias});
                        targets_.push_back({path_, true, absent});
                        section(*key.schema, &instance, absent);
                        path_.pop_back();
                    }
                    break;
                default:
                    targets_.push_back({path_, false, absent});
            }
            path_.pop_back();
            if (!key.point) continue;
            for (const auto& [policy, entry] : key.point->entries()) {
                if (!entry.schema) continue;
                path_.push_back({policy});
                section(entry.schema(), child(node, policy), absent);
                path_.pop_back();
            }
        }
    }

    std::vector<Step> path_;
    std::vector<Target> targets_;
};

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto dot = text.find('.');
        parts.push_back(text.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        text.remove_prefix(dot + 1);
    }
}

/// The path that the user's words mean (an alias stands for its map and instance), or empty if they do not match.
std::string meaning(const std::vector<std::string_view>& words, const std::vector<Step>& path) {
    std::size_t p = path.size();
    std::string tail;
    for (std::size_t w = words.size(); w-- > 0;) {
        if (p == 0) return {};
        const Step& step = path[p - 1];
        // An instance may be named like the alias: after its map's name, it is the name.
        const bool by_name = step.alias && w > 0 && words[w] == step.name && words[w - 1] == path[p - 2].name;
        if (step.alias && words[w] == step.alias && !by_name) {
            p -= 2;  // the instance and its map
        } else if (words[w] == step.name) {
            p -= 1;
        } else {
            return {};
        }
        tail.insert(0, tail.empty() ? std::string(words[w]) : std::string(words[w]) + ".");
    }
    std::string head = join({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(p)});
    return head.empty() ? tail : head + "." + tail;
}

using Group = std::vector<const Target*>;

std::map<std::string, Group> groups_for(const std::vector<Target>& targets, std::string_view key,
                                        bool whole) {
    const auto words = split(key);
    std::map<std::string, Group> present, absent;
    for (const Target& t : targets) {
        if (t.whole && !whole) continue;
        const std::string m = meaning(words, t.path);
        if (m.empty()) continue;
        // Parameters of one policy name at two points are one key.
        Group& group = (t.absent ? absent : present)[m];
        const auto same = [&](const Target* o) { return join(o->path) == join(t.path); };
        if (std::none_of(group.begin(), group.end(), same)) group.push_back(&t);
    }
    if (present.empty()) present = std::move(absent);
    if (auto full = present.find(std::string(key)); full != present.end()) {
        Group only = std::move(full->second);
        return {{std::string(key), std::move(only)}};
    }
    return present;
}

[[noreturn]] void nothing_matches(const std::vector<Target>& targets, std::string_view key,
                                  const Origin& origin) {
    const auto parts = split(key);
    const auto words = parts.size();
    std::string best;
    // A key that exists elsewhere is meant more likely than one spelled alike here.
    std::tuple<bool, bool, unsigned> best_rank{true, true, ~0U};
    const auto consider = [&](const std::string& candidate, const std::string& full) {
        const auto theirs = split(candidate);
        const bool other_key = theirs.back() != parts.back();
        const bool other_place = !other_key && theirs.front() != parts.front();
        const std::tuple rank{other_key, other_place, edit_distance(key, candidate)};
        if (rank < best_rank) best_rank = rank, best = full;
    };
    for (const Target& t : targets) {
        if (t.whole) {
            if (meaning(split(key), t.path).empty()) continue;
            fail(origin, fmt::format("'{}' is a section; set one of its keys", join(t.path)));
        }
        const auto tail = [&](std::size_t from) {
            return join({t.path.begin() + static_cast<std::ptrdiff_t>(from), t.path.end()});
        };
        if (!t.absent) consider(tail(t.path.size() - std::min(words, t.path.size())), join(t.path));
        for (std::size_t i = 0; i < t.path.size(); ++i) {
            if (!t.path[i].alias) continue;
            const std::string by_alias = fmt::format("{}.{}", t.path[i].alias, tail(i + 1));
            consider(by_alias, by_alias);
        }
    }
    fail(origin, fmt::format("this machine has no key '{}'{}", key,
                             best.empty() || (std::get<0>(best_rank) && !is_near(key, std::get<2>(best_rank)))
                                 ? ""
                                 : fmt::format(", did you mean '{}'?", best)));
}

[[noreturn]] void ambiguous(const std::map<std::string, Group>& groups, std::string_view key,
                            const Origin& origin) {
    std::string list;
    std::size_t shown = 0;
    for (const auto& [path, group] : groups) {
        if (shown++ == 12) {
            list += fmt::format(", and {} more", groups.size() - 12);
            break;
        }
        list.append(list.empty() ? "" : ", ").append(path);
    }
    fail(origin, fmt::format("'{}' is ambiguous: {}", key, list));
}

void put(Node& tree, const std::vector<Step>& path, Node value, const Origin& origin) {
    Node* at = &tree;
    for (const Step& step : path) {
        if (at->kind == Node::Kind::nothing) {
            at->kind = Node::Kind::section;
            at->text.clear();
        } else if (at->kind != Node::Kind::section) {
            fail(at->origin, fmt::format("expected a section, not {}",
                                         at->kind == Node::Kind::list ? "a list" : "'" + at->text + "'"));
        }
        Node* next = at->find(step.name);
        if (!next) {
            next = &at->add(std::string(step.name), Node{});
            next->origin = next->name_origin = origin;
        }
        at = next;
    }
    value.name = std::move(at->name);
    *at = std::move(value);
}

}  // namespace

void apply_set(const SchemaBase& schema, Node& tree, const std::string& set) {
    const Origin origin{std::make_shared<const std::string>("--set " + set), 0, 0, Origin::kOption};
    const auto equals = set.find('=');
    if (equals == std::string::npos || equals == 0) fail(origin, "expected KEY=VALUE");
    const std::string_view key = std::string_view(set).substr(0, equals);
    const Node value = inline_node(std::string_view(set).substr(equals + 1), origin);
    // Paths borrow names from the tree, which is changed below.
    const Node names = tree;
    const auto targets = Collector().run(schema, names);
    const auto groups = groups_for(targets, key, value.dropped());
    if (groups.empty()) nothing_matches(targets, key, origin);
    if (groups.size() > 1) ambiguous(groups, key, origin);
    for (const Target* t : groups.begin()->second) put(tree, t->path, value, origin);
}

}  // namespace heddle::config
