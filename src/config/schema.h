#pragma once
// How a part declares its keys: once, beside its settings struct. The reader, the error messages, the
// explanations and the reference manual are all made from this one declaration.
//
//     struct L1Settings {                        // a plain struct, constant once it has been read
//         u64 size_bytes;
//         u32 ways;
//         Cycle latency;
//         WritePolicy write;
//         config::Choice replacement;
//         std::optional<u32> mshrs;              // optional: "not given" differs from every value
//         UnitSettings units;
//         std::string memory;
//         static const config::Schema<L1Settings>& schema();
//     };
//
//     const config::Schema<L1Settings>& L1Settings::schema() {
//         using config::Unit;
//         static const auto s =
//             config::Schema<L1Settings>("l1", "first-level data cache of one SM")
//                 .key("size", &L1Settings::size_bytes,
//                      {.unit = Unit::bytes, .def = "16KiB", .min = "1KiB", .max = "1MiB",
//                       .about = "capacity", .source = "..."})
//                 .key("latency", &L1Settings::latency,
//                      {.unit = Unit::cycles, .clock = "core", .def = "35", .about = "..."})
//                 .key("mshrs", &L1Settings::mshrs,
//                      {.min = "1", .about = "outstanding lines; not given: no limit"})
//                 .key("memory", &L1Settings::memory,
//                      {.about = "where misses go", .refers_to = "memories"})
//                 .one_of("write", &L1Settings::write,
//                         {{"back", WritePolicy::back, "dirty lines stay"},
//                          {"through", WritePolicy::through, "every write goes on"}},
//                         {.def = "through", .about = "..."})
//                 .choice("replacement", &L1Settings::replacement, replacement_policies(),
//                         {.def = "lru", .about = "..."})
//                 .section("units", &L1Settings::units, UnitSettings::schema())
//                 .check("size", [](const L1Settings& l) {
//                     return l.size_bytes % l.ways != 0 ? "must divide by ways" : "";
//                 });
//         return s;
//     }
//
// Member types of key(): bool, every integer up to 64 bits, Quantity (Cycle ...), Duration, std::string,
// std::vector of those (a YAML list), and std::optional of any of these; Located and LocatedList are texts that know their
// place. The member of a section may also be std::optional: the section is absent unless the machine file has it. The
// member of a map is std::map<std::string, Section>, ordered by name, or a vector of pairs in the order of the file; that
// of a list of sections is std::vector<Section>.
//
// A key that is not optional and has no `def` must be given. All texts are string literals, because a schema
// stores pointers. Default, bounds and units are text as a user would write it; defects() (manual.h) checks
// them.

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/node.h"
#include "config/policy.h"
#include "config/unit.h"
#include "sim/types.h"

namespace heddle::config {

/// What a declaration says about a key. All but `about` may be left out.
struct Info {
    Unit unit = Unit::none;
    const char* clock = nullptr;  ///< whose cycles, for Unit::cycles: "core", "dram"
    const char* def = nullptr;    ///< default; none: the key must be given, or is optional
    const char* min = nullptr;    ///< smallest and largest value, inclusive; of a list: of each item
    const char* max = nullptr;
    bool power_of_two = false;
    bool one_or_list = false;  ///< of a list: a value stands for a list of it
    /// Of a list of texts "KEY=VALUE": one may stand for a list of it, and a section {KEY: VALUE} for all.
    bool settings = false;
    const char* about = "";   ///< what it does, one sentence
    const char* source = "";  ///< where the default is from
    const char* refers_to =
        nullptr;  ///< the value names an instance of this map, looked up from the inside out
    /// Of a list: one value for each application, this metric of its run alone. A command that makes several runs finds
    /// them out where the list is empty (machine_file.h, missing_profiles).
    const char* alone = nullptr;
};

/// What a declaration says about a section or a map.
struct PartInfo {
    const char* alias = nullptr;  ///< of a map: ALIAS.KEY means KEY of every instance ("dram" for memories)
    const char* shorthand = nullptr;  ///< a value that is no section stands for one with this key
    bool any_name = false;            ///< names of instances need not be parts of a dotted path
};

/// One name of an enumeration.
template <class E>
struct Name {
    const char* name;
    E value;
    const char* about = "";
};

/// A text and where it stands, for errors that are found later.
struct Located {
    std::string text;
    Origin origin;
};
/// A list of them, and where it stands.
struct LocatedList {
    std::vector<Located> items;
    Origin origin;
};

/// A value on its way between text and a member.
struct Scalar {
    Number number;
    std::string text;
    Origin origin = {};
};
struct Value {
    bool given = true;
    std::vector<Scalar> items;  ///< one, unless the key is a list
    Origin origin = {};
};

enum class KeyKind : u8 { boolean, integer, name, text, choice, section, map };

/// One declared key, without its types: what the reader, the writer and the manual go by.
struct Key {
    struct NameEntry {
        std::string_view name;
        Wide value;
        std::string_view about;
    };
    /// Access to a member whose address is known.
    struct Field {
        void (*set)(void* member, const Value& value) = nullptr;
        Value (*get)(const void* member) = nullptr;
    };
    /// Access to the section or sections in a member.
    struct Part {
        void* (*make)(void* member, const std::string& name) = nullptr;  ///< the (new) section, to be filled
        void (*each)(const void* member,
                     const std::function<void(const std::string&, const void*)>& visit) = nullptr;
    };

