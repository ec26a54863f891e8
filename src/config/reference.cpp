#include <fmt/format.h>

#include "config/manual.h"
#include "config/value.h"

namespace heddle::config {
namespace {

std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string code(std::string_view text) {
    return text.empty() ? std::string{} : fmt::format("`{}`", text);
}

class Writer {
  public:
    void section(const SchemaBase& schema, const std::string& path, std::string_view about, unsigned level) {
        if (!path.empty()) out += fmt::format("\n{} `{}`\n\n{}\n", std::string(level, '#'), path, about);
        bool heading = false;
        for (const Key& key : schema.keys()) {
            if (key.schema) continue;
            if (!heading)
                out += "\n| key | value | default | range | meaning | source |\n|---|---|---|---|---|---|\n";
            heading = true;
            out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, cell(value_of(key)),
                               key.info.def   ? code(key.info.def)
                               : key.optional ? "not given"
                                              : "must be given",
                               cell(describe_range(key)), cell(meaning_of(key)), cell(key.info.source));
        }
        const std::string prefix = path.empty() ? path : path + ".";
        const unsigned below = level < 5 ? level + 1 : level;
        for (const Key& key : schema.keys()) {
            if (key.point) policies(key, prefix, below);
            if (!key.schema) continue;
            const std::string name =
                prefix + std::string(key.name) + (key.kind == KeyKind::map && !key.list ? ".NAME" : "");
            std::string text(key.schema->about());
            if (key.in.alias)
                text += fmt::format(". `--set {}.KEY=VALUE` sets a key of all of them", key.in.alias);
            if (key.list) text += ". A list of sections";
            if (key.in.shorthand)
                text += fmt::format(". A value that is no section is its `{}`", key.in.shorthand);
            if (key.optional) text += ". Absent unless given";
            section(*key.schema, name, text + ".", below);
        }
    }

    std::string out;

  private:
    static std::string value_of(const Key& key) {
        return key.point ? fmt::format("a {}", key.point->what()) : describe_type(key);
    }

    static std::string meaning_of(const Key& key) {
        std::string text = key.info.about;
        for (const auto& n : key.names)
            if (!n.about.empty()) text += fmt::format("; `{}`: {}", n.name, n.about);
        return text;
    }

    void policies(const Key& key, const std::string& prefix, unsigned level) {
        const bool bounds = !key.point->bound().empty();
        out += fmt::format("\n{} Policies of `{}{}`\n\n", std::string(level, '#'), prefix, key.name);
        if (bounds) out += fmt::format("Bound: {}.\n\n", key.point->bound());
        out += fmt::format("| policy | what it does |{} source |\n|---|---|---|{}\n",
                           bounds ? " bound |" : "", bounds ? "---|" : "");
        for (const auto& [policy, entry] : key.point->entries())
            out += fmt::format("| `{}` | {} |{} {} |\n", policy, cell(entry.about),
                               bounds ? fmt::format(" {} |", cell(entry.bound)) : "", cell(entry.source));
        for (const auto& [policy, entry] : key.point->entries())
            if (entry.schema)
                section(entry.schema(), prefix + std::string(policy),
                        fmt::format("Parameters of the {} `{}`.", key.point->what(), policy), level);
    }
};

}  // namespace

std::string reference_manual(const SchemaBase& schema, std::string_view title) {
    Writer writer;
    writer.out = fmt::format("# {}\n\n{}.\n", title, schema.about());
    writer.section(schema, {}, {}, 1);
    return std::move(writer.out);
}

}  // namespace heddle::config
