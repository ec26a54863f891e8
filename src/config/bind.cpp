// From a tree of text to filled settings: every declared key is set, and every written key is declared.

#include <algorithm>
#include <fmt/format.h>

#include "config/machine_file.h"
#include "config/manual.h"
#include "config/plugin.h"
#include "config/value.h"

namespace heddle::config {
namespace {

/// A settings struct to be filled. A policy section can have several: policies of one name at several points.
struct Target {
    const SchemaBase* schema;
    void* object;
};
using Targets = std::vector<Target>;

/// An enclosing section: where references are looked up.
struct Scope {
    const Scope* outer;
    const Node* node;
    const Targets* targets;
};

class Binder {
  public:
    explicit Binder(const SchemaBase& root) : root_(root) {}

    void section(const Node& node, const Targets& targets, const Scope* outer) {
        if (node.kind != Node::Kind::section && node.kind != Node::Kind::nothing)
            fail(node.origin,
                 fmt::format("expected a section of keys ({}), not {}", first_keys(*targets.front().schema),
                             node.kind == Node::Kind::list ? "a list" : "'" + node.text + "'"));
        const Scope scope{outer, &node, &targets};
        for (const Node& child : node.children) require_declared(child, targets);
        for (const Target& t : targets)
            for (const Key& key : t.schema->keys()) bind_key(key, node, key.member(t.object), scope);
        bind_policies(node, targets, scope);
        for (const Target& t : targets) run_checks(node, t);
    }

  private:
    static std::string first_keys(const SchemaBase& schema) {
        std::string text;
        for (const Key& key : schema.keys()) {
            if (text.size() > 40) return text + ", ...";
            text.append(text.empty() ? "" : ", ").append(key.name);
        }
        return text;
    }

    void require_declared(const Node& child, const Targets& targets) const {
        std::vector<std::string_view> candidates;
        for (const Target& t : targets)
            for (const Key& key : t.schema->keys()) {
                if (key.name == child.name) return;
                candidates.push_back(key.name);
                if (!key.point) continue;
                for (const auto& [policy, entry] : key.point->entries()) {
                    if (entry.schema) candidates.push_back(policy);
                    if (policy != child.name) continue;
                    if (entry.schema) return;
                    fail(child.name_origin,
                         fmt::format("the {} '{}' has no parameters", key.point->what(), policy));
                }
            }
        std::string hint = suggestion(child.name, candidates);
        // A key with exactly that name elsewhere is more likely what was meant.
        if (!hint.starts_with(", did")) {
            std::size_t found = 0;
            for (const Place& place : all_places(root_)) {
                const auto dot = place.path.rfind('.');
                if (place.path.substr(dot + 1) == child.name && found++ < 3)
                    hint += fmt::format("{} {}", found == 1 ? "; there is" : ",", place.path);
            }
        }
        fail(child.name_origin, fmt::format("unknown key '{}'{}", child.name, hint));
    }

    void bind_key(const Key& key, const Node& parent, void* member, const Scope& scope) {
        const Node* given = parent.find(key.name);
        switch (key.kind) {
            case KeyKind::section:
                return bind_section(key, given, parent, member, scope);
            case KeyKind::map:
                return bind_map(key, given, member, scope);
            case KeyKind::choice:
                return bind_choice(key, given, parent, *static_cast<Choice*>(member));
            default:
                break;
        }
        if (!given && !key.info.def) {
            if (!key.optional) missing(key, parent);
            return key.field.set(member, Value{false, {}});
        }
        const Value value = parse_value(key, given ? *given : default_node(key));
        if (key.info.refers_to && value.given) {
            const bool list = given && given->kind == Node::Kind::list;
            for (std::size_t i = 0; i < value.items.size(); ++i)
                require_instance(key, value.items[i].text,
                                 !given ? parent
                                 : list ? given->children[i]
                                        : *given,
                                 scope);
        }
        key.field.set(member, value);
    }

