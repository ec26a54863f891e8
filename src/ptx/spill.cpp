#include "ptx/spill.h"

#include <algorithm>

#include "ptx/optimise.h"

namespace heddle::ptx {

namespace {

constexpr u32 kSlotAlign = 16, kLoopWeight = 8, kDeepestLoop = 5;
constexpr u32 kNone = 0xffffffff;

u32 span_of(const VirtualRegister& r) {
    return r.width == Width::pred ? 0 : r.width == Width::w64 ? 2 : 1;
}

/// Can the instruction be executed again wherever its result is read?
bool makes_constant(const IrInst& i) {
    if (i.control != Control::none || i.guard != kNoRef || i.dst_count != 1 || i.effect ||
        i.mem != MemOp::none || i.key.op == Operation::load || i.key.op == Operation::store)
        return false;
    for (u32 k = 0; k < i.src_count; ++k)
        if (is_reg(i.src[k])) return false;
    return true;
}

/// How often, by block, as far as loops tell.
std::vector<u32> weights(const IrFunction& f, const Cfg& cfg) {
    std::vector<u32> depth(cfg.blocks.size(), 0), weight(cfg.blocks.size(), 1);
    for (u32 k = 0; k < f.insts.size(); ++k) {
        const IrInst& i = f.insts[k];
        if ((i.control != Control::jump && i.control != Control::branch) || i.index > k) continue;
        const u32 header = cfg.block_of[i.index], latch = cfg.block_of[k];
        std::vector<u32> body = cfg.loop(latch, header);
        if (body.empty())
            for (u32 b = header; b <= latch; ++b) body.push_back(b);
        for (u32 b : body) ++depth[b];
    }
    for (std::size_t b = 0; b < depth.size(); ++b)
        for (u32 d = 0; d < std::min(depth[b], kDeepestLoop); ++d) weight[b] *= kLoopWeight;
    return weight;
}

/// Registers live at each position, and how many positions before it have more than the target.
struct Pressure {
    std::vector<u32> live, crowded;

    Pressure(const IrFunction& f, const Liveness& liveness, u32 target)
        : live(2 * f.insts.size() + 2), crowded(2 * f.insts.size() + 3) {
        for (u32 r = 0; r < f.registers.size(); ++r)
            for (const Segment& s : liveness.segments()[r])
                for (u32 p = s.begin; p < s.end; ++p) live[p] += span_of(f.registers[r]);
        for (std::size_t p = 0; p < live.size(); ++p) crowded[p + 1] = crowded[p] + (live[p] > target);
    }
    u32 crowded_in(const std::vector<Segment>& segments) const {
        u32 n = 0;
        for (const Segment& s : segments) n += crowded[s.end] - crowded[s.begin];
        return n;
    }
};

struct Candidate {
    u32 reg = 0;
    u64 cost = 0;  // for each 1,024 crowded positions
};

}  // namespace

bool choose_spills(IrFunction& f, const Cfg& cfg, const Liveness& liveness, u32 target, Spilled& spilled) {
    const std::vector<u32> weight = weights(f, cfg);
    std::vector<u64> cost(spilled.size(), 0);
    std::vector<u32> accesses(spilled.size(), 0);
    std::vector<u8> fixed = spilled;
    auto fix = [&](Ref r) {
        if (is_reg(r) && ref_index(r) < fixed.size()) fixed[ref_index(r)] = 1;
    };
    // What passes between functions stands where both know it.
    for (const auto& v : f.params) fix(v.ref);
    for (const auto& v : f.returns) fix(v.ref);
    for (const IrCall& c : f.calls)
        for (const auto& v : c.returns) fix(v.ref);
    for (u32 k = 0; k < f.insts.size(); ++k) {
        IrInst& i = f.insts[k];
        if (i.dead) continue;
        auto count = [&](Ref r) {
            if (!is_reg(r) || ref_index(r) >= cost.size()) return;
            cost[ref_index(r)] += weight[cfg.block_of[k]];
            ++accesses[ref_index(r)];
        };
        for_each_use(f, i, [&](Ref& r) { count(r); });
        for (u32 d = 0; d < i.dst_count; ++d) count(i.dst[d]);
    }
    Pressure pressure(f, liveness, target);
    std::vector<Candidate> candidates;
    for (u32 r = 0; r < spilled.size(); ++r) {
        const u32 crowded = pressure.crowded_in(liveness.segments()[r]);
        // A value that is only passed on to the next instruction gains nothing.
        if (fixed[r] != 0 || f.registers[r].width == Width::pred || crowded <= 2 * accesses[r]) continue;
        candidates.push_back({r, cost[r] * 1024 / crowded / span_of(f.registers[r])});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.reg < b.reg;
    });
    bool any = false;
    for (const Candidate& c : candidates) {
        const auto& segments = liveness.segments()[c.reg];
        bool crowded = false;
        for (const Segment& s : segments)
            for (u32 p = s.begin; p < s.end && !crowded; ++p) crowded = pressure.live[p] > target;
        if (!crowded) continue;
        for (const Segment& s : segments)
            for (u32 p = s.begin; p < s.end; ++p) pressure.live[p] -= span_of(f.registers[c.reg]);
        spilled[c.reg] = 1;
        any = true;
    }
    return any;
}

