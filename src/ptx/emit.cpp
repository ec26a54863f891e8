#include "ptx/emit.h"

#include "ptx/allocate.h"
#include "ptx/cfg.h"
#include "ptx/lower.h"
#include "ptx/optimise.h"
#include "ptx/schedule.h"
#include "ptx/spill.h"
#include "ptx/spin.h"

namespace heddle::ptx {

namespace {

constexpr u64 kInstructionBytes = 16;

class Emitter {
  public:
    Emitter(const ast::Unit& unit, IrFunction f, const std::vector<Unsupported>& unsupported)
        : unsupported_(unsupported), f_(std::move(f)) {
        out_.name = f_.name;
        out_.unit = &unit;
        out_.is_entry = f_.ast->is_entry;
        out_.line = f_.ast->line;
    }

    FunctionCode run() {
        const Cfg cfg(f_);
        const Liveness liveness(f_, cfg);
        where_ = allocate_registers(f_, liveness);
        const SpinLoops spins = find_spin_loops(f_, cfg);
        out_.registers = where_.registers;
        out_.predicates = where_.predicates;
        out_.frame_bytes = static_cast<u32>(
            ceil_div(u64{where_.frame_registers} * kRegisterBytes + u64{where_.predicates} * 4, 128) * 128);
        out_.spins = spins.any;

        std::vector<u8> meets(cfg.blocks.size());
        for (u32 b = 0; b < cfg.blocks.size(); ++b) {
            const IrInst& last = f_.insts[cfg.blocks[b].end - 1];
            const bool diverges =
                (last.control == Control::branch || last.control == Control::branch_index) &&
                cfg.blocks[b].successors.size() > 1;
            if (diverges && cfg.ipdom[b] != Cfg::kNoBlock) meets[cfg.ipdom[b]] = 1;
        }
        std::vector<u32> start(cfg.blocks.size());
        std::vector<std::pair<u32, u32>> branches;  // operation, instruction
        for (u32 b = 0; b < cfg.blocks.size(); ++b) {
            start[b] = static_cast<u32>(out_.ops.size());
            if (meets[b] != 0) {
                Op& op = out_.ops.emplace_back();
                op.control = Control::reconverge;
                op.line = f_.insts[cfg.blocks[b].first].line;
            }
            for (u32 k = cfg.blocks[b].first; k < cfg.blocks[b].end; ++k) {
                const IrInst& i = f_.insts[k];
                if (i.dead || where_.coalesced[k] != 0) continue;
                if (i.control == Control::jump && cfg.block_of[i.index] == b + 1) continue;
                if (i.fence_before) order(i);
                const u32 at = static_cast<u32>(out_.ops.size());
                operation(i);
                Op& op = out_.ops[at];
                if (spins.look[k] != 0) op.flags |= kSpinLook;
                if (i.control == Control::jump || i.control == Control::branch ||
                    i.control == Control::branch_index) {
                    branches.emplace_back(at, k);
                    if (i.control != Control::branch_index && i.index <= k) {
                        op.flags |= kAnyLoop;
                        if (spins.branch[k] != 0) op.flags |= kSpinBranch;
                        op.ext = static_cast<u32>(out_.live_at.size());
                        auto& live = out_.live_at.emplace_back();
                        for (u32 r : liveness.live_in(cfg.block_of[i.index])) {
                            const Width w = f_.registers[r].width;
                            live.push_back({place(make_ref(RefKind::reg, r)), w == Width::w64   ? 8u
                                                                              : w == Width::w32 ? 4u
                                                                                                : 0u});
                        }
                    }
                }
                if (i.fence_after) order(i);
                if (i.control == Control::call_indirect) {  // lanes with different targets meet after it
                    Op& meet = out_.ops.emplace_back();
                    meet.control = Control::reconverge;
                    meet.line = i.line;
                }
            }
        }
        for (const auto& [at, k] : branches) {
            Op& op = out_.ops[at];
            const u32 b = cfg.block_of[k];
            if (op.control == Control::branch_index)
                for (u32& target : out_.tables[op.target]) target = start[cfg.block_of[target]];
            else
                op.target = start[cfg.block_of[f_.insts[k].index]];
            op.rpc = cfg.ipdom[b] == Cfg::kNoBlock ? kNoOperand : start[cfg.ipdom[b]];
        }
        finish();
        return std::move(out_);
    }

