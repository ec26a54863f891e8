#pragma once
// Small programs, each of which leans on one part of the machine.

#include "machine/lab.h"

namespace heddle::test::programs {

using Events = std::vector<ScriptSource::Event>;

inline std::vector<u64> line_of(const WarpWriter& w, u64 line) {
    return w.lanes(kData + line * 128, 4);
}
inline CopyEvent copy_in(u64 bytes) {
    return {CopyKind::host_to_device, kData, 0, bytes, 0};
}

/// Independent instructions of a class, from eight warps a CTA.
inline Events independent(OpClass op) {
    return {kernel({.ctas = 2, .threads = 256}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 20; ++k) w.alu(op);
    })};
}
/// One warp, each instruction of the class after the one before.
inline Events dependent(OpClass op) {
    return {kernel({}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 20; ++k) w.alu(op, 1, {1});
    })};
}
/// Two classes side by side in one CTA.
inline Events side_by_side(OpClass a, OpClass b) {
    return {kernel({.threads = 256}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 20; ++k) w.alu(w.warp / 4 == 0 ? a : b);
    })};
}
/// Sixteen CTAs of two warps that take a while, with registers and shared memory.
inline Events many_ctas() {
    return {kernel({.ctas = 16, .threads = 64, .shared_bytes = 4096, .registers = 32}, [](WarpWriter& w) {
        for (u32 k = 0; k < 30; ++k) w.alu(OpClass::int_add, 1, {1});
    })};
}
/// One warp, dependent loads of one lane, `stride` bytes apart, in `passes` over `count` of them.
inline Events chase(u64 stride, u32 count, u32 passes = 1, bool bypass_l1 = false) {
    return {kernel({}, [=](WarpWriter& w) {
        for (u32 p = 0; p < passes; ++p)
            for (u32 k = 0; k < count; ++k) w.load1(1, {1}, kData + k * stride, bypass_l1);
        w.use(1);
    })};
}
/// The same after a host copy of the data.
inline Events chase_in_l2(u64 stride, u32 count) {
    Events e = chase(stride, count);
    e.insert(e.begin(), copy_in(64 * 1024));
    return e;
}
/// Whole lines, read at once by 16 warps in each of four CTAs; out of L2 if `copied`.
inline Events stream(bool copied, u64 lines_apart = 1) {
    Events e;
    if (copied) e.push_back(copy_in(64 * 1024));
    e.push_back(kernel({.ctas = 4, .threads = 512}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 8; ++k)
            w.load(static_cast<int>(k), {}, line_of(w, ((k * 4 + w.cta) * 16 + w.warp) * lines_apart));
    }));
    return e;
}
/// Every warp loads 32 lines at once and then computes by itself.
inline Events scattered_then_compute() {
    return {copy_in(32 * 1024), kernel({.threads = 32}, [](WarpWriter& w) {
                for (u32 k = 0; k < 4; ++k) w.load(static_cast<int>(k), {}, w.lanes(kData, 128));
                for (u32 k = 0; k < 50; ++k) w.alu(OpClass::int_add, 9, {9});
            })};
}
/// All warps want the same few lines at the same time.
inline Events same_lines() {
    return {kernel({.threads = 512}, [](WarpWriter& w) {
        for (u32 k = 0; k < 4; ++k) w.load(static_cast<int>(k), {}, line_of(w, k));
    })};
}
/// Loads a line, then stores to it again and again; `loads`: false leaves the load out.
inline Events stores_to_one_line(bool loads) {
    return {kernel({}, [=](WarpWriter& w) {
        if (loads) w.load(1, {}, line_of(w, 0));
        w.use(1);
        for (u32 k = 0; k < 20; ++k) w.store({}, line_of(w, 0));
    })};
}
/// A stream of whole-line stores.
inline Events store_stream() {
    return {copy_in(64 * 1024), kernel({.ctas = 2, .threads = 512}, [](WarpWriter& w) {
                for (u32 k = 0; k < 8; ++k) w.store({}, line_of(w, (k * 2 + w.cta) * 16 + w.warp));
            })};
}
/// Every lane of every warp adds to one word.
inline Events reductions() {
    return {copy_in(128), kernel({.threads = 128}, [](WarpWriter& w) {
                for (u32 k = 0; k < 4; ++k)
                    w.memory(MemOp::reduction, WarpWriter::kNone, {}, w.lanes(kData, 0), {});
            })};
}
/// Shared memory, lanes `words` words apart, each access after the one before.
inline Events shared_words(u32 words) {
    return {kernel({.shared_bytes = 32 * 4 * 32}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 10; ++k) w.shared(MemOp::load, 1, {1}, w.lanes(0, 4 * words));
    })};
}
inline Events constants() {
    return {kernel({}, [](WarpWriter& w) {
        for (u32 k = 0; k < 10; ++k)
            w.memory(MemOp::load, 1, {1}, w.lanes(0, 0), {.space = MemSpace::constant});
    })};
}
/// The same kernel twice: loads of a few lines.
inline Events twice() {
    auto k = kernel({}, [](WarpWriter& w) {
        for (u32 n = 0; n < 4; ++n) w.load(static_cast<int>(n), {}, line_of(w, n));
    });
    return {k, k};
}
/// Two kernels of different streams.
inline Events two_streams() {
    auto body = [](WarpWriter& w) {
        for (u32 k = 0; k < 30; ++k) w.alu(OpClass::int_add, 1, {1});
    };
    return {kernel({.stream = 1}, body), kernel({.stream = 2}, body)};
}
/// Each of eight warps goes over its own eight lines again and again, each load after the one before.
inline Events own_lines() {
    return {kernel({.threads = 8 * 32}, [](WarpWriter& w) {
        for (u32 pass = 0; pass < 6; ++pass)
            for (u32 k = 0; k < 8; ++k) {
                w.load(1, {1}, line_of(w, w.warp * 8 + k));
                w.alu(OpClass::int_add, 2, {2});
            }
    })};
}
/// Reads of rows that conflict, many at once, with stores between them.
inline Events conflicting_rows(bool with_stores) {
    return {kernel({.threads = 512}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 8; ++k) {
            // Warps of four rows in each of two banks, sixteen lines a row.
            const u64 address =
                kData + w.warp % 4 * 32768 + w.warp / 8 * 8192 + (k * 2 + w.warp / 4 % 2) * 512;
            w.load(static_cast<int>(k), {}, w.lanes(address, 4));
            if (with_stores) w.store({}, w.lanes(address + 16 * 32768, 4));
        }
    })};
}

