// What a memory checker would say.

#include <algorithm>

#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

std::string triple(u64 x, u64 y, u64 z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

const char* verb(const Op& op) {
    return op.memory && op.fn != nullptr ? "access" : "use";
}

}  // namespace

std::string Execution::Impl::at_lane(const Warp& w, u32 line, u32 lane, const std::string& what) const {
    const CtaState& cta = cta_of(w);
    const std::string source = function_of(w).unit->source(line);
    return function_of(w).unit->place(line) + what + " (kernel '" + info.name + "', block " +
           triple(cta.index.x, cta.index.y, cta.index.z) + ", thread " +
           triple(w.tid[0][lane], w.tid[1][lane], w.tid[2][lane]) + (source.empty() ? "" : ", " + source) +
           ")";
}

void Execution::Impl::fault(DeviceFault::Kind kind, const Warp& w, u32 line, u32 lane,
                            const std::string& what) const {
    throw DeviceFault(kind, at_lane(w, line, lane, what));
}

void Execution::Impl::check_global(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes,
                                   Range& range) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        if (address[k] >= range.begin && range.end >= bytes && address[k] <= range.end - bytes) continue;
        const Allocation* a = context.memory().find(address[k]);
        if (a != nullptr && address[k] + bytes <= a->end())
            range = {a->address, a->end()};
        else
            outside(w, op, k, address[k], bytes);
    }
}

/// An access that no allocation holds.
void Execution::Impl::outside(const Warp& w, const Op& op, u32 lane, u64 address, u32 bytes) {
    const bool writes = (op.flags & kWrites) != 0, page = context.memory().in_used_page(address, bytes);
    if (page && context.memory_check == MemoryCheck::off) return;
    const bool warns = page && !writes && context.memory_check == MemoryCheck::warn;
    if (warns && !context.first_warning(*function_of(w).unit, op.line)) return;
    const std::string where = (context.memory().find(address) == nullptr
                                   ? ""
                                   : "it runs past the end of the allocation; its first byte is ") +
                              context.memory().describe(address);
    const std::string what = "illegal address " + hex(address) + ", " + verb(op) + " of " +
                             std::to_string(bytes) + " bytes: " + where;
    if (!warns) fault(DeviceFault::Kind::illegal_address, w, op.line, lane, what);
    if (context.warn)
        context.warn(
            at_lane(w, op.line, lane, what) +
            "; a device does not detect such reads, so the run continues (--memcheck error ends it)");
}

void Execution::Impl::fault_misaligned(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        if (address[k] % bytes == 0) continue;
        const Allocation* a = context.memory().find(address[k]);
        fault(DeviceFault::Kind::misaligned_address, w, op.line, k,
              "misaligned address " + hex(address[k]) + ", access of " + std::to_string(bytes) + " bytes" +
                  (a == nullptr ? "" : ": " + context.memory().describe(address[k])));
    }
    throw InvariantError("misaligned access without a misaligned lane");
}

void Execution::Impl::fault_shared(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        if (address[k] + bytes <= w.cta->shared_bytes && address[k] < w.cta->shared_bytes) continue;
        fault(DeviceFault::Kind::illegal_address, w, op.line, k,
              "illegal address " + hex(address[k]) + " in shared memory, access of " + std::to_string(bytes) +
                  " bytes: the block has " + std::to_string(w.cta->shared_bytes) + " bytes");
    }
    throw InvariantError("shared memory fault without a lane out of bounds");
}

void Execution::Impl::fault_local(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        if (address[k] + bytes <= w.local_bytes && address[k] < w.local_bytes) continue;
        fault(DeviceFault::Kind::illegal_address, w, op.line, k,
              "illegal address " + hex(address[k]) + " in local memory or parameters, access of " +
                  std::to_string(bytes) + " bytes: the thread has " + std::to_string(w.local_bytes) +
                  " bytes");
    }
    fault(DeviceFault::Kind::illegal_address, w, op.line, static_cast<u32>(__builtin_ctz(mask)),
          "illegal address in the parameters");
}

void Execution::Impl::no_progress() const {
    const u64 total = launch.grid.count();
    for (const CtaState* cta : resident)
        for (const Warp& w : cta->warps) {
            if (w.state == Warp::State::done) continue;
            const Op& op = function_of(w).ops[w.splits.back().pc];
            const u32 lane = static_cast<u32>(__builtin_ctz(w.splits.back().mask));
            std::string what = w.state == Warp::State::barrier
                                   ? "no progress: waits at a barrier that the other warps never reach"
                                   : "no progress: waits in a loop for a value that nothing changes";
            if (w.state != Warp::State::barrier && next_cta < total)
                what = "no progress: waits for a block that is not resident; " + std::to_string(total) +
                       " blocks, of which the device keeps " + std::to_string(window) + " resident";
            if (w.state == Warp::State::barrier &&
                std::any_of(cta->warps.begin(), cta->warps.end(),
                            [](const Warp& o) { return o.state == Warp::State::parked; }))
                continue;  // the one that it waits for tells more
            fault(DeviceFault::Kind::no_progress, w, op.line, lane, what);
        }
    throw InvariantError("kernel '" + info.name + "': nothing ran and nothing waits");
}

}  // namespace heddle::ptx
