#pragma once
// PTX's fundamental types and state spaces (PTX ISA, "State Spaces, Types, and Variables").

#include <optional>
#include <string_view>

#include "sim/types.h"

namespace heddle::ptx {

enum class Type : u8 {
    none,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64,
    pred,
    texref,
    samplerref,
    surfref,
};

enum class Space : u8 { generic, reg, global, shared, local, constant, param };

/// Bytes in memory; 0 for none and pred, 8 for references.
u32 type_bytes(Type type);
std::string_view type_name(Type type);
/// By name without the dot: "u32".
std::optional<Type> type_by_name(std::string_view name);

constexpr bool is_signed(Type t) {
    return t >= Type::s8 && t <= Type::s64;
}
constexpr bool is_unsigned(Type t) {
    return t >= Type::u8 && t <= Type::u64;
}
constexpr bool is_bits(Type t) {
    return t >= Type::b8 && t <= Type::b128;
}
constexpr bool is_integer(Type t) {
    return is_signed(t) || is_unsigned(t);
}
constexpr bool is_float(Type t) {
    return t >= Type::f16 && t <= Type::f64;
}

}  // namespace heddle::ptx
