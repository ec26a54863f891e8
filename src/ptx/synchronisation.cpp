// Waiting between warps and CTAs.
//
// A loop waits if it comes round with the same lanes and the same values in every live register, and nothing
// that it did in between could be noticed by anyone (no store or atomic that changed memory, no barrier, no
// output): it would go on for ever unless some value that it loads changes. The iteration is taken out of the
// stream again, and the split steps aside, waiting for the values it read; if nobody else in the warp can run,
// the warp parks until what any of its splits waits for has changed. Brent's cycle detection: the state is kept at
// iterations 1, 2, 4, 8 ..., so a loop that does make progress pays one comparison that fails at once.
//
// Time. A loop that also reads the clock does not only repeat itself: time passes. If it reads no memory, its clock goes on at
// once by a sixteenth of what it has waited so far, and it looks again, so that a wait of any length takes a few hundred
// rounds and is at most a sixteenth too long. If it reads memory, it steps aside like any other, and looks again when what it
// read changes, when the clocks of others have gone on by as much, or when nobody else can go on.
//
// Edges. In a kernel with loops that may wait, strong writes to global memory (and any write to what such
// loops have looked at) carry a signal; a look that reads what another CTA wrote carries a wait for that
// write's signal. "Reads from" is a true dependence whichever way timing turns out, so looks that succeed at
// once carry it as well.

#include <algorithm>
#include <cstring>

#include "ptx/divergence.h"
#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kMostWatches = 2048;
constexpr u64 kGranule = 4;
/// A loop that has waited so long waits for ever.
constexpr u64 kEndOfTime = u64{1} << 62;

/// What the clocks of others must have gone on before a warp that waits for memory and time looks again.
constexpr u64 kShortestStep = 1024;

/// What a wait of this length may be too long.
u64 time_step(u64 waited) {
    return waited / 16 + 1;
}

u64 value_at(u64 address, u32 bytes) {
    u64 v = 0;
    std::memcpy(&v, reinterpret_cast<const void*>(address), bytes);
    return v;
}

u64 host_address(const Warp& w, u64 address, MemSpace space) {
    return space == MemSpace::shared ? reinterpret_cast<u64>(w.cta->shared) + address : address;
}

void attach(Warp& w, const Op& op, u32 edge) {
    if (w.out == nullptr) return;
    // One edge an instruction: earlier ones go on copies of it without lanes.
    if (w.has_edge) record_head(w, op.rec, 0, AddressForm::none);
    w.has_edge = true;
    w.edge = edge;
}

}  // namespace

void Execution::Impl::see_load(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes,
                               MemSpace space) {
    if (space == MemSpace::local) return;
    if (w.watches.size() + kLanes * 2 > kMostWatches) w.watch_overflow = true;
    u32 waits = 0;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        if (!w.watch_overflow) {
            const u64 at = host_address(w, address[k], space);
            for (u32 part = 0; part < bytes; part += 8) {
                const u32 size = std::min(bytes - part, 8u);
                w.watches.push_back({at + part, value_at(at + part, size), size});
            }
        }
        if ((op.flags & kSpinLook) == 0 || space != MemSpace::global) continue;
        for (u64 g = address[k] / kGranule; g <= (address[k] + bytes - 1) / kGranule; ++g) {
            looked_at.insert(g);
            const auto writer = writers.find(g);
            if (writer == writers.end() || writer->second.cta == cta_of(w).linear ||
                writer->second.edge == w.last_wait)
                continue;
            if (++waits > 32) continue;
            w.last_wait = writer->second.edge;
            attach(w, op, writer->second.edge << 1 | static_cast<u32>(EdgeKind::wait));
            ++stats.waits;
        }
    }
}

void Execution::Impl::see_store(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes,
                                MemSpace space, u32 changed) {
    if (changed != 0) ++w.effects;
    if (space != MemSpace::global || changed == 0 || !spins) return;
    bool signals = (op.flags & kStrong) != 0;
    for (u32 m = mask & changed; m != 0 && !signals; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        for (u64 g = address[k] / kGranule; g <= (address[k] + bytes - 1) / kGranule; ++g)
            signals |= looked_at.contains(g);
    }
    if (!signals) return;
    const u32 edge = next_edge++;
    for (u32 m = mask & changed; m != 0; m &= m - 1) {
        const u32 k = static_cast<u32>(__builtin_ctz(m));
        for (u64 g = address[k] / kGranule; g <= (address[k] + bytes - 1) / kGranule; ++g)
            writers.insert_or_assign(g, Writer{edge, cta_of(w).linear});
    }
    attach(w, op, edge << 1 | static_cast<u32>(EdgeKind::signal));
    ++stats.signals;
}