    std::string_view name;
    KeyKind kind = KeyKind::text;
    bool optional = false;
    bool list = false;  ///< of values; with KeyKind::map: of sections without names
    Info info;
    Wide lowest = 0, highest = 0;            ///< what the member's type can hold
    std::vector<NameEntry> names;            ///< of an enumeration
    const PolicyPointBase* point = nullptr;  ///< of a choice
    const SchemaBase* schema = nullptr;      ///< of a section or map
    PartInfo in;                             ///< of a map
    std::function<void*(void* section)> member;
    Field field;
    Part part;
};

/// What is wrong with several keys of a section.
struct Complaint {
    std::vector<std::string>
        keys;  ///< all that it depends on, dotted; the first is named, the one written last (Origin::layer) pointed at
    std::string text;  ///< a phrase; empty: all is well
};

/// A rule over several keys of a section.
using Check = std::function<Complaint(const void* section)>;

/// A section's declaration without its type.
class SchemaBase {
  public:
    SchemaBase(std::string_view name, std::string_view about) : name_(name), about_(about) {}
    std::string_view name() const { return name_; }
    std::string_view about() const { return about_; }
    const std::vector<Key>& keys() const { return keys_; }
    const std::vector<Check>& checks() const { return checks_; }
    const Key* find(std::string_view name) const;

