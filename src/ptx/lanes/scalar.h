#pragma once
// Helpers of handlers that are compiled once (atomics, services, textures).

#include <array>
#include <cstring>

#include "ptx/lanes/lanes.h"

namespace heddle::ptx {

inline u32 word_at(const Warp& w, u32 ref, u32 lane) {
    u32 v;
    std::memcpy(&v, operand_pointer(w, ref) + lane * 4, 4);
    return v;
}
inline u64 wide_at(const Warp& w, u32 ref, u32 lane) {
    u64 v;
    std::memcpy(&v, operand_pointer(w, ref) + lane * 8, 8);
    return v;
}
inline void set_word(Warp& w, u32 ref, u32 lane, u32 v) {
    std::memcpy(operand_pointer(w, ref) + lane * 4, &v, 4);
}
inline void set_wide(Warp& w, u32 ref, u32 lane, u64 v) {
    std::memcpy(operand_pointer(w, ref) + lane * 8, &v, 8);
}
inline u32 predicate_bits(const Warp& w, u32 ref) {
    return word_at(w, ref, 0);
}
inline void set_predicate_bits(Warp& w, u32 ref, u32 bits, u32 mask) {
    if (ref == kNoOperand) return;
    set_word(w, ref, 0, (predicate_bits(w, ref) & ~mask) | (bits & mask));
}

template <class Visit>
inline void for_lanes(u32 mask, Visit visit) {
    for (u32 m = mask; m != 0; m &= m - 1) visit(static_cast<u32>(__builtin_ctz(m)));
}

/// Base register (64 bits if `wide`) plus offset, all lanes.
inline std::array<u64, kLanes> lane_addresses(const Warp& w, u32 ref, bool wide, i64 offset) {
    std::array<u64, kLanes> a{};
    for (u32 k = 0; k < kLanes; ++k)
        a[k] = (wide ? wide_at(w, ref, k) : u64{word_at(w, ref, k)}) + static_cast<u64>(offset);
    return a;
}

/// Checks the lanes' accesses lane by lane against the window, or against the allocations.
void check_lanes(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space);

}  // namespace heddle::ptx
