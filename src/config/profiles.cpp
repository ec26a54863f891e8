// Which lists of a filled machine want figures of runs alone.

#include "config/machine_file.h"

namespace heddle::config {
namespace {

void walk(const SchemaBase& schema, const void* object, const std::string& path, std::vector<Profile>& out) {
    for (const Key& key : schema.keys()) {
        // Member access is declared for filling; nothing is written here.
        const void* member = key.member(const_cast<void*>(object));
        const std::string at = path + std::string(key.name);
        switch (key.kind) {
            case KeyKind::section:
                key.part.each(member, [&](const std::string&, const void* section) {
                    walk(*key.schema, section, at + ".", out);
                });
                break;
            case KeyKind::map:
                key.part.each(member, [&](const std::string& instance, const void* section) {
                    std::string below = at + ".";
                    below += instance;
                    below += '.';
                    walk(*key.schema, section, below, out);
                });
                break;
            case KeyKind::choice: {
                const auto& choice = *static_cast<const Choice*>(member);
                const auto entry = key.point->entries().find(choice.name());
                const void* settings = choice.find(choice.name());
                if (settings != nullptr && entry != key.point->entries().end() &&
                    entry->second.schema != nullptr)
                    walk(entry->second.schema(), settings, path + choice.name() + ".", out);
                break;
            }
            default:
                if (key.info.alone != nullptr)
                    out.push_back({at, key.info.alone, key.info.unit, key.field.get(member).items.size()});
        }
    }
}

}  // namespace

std::vector<Profile> profiles(const SchemaBase& schema, const void* object) {
    std::vector<Profile> out;
    walk(schema, object, "", out);
    return out;
}

}  // namespace heddle::config