bool Execution::Impl::loop_repeats(Warp& w, const Op& op, u32 mask) {
    const auto& live = function_of(w).live_at[op.ext];
    const u32 call = w.splits.back().call;
    const auto bytes_of = [](const LiveRegister& r) {
        return r.bytes == 0 ? std::size_t{4} : std::size_t{r.bytes} * kLanes;
    };
    if (w.watch_overflow) forget_loops(w);
    // An effect since then: no longer of use, and neither is what was read.
    bool any = false;
    for (SpinState& s : w.spins) {
        if (s.branch != nullptr && s.effects != w.effects) s.branch = nullptr;
        any |= s.branch != nullptr;
    }
    if (!any) w.watches.clear();
    auto save = [&](SpinState& s) {
        s.mark = w.out;
        s.instructions = w.instructions;
        s.thread_instructions = w.thread_instructions;
        s.last_wait = w.last_wait;
        s.clock_reads = w.clock_reads;
        s.first_watch = w.watches.size();
        std::size_t bytes = 0;
        for (const LiveRegister& r : live) bytes += bytes_of(r);
        s.registers.resize(bytes);
        std::byte* to = s.registers.data();
        for (const LiveRegister& r : live) {
            std::memcpy(to, operand_pointer(w, r.ref), bytes_of(r));
            to += bytes_of(r);
        }
    };
    auto same = [&](const SpinState& s) {
        const std::byte* was = s.registers.data();
        for (const LiveRegister& r : live) {
            const std::byte* is = operand_pointer(w, r.ref);
            if (r.bytes == 0) {
                u32 a, b;
                std::memcpy(&a, was, 4);
                std::memcpy(&b, is, 4);
                if (((a ^ b) & mask) != 0) return false;
            }
            for (u32 m = r.bytes == 0 ? 0 : mask; m != 0; m &= m - 1) {
                const std::size_t lane = static_cast<std::size_t>(__builtin_ctz(m)) * r.bytes;
                if (std::memcmp(was + lane, is + lane, r.bytes) != 0) return false;
            }
            was += bytes_of(r);
        }
        return true;
    };
    const auto at = std::find_if(w.spins.begin(), w.spins.end(), [&](const SpinState& s) {
        return s.branch == &op && s.mask == mask && s.call == call;
    });
    if (at == w.spins.end()) {
        SpinState& s = w.spins[w.next_spin++ % w.spins.size()];
        s.branch = &op;
        s.mask = mask;
        s.call = call;
        s.effects = w.effects;
        s.iterations = 0;
        s.next_save = 1;
        s.first_clock = w.clock;
        save(s);
        return false;
    }
    SpinState& s = *at;
    ++s.iterations;
    if (same(s)) {
        if (w.out != nullptr && s.mark != nullptr) {
            w.out = s.mark;
            w.instructions = s.instructions;
            w.thread_instructions = s.thread_instructions;
            w.has_edge = false;
            w.last_wait = s.last_wait;  // a wait that goes with the iteration has to come again
        }
        // The others lie in what was taken out, and would miss what is read before the split wakes up.
        for (SpinState& other : w.spins)
            if (&other != &s) other.branch = nullptr;
        const u64 waited = w.clock - s.first_clock;
        if (w.clock_reads != s.clock_reads && waited < kEndOfTime) {
            s.clock_reads = w.clock_reads;
            if (w.watches.size() == s.first_watch) {
                w.clock += time_step(waited);
                return false;
            }
            w.look_again = w.clock + std::max(time_step(waited), kShortestStep);
        }
        w.awaited.insert(w.awaited.end(), w.watches.begin() + static_cast<std::ptrdiff_t>(s.first_watch),
                         w.watches.end());
        return true;
    }
    if (s.iterations >= s.next_save) {
        s.next_save = s.iterations * 2;
        save(s);
    }
    return false;
}

void Execution::Impl::forget_loops(Warp& w) {
    for (SpinState& s : w.spins) s.branch = nullptr;
    w.watches.clear();
    w.watch_overflow = false;
}

bool Execution::Impl::awaited_changed(const Warp& w) const {
    return std::any_of(w.awaited.begin(), w.awaited.end(),
                       [](const Watch& v) { return value_at(v.address, v.bytes) != v.value; });
}

void Execution::Impl::park(Warp& w) {
    w.state = Warp::State::parked;
}

void Execution::Impl::wake(Warp& w) {
    w.state = Warp::State::ready;
    w.look_again = 0;
    w.awaited.clear();
    // Only the loop that it parked in is still known; it comes round once more and reads all of it again.
    w.watches.clear();
    w.watch_overflow = false;
    for (SpinState& s : w.spins) s.first_watch = 0;
    w.unshared = 0;
    rouse(w);
}

bool Execution::Impl::pass_time() {
    u64 next = 0;
    for (const CtaState* cta : resident)
        for (const Warp& w : cta->warps)
            if (w.state == Warp::State::parked && w.look_again != 0 && (next == 0 || w.look_again < next))
                next = w.look_again;
    if (next == 0) return false;
    now = std::max(now, next);
    return true;
}

void Execution::Impl::give_way(Warp& w) {
    // As if it were spinning; then it is roused with those that are.
    w.splits.back().state = Split::State::spinning;
    step_aside(w);
    forget_loops(w);
    wake(w);
}

}  // namespace heddle::ptx