/// Reads that wait keep a store waiting in the controller; then its line is read.
inline Events read_after_write() {
    return {kernel({.threads = 512}, [](WarpWriter& w) {
        for (u32 k = 0; k < 8; ++k) {
            w.load(static_cast<int>(k), {}, w.lanes(kData + (k * 16 + w.warp) * 32768, 4));
            w.store({}, w.lanes(kData + (1 << 24) + (k * 16 + w.warp) * 128, 4));
            w.load(static_cast<int>(8 + k), {}, w.lanes(kData + (1 << 24) + (k * 16 + w.warp) * 128, 4));
        }
    })};
}

/// Loads of 32 lines each that hit in L1.
inline Events scattered_hits() {
    return {kernel({}, [](WarpWriter& w) {
        w.load(1, {}, w.lanes(kData, 128));
        w.use(1);
        for (u32 k = 0; k < 6; ++k) w.load(static_cast<int>(k), {}, w.lanes(kData, 128));
    })};
}

/// Each of `warps` warps of four CTAs loads 32 lines at once, each in a page of its own.
inline Events scattered_pages(u32 warps = 4) {
    return {kernel({.ctas = 4, .threads = 32 * warps}, [=](WarpWriter& w) {
        for (u32 k = 0; k < 2; ++k)
            w.load(static_cast<int>(k), {},
                   w.lanes(kData + ((k * 4 + w.cta) * warps + w.warp) * 32 * 4096, 4096));
    })};
}
/// All warps of two CTAs load from the same 32 pages again and again.
inline Events same_pages() {
    return {kernel({.ctas = 2, .threads = 128}, [](WarpWriter& w) {
        for (u32 k = 0; k < 6; ++k) w.load(static_cast<int>(k), {}, w.lanes(kData + w.warp * 128, 4096));
    })};
}
/// Each of four warps of two CTAs goes over four pages of its own again and again, each load after the one before.
inline Events pages_of_each_warp() {
    return {kernel({.ctas = 2, .threads = 128}, [](WarpWriter& w) {
        const u64 first = kData + (w.cta * 4 + w.warp) * 4 * 4096;
        for (u32 k = 0; k < 40; ++k) w.load1(1, {1}, first + k % 4 * 4096, true);
        w.use(1);
    })};
}
/// Allocates, uses, frees and uses again a few pages.
inline Events freed_pages() {
    const auto use = kernel({}, [](WarpWriter& w) {
        for (u32 k = 0; k < 4; ++k) w.load1(1, {1}, kData + k * 4096);
        w.use(1);
    });
    return {AllocEvent{kData, 4 * 4096}, use, FreeEvent{kData}, use};
}
/// Pages are freed while a kernel of another stream walks for them.
inline Events freed_meanwhile() {
    const auto walk = kernel({.stream = 1}, [](WarpWriter& w) {
        for (u64 k = 0; k < 20; ++k) w.load(1, {1}, w.lanes(kData + k * 32 * 4096, 4096));
        w.use(1);
    });
    const auto wait = kernel({.stream = 2}, [](WarpWriter& w) {
        for (u32 k = 0; k < 100; ++k) w.alu(OpClass::int_add, 1, {1});
    });
    return {AllocEvent{kData, 20 * 32 * 4096}, walk, wait, SyncEvent{SyncEvent::Kind::host_stream, 2, 0},
            FreeEvent{kData}};
}

}  // namespace heddle::test::programs
