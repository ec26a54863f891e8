// atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions"). Lanes act one after
// another, lowest first. op.a: address, op.b and op.c: operands, op.sub: Atomic.

#include <bit>

#include "ptx/lanes/scalar.h"

namespace heddle::ptx {

void check_lanes(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space) {
    u64 bits = 0, high = 0;
    bool negative = false;
    for_lanes(mask, [&](u32 k) {
        bits |= address[k];
        high = address[k] > high ? address[k] : high;
        negative |= static_cast<i64>(address[k]) < 0;
    });
    if ((bits & (bytes - 1)) != 0) w.machine->fault_misaligned(w, op, mask, address, bytes);
    if (space == MemSpace::shared) {
        if (negative || high + bytes > w.cta->shared_bytes)
            w.machine->fault_shared(w, op, mask, address, bytes);
        return;
    }
    Range& range = w.machine->ranges[op.line & 255];
    bool inside = range.end >= bytes;
    for_lanes(mask, [&](u32 k) { inside &= address[k] >= range.begin && address[k] <= range.end - bytes; });
    if (!inside) w.machine->check_global(w, op, mask, address, bytes, range);
}

namespace {

template <class T>
using Raw = std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;

struct Pair16 {  // f16x2
    u32 bits;
};
struct PairB16 {
    u32 bits;
};

template <class T>
T add(T a, T b) {
    if constexpr (std::is_same_v<T, float>) return canonical(a + b);
    if constexpr (std::is_same_v<T, double>) return canonical(a + b);
    if constexpr (std::is_same_v<T, Half>) return float_to_half(half_to_float(a) + half_to_float(b));
    if constexpr (std::is_same_v<T, Bfloat>) return float_to_bfloat(bfloat_to_float(a) + bfloat_to_float(b));
    if constexpr (std::is_same_v<T, Pair16>) {
        auto part = [&](u32 s) {
            return u32{add(Half{static_cast<u16>(a.bits >> s)}, Half{static_cast<u16>(b.bits >> s)}).bits}
                   << s;
        };
        return {part(0) | part(16)};
    }
    if constexpr (std::is_same_v<T, PairB16>) {
        auto part = [&](u32 s) {
            return u32{add(Bfloat{static_cast<u16>(a.bits >> s)}, Bfloat{static_cast<u16>(b.bits >> s)}).bits}
                   << s;
        };
        return {part(0) | part(16)};
    }
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    }
}

// An mbarrier object: how many arrivals a phase takes, how many are still to come, how many bytes are (modulo 2^23), and in
// the highest bit the phase's parity.
constexpr u64 kArrivals = (u64{1} << 20) - 1, kBytes = (u64{1} << 23) - 1, kParity = u64{1} << 63;

u64 change_mbarrier(Atomic op, u64 old, u64 count, u64 bytes) {
    if (op == Atomic::mbarrier_init) return (count & kArrivals) | (count & kArrivals) << 20;
    u64 expected = old & kArrivals, pending = old >> 20 & kArrivals, to_come = old >> 40 & kBytes;
    if (op == Atomic::mbarrier_drop) expected = (expected - count) & kArrivals;
    pending = (pending - count) & kArrivals;
    to_come = (op == Atomic::mbarrier_complete ? to_come - bytes : to_come + bytes) & kBytes;
    u64 parity = old & kParity;
    if (pending == 0 && to_come == 0) {
        pending = expected;
        parity ^= kParity;
    }
    return expected | pending << 20 | to_come << 40 | parity;
}

template <class T, Atomic kOp>
T combine(T old, T b, T c) {
    if constexpr (kOp >= Atomic::mbarrier_init) return change_mbarrier(kOp, old, b, c);
    if constexpr (kOp == Atomic::exch) return b;
    if constexpr (kOp == Atomic::add) return add(old, b);
    if constexpr (std::is_integral_v<T>) {
        if constexpr (kOp == Atomic::min) return b < old ? b : old;
        if constexpr (kOp == Atomic::max) return old < b ? b : old;
        if constexpr (kOp == Atomic::and_) return static_cast<T>(old & b);
        if constexpr (kOp == Atomic::or_) return static_cast<T>(old | b);
        if constexpr (kOp == Atomic::xor_) return static_cast<T>(old ^ b);
        if constexpr (kOp == Atomic::inc) return old >= b ? T{0} : static_cast<T>(old + 1);
        if constexpr (kOp == Atomic::dec) return old == 0 || old > b ? b : static_cast<T>(old - 1);
        if constexpr (kOp == Atomic::cas) return old == b ? c : old;
    }
    return old;
}

/// The lanes that the stream shows: of a reduction to one address the first. An operand that was read before it was written may
/// make addresses differ after all.
u32 shown_lanes(const Op& op, u32 mask, const u64* address) {
    if ((op.flags & kOneAddress) == 0) return mask;
    const u32 first = static_cast<u32>(std::countr_zero(mask));
    bool same = true;
    for_lanes(mask, [&](u32 k) { same &= address[k] == address[first]; });
    return same ? 1u << first : mask;
}

template <class T, Atomic kOp>
void act(Warp& w, const Op& op, u32 mask, const u64* address, MemSpace space, u32 variant) {
    check_lanes(w, op, mask, address, sizeof(T), space);
    const bool tracking = w.machine->tracking;
    if (tracking) w.machine->see_load(w, op, mask, address, sizeof(T), space);
    using W = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const W* b = reinterpret_cast<const W*>(operand_pointer(w, op.b));
    const W* c = kOp == Atomic::cas || kOp >= Atomic::mbarrier_init
                     ? reinterpret_cast<const W*>(operand_pointer(w, op.c))
                     : b;
    W* d = op.dst == kNoOperand ? nullptr : reinterpret_cast<W*>(operand_pointer(w, op.dst));
    u32 changed = 0;
    std::array<W, kLanes> result;
    for_lanes(mask, [&](u32 k) {
        std::byte* p = space == MemSpace::shared ? w.cta->shared + address[k] : global_pointer(address[k]);
        Raw<T> raw;
        std::memcpy(&raw, p, sizeof raw);
        const T v = combine<T, kOp>(std::bit_cast<T>(raw), std::bit_cast<T>(static_cast<Raw<T>>(b[k])),
                                    std::bit_cast<T>(static_cast<Raw<T>>(c[k])));
        const Raw<T> next = std::bit_cast<Raw<T>>(v);
        result[k] = raw;
        if (next == raw) return;
        changed |= 1u << k;
        std::memcpy(p, &next, sizeof next);
    });
    if (tracking) w.machine->see_store(w, op, mask, address, sizeof(T), space, changed);
    record_access(w, op.rec + variant, shown_lanes(op, mask, address), address);
    if (d != nullptr) for_lanes(mask, [&](u32 k) { d[k] = result[k]; });
}

template <class T, Atomic kOp, MemSpace kSpace>
void atomic(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return record_access(w, op.rec, 0, nullptr);
    std::array<u64, kLanes> address = lane_addresses(w, op.a, op.sub2 != 0, op.imm);
    if constexpr (kSpace != MemSpace::none) return act<T, kOp>(w, op, mask, address.data(), kSpace, 0);
    u32 shared = 0;
    for_lanes(mask, [&](u32 k) {
        if ((address[k] & ~(kWindowBytes - 1)) != kSharedWindow) return;
        address[k] -= kSharedWindow;
        shared |= 1u << k;
    });
    if ((mask & ~shared) != 0) act<T, kOp>(w, op, mask & ~shared, address.data(), MemSpace::global, 0);
    if (shared != 0) act<T, kOp>(w, op, shared, address.data(), MemSpace::shared, 1);
}

template <class T, Atomic kOp>
Handler by_space(MemSpace space) {
    switch (space) {
        case MemSpace::global:
            return atomic<T, kOp, MemSpace::global>;
        case MemSpace::shared:
            return atomic<T, kOp, MemSpace::shared>;
        case MemSpace::none:
            return atomic<T, kOp, MemSpace::none>;
        default:
            return nullptr;
    }
}

template <class T>
Handler integer(Atomic op, MemSpace space) {
    switch (op) {
        case Atomic::add:
            return by_space<T, Atomic::add>(space);
        case Atomic::min:
            return by_space<T, Atomic::min>(space);
        case Atomic::max:
            return by_space<T, Atomic::max>(space);
        case Atomic::inc:
            return by_space<T, Atomic::inc>(space);
        case Atomic::dec:
            return by_space<T, Atomic::dec>(space);
        default:
            return nullptr;
    }
}
template <class T>
Handler bitwise(Atomic op, MemSpace space) {
    switch (op) {
        case Atomic::and_:
            return by_space<T, Atomic::and_>(space);
        case Atomic::or_:
            return by_space<T, Atomic::or_>(space);
        case Atomic::xor_:
            return by_space<T, Atomic::xor_>(space);
        case Atomic::exch:
            return by_space<T, Atomic::exch>(space);
        case Atomic::cas:
            return by_space<T, Atomic::cas>(space);
        default:
            return nullptr;
    }
}
Handler mbarrier(Atomic op, MemSpace space) {
    switch (op) {
        case Atomic::mbarrier_init:
            return by_space<u64, Atomic::mbarrier_init>(space);
        case Atomic::mbarrier_arrive:
            return by_space<u64, Atomic::mbarrier_arrive>(space);
        case Atomic::mbarrier_drop:
            return by_space<u64, Atomic::mbarrier_drop>(space);
        case Atomic::mbarrier_complete:
            return by_space<u64, Atomic::mbarrier_complete>(space);
        default:
            return nullptr;
    }
}
Handler either(Handler a, Handler b) {
    return a != nullptr ? a : b;
}
template <class T>
Handler only_add(Atomic op, MemSpace space) {
    return op == Atomic::add ? by_space<T, Atomic::add>(space) : nullptr;
}

}  // namespace