    void bind_section(const Key& key, const Node* given, const Node& parent, void* member,
                      const Scope& scope) {
        if (key.optional && (!given || given->dropped())) return;
        Node absent;
        absent.origin = absent.name_origin = parent.origin;
        section(given && !given->dropped() ? *given : absent, {{key.schema, key.part.make(member, {})}},
                &scope);
    }

    void bind_map(const Key& key, const Node* given, void* member, const Scope& scope) {
        if (!given || given->kind == Node::Kind::nothing) return;
        if (given->kind != (key.list ? Node::Kind::list : Node::Kind::section))
            fail(given->origin, key.list ? fmt::format("{}: expected a list of sections, each a {}", key.name,
                                                       key.schema->name())
                                         : fmt::format("{}: expected named sections, such as '{}0: {{...}}'",
                                                       key.name, key.schema->name()));
        for (const Node& instance : given->children) {
            if (instance.dropped() && !key.in.shorthand) continue;
            if (!key.list && !key.in.any_name) require_plain_name(instance);
            const Targets targets{{key.schema, key.part.make(member, instance.name)}};
            if (key.in.shorthand)
                section(in_full(instance, key.in.shorthand), targets, &scope);
            else
                section(instance, targets, &scope);
        }
    }

    /// The section that a value stands for.
    static Node in_full(const Node& value, const char* key) {
        if (value.kind == Node::Kind::section) return value;
        Node out = Node::section();
        out.name = value.name;
        out.origin = value.origin;
        out.name_origin = value.name_origin;
        if (value.kind != Node::Kind::nothing) out.add(key, value).name_origin = value.origin;
        return out;
    }

    // Instance names are parts of dotted paths.
    static void require_plain_name(const Node& instance) {
        const auto plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                   c == '-';
        };
        if (instance.name.empty() || !std::all_of(instance.name.begin(), instance.name.end(), plain))
            fail(instance.name_origin,
                 fmt::format("bad name '{}': only letters, digits, '-' and '_'", instance.name));
    }

    /// Where the machine has a policy of this name; empty if nowhere.
    std::string policy_elsewhere(const std::string& name) const {
        for (const Place& p : all_places(root_))
            if (p.policy == name)
                return fmt::format(" (that is a {}: {}{}={})", p.key->point->what(),
                                   p.short_path.substr(0, p.short_path.size() - name.size()), p.key->name,
                                   name);
        return {};
    }

    void bind_choice(const Key& key, const Node* given, const Node& parent, Choice& choice) {
        if (!given && !key.info.def) missing(key, parent);
        const auto& entries = key.point->entries();
        if (!key.point->duplicates().empty())
            throw InputError(fmt::format("the {} '{}' is registered twice", key.point->what(),
                                         key.point->duplicates().front()));
        const Node node = given ? *given : default_node(key);
        const std::string name = parse_value(key, node).items.front().text;
        if (!entries.contains(name)) {
            std::vector<std::string_view> names;
            names.reserve(entries.size());
            for (const auto& [policy, entry] : entries) names.push_back(policy);
            const std::string elsewhere = policy_elsewhere(name);
            fail(node.origin, fmt::format("{}: there is no {} '{}'{}", key.name, key.point->what(), name,
                                          elsewhere + suggestion(name, names)));
        }
        choice.choose(name);
    }

    // Parameters of the chosen policies and of all others that have a section here.
    void bind_policies(const Node& node, const Targets& targets, const Scope& scope) {
        std::map<std::string_view, Targets> sections;
        for (const Target& t : targets)
            for (const Key& key : t.schema->keys()) {
                if (!key.point) continue;
                auto& choice = *static_cast<Choice*>(key.member(t.object));
                for (const auto& [policy, entry] : key.point->entries()) {
                    if (!entry.schema || (policy != choice.name() && !node.find(policy))) continue;
                    auto settings = entry.new_settings();
                    sections[policy].push_back({&entry.schema(), settings.get()});
                    choice.keep(std::string(policy), std::move(settings));
                }
            }
        for (const auto& [policy, policy_targets] : sections) {
            Node absent;
            absent.origin = absent.name_origin = node.origin;
            const Node* given = node.find(policy);
            section(given ? *given : absent, policy_targets, &scope);
        }
    }

