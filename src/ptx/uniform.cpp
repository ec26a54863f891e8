#include "ptx/uniform.h"

#include "ptx/optimise.h"

namespace heddle::ptx {
namespace {

bool is_uniform_special(u8 sub) {
    switch (static_cast<ast::Special>(sub)) {
        case ast::Special::ctaid_x:
        case ast::Special::ctaid_y:
        case ast::Special::ctaid_z:
        case ast::Special::warpid:
        case ast::Special::smid:
            return true;
        default:
            return false;
    }
}

/// Does the instruction give every lane the same if its sources are the same, and the same each time?
bool is_pure(const IrInst& i) {
    if (i.control != Control::none) return false;
    if (i.key.op == Operation::load) return i.key.space == MemSpace::constant;
    if (i.effect) return false;
    switch (i.key.op) {
        case Operation::special:
            return is_uniform_special(i.sub);
        case Operation::add_cc:
        case Operation::addc:
        case Operation::sub_cc:
        case Operation::subc:
        case Operation::mad_lo_cc:
        case Operation::mad_hi_cc:
        case Operation::madc_lo:
        case Operation::madc_hi:
            return false;
        case Operation::cvta_shared_to:
        case Operation::cvta_to_shared:
            return true;
        default:
            return i.key.op < Operation::special;
    }
}

/// Registers that hold one value, the same in all lanes, from their only definition on: made of constants, parameters and the
/// CTA's place alone. A register with two definitions may differ between lanes that came by different ways.
class UniformRegisters {
  public:
    explicit UniformRegisters(IrFunction& f) : uniform_(f.registers.size(), false) {
        std::vector<u32> definitions(f.registers.size());
        for (const auto& p : f.params)
            if (is_reg(p.ref)) ++definitions[ref_index(p.ref)];
        // Dead definitions count too: that can only hide a uniform register.
        for (const IrInst& i : f.insts)
            for (u32 d = 0; d < i.dst_count; ++d)
                if (i.dst[d] != kNoRef) ++definitions[ref_index(i.dst[d])];
        for (const IrCall& call : f.calls)
            for (const auto& value : call.returns)
                if (is_reg(value.ref)) definitions[ref_index(value.ref)] += 2;
        // Definitions stand before uses, but for odd orders of blocks: what these hide stays separate.
        constexpr int kPasses = 3;
        for (int pass = 0; pass < kPasses; ++pass)
            for (IrInst& i : f.insts) {
                if (i.dead || i.guard != kNoRef || !is_pure(i)) continue;
                bool all = true;
                for_each_use(f, i, [&](Ref& r) { all &= has(r); });
                for (u32 d = 0; d < i.dst_count; ++d)
                    if (i.dst[d] != kNoRef && definitions[ref_index(i.dst[d])] == 1)
                        uniform_[ref_index(i.dst[d])] = all;
            }
    }
    bool has(Ref r) const { return r != kNoRef && (!is_reg(r) || uniform_[ref_index(r)]); }

  private:
    std::vector<bool> uniform_;
};

/// Can the lanes' operands become one? Any 32-bit integers can; of 64 bits only a value that is the same in all lanes, which
/// then is multiplied. Sums of floats depend on the order.
bool combines(const IrInst& i, const UniformRegisters& uniform) {
    const Type t = i.key.type;
    if (is_float(t) || type_bytes(t) < 4 || t == Type::f16x2 || t == Type::bf16x2) return false;
    switch (static_cast<Atomic>(i.sub)) {
        case Atomic::add:
        case Atomic::min:
        case Atomic::max:
        case Atomic::and_:
        case Atomic::or_:
        case Atomic::xor_:
            return type_bytes(t) == 4 || uniform.has(i.src[1]);
        default:
            return false;
    }
}

}  // namespace

void find_uniform_reductions(IrFunction& f) {
    bool any = false;
    for (const IrInst& i : f.insts) any |= !i.dead && i.mem == MemOp::reduction;
    if (!any) return;
    const UniformRegisters uniform(f);
    for (IrInst& i : f.insts)
        if (!i.dead && i.mem == MemOp::reduction && uniform.has(i.src[0]))
            i.one_address = combines(i, uniform);
}

}  // namespace heddle::ptx
