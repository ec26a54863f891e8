#pragma once
// Machine files: from a name, a file and --set options to a filled settings struct, and back to text.
//
//     MachineSettings m = load(MachineSettings::schema(), {.machine = "gtx480", .sets = {"dram.scheduler=wg-w"}});
//     std::string yaml = to_yaml(describe(MachineSettings::schema(), m));       // complete, canonical; reads back
//     the same
//
// A file is YAML. `extends: NAME` takes another machine (a name, or a path relative to the file) as the base:
// its keys are kept unless given again, sections merge, lists and values replace, `NAME: ~` drops an
// inherited instance, optional section or optional key. --set options apply last, in order.
//
// --set KEY=VALUE: KEY is the end of a dotted path, as long as needed to be unambiguous ("l1.size"); the full
// path always works. ALIAS.KEY ("dram.scheduler") sets that key of every instance of the map with that alias.
// VALUE is a value, "[a, b]" a list, "~" nothing.
//
// Errors are InputErrors: "FILE:LINE:COLUMN: what is wrong, the nearest right thing" or "--set KEY=VALUE:
// ...".

#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "config/schema.h"

namespace heddle::config {

struct Request {
    std::string machine;            ///< a shipped machine's name, or a path (has a '/' or ends in .yaml)
    std::vector<std::string> sets;  ///< "KEY=VALUE"
    std::vector<std::string> directories = {};  ///< where names are looked up; empty: machine_directories()
};

/// Where machines are found by name (shipped_folder).
std::vector<std::string> machine_directories();

/// A machine that can be named.
struct ShippedMachine {
    std::string name;
    std::string path;
};
/// All of them, by name.
std::vector<ShippedMachine> shipped_machines(const std::vector<std::string>& directories = {});

/// A shipped machine's path, or `machine` itself if it is a path. Throws InputError if no machine has that name.
std::string locate_machine(const std::string& machine);

/// The merged text of a machine: extends and --set applied, not yet checked against the schema.
Node read_machine(const SchemaBase& schema, const Request& request);

/// Applies one "KEY=VALUE" to a tree.
void apply_set(const SchemaBase& schema, Node& tree, const std::string& set);

/// Fills `object` (a default-constructed T of the schema) from a tree.
void bind(const SchemaBase& schema, const Node& tree, void* object);

/// The complete resolved description of `object`: every key with its canonical text, in declared order.
Node describe(const SchemaBase& schema, const void* object);

/// A list that wants a metric of each application's run alone (Info::alone).
struct Profile {
    std::string key;     ///< full path
    std::string metric;  ///< as `heddle list metrics` names it
    Unit unit = Unit::none;
    std::size_t values = 0;  ///< that it has
};
/// Those of everything that `object` has chosen, in declared order.
std::vector<Profile> profiles(const SchemaBase& schema, const void* object);

template <class T>
T load(const Schema<T>& schema, const Request& request) {
    T object{};
    bind(schema, read_machine(schema, request), &object);
    return object;
}

/// Settings from YAML text; `file` is the name for errors. An empty text gives the defaults.
template <class T>
T parse(const Schema<T>& schema, std::string_view yaml, std::string_view file = "text") {
    T object{};
    bind(schema, parse_yaml(yaml, file), &object);
    return object;
}

/// One setting at its defaults.
template <class T>
T defaults(const Schema<T>& schema) {
    return parse(schema, "");
}

template <class T>
Node describe(const Schema<T>& schema, const T& object) {
    return describe(static_cast<const SchemaBase&>(schema), static_cast<const void*>(&object));
}

}  // namespace heddle::config
