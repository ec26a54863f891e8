// Votes, shuffles, matches and reductions: the lanes of a warp together. op.ext: the member mask's operand
// (the interpreter has waited for its lanes); op.target: a second destination.

#include "ptx/lanes/scalar.h"

namespace heddle::ptx {

namespace {

template <Operation kOp>
void vote(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return;
    const u32 p = (predicate_bits(w, op.a) ^ (op.sub != 0 ? ~0u : 0)) & mask;
    if constexpr (kOp == Operation::vote_ballot) {
        for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, p); });
    } else {
        const bool yes = kOp == Operation::vote_all   ? p == mask
                         : kOp == Operation::vote_any ? p != 0
                                                      : p == mask || p == 0;
        set_predicate_bits(w, op.dst, yes ? ~0u : 0, mask);
    }
}

void active_mask(Warp& w, const Op& op, u32 mask) {
    for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, mask); });
}

/// PTX ISA, shfl.sync: pseudo-code of the operation. The manual leaves open what comes from a lane that does not take part.
/// 0 is inferred: CUDA's reduction sample adds it up, and is right only then.
void shuffle(Warp& w, const Op& op, u32 mask) {
    std::array<u32, kLanes> a, r{};
    std::memcpy(a.data(), operand_pointer(w, op.a), sizeof a);
    u32 in_range = 0;
    for_lanes(mask, [&](u32 lane) {
        const u32 b = word_at(w, op.b, lane) & 31, c = word_at(w, op.c, lane);
        const u32 clamp = c & 31, segment = c >> 8 & 31;
        const u32 top = (lane & segment) | (clamp & ~segment), bottom = lane & segment;
        i32 from = 0;
        bool ok = false;
        switch (static_cast<Shuffle>(op.sub)) {
            case Shuffle::up:
                from = static_cast<i32>(lane) - static_cast<i32>(b);
                ok = from >= static_cast<i32>(top);
                break;
            case Shuffle::down:
                from = static_cast<i32>(lane + b);
                ok = from <= static_cast<i32>(top);
                break;
            case Shuffle::bfly:
                from = static_cast<i32>(lane ^ b);
                ok = from <= static_cast<i32>(top);
                break;
            case Shuffle::idx:
                from = static_cast<i32>(bottom | (b & ~segment));
                ok = from <= static_cast<i32>(top);
                break;
        }
        if (ok) in_range |= 1u << lane;
        const u32 source = ok ? static_cast<u32>(from) & 31 : lane;
        r[lane] = (mask >> source & 1) != 0 ? a[source] : 0;
    });
    for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, r[k]); });
    set_predicate_bits(w, op.target, in_range, mask);
}

template <class T, bool kAll>
void match(Warp& w, const Op& op, u32 mask) {
    std::array<T, kLanes> a;
    std::memcpy(a.data(), operand_pointer(w, op.a), sizeof a);
    u32 all = 0;
    std::array<u32, kLanes> r{};
    for_lanes(mask, [&](u32 k) {
        u32 same = 0;
        for_lanes(mask, [&](u32 j) { same |= u32{a[j] == a[k]} << j; });
        r[k] = kAll && same != mask ? 0 : same;
        all |= u32{same == mask} << k;
    });
    for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, r[k]); });
    set_predicate_bits(w, op.target, all, mask);
}

template <class T>
void reduce(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return;
    T r = static_cast<T>(word_at(w, op.a, static_cast<u32>(__builtin_ctz(mask))));
    for_lanes(mask & (mask - 1), [&](u32 k) {
        const T v = static_cast<T>(word_at(w, op.a, k));
        switch (static_cast<Atomic>(op.sub)) {
            case Atomic::add:
                r = static_cast<T>(static_cast<u32>(r) + static_cast<u32>(v));
                break;
            case Atomic::min:
                r = v < r ? v : r;
                break;
            case Atomic::max:
                r = r < v ? v : r;
                break;
            case Atomic::and_:
                r = static_cast<T>(r & v);
                break;
            case Atomic::or_:
                r = static_cast<T>(r | v);
                break;
            default:
                r = static_cast<T>(r ^ v);
        }
    });
    for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, static_cast<u32>(r)); });
}

void elect(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return;
    const u32 leader = static_cast<u32>(__builtin_ctz(mask));
    for_lanes(mask, [&](u32 k) { set_word(w, op.dst, k, leader); });
    set_predicate_bits(w, op.target, 1u << leader, mask);
}

/// Lanes whose member masks differ are groups of their own (tiles of a warp): each is served by itself.
template <Handler kOne>
void by_members(Warp& w, const Op& op, u32 mask) {
    if (mask == 0 || op.control != Control::warp_barrier) return kOne(w, op, mask);
    std::array<u32, kLanes> members;  // the result may take the masks' register
    std::memcpy(members.data(), operand_pointer(w, op.ext), sizeof members);
    for (u32 rest = mask; rest != 0;) {
        const u32 first = members[static_cast<u32>(__builtin_ctz(rest))];
        u32 group = 0;
        for_lanes(rest, [&](u32 k) { group |= u32{members[k] == first} << k; });
        kOne(w, op, group);
        rest &= ~group;
    }
}

}  // namespace

Handler find_crosslane(const HandlerKey& key) {
    switch (key.op) {
        case Operation::vote_all:
            return by_members<vote<Operation::vote_all>>;
        case Operation::vote_any:
            return by_members<vote<Operation::vote_any>>;
        case Operation::vote_uni:
            return by_members<vote<Operation::vote_uni>>;
        case Operation::vote_ballot:
            return by_members<vote<Operation::vote_ballot>>;
        case Operation::activemask:
            return active_mask;
        case Operation::shfl:
            return shuffle;
        case Operation::match_any:
            return type_bytes(key.type) == 8 ? by_members<match<u64, false>> : by_members<match<u32, false>>;
        case Operation::match_all:
            return type_bytes(key.type) == 8 ? by_members<match<u64, true>> : by_members<match<u32, true>>;
        case Operation::redux:
            if (type_bytes(key.type) != 4) return nullptr;
            return key.type == Type::s32 ? by_members<reduce<i32>> : by_members<reduce<u32>>;
        case Operation::elect:
            return by_members<elect>;
        default:
            return nullptr;
    }
}

}  // namespace heddle::ptx
