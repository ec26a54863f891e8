#include "ptx/types.h"

#include <array>

namespace heddle::ptx {

namespace {

struct TypeRow {
    std::string_view name;
    u32 bytes;
};

constexpr std::array<TypeRow, static_cast<std::size_t>(Type::surfref) + 1> kTypes{{
    {"none", 0}, {"b8", 1},  {"b16", 2},  {"b32", 4},    {"b64", 8},        {"b128", 16},
    {"u8", 1},   {"u16", 2}, {"u32", 4},  {"u64", 8},    {"s8", 1},         {"s16", 2},
    {"s32", 4},  {"s64", 8}, {"f16", 2},  {"f16x2", 4},  {"bf16", 2},       {"bf16x2", 4},
    {"f32", 4},  {"f64", 8}, {"pred", 0}, {"texref", 8}, {"samplerref", 8}, {"surfref", 8},
}};

}  // namespace

u32 type_bytes(Type type) {
    return kTypes[static_cast<std::size_t>(type)].bytes;
}
std::string_view type_name(Type type) {
    return kTypes[static_cast<std::size_t>(type)].name;
}

std::optional<Type> type_by_name(std::string_view name) {
    for (std::size_t t = 1; t < kTypes.size(); ++t)
        if (kTypes[t].name == name) return static_cast<Type>(t);
    return std::nullopt;
}

}  // namespace heddle::ptx