  protected:
    std::string_view name_, about_;
    std::vector<Key> keys_;
    std::vector<Check> checks_;
};

namespace detail {

template <class M>
struct Member;  // set, get, kind, bounds of one item

template <class M>
requires std::is_integral_v<M> || std::is_enum_v<M>
struct Member<M> {
    static constexpr KeyKind kind = std::is_same_v<M, bool> ? KeyKind::boolean
                                    : std::is_enum_v<M>     ? KeyKind::name
                                                            : KeyKind::integer;
    static void bounds(Key& key) {
        if constexpr (std::is_integral_v<M>) {
            key.lowest = std::numeric_limits<M>::min();
            key.highest = std::numeric_limits<M>::max();
        }
    }
    static void set(M& m, const Scalar& s) { m = static_cast<M>(s.number.value); }
    static Scalar get(const M& m) { return {{static_cast<Wide>(m)}, {}}; }
};
template <class Tag, class Rep>
struct Member<Quantity<Tag, Rep>> {
    static constexpr KeyKind kind = KeyKind::integer;
    static void bounds(Key& key) { Member<Rep>::bounds(key); }
    static void set(Quantity<Tag, Rep>& m, const Scalar& s) { Member<Rep>::set(m.v, s); }
    static Scalar get(const Quantity<Tag, Rep>& m) { return Member<Rep>::get(m.v); }
};
template <>
struct Member<Duration> {
    static constexpr KeyKind kind = KeyKind::integer;
    static void bounds(Key& key) { Member<u64>::bounds(key); }
    static void set(Duration& m, const Scalar& s) {
        m = {static_cast<u64>(s.number.value), s.number.in_cycles};
    }
    static Scalar get(const Duration& m) { return {{m.amount, m.in_cycles}, {}}; }
};
template <>
struct Member<std::string> {
    static constexpr KeyKind kind = KeyKind::text;
    static void bounds(Key&) {}
    static void set(std::string& m, const Scalar& s) { m = s.text; }
    static Scalar get(const std::string& m) { return {{}, m}; }
};

template <>
struct Member<Located> {
    static constexpr KeyKind kind = KeyKind::text;
    static void bounds(Key&) {}
    static void set(Located& m, const Scalar& s) { m = {s.text, s.origin}; }
    static Scalar get(const Located& m) { return {{}, m.text, m.origin}; }
};

template <class M>
struct Access {  // one value
    using Item = M;
    static constexpr bool list = false, optional = false;
    static void set(M& m, const Value& v) { Member<M>::set(m, v.items.front()); }
    static Value get(const M& m) { return {true, {Member<M>::get(m)}}; }
};
template <class M>
struct Access<std::vector<M>> {
    using Item = M;
    static constexpr bool list = true, optional = false;
    static void set(std::vector<M>& m, const Value& v) {
        m.clear();
        for (const Scalar& s : v.items) Member<M>::set(m.emplace_back(), s);
    }
    static Value get(const std::vector<M>& m) {
        Value v;
        for (const M& item : m) v.items.push_back(Member<M>::get(item));
        return v;
    }
};
template <>
struct Access<LocatedList> {
    using Item = Located;
    static constexpr bool list = true, optional = false;
    static void set(LocatedList& m, const Value& v) {
        Access<std::vector<Located>>::set(m.items, v);
        m.origin = v.origin;
    }
    static Value get(const LocatedList& m) { return Access<std::vector<Located>>::get(m.items); }
};
template <class M>
struct Access<std::optional<M>> {
    using Item = typename Access<M>::Item;
    static constexpr bool list = Access<M>::list, optional = true;
    static void set(std::optional<M>& m, const Value& v) {
        m.reset();
        if (v.given) Access<M>::set(m.emplace(), v);
    }
    static Value get(const std::optional<M>& m) { return m ? Access<M>::get(*m) : Value{false, {}}; }
};

using Visit = std::function<void(const std::string&, const void*)>;
template <class M>
struct Parts {  // a section that is always there
    static constexpr bool optional = false;
    static void* make(void* m, const std::string&) { return m; }
    static void each(const void* m, const Visit& visit) { visit({}, m); }
};
template <class S>
struct Parts<std::optional<S>> {
    static constexpr bool optional = true;
    static void* make(void* m, const std::string&) { return &static_cast<std::optional<S>*>(m)->emplace(); }
    static void each(const void* m, const Visit& visit) {
        if (auto& section = *static_cast<const std::optional<S>*>(m)) visit({}, &*section);
    }
};
template <class S>
struct Parts<std::map<std::string, S>> {
    static constexpr bool optional = false;
    static void* make(void* m, const std::string& name) {
        return &(*static_cast<std::map<std::string, S>*>(m))[name];
    }
    static void each(const void* m, const Visit& visit) {
        for (const auto& [name, section] : *static_cast<const std::map<std::string, S>*>(m))
            visit(name, &section);
    }
};

template <class S>
struct Parts<std::vector<std::pair<std::string, S>>> {
    static constexpr bool optional = false;
    static void* make(void* m, const std::string& name) {
        return &static_cast<std::vector<std::pair<std::string, S>>*>(m)->emplace_back(name, S{}).second;
    }
    static void each(const void* m, const Visit& visit) {
        for (const auto& [name, section] : *static_cast<const std::vector<std::pair<std::string, S>>*>(m))
            visit(name, &section);
    }
};
template <class S>
struct Parts<std::vector<S>> {  // a list
    static constexpr bool optional = false;
    static void* make(void* m, const std::string&) {
        return &static_cast<std::vector<S>*>(m)->emplace_back();
    }
    static void each(const void* m, const Visit& visit) {
        for (const S& section : *static_cast<const std::vector<S>*>(m)) visit({}, &section);
    }
};

}  // namespace detail

/// The declaration of settings struct T. Built by chaining, inside a function-local static.
template <class T>
class Schema : public SchemaBase {
  public:
    /// `name` is the section's usual name, `about` one line for the manual.
    Schema(std::string_view name, std::string_view about) : SchemaBase(name, about) {}