  private:
    u32 place(Ref r) const {
        if (r == kNoRef) return kNoOperand;
        const u32 n = ref_index(r);
        switch (ref_kind(r)) {
            case RefKind::constant:
                return operand_ref(Area::constants, n * kSlotBytes);
            case RefKind::launch:
                return operand_ref(Area::launch, n * kSlotBytes);
            default:
                break;
        }
        u32 at = where_.place[n];
        if (at == Allocation32::kUnplaced) at = 0;  // never live: nobody reads it
        if (f_.registers[n].width == Width::pred)
            return operand_ref(Area::frame, where_.frame_registers * kRegisterBytes + at * 4);
        return operand_ref(Area::frame, at * kRegisterBytes);
    }

    /// The stream's number of a register: predicates follow the others.
    u16 stream_register(Ref r) const {
        if (!is_reg(r) || where_.number[ref_index(r)] == Allocation32::kUnplaced)
            return StaticInst::kNoRegister;
        const u32 at = where_.number[ref_index(r)];
        return static_cast<u16>(f_.registers[ref_index(r)].width == Width::pred ? where_.registers + at : at);
    }

    StaticInst& static_inst(OpClass op) {
        StaticInst& s = out_.static_insts.emplace_back();
        s.pc = (out_.static_insts.size() - 1) * kInstructionBytes;
        s.op = op;
        return s;
    }

    void order(const IrInst& i) {
        Op& op = out_.ops.emplace_back();
        op.line = i.line;
        op.rec = static_cast<u32>(out_.static_insts.size());
        op.rec_count = 1;
        op.fn = find_handler({.op = Operation::nothing});
        set_guard(op, i);
        static_inst(OpClass::fence);
    }

    void set_guard(Op& op, const IrInst& i) {
        op.guard = place(i.guard);
        op.guard_negated = i.guard_negated;
    }

    void registers_of(StaticInst& s, const IrInst& i) {
        std::size_t n = 0;
        u32 width = 1;
        for (u32 d = 0; d < i.dst_count && n < s.dst.size(); ++d) {
            const u16 r = stream_register(i.dst[d]);
            if (r == StaticInst::kNoRegister) continue;
            const u32 own = f_.registers[ref_index(i.dst[d])].width == Width::w64 ? 2 : 1;
            if (n > 0 && r == s.dst[0] + width) {  // neighbors: one wide destination
                width += own;
                continue;
            }
            if (n == 0) width = own;
            s.dst[n++] = r;
        }
        s.dst_width = static_cast<u8>(width);
        n = 0;
        for (Ref r : i.stream_sources) {
            const u16 number = stream_register(r);
            if (number == StaticInst::kNoRegister || n == s.src.size()) continue;
            bool seen = false;
            for (std::size_t k = 0; k < n; ++k) seen |= s.src[k] == number;
            if (!seen) s.src[n++] = number;
        }
    }

    /// The instructions that the stream shows: the first reads the sources, the others follow it.
    void record(Op& op, const IrInst& i) {
        op.rec = static_cast<u32>(out_.static_insts.size());
        op.rec_count = i.cost.count;
        if (i.cost.count == 0) return;
        if (i.mem != MemOp::none) return record_memory(op, i);
        for (u32 k = 0; k < i.cost.count; ++k) {
            StaticInst& s = static_inst(k == 0 ? i.cost.op : i.cost.rest);
            registers_of(s, i);
            if (k > 0) {
                s.src.fill(StaticInst::kNoRegister);
                s.src[0] = s.dst[0];
            }
            s.async_role = i.async_role;
            s.async_keep = i.async_keep;
            if (i.control == Control::barrier) {
                s.barrier_id = i.barrier_id;
                s.barrier_warps = i.barrier_warps;
                s.barrier_arrive_only = i.arrive_only;
            }
        }
    }