namespace {

class Inserter {
  public:
    Inserter(IrFunction& f, const Spilled& spilled)
        : f_(f), spilled_(spilled), slot_(spilled.size(), kNone) {}

    void run() {
        find_constants();
        std::vector<u32> begins(f_.insts.size() + 1);
        for (u32 k = 0; k < f_.insts.size(); ++k) {
            begins[k] = static_cast<u32>(out_.size());
            instruction(std::move(f_.insts[k]));
        }
        begins.back() = static_cast<u32>(out_.size());
        // A jump to an instruction goes to the loads in front of it.
        for (IrInst& i : out_)
            if (i.control == Control::jump || i.control == Control::branch) i.index = begins[i.index];
        for (auto& table : f_.tables)
            for (u32& target : table) target = begins[target];
        f_.insts = std::move(out_);
        f_.local_bytes = static_cast<u32>(ceil_div(f_.local_bytes, kSlotAlign) * kSlotAlign);
    }

  private:
    bool is_spilled(Ref r) const {
        return is_reg(r) && ref_index(r) < spilled_.size() && spilled_[ref_index(r)];
    }

    void find_constants() {
        maker_.assign(spilled_.size(), kNone);
        std::vector<u32> definitions(spilled_.size(), 0);
        for (u32 k = 0; k < f_.insts.size(); ++k) {
            const IrInst& i = f_.insts[k];
            if (i.dead) continue;
            for (u32 d = 0; d < i.dst_count; ++d) {
                if (!is_spilled(i.dst[d])) continue;
                const u32 r = ref_index(i.dst[d]);
                maker_[r] = ++definitions[r] == 1 && makes_constant(i) ? k : kNone;
            }
        }
        for (u32 k : maker_)
            if (k != kNone) makers_.push_back(f_.insts[k]);
        for (u32 r = 0, next = 0; r < maker_.size(); ++r)
            if (maker_[r] != kNone) maker_[r] = next++;
    }

    Ref fresh(Ref like) {
        f_.registers.push_back(f_.registers[ref_index(like)]);
        return make_ref(RefKind::reg, static_cast<u32>(f_.registers.size() - 1));
    }

    /// A spilled value in the register that holds it around one instruction.
    struct Piece {
        Ref value, held;
    };

