// Operations that turn to the launch: special registers, printf, assert, malloc; and small ones of no family.

#include "ptx/lanes/scalar.h"

namespace heddle::ptx {

namespace {

void nothing(Warp&, const Op&, u32) {}
void special(Warp& w, const Op& op, u32 mask) {
    w.machine->special(w, op, mask);
}
void print(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->print(w, op, mask);
}
void fail_assertion(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->fail_assertion(w, op, mask);
}
void allocate(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->allocate(w, op, mask);
}
void release(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->release(w, op, mask);
}

void device_launch(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->launch_from_device(w, op, mask);
}
void device_wait(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->wait_for_launched(w, op, mask);
}
void device_parameters(Warp& w, const Op& op, u32 mask) {
    if (mask != 0) w.machine->parameter_bytes(w, op, mask);
}

/// op.imm: a window's base, or (sub 1) global memory: what lies in no window, (sub 2) constant memory.
void is_space(Warp& w, const Op& op, u32 mask) {
    u32 yes = 0;
    for_lanes(mask, [&](u32 k) {
        const u64 a = wide_at(w, op.a, k), window = a & ~(kWindowBytes - 1);
        bool in;
        if (op.sub == 1)
            in = window != kSharedWindow && window != kLocalWindow && window != kParamWindow;
        else if (op.sub == 2)
            in = a >= 0x2b00'0000'0000 && a < 0x2c00'0000'0000;
        else
            in = window == static_cast<u64>(op.imm);
        yes |= u32{in} << k;
    });
    set_predicate_bits(w, op.dst, yes, mask);
}

/// cp.async: op.a source (global), op.b destination (shared) plus op.target, op.c bytes that exist (the rest
/// is zeros).
void copy_async(Warp& w, const Op& op, u32 mask) {
    if (mask == 0) return record_access(w, op.rec, 0, nullptr);
    const auto from = lane_addresses(w, op.a, op.sub2 != 0, op.imm);
    const auto to = lane_addresses(w, op.b, op.sub != 0, static_cast<i32>(op.target));
    const u32 bytes = op.count;
    check_lanes(w, op, mask, from.data(), bytes, MemSpace::global);
    check_lanes(w, op, mask, to.data(), bytes, MemSpace::shared);
    if (w.machine->tracking) {
        w.machine->see_load(w, op, mask, from.data(), bytes, MemSpace::global);
        w.machine->see_store(w, op, mask, to.data(), bytes, MemSpace::shared, mask);
    }
    record_access(w, op.rec, mask, from.data());
    for_lanes(mask, [&](u32 k) {
        const u32 have = word_at(w, op.c, k) < bytes ? word_at(w, op.c, k) : bytes;
        std::byte* d = w.cta->shared + to[k];
        std::memcpy(d, global_pointer(from[k]), have);
        std::memset(d + have, 0, bytes - have);
    });
}

/// A prefetch of memory that isn't there does nothing; it is recorded where the address is good.
void prefetch(Warp& w, const Op& op, u32 mask) {
    const auto address = lane_addresses(w, op.a, op.sub2 != 0, op.imm);
    record_access(w, op.rec, mask, address.data());
}

void texture(Warp& w, const Op& op, u32 mask) {
    w.machine->fetch_texture(w, op, mask);
}
void query(Warp& w, const Op& op, u32 mask) {
    w.machine->query_texture(w, op, mask);
}

void surface(Warp& w, const Op& op, u32 mask) {
    w.machine->surface_address(w, op, mask);
}

}  // namespace

Handler find_service(const HandlerKey& key) {
    switch (key.op) {
        case Operation::nothing:
            return nothing;
        case Operation::special:
            return special;
        case Operation::vprintf:
            return print;
        case Operation::assertfail:
            return fail_assertion;
        case Operation::malloc:
            return allocate;
        case Operation::free:
            return release;
        case Operation::device_launch:
            return device_launch;
        case Operation::device_wait:
            return device_wait;
        case Operation::device_parameters:
            return device_parameters;
        case Operation::isspacep:
            return is_space;
        case Operation::copy_async:
            return copy_async;
        case Operation::prefetch:
            return prefetch;
        default:
            return nullptr;
    }
}

Handler find_texture(const HandlerKey& key) {
    switch (key.op) {
        case Operation::texture:
            return texture;
        case Operation::texture_query:
            return query;
        case Operation::surface_address:
            return surface;
        default:
            return nullptr;
    }
}

}  // namespace heddle::ptx
