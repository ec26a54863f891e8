// CTA barriers (PTX ISA, "bar, barrier"). Arrival is counted in warps; a warp arrives when all its live lanes
// have.

#include <algorithm>
#include <cstring>

#include "ptx/divergence.h"
#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

u32 lane_word(const Warp& w, u32 ref) {
    u32 v;
    std::memcpy(&v, operand_pointer(w, ref) + static_cast<u32>(__builtin_ctz(w.active)) * 4, 4);
    return v;
}

}  // namespace

/// The running split arrives. bar.arrive leaves it running; otherwise it waits from now on.
void Execution::Impl::arrive(Warp& w, const Op& op, u32 mask) {
    const bool cluster = op.sub == kCluster;
    const u32 id = cluster ? kClusterBarrier : lane_word(w, op.a);
    if (id >= kClusterBarrier && !cluster)
        fault(DeviceFault::Kind::trap, w, op.line, static_cast<u32>(__builtin_ctz(mask)),
              "barrier " + std::to_string(id) + " does not exist");
    Barrier& b = cta_of(w).barriers[id];
    const u32 threads = op.b == kNoOperand ? 0 : lane_word(w, op.b);
    if (threads % kLanes != 0)
        fault(DeviceFault::Kind::trap, w, op.line, static_cast<u32>(__builtin_ctz(mask)),
              "a barrier of " + std::to_string(threads) + " threads: not a multiple of 32");
    b.expected = threads / kLanes;
    ++w.effects;
    if (op.sub >= kPopc) {
        u32 p;
        std::memcpy(&p, operand_pointer(w, op.c), 4);
        p = (op.sub2 != 0 ? ~p : p) & mask;
        b.count += static_cast<u32>(__builtin_popcount(p));
        b.all &= p == mask;
        b.any |= p != 0;
    }
    if (op.sub == kArrive) {
        ++b.arrived;
        complete_if_full(cta_of(w), b);
        return;
    }
    w.barrier = id;
    w.splits.back().state = Split::State::barrier;
}

/// Every split that could run has arrived or waits: the warp arrives.
void Execution::Impl::barrier_wait(Warp& w) {
    const auto at = std::find_if(w.splits.rbegin(), w.splits.rend(),
                                 [](const Split& s) { return s.state == Split::State::barrier; });
    if (at == w.splits.rend()) return park(w);
    for (const Split& s : w.splits)
        if (s.state == Split::State::spinning) return park(w);  // its lanes may still come
    Barrier& b = cta_of(w).barriers[w.barrier];
    ++b.arrived;
    b.waiting.push_back(w.index);
    w.state = Warp::State::barrier;
    complete_if_full(cta_of(w), b);
}

void Execution::Impl::complete_if_full(CtaState& cta, Barrier& b) {
    const u32 needed = b.expected != 0 ? b.expected : cta.running;
    if (b.arrived < needed || b.arrived == 0) return;
    u64 latest = 0;
    for (u32 k : b.waiting) latest = std::max(latest, cta.warps[k].clock);
    for (u32 k : b.waiting) {
        Warp& w = cta.warps[k];
        w.clock = latest;
        w.state = Warp::State::ready;
        const std::size_t last = w.splits.size() - 1;
        for (std::size_t s = 0; s < w.splits.size(); ++s) {
            if (w.splits[s].state != Split::State::barrier) continue;
            // Results go to the registers of the split's own activation.
            std::swap(w.splits[s], w.splits[last]);
            activate(w);
            const Op& op = function_of(w).ops[w.splits.back().pc];
            if (op.sub == kPopc) {
                for (u32 m = w.active; m != 0; m &= m - 1)
                    std::memcpy(operand_pointer(w, op.dst) + static_cast<u32>(__builtin_ctz(m)) * 4, &b.count,
                                4);
            } else if (op.sub == kAnd || op.sub == kOr) {
                const u32 bits = (op.sub == kAnd ? b.all : b.any) ? ~0u : 0;
                u32 p;
                std::memcpy(&p, operand_pointer(w, op.dst), 4);
                p = (p & ~w.active) | (bits & w.active);
                std::memcpy(operand_pointer(w, op.dst), &p, 4);
            }
            ++w.splits.back().pc;
            w.splits.back().state = Split::State::running;
            std::swap(w.splits[s], w.splits[last]);
        }
        activate(w);
    }
    b = Barrier{};
}

void Execution::Impl::warp_ended(Warp& w) {
    CtaState& cta = cta_of(w);
    --cta.running;
    for (Barrier& b : cta.barriers)
        if (b.arrived != 0 && b.expected == 0 && cta.running != 0) complete_if_full(cta, b);
}

}  // namespace heddle::ptx
