// From filled settings back to the complete tree of text.

#include <algorithm>

#include "config/machine_file.h"
#include "config/value.h"

namespace heddle::config {
namespace {

struct Source {
    const SchemaBase* schema;
    const void* object;
};
using Sources = std::vector<Source>;

// Member access is declared for filling; nothing is written here.
void* member_of(const Key& key, const void* object) {
    return key.member(const_cast<void*>(object));
}

void write_section(Node& out, const Sources& sources);

void write_policy(Node& out, const Sources& sources, const std::string& policy) {
    Sources parameters;
    for (const Source& s : sources)
        for (const Key& key : s.schema->keys()) {
            if (!key.point) continue;
            const auto& choice = *static_cast<const Choice*>(member_of(key, s.object));
            const void* settings = choice.name() == policy ? choice.find(policy) : nullptr;
            if (settings) parameters.push_back({&key.point->entries().at(policy).schema(), settings});
        }
    if (parameters.empty()) return;
    write_section(out.add(policy, Node::section()), parameters);
}

void write_section(Node& out, const Sources& sources) {
    for (const Source& s : sources)
        for (const Key& key : s.schema->keys()) {
            if (out.find(key.name)) continue;  // shared by two policies of the same name
            const void* member = member_of(key, s.object);
            const std::string name(key.name);
            switch (key.kind) {
                case KeyKind::section:
                    key.part.each(member, [&](const std::string&, const void* section) {
                        write_section(out.add(name, Node::section()), {{key.schema, section}});
                    });
                    break;
                case KeyKind::map: {
                    Node& map = out.add(name, key.list ? Node::list() : Node::section());
                    key.part.each(member, [&](const std::string& instance, const void* section) {
                        write_section(map.add(instance, Node::section()), {{key.schema, section}});
                    });
                    break;
                }
                case KeyKind::choice: {
                    const std::string& policy = static_cast<const Choice*>(member)->name();
                    out.add(name, Node::scalar(policy));
                    if (!out.find(policy)) write_policy(out, sources, policy);
                    break;
                }
                default: {
                    Node value = format_value(key, key.field.get(member));
                    // "Not given" must be written only where leaving the key out would mean a default.
                    if (value.kind != Node::Kind::nothing || key.info.def) out.add(name, std::move(value));
                }
            }
        }
}

}  // namespace

Node describe(const SchemaBase& schema, const void* object) {
    Node root = Node::section();
    write_section(root, {{&schema, object}});
    return root;
}

}  // namespace heddle::config