    /// A value: number, truth value, text, list of these, or optional of any.
    template <class B, class M>
    Schema&& key(std::string_view name, M B::*member, Info info) && {
        plain(name, member, info);
        return std::move(*this);
    }

    /// A value out of a fixed set of names; the member is an enum.
    template <class B, class M>
    Schema&& one_of(std::string_view name, M B::*member,
                    std::initializer_list<Name<typename detail::Access<M>::Item>> names, Info info) && {
        Key& k = plain(name, member, info);
        for (const auto& n : names) k.names.push_back({n.name, static_cast<Wide>(n.value), n.about});
        return std::move(*this);
    }

    /// A policy of `point`.
    template <class B>
    Schema&& choice(std::string_view name, Choice B::*member, const PolicyPointBase& point, Info info) && {
        Key& k = declare(name, KeyKind::choice, member);
        k.info = info;
        k.point = &point;
        return std::move(*this);
    }

    /// A section inside this one; the member is S or std::optional<S>.
    template <class B, class M, class S>
    Schema&& section(std::string_view name, M B::*member, const Schema<S>& schema) && {
        part(name, KeyKind::section, member, schema);
        return std::move(*this);
    }

    /// Named instances; the member is std::map<std::string, S>, or std::vector<std::pair<std::string, S>>.
    template <class B, class M, class S>
    Schema&& map(std::string_view name, M B::*member, const Schema<S>& schema, PartInfo info = {}) && {
        part(name, KeyKind::map, member, schema).in = info;
        return std::move(*this);
    }

    /// A list of sections; the member is std::vector<S>.
    template <class B, class S>
    Schema&& list(std::string_view name, std::vector<S> B::*member, const Schema<S>& schema,
                  PartInfo info = {}) && {
        Key& k = part(name, KeyKind::map, member, schema);
        k.in = info;
        k.list = true;
        return std::move(*this);
    }

    /// A rule over several keys: `complaint` returns what is wrong at `key` (a phrase), or an empty text.
    Schema&& check(std::string_view key, std::function<std::string(const T&)> complaint) && {
        return std::move(*this).check_all([key = std::string(key), complaint](const T& section) {
            return Complaint{{key}, complaint(section)};
        });
    }
    /// The same where the rule finds out which keys are at fault.
    Schema&& check_all(std::function<Complaint(const T&)> complaint) && {
        checks_.push_back([complaint](const void* s) { return complaint(*static_cast<const T*>(s)); });
        return std::move(*this);
    }

  private:
    template <class B, class M>
    Key& declare(std::string_view name, KeyKind kind, M B::*member) {
        Key& k = keys_.emplace_back();
        k.name = name;
        k.kind = kind;
        k.member = [member](void* section) -> void* { return &(static_cast<T*>(section)->*member); };
        return k;
    }
    template <class B, class M>
    Key& plain(std::string_view name, M B::*member, const Info& info) {
        using A = detail::Access<M>;
        Key& k = declare(name, detail::Member<typename A::Item>::kind, member);
        k.info = info;
        k.optional = A::optional;
        k.list = A::list;
        detail::Member<typename A::Item>::bounds(k);
        k.field.set = [](void* m, const Value& v) { A::set(*static_cast<M*>(m), v); };
        k.field.get = [](const void* m) { return A::get(*static_cast<const M*>(m)); };
        return k;
    }
    template <class B, class M>
    Key& part(std::string_view name, KeyKind kind, M B::*member, const SchemaBase& schema) {
        Key& k = declare(name, kind, member);
        k.schema = &schema;
        k.optional = detail::Parts<M>::optional;
        k.part = {&detail::Parts<M>::make, &detail::Parts<M>::each};
        return k;
    }
};

}  // namespace heddle::config