    void record_memory(Op& op, const IrInst& i) {
        static constexpr MemSpace kVariants[]{MemSpace::global, MemSpace::shared, MemSpace::local};
        op.memory = true;
        for (u32 v = 0; v < (i.variants ? 3u : 1u); ++v) {
            StaticInst& s = static_inst(OpClass::memory);
            registers_of(s, i);
            s.mem = i.mem;
            s.space = i.variants ? kVariants[v] : i.key.space;
            s.access_bytes = i.access_bytes;
            s.bypass_l1 = i.bypass_l1 && s.space == MemSpace::global;
        }
    }

    void operation(const IrInst& i) {
        Op& op = out_.ops.emplace_back();
        op.line = i.line;
        op.control = i.control;
        op.imm = i.imm;
        op.sub = i.sub;
        op.sub2 = i.sub2;
        op.count = i.count;
        op.flags = i.flags;
        if (i.strong) op.flags |= kStrong;
        if (i.one_address) op.flags |= kOneAddress;
        if (i.mem == MemOp::store || i.mem == MemOp::atomic || i.mem == MemOp::reduction) op.flags |= kWrites;
        set_guard(op, i);
        switch (i.control) {
            case Control::none:
            case Control::warp_barrier:
                op.fn = find_handler(i.key);
                break;
            case Control::branch_index:
                op.a = place(i.src[0]);
                op.target = static_cast<u32>(out_.tables.size());
                out_.tables.push_back(f_.tables[i.index]);
                break;
            case Control::call:
            case Control::call_indirect:
                op.a = place(i.src[0]);
                op.ext = call_site(f_.calls[i.index]);
                break;
            case Control::unsupported:
                op.ext = static_cast<u32>(out_.messages.size());
                out_.messages.push_back(unsupported_[i.index].what);
                break;
            default:
                break;
        }
        operands(op, i);
        record(op, i);
        const bool global = i.key.space == MemSpace::none || i.key.space == MemSpace::global;
        if (i.strong && i.mem != MemOp::none && global && (i.mem == MemOp::load || i.mem == MemOp::atomic))
            out_.interacts = true;
    }

    void operands(Op& op, const IrInst& i) {
        auto list = [&](const Ref* refs, u32 n) {
            op.ext = static_cast<u32>(out_.extra.size());
            for (u32 k = 0; k < n; ++k) out_.extra.push_back(place(refs[k]));
        };
        switch (i.key.op) {
            case Operation::load:
                op.a = place(i.src[0]);
                op.dst = place(i.dst[0]);
                if (i.count > 1) list(i.dst.data(), i.count);
                return;
            case Operation::store:
                op.a = place(i.src[0]);
                op.dst = place(i.src[1]);
                if (i.count > 1) list(i.src.data() + 1, i.count);
                return;
            case Operation::pack:
                op.dst = place(i.dst[0]);
                return list(i.src.data(), i.count);
            case Operation::unpack:
                op.a = place(i.src[0]);
                return list(i.dst.data(), i.count);
            case Operation::texture:
                op.a = place(i.src[0]);
                list(i.dst.data(), 4);
                for (u32 k = 1; k < i.src_count; ++k) out_.extra.push_back(place(i.src[k]));
                op.target = i.index;
                return;
            case Operation::matrix:
                list(i.dst.data(), i.dst_count);
                for (u32 k = 0; k < i.src_count; ++k) out_.extra.push_back(place(i.src[k]));
                op.target = i.index;
                return;
            case Operation::copy_async:
            case Operation::surface_address:
            case Operation::texture_query:
                op.target = i.index;
                break;
            default:
                break;
        }
        if (i.control != Control::none && i.control != Control::warp_barrier &&
            i.control != Control::barrier && i.control != Control::sleep)
            return;
        op.dst = place(i.dst[0]);
        op.a = place(i.src[0]);
        op.b = place(i.src[1]);
        op.c = place(i.src[2]);
        if (i.src_count == 4) op.ext = place(i.src[3]);
        if (i.control == Control::warp_barrier) op.target = place(i.dst[1]);
    }