    void require_instance(const Key& key, const std::string& name, const Node& at, const Scope& scope) const {
        std::vector<std::string_view> names;
        const Node* dropped = nullptr;
        for (const Scope* s = &scope; s; s = s->outer) {
            const bool declares = std::any_of(s->targets->begin(), s->targets->end(), [&](const Target& t) {
                const Key* map = t.schema->find(key.info.refers_to);
                return map && map->kind == KeyKind::map;
            });
            const Node* map = declares ? s->node->find(key.info.refers_to) : nullptr;
            if (!map) continue;
            if (map->dropped()) dropped = map;
            for (const Node& instance : map->children) {
                if (instance.dropped()) {
                    if (instance.name == name) dropped = &instance;
                    continue;
                }
                if (instance.name == name) return;
                names.push_back(instance.name);
            }
        }
        if (dropped != nullptr && dropped->origin.layer > at.origin.layer)
            fail(dropped->origin, fmt::format("{}: '~' removes what '{}: {}' refers to ({})", dropped->name,
                                              key.name, name, at.origin.text()));
        fail(at.origin, fmt::format("{}: there is no '{}' among the {}{}", key.name, name, key.info.refers_to,
                                    suggestion(name, names)));
    }

    static void run_checks(const Node& node, const Target& target) {
        for (const Check& check : target.schema->checks()) {
            const Complaint complaint = check(target.object);
            if (complaint.text.empty()) continue;
            // The part that was written over the rest is at fault: an option, then the file that extends another.
            const Node* at = nullptr;
            for (const std::string& key : complaint.keys)
                if (const Node* written = find_path(node, key);
                    written != nullptr && (at == nullptr || written->origin.layer > at->origin.layer))
                    at = written;
            if (at == nullptr) at = &node;
            fail(at->origin, fmt::format("{}: {}", complaint.keys.front(), complaint.text));
        }
    }

    /// The node of a dotted key, null if it is not written.
    static const Node* find_path(const Node& node, std::string_view path) {
        const std::size_t dot = path.find('.');
        const Node* child = node.find(path.substr(0, dot));
        return child == nullptr || dot == path.npos ? child : find_path(*child, path.substr(dot + 1));
    }

    [[noreturn]] static void missing(const Key& key, const Node& parent) {
        fail(parent.name_origin.where ? parent.name_origin : parent.origin,
             fmt::format("missing key '{}' ({}): {}", key.name, describe_type(key), key.info.about));
    }

    const SchemaBase& root_;
};

}  // namespace

void bind(const SchemaBase& schema, const Node& tree, void* object) {
    Binder(schema).section(tree, {{&schema, object}}, nullptr);
}

const Key* SchemaBase::find(std::string_view name) const {
    for (const Key& key : keys_)
        if (key.name == name) return &key;
    return nullptr;
}

std::size_t& registered_policies() {
    static std::size_t count = 0;
    return count;
}

bool PolicyPointBase::enter(std::string_view name, const PolicyEntry& entry, CurrentInterface) {
    ++registered_policies();
    if (!entries_.emplace(name, entry).second) duplicates_.push_back(name);
    return true;
}

Choice PolicyPointBase::choose(std::string_view name) const {
    return choose(name, {});
}

Choice PolicyPointBase::choose(std::string_view name, std::string_view parameters) const {
    auto it = entries_.find(name);
    if (it == entries_.end()) {
        std::vector<std::string_view> names;
        for (const auto& [policy, entry] : entries_) names.push_back(policy);
        throw InputError(fmt::format("there is no {} '{}'{}", what_, name, suggestion(name, names)));
    }
    Choice choice;
    choice.choose(std::string(name));
    if (it->second.schema) {
        auto settings = it->second.new_settings();
        bind(it->second.schema(), parse_yaml(parameters, name), settings.get());
        choice.keep(std::string(name), std::move(settings));
    } else if (!parameters.empty()) {
        throw InputError(fmt::format("the {} '{}' has no parameters", what_, name));
    }
    return choice;
}

}  // namespace heddle::config
