#include "ptx/optimise.h"

#include <algorithm>

#include "ptx/cfg.h"
#include "ptx/spill.h"
#include "ptx/uniform.h"

namespace heddle::ptx {

void fold_exits(IrFunction& f) {
    for (IrInst& inst : f.insts) {
        if (inst.control != Control::branch && inst.control != Control::jump) continue;
        const IrInst& target = f.insts[inst.index];
        if (target.control != Control::exit || target.guard != kNoRef) continue;
        inst.control = Control::exit;
        inst.cost = target.cost;
    }
}

namespace {

struct Defs {
    std::vector<u32> count, inst;

    explicit Defs(const IrFunction& f) : count(f.registers.size()), inst(f.registers.size(), 0xffffffff) {
        for (const auto& p : f.params)
            if (is_reg(p.ref)) ++count[ref_index(p.ref)];
        for (u32 k = 0; k < f.insts.size(); ++k) {
            const IrInst& i = f.insts[k];
            if (i.dead) continue;
            for (u32 d = 0; d < i.dst_count; ++d)
                if (i.dst[d] != kNoRef) {
                    ++count[ref_index(i.dst[d])];
                    inst[ref_index(i.dst[d])] = k;
                }
        }
    }
    bool single(Ref r) const {
        return is_reg(r) && count[ref_index(r)] == 1 && inst[ref_index(r)] != 0xffffffff;
    }
};

/// A copy of a value that never changes may be replaced by the value wherever it is used. For a register that
/// holds once its definition dominates the copy, and the copy the use: both have one definition, so no path
/// brings another value. So no two registers are copies of each other either.
void propagate_copies(IrFunction& f, const Cfg& cfg) {
    const Defs defs(f);
    auto dominates = [&](u32 definition, u32 use) {
        const u32 b = cfg.block_of[definition], u = cfg.block_of[use];
        return b == u ? definition < use : cfg.dominates(b, u);
    };
    std::vector<Ref> copy_of(f.registers.size(), kNoRef);
    for (u32 k = 0; k < f.insts.size(); ++k) {
        const IrInst& i = f.insts[k];
        const bool plain = (i.key.op == Operation::mov || (i.key.op == Operation::pred_mov && i.sub == 0)) &&
                           i.control == Control::none && i.guard == kNoRef;
        if (!plain || i.src_count != 1 || !defs.single(i.dst[0])) continue;
        if (is_reg(i.src[0]) && (!defs.single(i.src[0]) || !dominates(defs.inst[ref_index(i.src[0])], k)))
            continue;
        if (is_reg(i.src[0]) &&
            f.registers[ref_index(i.src[0])].width != f.registers[ref_index(i.dst[0])].width)
            continue;
        copy_of[ref_index(i.dst[0])] = i.src[0];
    }
    for (u32 k = 0; k < f.insts.size(); ++k) {
        for_each_use(f, f.insts[k], [&](Ref& r) {
            while (is_reg(r) && copy_of[ref_index(r)] != kNoRef) {
                const Ref to = copy_of[ref_index(r)];
                if (is_reg(to) && !dominates(defs.inst[ref_index(r)], k)) return;
                r = to;
            }
        });
        for (Ref& r : f.insts[k].stream_sources)
            if (is_reg(r) && copy_of[ref_index(r)] != kNoRef && !is_reg(copy_of[ref_index(r)])) r = kNoRef;
        std::erase(f.insts[k].stream_sources, kNoRef);
    }
}

void remove_dead(IrFunction& f) {
    std::vector<u32> uses(f.registers.size());
    auto count = [&](IrInst& i, u32 by) {
        auto add = [&](Ref r) {
            if (is_reg(r)) uses[ref_index(r)] += by;
        };
        for_each_use(f, i, [&](Ref& r) { add(r); });
        for (Ref r : i.stream_sources) add(r);
    };
    for (IrInst& i : f.insts) count(i, 1);
    for (const auto& r : f.returns)
        if (is_reg(r.ref)) ++uses[ref_index(r.ref)];
    // An atomic whose old value nobody reads is a reduction.
    for (IrInst& i : f.insts) {
        if (i.key.op != Operation::atomic || i.dst_count == 0 || uses[ref_index(i.dst[0])] != 0) continue;
        const auto op = static_cast<Atomic>(i.sub);
        if (op == Atomic::exch || op == Atomic::cas) continue;
        i.dst_count = 0;
        i.dst[0] = kNoRef;
        i.mem = MemOp::reduction;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto i = f.insts.rbegin(); i != f.insts.rend(); ++i) {
            if (i->dead || i->effect || i->control != Control::none || i->dst_count == 0) continue;
            bool used = false;
            for (u32 d = 0; d < i->dst_count; ++d)
                used |= i->dst[d] != kNoRef && uses[ref_index(i->dst[d])] != 0;
            if (used) continue;
            i->dead = true;
            count(*i, ~0u);
            changed = true;
        }
    }
}

/// A widening multiplication, or a shift by a constant, that only feeds 64-bit additions is part of them
/// (IMAD.WIDE, LEA).
void fold_addresses(IrFunction& f) {
    const Defs defs(f);
    std::vector<u8> only_added(f.registers.size(), 1);
    for (IrInst& i : f.insts) {
        if (i.dead) continue;
        const bool add64 = i.key.op == Operation::add && type_bytes(i.key.type) == 8 &&
                           !is_float(i.key.type) && i.control == Control::none;
        for_each_use(f, i, [&](Ref& r) {
            if (is_reg(r) && !add64) only_added[ref_index(r)] = 0;
        });
    }
    auto folds = [&](Ref r, Operation op) {
        if (!defs.single(r) || only_added[ref_index(r)] == 0) return false;
        const IrInst& d = f.insts[defs.inst[ref_index(r)]];
        if (d.key.op != op || d.guard != kNoRef || type_bytes(d.key.type) < 4) return false;
        return op != Operation::shl || ref_kind(d.src[1]) == RefKind::constant;
    };
    for (IrInst& i : f.insts) {
        if (i.dead || i.key.op != Operation::add || type_bytes(i.key.type) != 8 || is_float(i.key.type))
            continue;
        for (u32 k = 0; k < 2; ++k) {
            const bool multiply = folds(i.src[k], Operation::mul_wide);
            if (!multiply && !folds(i.src[k], Operation::shl)) continue;
            f.insts[defs.inst[ref_index(i.src[k])]].cost.count = 0;
            if (multiply) i.cost = {OpClass::int_mad, 1, OpClass::int_mad};
            break;
        }
    }
}

/// What the stream leaves out must not hide a dependence: later instructions inherit its sources.
void inherit_sources(IrFunction& f) {
    const Defs defs(f);
    constexpr std::size_t kMost = 4;
    for (IrInst& i : f.insts) {
        if (i.dead || i.cost.count != 0 || i.dst_count == 0 || i.control != Control::none) continue;
        bool single = i.guard == kNoRef;
        for (u32 d = 0; d < i.dst_count; ++d) single &= i.dst[d] == kNoRef || defs.single(i.dst[d]);
        // A parameter's load or store is not an instruction, but it can't be traced through either.
        if (!single && i.key.op != Operation::mov && i.mem == MemOp::none && i.key.space == MemSpace::none)
            i.cost = {OpClass::int_add, 1, OpClass::int_add};
    }
    const auto left_out = [&](Ref r) {
        if (!defs.single(r)) return false;
        const IrInst& d = f.insts[defs.inst[ref_index(r)]];
        return d.cost.count == 0 && d.control == Control::none && d.key.op != Operation::mov &&
               d.mem == MemOp::none;
    };
    // What a register that is left out stands for: its first few sources that are not. Each is looked at once, as
    // values may share sources over and over, and chains may be longer than a stack is deep. Registers of one definition
    // that are made of each other are read before they are written; where such a ring is entered decides.
    std::vector<std::vector<Ref>> stands_for(f.registers.size());
    enum : u8 { unknown, under_way, known };
    std::vector<u8> state(f.registers.size(), unknown);
    const auto add = [&](std::vector<Ref>& out, Ref r) {
        const auto one = [&](Ref source) {
            if (out.size() < kMost && std::find(out.begin(), out.end(), source) == out.end())
                out.push_back(source);
        };
        if (!is_reg(r)) return;
        if (state[ref_index(r)] != known) return one(r);
        for (Ref source : stands_for[ref_index(r)]) one(source);
    };
    std::vector<std::pair<u32, u32>> work;  // a register, and the next of its sources
    const auto expand = [&](Ref root, std::vector<Ref>& out) {
        const auto enter = [&](Ref r) {
            if (!left_out(r) || state[ref_index(r)] != unknown) return false;
            state[ref_index(r)] = under_way;
            work.emplace_back(ref_index(r), 0);
            return true;
        };
        enter(root);
        while (!work.empty()) {
            const auto [v, k] = work.back();
            const IrInst& d = f.insts[defs.inst[v]];
            if (k == d.src_count) {
                state[v] = known;
                work.pop_back();
            } else if (!enter(d.src[k])) {
                add(stands_for[v], d.src[k]);
                ++work.back().second;
            }
        }
        add(out, root);
    };
    for (IrInst& i : f.insts) {
        if (i.dead || i.cost.count == 0) continue;
        std::vector<Ref> out;
        for (u32 k = 0; k < i.src_count; ++k)
            if (i.src[k] != kNoRef) expand(i.src[k], out);
        if (i.guard != kNoRef) expand(i.guard, out);
        for (Ref r : i.stream_sources) expand(r, out);
        i.stream_sources = std::move(out);
    }
}

}  // namespace

void optimise(IrFunction& f, const std::vector<u8>& spilled) {
    {
        const Cfg cfg(f);
        propagate_copies(f, cfg);
    }
    remove_dead(f);
    find_uniform_reductions(f);
    assign_costs(f);
    fold_addresses(f);
    insert_spills(f, spilled);
    inherit_sources(f);
}

}  // namespace heddle::ptx