    u32 call_site(const IrCall& c) {
        CallSite site;
        site.line = c.line;
        if (c.name != ast::kNone) site.callee = std::string(out_.unit->names[c.name]);
        auto slots = [&](const std::vector<IrCall::Value>& from, std::vector<ParamSlot>& to) {
            for (const auto& v : from) to.push_back({v.bytes, v.local_offset, place(v.ref)});
        };
        slots(c.args, site.args);
        slots(c.returns, site.returns);
        out_.calls.push_back(std::move(site));
        return static_cast<u32>(out_.calls.size() - 1);
    }

    void finish() {
        for (const auto& v : f_.params) out_.params.push_back({v.bytes, v.local_offset, place(v.ref)});
        for (const auto& v : f_.returns) out_.returns.push_back({v.bytes, v.local_offset, place(v.ref)});
        out_.constants = f_.constants;
        out_.launch_values = f_.launch_values;
        for (u32 k = 0; k < out_.launch_values.size(); ++k) out_.launch_values[k].slot = k * kSlotBytes;
        out_.local_bytes = f_.local_bytes;
        out_.shared_bytes = f_.shared_bytes;
        out_.shared_align = f_.shared_align;
        out_.uses_dynamic_shared = f_.uses_dynamic_shared;
        out_.calls_indirect = f_.calls_indirect;
    }

    const std::vector<Unsupported>& unsupported_;
    IrFunction f_;
    FunctionCode out_;
    Allocation32 where_;
};

constexpr u32 kMostLoading = 24;   // registers that wait for loads at once, where there are enough
constexpr u32 kMostAttempts = 24;  // at spilling enough

/// Compiles one function, if need be several times.
class Fitter {
  public:
    Fitter(const ast::Unit& unit, const ast::Function& function) : unit_(unit), function_(function) {}

    IrFunction prepare(u32 most_loading, const Spilled& spilled) {
        unsupported_.clear();
        Lowering lowering(unit_, function_, unsupported_);
        IrFunction f = lowering.run();
        virtual_registers_ = f.registers.size();
        if (function_.is_entry) fold_exits(f);
        optimise(f, spilled);
        schedule_loads(f, most_loading);
        return f;
    }
    FunctionCode compile(IrFunction f) { return Emitter(unit_, std::move(f), unsupported_).run(); }

    FunctionCode fit(FunctionCode best, u32 most_registers) {
        auto take = [&](FunctionCode code) {
            if (code.registers < best.registers) best = std::move(code);
            return best.registers <= most_registers;
        };
        for (u32 loading = kMostLoading / 3; loading != 0; loading /= 3)
            if (take(compile(prepare(loading, {})))) return best;
        Spilled spilled(virtual_registers_);
        for (u32 attempt = 0; attempt < kMostAttempts; ++attempt) {
            IrFunction f = prepare(1, spilled);
            if (attempt != 0 && take(compile(f))) return best;
            const Cfg cfg(f);
            const Liveness liveness(f, cfg);
            // Pieces of spilled values and pairs of registers need some room beside those that are live.
            const u32 room = attempt + 1;
            if (!choose_spills(f, cfg, liveness, most_registers > room ? most_registers - room : 0,
                               spilled) &&
                room >= most_registers)
                break;
        }
        return best;
    }

    const std::vector<Unsupported>& unsupported() const { return unsupported_; }

  private:
    const ast::Unit& unit_;
    const ast::Function& function_;
    std::vector<Unsupported> unsupported_;
    std::size_t virtual_registers_ = 0;
};

}  // namespace

FunctionCode compile_function(const ast::Unit& unit, const ast::Function& function,
                              std::vector<Unsupported>& unsupported, u32 most_registers) {
    Fitter fitter(unit, function);
    FunctionCode code = fitter.compile(fitter.prepare(kMostLoading, {}));
    if (code.registers > most_registers) code = fitter.fit(std::move(code), most_registers);
    unsupported.insert(unsupported.end(), fitter.unsupported().begin(), fitter.unsupported().end());
    return code;
}

}  // namespace heddle::ptx
