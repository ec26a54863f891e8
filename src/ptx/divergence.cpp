#include "ptx/divergence.h"

#include <algorithm>

namespace heddle::ptx {

void retain(Warp& w, u32 call) {
    ++w.calls[call].users;
}

void release_call(Warp& w, u32 call) {
    while (--w.calls[call].users == 0 && call != 0) {
        w.free_calls.push_back(call);
        call = w.calls[call].parent;
    }
}

namespace {

void pop(Warp& w) {
    release_call(w, w.splits.back().call);
    w.splits.pop_back();
}

bool can_run(const Split& s) {
    return s.state == Split::State::running;
}

bool same_place(const Split& a, const Split& b) {
    return a.state == b.state && a.pc == b.pc && a.call == b.call && a.rpc == b.rpc &&
           a.rpc_call == b.rpc_call;
}

}  // namespace

void diverge(Warp& w, u32 target, u32 next, u32 rpc, u32 taken, u32 fallen) {
    Split& top = w.splits.back();
    Split side = top;
    const bool same_meeting = rpc == kNoOperand || (rpc == top.rpc && top.call == top.rpc_call);
    if (same_meeting) {
        w.splits.pop_back();  // both sides take its place
    } else {
        top.pc = rpc;
        side.rpc = rpc;
        side.rpc_call = top.call;
        retain(w, side.call);
    }
    // A side that starts at the meeting point is there already: the split below stands for it.
    u32 pushed = 0;
    auto push = [&](u32 pc, u32 mask) {
        if (pc == side.rpc && side.call == side.rpc_call) return;
        if (pushed++ != 0) retain(w, side.call);
        side.pc = pc;
        side.mask = mask;
        w.splits.push_back(side);
    };
    push(target, taken);
    push(next, fallen);
    if (pushed == 0) release_call(w, side.call);
}

void reconverge(Warp& w) {
    while (w.splits.size() > 1) {
        const Split& top = w.splits.back();
        if (top.rpc == kNoOperand || top.pc != top.rpc || top.call != top.rpc_call) return;
        pop(w);
    }
}

bool step_aside(Warp& w) {
    auto& splits = w.splits;
    for (;;) {
        const u32 rpc = splits.back().rpc, rpc_call = splits.back().rpc_call;
        std::size_t first = splits.size() - 1;  // of the group with the same meeting point
        u32 lanes = splits.back().mask;
        while (first > 0 && splits[first - 1].rpc == rpc && splits[first - 1].rpc_call == rpc_call &&
               (splits[first - 1].mask & lanes) == 0) {
            --first;
            lanes |= splits[first].mask;
        }
        for (std::size_t k = splits.size(); k-- > first;) {
            if (!can_run(splits[k])) continue;
            std::rotate(splits.begin() + static_cast<std::ptrdiff_t>(k),
                        splits.begin() + static_cast<std::ptrdiff_t>(k) + 1, splits.end());
            return true;
        }
        if (first == 0) return false;
        // The lanes that wait at the meeting point go on without the group, which moves one meeting point
        // out.
        const Split parent = splits[first - 1];
        for (std::size_t k = first; k < splits.size(); ++k) {
            splits[k].rpc = parent.rpc;
            splits[k].rpc_call = parent.rpc_call;
        }
        splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(first) - 1);
        const u32 arrived = parent.mask & ~lanes;
        if (arrived == 0) {
            release_call(w, parent.call);
            continue;
        }
        splits.push_back(parent);
        splits.back().mask = arrived;
        splits.back().state = Split::State::running;
        return true;
    }
}

void rouse(Warp& w) {
    auto& splits = w.splits;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < splits.size(); ++k) {
        const Split& s = splits[k];
        std::size_t later = k + 1;
        if (s.state == Split::State::spinning)
            while (later < splits.size() && !same_place(s, splits[later])) ++later;
        else
            later = splits.size();
        if (later < splits.size()) {
            splits[later].mask |= s.mask;
            release_call(w, s.call);
        } else {
            splits[kept++] = s;
        }
    }
    splits.resize(kept);
    for (Split& s : splits)
        if (s.state == Split::State::spinning) s.state = Split::State::running;
    if (!can_run(splits.back())) step_aside(w);
}

void remove_lanes(Warp& w, u32 lanes) {
    w.live &= ~lanes;
    std::size_t kept = 0;
    for (Split& s : w.splits) {
        s.mask &= ~lanes;
        if (s.mask != 0)
            w.splits[kept++] = s;
        else
            release_call(w, s.call);
    }
    w.splits.resize(kept);
}

bool join_members(Warp& w) {
    Split& top = w.splits.back();
    const u32 before = top.mask;
    for (std::size_t k = w.splits.size() - 1; k-- > 0;) {
        Split& s = w.splits[k];
        if (s.state != Split::State::members || s.pc != top.pc || s.call != top.call || s.rpc != top.rpc ||
            s.rpc_call != top.rpc_call)
            continue;
        w.splits.back().mask |= s.mask;
        release_call(w, s.call);
        w.splits.erase(w.splits.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return w.splits.back().mask != before;
}

bool release_members(Warp& w, u32 members) {
    const auto waits = [&](const Split& s) {
        return s.state == Split::State::members && s.members == members;
    };
    u32 arrived = w.splits.back().mask;
    for (const Split& s : w.splits)
        if (waits(s)) arrived |= s.mask;
    if ((members & w.live & ~arrived) != 0) return false;
    for (Split& s : w.splits) {
        if (!waits(s)) continue;
        s.state = Split::State::running;
        ++s.pc;
    }
    return true;
}

}  // namespace heddle::ptx
