// What a kernel asks of the system: special registers, printf, assert, malloc.

#include <cstdio>
#include <cstring>

#include "ptx/device_print.h"
#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

u64 wide_value(const Warp& w, u32 ref, u32 lane) {
    u64 v;
    std::memcpy(&v, operand_pointer(w, ref) + lane * 8, 8);
    return v;
}
void set_wide(Warp& w, u32 ref, u32 lane, u64 v) {
    std::memcpy(operand_pointer(w, ref) + lane * 8, &v, 8);
}
void set_word(Warp& w, u32 ref, u32 lane, u32 v) {
    std::memcpy(operand_pointer(w, ref) + lane * 4, &v, 4);
}

/// The bytes at a generic address, up to a NUL; nothing where no memory is.
std::string text_at(Execution::Impl& machine, const Warp& w, u32 lane, u64 address) {
    std::string s;
    constexpr std::size_t kMost = 1 << 16;
    for (; s.size() < kMost; ++address) {
        char c = 0;
        const u64 window = address & ~(kWindowBytes - 1), offset = address & (kWindowBytes - 1);
        if (window == kLocalWindow) {
            if (offset >= w.local_bytes) break;
            c = static_cast<char>(*local_pointer(w, lane, offset));
        } else if (window == kSharedWindow) {
            if (offset >= w.cta->shared_bytes) break;
            c = static_cast<char>(w.cta->shared[offset]);
        } else {
            if (machine.context.memory().find(address) == nullptr) break;
            c = static_cast<char>(*global_pointer(address));
        }
        if (c == 0) break;
        s += c;
    }
    return s;
}

}  // namespace

void Execution::Impl::special(Warp& w, const Op& op, u32 mask) {
    using ast::Special;
    const CtaState& cta = cta_of(w);
    const auto s = static_cast<Special>(op.sub);
    const bool wide = op.sub2 != 0;
    auto uniform = [&](u64 v) {
        for (u32 m = mask; m != 0; m &= m - 1) {
            const u32 k = static_cast<u32>(__builtin_ctz(m));
            if (wide)
                set_wide(w, op.dst, k, v);
            else
                set_word(w, op.dst, k, static_cast<u32>(v));
        }
    };
    auto each = [&](auto value) {
        for (u32 m = mask; m != 0; m &= m - 1) {
            const u32 k = static_cast<u32>(__builtin_ctz(m));
            if (wide)
                set_wide(w, op.dst, k, value(k));
            else
                set_word(w, op.dst, k, value(k));
        }
    };
    switch (s) {
        case Special::tid_x:
        case Special::tid_y:
        case Special::tid_z: {
            const auto& t = w.tid[static_cast<std::size_t>(s) - static_cast<std::size_t>(Special::tid_x)];
            if (!wide && mask == ~0u) {
                std::memcpy(operand_pointer(w, op.dst), t.data(), sizeof t);
                return;
            }
            return each([&](u32 k) { return t[k]; });
        }
        case Special::ctaid_x:
        case Special::clusterid_x:
            return uniform(cta.index.x);
        case Special::ctaid_y:
        case Special::clusterid_y:
            return uniform(cta.index.y);
        case Special::ctaid_z:
        case Special::clusterid_z:
            return uniform(cta.index.z);
        case Special::nclusterid_x:
            return uniform(launch.grid.x);
        case Special::nclusterid_y:
            return uniform(launch.grid.y);
        case Special::nclusterid_z:
            return uniform(launch.grid.z);
        case Special::laneid:
            return each([](u32 k) { return k; });
        case Special::warpid:
            return uniform(w.index);
        case Special::smid:
            return uniform(cta.linear % context.limits().sms);
        case Special::lanemask_eq:
            return each([](u32 k) { return 1u << k; });
        case Special::lanemask_le:
            return each([](u32 k) { return (2u << k) - 1; });
        case Special::lanemask_lt:
            return each([](u32 k) { return (1u << k) - 1; });
        case Special::lanemask_ge:
            return each([](u32 k) { return ~((1u << k) - 1); });
        case Special::lanemask_gt:
            return each([](u32 k) { return ~((2u << k) - 1); });
        case Special::clock:
        case Special::clock64:
        case Special::globaltimer:
        case Special::globaltimer_lo:
            ++w.clock_reads;
            return uniform(w.clock);
        case Special::clock_hi:
        case Special::globaltimer_hi:
            ++w.clock_reads;
            return uniform(w.clock >> 32);
        default:
            return uniform(0);
    }
}

void Execution::Impl::print(Warp& w, const Op& op, u32 mask) {
    ++w.effects;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        const std::string format = text_at(*this, w, lane, wide_value(w, op.a, lane));
        const u64 buffer = wide_value(w, op.b, lane);
        auto read = [&](u32 offset, u32 bytes) {
            u64 v = 0;
            const u64 at = buffer + offset;
            if ((at & ~(kWindowBytes - 1)) == kLocalWindow) {
                for (u32 k = 0; k < bytes; ++k) {
                    const u64 place = (at & (kWindowBytes - 1)) + k;
                    if (place >= w.local_bytes) break;
                    v |= u64{std::to_integer<u8>(*local_pointer(w, lane, place))} << (8 * k);
                }
            } else if (context.memory().accessible(at, bytes)) {
                std::memcpy(&v, global_pointer(at), bytes);
            }
            return v;
        };
        const std::string text =
            format_device_print(format, read, [&](u64 a) { return text_at(*this, w, lane, a); });
        if (context.print)
            context.print(text);
        else
            std::fwrite(text.data(), 1, text.size(), stdout);
        set_word(w, op.dst, lane, static_cast<u32>(text.size()));
    }
}

void Execution::Impl::fail_assertion(Warp& w, const Op& op, u32 mask) {
    const u32 lane = static_cast<u32>(__builtin_ctz(mask));
    auto text = [&](u32 ref) { return text_at(*this, w, lane, wide_value(w, ref, lane)); };
    u32 line;
    std::memcpy(&line, operand_pointer(w, op.c) + lane * 4, 4);
    // __assertfail(message, file, line, function, character size)
    fault(DeviceFault::Kind::assertion, w, op.line, lane,
          text(op.b) + ":" + std::to_string(line) + ": " + text(op.ext) + ": assertion '" + text(op.a) +
              "' failed");
}

void Execution::Impl::allocate(Warp& w, const Op& op, u32 mask) {
    ++w.effects;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        set_wide(w, op.dst, lane, context.memory().allocate(MemoryKind::heap, wide_value(w, op.a, lane), 16));
    }
}

void Execution::Impl::release(Warp& w, const Op& op, u32 mask) {
    ++w.effects;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        const u64 address = wide_value(w, op.a, lane);
        if (address == 0) continue;
        if (!context.memory().free(MemoryKind::heap, address))
            fault(DeviceFault::Kind::illegal_address, w, op.line, lane,
                  "free of a pointer that malloc did not return");
    }
    ranges.fill(Range{});
}

}  // namespace heddle::ptx
