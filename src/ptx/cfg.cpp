#include "ptx/cfg.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

bool ends_block(const IrInst& inst) {
    switch (inst.control) {
        case Control::jump:
        case Control::branch:
        case Control::branch_index:
        case Control::ret:
            return true;
        case Control::exit:
        case Control::trap:
            return inst.guard == kNoRef;
        default:
            return false;
    }
}

/// Reverse postorder from `root` over `next`.
std::vector<u32> reverse_postorder(u32 root, const std::vector<const std::vector<u32>*>& next) {
    std::vector<u32> order;
    std::vector<u8> seen(next.size());
    std::vector<std::pair<u32, u32>> stack{{root, 0}};
    seen[root] = 1;
    while (!stack.empty()) {
        auto& [node, at] = stack.back();
        if (at < next[node]->size()) {
            const u32 n = (*next[node])[at++];
            if (seen[n] == 0) {
                seen[n] = 1;
                stack.emplace_back(n, 0);
            }
        } else {
            order.push_back(node);
            stack.pop_back();
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

/// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm". Unreached nodes keep kNoBlock.
std::vector<u32> dominators(u32 root, const std::vector<const std::vector<u32>*>& next,
                            const std::vector<const std::vector<u32>*>& previous) {
    constexpr u32 none = Cfg::kNoBlock;
    const auto order = reverse_postorder(root, next);
    std::vector<u32> number(next.size(), none), idom(next.size(), none);
    for (u32 k = 0; k < order.size(); ++k) number[order[k]] = k;
    idom[root] = root;
    auto meet = [&](u32 a, u32 b) {
        while (a != b) {
            while (number[a] > number[b]) a = idom[a];
            while (number[b] > number[a]) b = idom[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 node : order) {
            if (node == root) continue;
            u32 best = none;
            for (u32 p : *previous[node])
                if (idom[p] != none) best = best == none ? p : meet(best, p);
            if (best != idom[node]) {
                idom[node] = best;
                changed = true;
            }
        }
    }
    return idom;
}

}  // namespace

Cfg::Cfg(const IrFunction& f) {
    const u32 n = static_cast<u32>(f.insts.size());
    std::vector<u8> leader(n + 1);
    leader[0] = 1;
    for (u32 k = 0; k < n; ++k) {
        const IrInst& inst = f.insts[k];
        if (inst.control == Control::jump || inst.control == Control::branch) leader[inst.index] = 1;
        if (inst.control == Control::branch_index)
            for (u32 target : f.tables[inst.index]) leader[target] = 1;
        if (ends_block(inst)) leader[k + 1] = 1;
    }
    block_of.resize(n);
    for (u32 k = 0; k < n; ++k) {
        if (leader[k] != 0) blocks.push_back({k, k, {}, {}});
        blocks.back().end = k + 1;
        block_of[k] = static_cast<u32>(blocks.size() - 1);
    }
    auto connect = [&](u32 from, u32 to) {
        auto& s = blocks[from].successors;
        if (std::find(s.begin(), s.end(), to) != s.end()) return;
        s.push_back(to);
        blocks[to].predecessors.push_back(from);
    };
    for (u32 b = 0; b < blocks.size(); ++b) {
        const IrInst& last = f.insts[blocks[b].end - 1];
        const bool falls = !ends_block(last) || last.control == Control::branch ||
                           (last.control == Control::branch_index && last.guard != kNoRef);
        if (falls && b + 1 < blocks.size()) connect(b, b + 1);
        if (last.control == Control::jump || last.control == Control::branch)
            connect(b, block_of[last.index]);
        if (last.control == Control::branch_index)
            for (u32 target : f.tables[last.index]) connect(b, block_of[target]);
    }
    find_dominators();
    find_post_dominators(f);
}

void Cfg::find_dominators() {
    std::vector<const std::vector<u32>*> next, previous;
    for (const Block& b : blocks) {
        next.push_back(&b.successors);
        previous.push_back(&b.predecessors);
    }
    idom = dominators(0, next, previous);
    depth_.assign(blocks.size(), 0);
    // A block's dominator may stand after it in the layout: walk up instead of relying on order.
    for (u32 b = 0; b < blocks.size(); ++b) {
        u32 depth = 0;
        for (u32 at = b; at != 0 && idom[at] != kNoBlock; at = idom[at]) ++depth;
        depth_[b] = depth;
    }
    idom[0] = kNoBlock;
}

bool Cfg::dominates(u32 a, u32 b) const {
    while (b != kNoBlock && depth_[b] > depth_[a]) b = idom[b];
    return a == b;
}

void Cfg::find_post_dominators(const IrFunction& f) {
    const u32 n = static_cast<u32>(blocks.size()), exit = n;
    // Blocks that return, then loops that only a predicated exit leaves: they meet where that exit stands. If there is
    // neither, blocks that end otherwise.
    std::vector<u32> returning, leaving, ending;
    for (u32 b = 0; b < n; ++b) {
        for (u32 k = blocks[b].first; k < blocks[b].end; ++k)
            if (f.insts[k].control == Control::exit && f.insts[k].guard != kNoRef) {
                leaving.push_back(b);
                break;
            }
        if (!blocks[b].successors.empty()) continue;
        const Control c = f.insts[blocks[b].end - 1].control;
        (c == Control::ret || c == Control::exit ? returning : ending).push_back(b);
    }
    std::vector<std::vector<u32>> forward(n + 1), backward(n + 1);  // of the reversed graph
    std::vector<u8> layer(n + 1);
    auto reach = [&](const std::vector<u32>& from, u8 number) {
        std::vector<u32> work;
        for (u32 b : from)
            if (layer[b] == 0) {
                forward[exit].push_back(b);
                backward[b].push_back(exit);
                work.push_back(b);
            }
        for (u32 b : work) layer[b] = number;
        while (!work.empty()) {
            const u32 b = work.back();
            work.pop_back();
            for (u32 p : blocks[b].predecessors)
                if (layer[p] == 0) {
                    layer[p] = number;
                    work.push_back(p);
                }
        }
    };
    reach(returning, 1);
    reach(leaving, 2);
    if (returning.empty() && leaving.empty()) reach(ending, 3);
    for (u32 b = 0; b < n; ++b)
        for (u32 s : blocks[b].successors)
            if (layer[b] != 0 && layer[b] == layer[s]) {
                forward[s].push_back(b);
                backward[b].push_back(s);
            }
    std::vector<const std::vector<u32>*> next, previous;
    for (u32 b = 0; b <= n; ++b) {
        next.push_back(&forward[b]);
        previous.push_back(&backward[b]);
    }
    ipdom = dominators(exit, next, previous);
    ipdom.resize(n);
    for (u32& d : ipdom)
        if (d == exit) d = kNoBlock;
}

std::vector<u32> Cfg::loop(u32 latch, u32 header) const {
    if (!dominates(header, latch)) return {};
    std::vector<u32> body{header};
    std::vector<u8> in(blocks.size());
    in[header] = 1;
    std::vector<u32> work;
    if (in[latch] == 0) {
        in[latch] = 1;
        work.push_back(latch);
        body.push_back(latch);
    }
    while (!work.empty()) {
        const u32 b = work.back();
        work.pop_back();
        for (u32 p : blocks[b].predecessors)
            if (in[p] == 0) {
                in[p] = 1;
                work.push_back(p);
                body.push_back(p);
            }
    }
    std::sort(body.begin(), body.end());
    return body;
}

}  // namespace heddle::ptx
