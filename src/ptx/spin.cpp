#include "ptx/spin.h"

#include <algorithm>

#include "ptx/optimise.h"

namespace heddle::ptx {

namespace {

/// Special registers are an effect only if they are a clock.
bool reads_clock(const IrInst& i) {
    return i.key.op == Operation::special && i.effect;
}

bool may_look(const IrInst& i, bool loop_orders) {
    if (i.dead) return false;
    if (reads_clock(i)) return true;
    if (i.key.op == Operation::atomic) return i.dst_count != 0;
    if (i.key.op != Operation::load || i.mem == MemOp::none) return false;
    if (i.key.space == MemSpace::local || i.key.space == MemSpace::constant ||
        i.key.space == MemSpace::texture)
        return false;
    return i.strong || (loop_orders && i.key.space != MemSpace::shared);
}

}  // namespace

SpinLoops find_spin_loops(IrFunction& f, const Cfg& cfg) {
    SpinLoops out;
    out.look.resize(f.insts.size());
    out.branch.resize(f.insts.size());
    std::vector<u8> wanted(f.registers.size());
    for (u32 k = 0; k < f.insts.size(); ++k) {
        const IrInst& latch = f.insts[k];
        if (latch.control != Control::jump && latch.control != Control::branch) continue;
        if (latch.index > k) continue;
        const u32 header = cfg.block_of[latch.index];
        std::vector<u32> body = cfg.loop(cfg.block_of[k], header);
        if (body.empty())
            for (u32 b = header; b <= cfg.block_of[k]; ++b) body.push_back(b);
        auto inside = [&](u32 b) { return std::binary_search(body.begin(), body.end(), b); };
        bool orders = false;
        for (u32 b : body)
            for (u32 j = cfg.blocks[b].first; j < cfg.blocks[b].end; ++j)
                orders |= f.insts[j].control == Control::sleep ||
                          (f.insts[j].key.op == Operation::nothing && f.insts[j].strong);
        bool candidate = false;
        for (u32 b : body)
            for (u32 j = cfg.blocks[b].first; j < cfg.blocks[b].end; ++j)
                candidate |= may_look(f.insts[j], orders);
        if (!candidate) continue;
        // What the loop's exits depend on, inside the loop.
        std::fill(wanted.begin(), wanted.end(), u8{0});
        auto want = [&](Ref r) {
            if (!is_reg(r) || wanted[ref_index(r)] != 0) return false;
            wanted[ref_index(r)] = 1;
            return true;
        };
        for (u32 b : body) {
            bool leaves = false;
            for (u32 s : cfg.blocks[b].successors) leaves |= !inside(s);
            IrInst& last = f.insts[cfg.blocks[b].end - 1];
            if (leaves && last.guard != kNoRef) want(last.guard);
            for (u32 j = cfg.blocks[b].first; j < cfg.blocks[b].end; ++j)
                if (f.insts[j].control == Control::exit && f.insts[j].guard != kNoRef) want(f.insts[j].guard);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (u32 b : body)
                for (u32 j = cfg.blocks[b].first; j < cfg.blocks[b].end; ++j) {
                    IrInst& i = f.insts[j];
                    bool feeds = false;
                    for (u32 d = 0; d < i.dst_count; ++d)
                        feeds |= i.dst[d] != kNoRef && wanted[ref_index(i.dst[d])] != 0;
                    if (feeds && !i.dead) for_each_use(f, i, [&](Ref& r) { changed |= want(r); });
                }
        }
        bool waits = false;
        for (u32 b : body)
            for (u32 j = cfg.blocks[b].first; j < cfg.blocks[b].end; ++j) {
                const IrInst& i = f.insts[j];
                if (!may_look(i, orders)) continue;
                bool feeds = false;
                for (u32 d = 0; d < i.dst_count; ++d)
                    feeds |= i.dst[d] != kNoRef && wanted[ref_index(i.dst[d])] != 0;
                if (!feeds) continue;
                out.look[j] = 1;
                waits = true;
            }
        if (waits) out.branch[k] = 1;
        out.any |= waits;
    }
    return out;
}

}  // namespace heddle::ptx
