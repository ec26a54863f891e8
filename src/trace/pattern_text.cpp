// Patterns as text: "pattern:KIND[,key=value...]".

#include <array>
#include <vector>

#include "config/manual.h"
#include "config/unit.h"
#include "sim/error.h"
#include "trace/pattern.h"

namespace heddle {
namespace {

struct KindName {
    std::string_view name;
    PatternKind kind;
};
constexpr std::array kKinds = {
    KindName{"stream", PatternKind::stream}, KindName{"strided", PatternKind::strided},
    KindName{"random", PatternKind::random}, KindName{"chase", PatternKind::chase},
    KindName{"gather", PatternKind::gather}, KindName{"hotset", PatternKind::hotset},
    KindName{"alu", PatternKind::alu},
};

struct KeyRow {
    std::string_view name;
    config::Unit unit;
    u64 min, max;
    void (*set)(PatternSettings&, u64);
};
constexpr u64 kMaxDivergence = 32;
constexpr u64 kMaxBytes = u64{1} << 46;
constexpr std::array kKeys = {
    KeyRow{"footprint", config::Unit::bytes, 1, kMaxBytes,
           [](PatternSettings& s, u64 v) { s.footprint = v; }},
    KeyRow{"stride", config::Unit::bytes, 1, kMaxBytes, [](PatternSettings& s, u64 v) { s.stride = v; }},
    KeyRow{"divergence", config::Unit::none, 1, kMaxDivergence,
           [](PatternSettings& s, u64 v) { s.divergence = static_cast<u32>(v); }},
    KeyRow{"hot", config::Unit::bytes, 1, kMaxBytes, [](PatternSettings& s, u64 v) { s.hot = v; }},
    KeyRow{"hot_percent", config::Unit::none, 0, 100,
           [](PatternSettings& s, u64 v) { s.hot_percent = static_cast<u32>(v); }},
    KeyRow{"read_percent", config::Unit::none, 0, 100,
           [](PatternSettings& s, u64 v) { s.read_percent = static_cast<u32>(v); }},
    KeyRow{"compute", config::Unit::none, 0, 10000,
           [](PatternSettings& s, u64 v) { s.compute = static_cast<u32>(v); }},
    KeyRow{"bytes", config::Unit::none, 1, 16,
           [](PatternSettings& s, u64 v) { s.bytes = static_cast<u32>(v); }},
    KeyRow{"ctas", config::Unit::none, 1, 0x7fffffff, [](PatternSettings& s, u64 v) { s.ctas = v; }},
    KeyRow{"threads", config::Unit::none, 1, 1024,
           [](PatternSettings& s, u64 v) { s.threads = static_cast<u32>(v); }},
    KeyRow{"accesses", config::Unit::none, 1, 100000000,
           [](PatternSettings& s, u64 v) { s.accesses = static_cast<u32>(v); }},
    KeyRow{"seed", config::Unit::none, 0, ~u64{0}, [](PatternSettings& s, u64 v) { s.seed = v; }},
    KeyRow{"base", config::Unit::none, 0, kMaxBytes, [](PatternSettings& s, u64 v) { s.base = v; }},
};

template <class Rows>
std::string nearest(std::string_view wrong, const Rows& rows) {
    std::vector<std::string_view> names;
    for (const auto& row : rows) names.push_back(row.name);
    return config::suggestion(wrong, names);
}

void set_key(PatternSettings& settings, std::string_view whole, std::string_view part) {
    const auto fail = [&](const std::string& what) { throw InputError(std::string(whole) + ": " + what); };
    const auto equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const KeyRow* row = nullptr;
    for (const KeyRow& known : kKeys)
        if (known.name == key) row = &known;
    if (row == nullptr) fail("'" + std::string(key) + "' is not a pattern setting" + nearest(key, kKeys));
    if (equals == std::string_view::npos)
        fail("'" + std::string(key) + "' needs a value: " + std::string(key) + "=...");
    const std::string_view text = part.substr(equals + 1);
    config::Number number;
    const std::string error = config::parse_number(text, row->unit, number);
    if (!error.empty()) fail(std::string(key) + ": '" + std::string(text) + "' " + error);
    if (number.value < row->min || number.value > row->max)
        fail(std::string(key) + ": '" + std::string(text) + "' is out of range: " + std::to_string(row->min) +
             " to " + std::to_string(row->max));
    row->set(settings, static_cast<u64>(number.value));
}

}  // namespace

std::string_view pattern_name(PatternKind kind) {
    for (const KindName& row : kKinds)
        if (row.kind == kind) return row.name;
    return {};
}

PatternSettings parse_pattern(std::string_view text) {
    std::string_view rest = text;
    if (rest.starts_with(kPatternPrefix)) rest.remove_prefix(kPatternPrefix.size());
    PatternSettings settings;
    const std::string_view kind = rest.substr(0, rest.find(','));
    bool known = false;
    for (const KindName& row : kKinds)
        if (row.name == kind) settings.kind = row.kind, known = true;
    if (!known)
        throw InputError(std::string(text) + ": '" + std::string(kind) + "' is not a pattern" +
                         nearest(kind, kKinds));
    while (rest.find(',') != std::string_view::npos) {
        rest.remove_prefix(rest.find(',') + 1);
        set_key(settings, text, rest.substr(0, rest.find(',')));
    }
    return settings;
}

}  // namespace heddle
