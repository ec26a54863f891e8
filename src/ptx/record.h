#pragma once
// Writing a warp's dynamic instructions as the stream's words (layout: trace/stream.h).

#include "ptx/warp.h"
#include "trace/stream.h"

namespace heddle::ptx {

/// Words that one operation can need at most; the interpreter keeps that many free.
inline constexpr u32 kReserveWords = 1024;

inline void record_head(Warp& w, u32 index, u32 mask, AddressForm form) {
    const bool full = mask == w.launched;
    *w.out++ = (w.rec_base + index) | u32{full} << 22 | static_cast<u32>(form) << 23 | u32{w.has_edge} << 25;
    if (!full) *w.out++ = mask;
    if (w.has_edge) *w.out++ = w.edge;
    w.has_edge = false;
    ++w.instructions;
    w.thread_instructions += static_cast<u32>(__builtin_popcount(mask));
}

/// An operation without addresses: all of its static instructions.
inline void record_plain(Warp& w, const Op& op, u32 mask) {
    if (w.out == nullptr) {
        w.instructions += op.rec_count;
        w.thread_instructions += u64{op.rec_count} * static_cast<u32>(__builtin_popcount(mask));
        return;
    }
    for (u32 k = 0; k < op.rec_count; ++k) record_head(w, op.rec + k, mask, AddressForm::none);
}

/// `address` holds the n (at least 1) addresses of the active lanes, ascending.
inline void record_listed(Warp& w, u32 index, u32 mask, const u64* address, u32 n) {
    auto put = [&](u64 v) {
        *w.out++ = static_cast<u32>(v);
        *w.out++ = static_cast<u32>(v >> 32);
    };
    const u64 stride = n > 1 ? address[1] - address[0] : 0;
    bool strided = true, narrow = true;
    for (u32 k = 1; k < n; ++k) {
        const u64 delta = address[k] - address[k - 1];
        strided &= delta == stride;
        narrow &= delta + 0x80000000u < u64{1} << 32;
    }
    if (!narrow) {
        record_head(w, index, mask, AddressForm::absolute);
        for (u32 k = 0; k < n; ++k) put(address[k]);
    } else if (strided) {
        record_head(w, index, mask, AddressForm::strided);
        put(address[0]);
        *w.out++ = static_cast<u32>(stride);
    } else {
        record_head(w, index, mask, AddressForm::deltas);
        put(address[0]);
        for (u32 k = 1; k < n; ++k) *w.out++ = static_cast<u32>(address[k] - address[k - 1]);
    }
}

/// `address` holds one address a lane, the active ones' valid.
inline void record_access(Warp& w, u32 index, u32 mask, const u64* address) {
    if (w.out == nullptr) {
        ++w.instructions;
        w.thread_instructions += static_cast<u32>(__builtin_popcount(mask));
        return;
    }
    if (mask == ~0u) return record_listed(w, index, mask, address, kLanes);
    if (mask == 0) return record_head(w, index, mask, AddressForm::none);
    u64 packed[kLanes] = {};
    u32 n = 0;
    for (u32 m = mask; m != 0; m &= m - 1) packed[n++] = address[__builtin_ctz(m)];
    record_listed(w, index, mask, packed, n);
}

}  // namespace heddle::ptx
