#include <fmt/format.h>
#include <map>
#include <set>

#include "config/manual.h"
#include "config/value.h"

namespace heddle::config {
namespace {

class Inspector {
  public:
    void section(const SchemaBase& schema, const std::string& path, bool of_policy) {
        std::set<std::string_view> names;
        std::map<std::string_view, std::vector<const SchemaBase*>> policies;
        for (const Key& key : schema.keys()) {
            if (!names.insert(key.name).second) complain(path, key, "is declared twice");
            inspect(key, path, of_policy);
            if (!key.point) continue;
            for (const auto& [policy, entry] : key.point->entries())
                if (entry.schema) policies[policy].push_back(&entry.schema());
        }
        for (const auto& [policy, schemas] : policies) {
            if (names.contains(policy))
                out.push_back(fmt::format("{}{}: a key and a policy have this name", path, policy));
            for (const SchemaBase* s : schemas) section(*s, fmt::format("{}{}.", path, policy), true);
            shared_keys(schemas, fmt::format("{}{}.", path, policy));
        }
    }

    std::vector<std::string> out;

  private:
    void complain(const std::string& path, const Key& key, std::string_view what) {
        out.push_back(fmt::format("{}{}: {}", path, key.name, what));
    }

    void inspect(const Key& key, const std::string& path, bool of_policy) {
        if (key.schema) {
            if (key.schema->about().empty()) complain(path, key, "has no description");
            const std::string inner =
                path + std::string(key.name) + (key.kind == KeyKind::map && !key.list ? ".NAME." : ".");
            return section(*key.schema, inner, of_policy);
        }
        if (std::string_view(key.info.about).empty()) complain(path, key, "has no description");
        if (key.info.unit == Unit::cycles && !key.info.clock)
            complain(path, key, "counts cycles but names no clock");
        if (of_policy && !key.info.def && !key.optional)
            complain(path, key, "is a policy parameter without a default");
        if (key.point) {
            for (const auto policy : key.point->duplicates())
                complain(path, key,
                         fmt::format("the {} '{}' is registered twice", key.point->what(), policy));
            if (key.info.def && !key.point->entries().contains(key.info.def))
                complain(path, key,
                         fmt::format("the default '{}' is not a {}", key.info.def, key.point->what()));
        }
        for (const char* bound : {key.info.min, key.info.max}) {
            Number n;
            if (!bound) continue;
            if (const auto wrong = parse_number(bound, key.info.unit, n); !wrong.empty())
                return complain(path, key, fmt::format("bound '{}' {}", bound, wrong));
        }
        if (!key.info.def) return;
        try {
            parse_value(key, default_node(key));
        } catch (const InputError& e) {
            complain(path, key, e.what());
        }
    }

    // One text sets the key of both policies, so leaving it out must mean the same to both.
    void shared_keys(const std::vector<const SchemaBase*>& schemas, const std::string& path) {
        for (std::size_t i = 1; i < schemas.size(); ++i)
            for (const Key& key : schemas[i]->keys()) {
                const Key* other = schemas[0]->find(key.name);
                const auto text = [](const char* t) { return std::string_view(t ? t : ""); };
                if (other && schemas[0] != schemas[i] &&
                    (other->kind != key.kind || other->info.unit != key.info.unit ||
                     text(other->info.def) != text(key.info.def)))
                    complain(path, key, "is declared differently by two policies of this name");
            }
    }
};

}  // namespace

std::vector<std::string> defects(const SchemaBase& schema) {
    Inspector inspector;
    inspector.section(schema, {}, false);
    return std::move(inspector.out);
}

}  // namespace heddle::config
