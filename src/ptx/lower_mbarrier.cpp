// mbarrier objects (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"): 64 bits in shared memory
// that count arrivals and bytes. Arrivals are atomic operations on them (lanes/atomic.cpp has their fields); a test is a
// load, so that a loop around it waits like any other.

#include "ptx/lower.h"

namespace heddle::ptx {

using namespace ast;

namespace {

// Of a state, which is what the object held before the arrival.
constexpr u64 kPendingBits = 20;

}  // namespace

/// A 32-bit number in 64 bits.
Ref Lowering::wide_value(const Operand& o) {
    if (o.kind == OperandKind::integer) return constant(o.value, Width::w64);
    return resized(value(o, Type::u32), Type::u64);
}

/// `count` and `bytes` are what the operation of lanes/atomic.cpp takes.
void Lowering::change_mbarrier(Atomic op, std::size_t at, const Operand* state, Ref count, Ref bytes) {
    Space space =
        has("shared") || has("shared::cta") || has("shared::cluster") ? Space::shared : Space::generic;
    const Address a = address(operand(at), space);
    const Ref d =
        state == nullptr || state->kind == OperandKind::sink ? kNoRef : destination(*state, Type::b64);
    change_memory(op, Type::b64, memory_space(space), a, count, bytes, d);
}

/// mbarrier.{test_wait, try_wait}: whether the phase is over that a state or a parity stands for.
void Lowering::wait_mbarrier() {
    need_operands(3, 4);  // the last: how long a warp may sleep
    Space space = has("shared") || has("shared::cta") ? Space::shared : Space::generic;
    const Address a = address(operand(1), space);
    const Ref word = new_register(Width::w64);
    IrInst& load =
        plain_access(MemOp::load, Type::b64, a.base, a.wide, a.offset, memory_space(space), &word, 1);
    load.strong = true;
    Ref phase = kNoRef;  // in the highest bit
    if (has("parity")) {
        phase = new_register(Width::w64);
        emit(Operation::shl, Type::b64, {phase}, {wide_value(operand(2)), constant(63, Width::w32)});
        require(out_.insts.back().key);
    } else {
        phase = value(2, Type::b64);
    }
    const Ref both = new_register(Width::w64);
    emit(Operation::xor_, Type::b64, {both}, {word, phase});
    require(out_.insts.back().key);
    compare_into(destination(0, Type::pred), Compare::lt, Type::s64, both, constant(0, Width::w64));
}

void Lowering::mbarrier() {
    const Ref none = constant(0, Width::w64), one = constant(1, Width::w64);
    if (has("inval")) return nothing();
    if (has("test_wait") || has("try_wait")) return wait_mbarrier();
    if (has("pending_count")) {
        need_operands(2, 2);
        const Ref pending = new_register(Width::w64), to = destination(0, Type::b32);
        emit(Operation::bfe, Type::u64, {pending},
             {value(1, Type::b64), constant(kPendingBits, Width::w32), constant(kPendingBits, Width::w32)});
        require(out_.insts.back().key);
        IrInst& inst = emit(Operation::cvt, Type::u32, {to}, {pending});
        inst.key.from = Type::u64;
        return;
    }
    if (has("init")) {
        need_operands(2, 2);
        return change_mbarrier(Atomic::mbarrier_init, 0, nullptr, wide_value(operand(1)), none);
    }
    const bool arrives = has("arrive") || has("arrive_drop");
    if (!arrives) {
        need_operands(2, 2);
        const Ref bytes = wide_value(operand(1));
        return change_mbarrier(has("complete_tx") ? Atomic::mbarrier_complete : Atomic::mbarrier_arrive, 0,
                               nullptr, none, bytes);
    }
    need_operands(2, 3);
    const bool given = operand_count() == 3;
    const Ref number = given ? wide_value(operand(2)) : one;
    const Atomic op = has("arrive_drop") ? Atomic::mbarrier_drop : Atomic::mbarrier_arrive;
    if (has("expect_tx"))
        change_mbarrier(op, 1, &operand(0), one, given ? number : none);
    else
        change_mbarrier(op, 1, &operand(0), number, none);
}

/// cp.async.mbarrier.arrive: the copies issued before count as one arrival. They have happened; in the stream the thread
/// waits for them here. Without .noinc the arrival is one more than what the object expects, so nothing changes.
void Lowering::arrive_after_copies() {
    need_operands(1, 1);
    for (const AsyncRole role : {AsyncRole::commit, AsyncRole::wait}) {
        IrInst& inst = emit(Operation::nothing, Type::none, {}, {});
        inst.effect = true;
        inst.cost = {OpClass::other, 1, OpClass::other};
        inst.async_role = role;
    }
    if (has("noinc"))
        change_mbarrier(Atomic::mbarrier_arrive, 0, nullptr, constant(1, Width::w64),
                        constant(0, Width::w64));
}

/// mapa: the address of another CTA's shared memory, which is this one's: it is alone in its cluster.
void Lowering::cluster_address() {
    need_operands(3, 3);
    const Type t = type();
    emit(Operation::mov, t, {destination(0, t)}, {value(1, t)});
}

/// getctarank: the CTA of a shared address.
void Lowering::cluster_rank() {
    need_operands(2, 2);
    emit(Operation::mov, Type::b32, {destination(0, Type::b32)}, {constant(0, Width::w32)});
}

/// createpolicy: hints to the cache, which has policies of its own.
void Lowering::create_policy() {
    need_operands(1, 4);
    emit(Operation::mov, Type::b64, {destination(0, Type::b64)}, {constant(0, Width::w64)});
}

}  // namespace heddle::ptx