    void instruction(IrInst&& i) {
        if (i.dst_count == 1 && is_spilled(i.dst[0]) && maker_[ref_index(i.dst[0])] != kNone) i.dead = true;
        if (i.dead) {
            out_.push_back(std::move(i));
            return;
        }
        std::vector<Piece> pieces;
        auto held = [&](Ref value) {
            for (const Piece& p : pieces)
                if (p.value == value) return p.held;
            const Ref to = fresh(value);
            fill(value, to, i.line);
            pieces.push_back({value, to});
            return to;
        };
        for_each_use(f_, i, [&](Ref& r) {
            if (is_spilled(r)) r = held(r);
        });
        for (Ref& r : i.stream_sources) {
            if (!is_spilled(r)) continue;
            const auto p =
                std::find_if(pieces.begin(), pieces.end(), [&](const Piece& q) { return q.value == r; });
            r = p == pieces.end() ? kNoRef : p->held;
        }
        std::erase(i.stream_sources, kNoRef);
        std::vector<Piece> written;
        for (u32 d = 0; d < i.dst_count; ++d) {
            if (!is_spilled(i.dst[d])) continue;
            // Lanes that a guard switches off keep what was there.
            const Piece p{i.dst[d], i.guard == kNoRef ? fresh(i.dst[d]) : held(i.dst[d])};
            i.dst[d] = p.held;
            written.push_back(p);
        }
        const u32 line = i.line;
        out_.push_back(std::move(i));
        for (const Piece& p : written) keep(p.value, p.held, line);
    }

    /// The access of a value's slot, without its register.
    IrInst access(Operation op, Ref value, u32 line) {
        const u32 r = ref_index(value), bytes = f_.registers[r].width == Width::w64 ? 8 : 4;
        if (slot_[r] == kNone) {
            slot_[r] = static_cast<u32>(ceil_div(f_.local_bytes, bytes) * bytes);
            f_.local_bytes = slot_[r] + bytes;
        }
        IrInst i;
        i.line = line;
        i.effect = true;
        i.key.op = op;
        i.key.type = i.key.from = bytes == 8 ? Type::b64 : Type::b32;
        i.key.space = MemSpace::local;
        i.mem = op == Operation::load ? MemOp::load : MemOp::store;
        i.access_bytes = static_cast<u8>(bytes);
        i.cost = {OpClass::memory, 1, OpClass::memory};
        i.src[i.src_count++] = slot_address(slot_[r], line);
        return i;
    }

    Ref slot_address(u32 offset, u32 line) {
        if (f_.ast->is_entry) {
            Constant c;
            c.value = offset;
            f_.constants.push_back(c);
            return make_ref(RefKind::constant, static_cast<u32>(f_.constants.size() - 1));
        }
        f_.registers.push_back({Width::w32});
        IrInst i;
        i.line = line;
        i.key.op = Operation::local_address;
        i.key.type = Type::b32;
        i.imm = offset;
        i.cost.count = 0;
        const Ref r = make_ref(RefKind::reg, static_cast<u32>(f_.registers.size() - 1));
        i.dst[i.dst_count++] = r;
        out_.push_back(i);
        return r;
    }

    void fill(Ref value, Ref to, u32 line) {
        const u32 maker = maker_[ref_index(value)];
        IrInst i = maker != kNone ? makers_[maker] : access(Operation::load, value, line);
        if (maker != kNone) i.dst_count = 0;
        i.dst[i.dst_count++] = to;
        out_.push_back(std::move(i));
    }

    void keep(Ref value, Ref from, u32 line) {
        IrInst i = access(Operation::store, value, line);
        i.src[i.src_count++] = from;
        out_.push_back(std::move(i));
    }

    IrFunction& f_;
    const Spilled& spilled_;
    std::vector<u32> slot_;   // by register: offset in local memory
    std::vector<u32> maker_;  // by register: in makers_
    std::vector<IrInst> makers_;
    std::vector<IrInst> out_;
};

}  // namespace

void insert_spills(IrFunction& f, const Spilled& spilled) {
    if (std::find(spilled.begin(), spilled.end(), u8{1}) != spilled.end()) Inserter(f, spilled).run();
}

}  // namespace heddle::ptx
