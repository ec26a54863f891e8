#include <algorithm>
#include <fmt/format.h>

#include "config/manual.h"
#include "config/value.h"
#include "sim/text.h"

namespace heddle::config {
namespace {

std::string line(const std::string& label, std::string_view text) {
    return fmt::format("{}{}\n", label, text);
}

std::string row(std::string_view label, std::string_view text) {
    return text.empty() ? std::string{} : line(fmt::format("  {:<9}", label), text);
}

struct Line {
    std::string_view name;
    std::string text;
};

std::string table(const std::vector<Line>& lines, std::string_view indent) {
    std::size_t width = 0;
    for (const Line& l : lines) width = std::max(width, l.name.size());
    std::string out;
    for (const Line& l : lines) out += line(fmt::format("{}{:<{}}  ", indent, l.name, width), l.text);
    return out;
}

std::string default_text(const Key& key) {
    if (key.info.def) return key.info.def;
    return key.optional ? "not given" : "none; it must be given";
}

std::string with_source(std::string_view about, std::string_view source) {
    return source.empty() ? std::string(about) : fmt::format("{} [{}]", about, source);
}

std::string keys_of(const SchemaBase& schema, std::string_view indent) {
    std::vector<Line> lines;
    for (const Key& key : schema.keys()) {
        std::string text(key.schema ? key.schema->about() : std::string_view(key.info.about));
        if (!key.schema) text += fmt::format(" (default: {})", default_text(key));
        lines.push_back({key.name, std::move(text)});
    }
    return table(lines, indent);
}

std::string explain_policy(const Place& place) {
    std::string out = fmt::format("{}: a {}, selected with {}\n", place.policy, place.key->point->what(),
                                  place.short_path.substr(0, place.short_path.size() - place.policy.size()) +
                                      fmt::format("{}={}", place.key->name, place.policy));
    out += line("  ", place.entry->about);
    out += row("source", place.entry->source);
    if (!place.entry->bound.empty())
        out += row("bound", fmt::format("{} ({})", place.entry->bound, place.key->point->bound()));
    if (!place.entry->schema) return out + "  It has no parameters.\n";
    return out + fmt::format("  parameters ({}.KEY)\n", place.short_path) +
           keys_of(place.entry->schema(), "    ");
}

std::string explain_key(const Place& place) {
    const Key& key = *place.key;
    std::string out = place.path;
    if (place.short_path != place.path) out += fmt::format("  (for all: {})", place.short_path);
    out += '\n';
    if (key.schema) {
        out += line("  ", key.schema->about());
        if (key.kind == KeyKind::map)
            out += row("value",
                       fmt::format("{} sections, each with these keys{}",
                                   key.list ? "a list of" : "any number of named",
                                   key.in.shorthand == nullptr
                                       ? std::string{}
                                       : fmt::format("; a value that is not a section is taken as its {}",
                                                     key.in.shorthand)));
        if (key.optional) out += row("default", "absent");
        return out + keys_of(*key.schema, "    ");
    }
    out += line("  ", key.info.about);
    out += row("value", describe_type(key));
    std::vector<Line> names;
    for (const auto& n : key.names) names.push_back({n.name, std::string(n.about)});
    if (key.point)
        for (const auto& [policy, entry] : key.point->entries())
            names.push_back({policy, with_source(entry.about, entry.source)});
    out += table(names, "             ");
    out += row("default", default_text(key));
    out += row("range", describe_range(key));
    return out + row("source", key.info.source);
}

bool matches(std::string_view path, std::string_view suffix) {
    for (;;) {
        const auto p = path.rfind('.'), s = suffix.rfind('.');
        const auto part = path.substr(p + 1), word = suffix.substr(s + 1);
        // An instance's name is recognized only after its map's name.
        if (part != word && !(part == "NAME" && s != std::string_view::npos)) return false;
        if (s == std::string_view::npos) return true;
        if (p == std::string_view::npos) return false;
        path = path.substr(0, p);
        suffix = suffix.substr(0, s);
    }
}

/// A policy's place with the key that chooses it: "dram.scheduler.fcfs".
std::string with_key(const Place& place) {
    const std::string_view before(place.short_path.data(), place.short_path.size() - place.policy.size());
    return fmt::format("{}{}.{}", before, place.key->name, place.policy);
}

[[noreturn]] void nothing_matches(const std::vector<Place>& places, std::string_view suffix) {
    const auto dots = std::count(suffix.begin(), suffix.end(), '.');
    const Place* best = nullptr;
    unsigned best_distance = ~0U;
    for (const Place& place : places) {
        std::string_view tail = place.short_path;
        while (std::count(tail.begin(), tail.end(), '.') > dots) tail.remove_prefix(tail.find('.') + 1);
        if (const unsigned d = edit_distance(suffix, tail); d < best_distance)
            best = &place, best_distance = d;
    }
    throw InputError(fmt::format("there is no key or policy '{}'{}", suffix,
                                 is_near(suffix, best_distance)
                                     ? fmt::format(", did you mean '{}'?", best->short_path)
                                     : "; 'heddle explain' lists them"));
}

}  // namespace

std::string explain(const SchemaBase& schema, std::string_view suffix, std::size_t width) {
    const auto places = all_places(schema);
    std::vector<const Place*> found;
    for (const Place& place : places) {
        const char* alias = place.entry == nullptr ? place.key->in.alias : nullptr;
        if (place.path == suffix || place.short_path == suffix || (alias != nullptr && suffix == alias)) {
            found = {&place};
            break;
        }
        if (matches(place.path, suffix) || matches(place.short_path, suffix) ||
            (place.entry != nullptr && matches(with_key(place), suffix)))
            found.push_back(&place);
    }
    if (found.empty()) nothing_matches(places, suffix);
    std::string out;
    constexpr std::size_t kInFull = 3;
    if (found.size() <= kInFull) {
        for (const Place* place : found) {
            if (!out.empty()) out += '\n';
            out += place->entry ? explain_policy(*place) : explain_key(*place);
        }
        return fitted(out, width);
    }
    std::vector<Line> lines;
    for (const Place* place : found)
        lines.push_back({place->short_path,
                         std::string(place->entry         ? place->entry->about
                                     : place->key->schema ? place->key->schema->about()
                                                          : std::string_view(place->key->info.about))});
    return fitted(fmt::format("'{}' means {} places:\n", suffix, found.size()) + table(lines, "  "), width);
}

}  // namespace heddle::config