Handler find_atomic(const HandlerKey& key) {
    if (key.op != Operation::atomic) return nullptr;
    const auto op = static_cast<Atomic>(key.sub);
    switch (key.type) {
        case Type::u32:
        case Type::b32:
            return either(integer<u32>(op, key.space), bitwise<u32>(op, key.space));
        case Type::s32:
            return either(integer<i32>(op, key.space), bitwise<u32>(op, key.space));
        case Type::u64:
        case Type::b64:
            return either(either(integer<u64>(op, key.space), bitwise<u64>(op, key.space)),
                          mbarrier(op, key.space));
        case Type::s64:
            return either(integer<i64>(op, key.space), bitwise<u64>(op, key.space));
        case Type::b16:
        case Type::u16:
            return bitwise<u16>(op, key.space);
        case Type::f32:
            return op == Atomic::exch ? bitwise<u32>(op, key.space) : only_add<float>(op, key.space);
        case Type::f64:
            return op == Atomic::exch ? bitwise<u64>(op, key.space) : only_add<double>(op, key.space);
        case Type::f16:
            return only_add<Half>(op, key.space);
        case Type::bf16:
            return only_add<Bfloat>(op, key.space);
        case Type::f16x2:
            return only_add<Pair16>(op, key.space);
        case Type::bf16x2:
            return only_add<PairB16>(op, key.space);
        default:
            return nullptr;
    }
}

}  // namespace heddle::ptx
