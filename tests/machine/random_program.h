#pragma once
// A kernel of everything at once, the same for the same seed: loads, stores, atomics, reductions and prefetches of
// all shapes in a small memory, shared and constant memory, barriers, fences, branches, waits for earlier CTAs.

#include "machine/lab.h"
#include "sim/random.h"

namespace heddle::test {

struct RandomShape {
    u32 ctas = 8;
    u32 steps = 25;
    u64 base = kData;
    u64 stream = 0;
};

inline std::shared_ptr<const ScriptKernel> random_program(u64 seed, const RandomShape& shape = {}) {
    Random for_shape(seed, "shape");
    KernelShape k;
    k.ctas = shape.ctas;
    k.threads = static_cast<u32>(20 + for_shape.below(110));
    k.lanes = for_shape.chance(1, 4) ? 64 : 32;
    k.shared_bytes = 4096;
    k.registers = 24;
    k.stream = shape.stream;
    const u64 base = shape.base;
    return kernel(k, [=](WarpWriter& w) {
        // What must be the same for all warps of a CTA comes from `common`, the rest from `own`.
        Random common(seed * 1000 + w.cta, "cta"), own(seed * 1'000'000 + w.cta * 100 + w.warp, "warp");
        auto addresses = [&](u64 mask) {
            std::vector<u64> a;
            const u64 region = own.chance(2, 3) ? own.below(64) * 128 : own.below(4096) * 128;
            const u64 stride = own.below(5) == 0 ? 0 : own.below(3) == 0 ? 128 : own.below(3) == 0 ? 52 : 4;
            const bool scattered = own.chance(1, 3);
            for (u64 m = mask, n = 0; m != 0; m &= m - 1, ++n)
                a.push_back(base + (scattered ? own.below(65536) * 4 : region + n * stride));
            return a;
        };
        w.signal(w.cta);
        w.store1(base + w.cta * 128);
        for (u32 step = 0; step < shape.steps; ++step) {
            const u64 together = common.below(12);
            if (together == 0) {
                w.barrier();
                continue;
            }
            u64 mask = own.chance(1, 2) ? w.full : w.full & own.next();
            if (mask == 0) mask = 1;
            const auto reg = static_cast<u16>(own.below(20)), other = static_cast<u16>(own.below(20));
            const WarpWriter::Access how{.bypass_l1 = own.chance(1, 8)};
            switch (own.below(14)) {
                case 0:
                case 1:
                case 2:
                case 3:
                    w.memory(MemOp::load, reg, {other}, addresses(mask), how, mask);
                    break;
                case 4:
                case 5:
                    w.memory(MemOp::store, WarpWriter::kNone, {reg}, addresses(mask), how, mask);
                    break;
                case 6:
                    w.memory(MemOp::atomic, reg, {other}, addresses(mask), {}, mask);
                    break;
                case 7:
                    w.memory(MemOp::reduction, WarpWriter::kNone, {reg}, addresses(mask), {}, mask);
                    break;
                case 8:
                    w.memory(MemOp::prefetch, WarpWriter::kNone, {}, addresses(mask), {}, mask);
                    break;
                case 9:
                    w.shared(own.chance(1, 2) ? MemOp::load : MemOp::store, reg, {other},
                             w.lanes(own.below(64) * 4, static_cast<i64>(own.below(9) * 4)));
                    break;
                case 10:
                    w.fence();
                    break;
                case 11:
                    w.memory(MemOp::load, reg, {}, {}, how);  // predicated off
                    w.alu(OpClass::branch);
                    break;
                case 12:
                    if (w.cta > 0) w.wait(static_cast<u32>(own.below(w.cta)));
                    w.alu(OpClass::int_add, reg, {other});
                    break;
                default:
                    w.memory(MemOp::load, reg, {}, w.lanes(0, 0), {.space = MemSpace::constant});
                    w.alu(OpClass::fp64, reg, {reg, other});
                    break;
            }
        }
        w.exit(w.full);
    });
}

}  // namespace heddle::test
