// A warp's turn: operations until it ends, waits, or has had its share.

#include <algorithm>
#include <cstring>

#include "ptx/divergence.h"
#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

constexpr u32 kMaxLocalBytes = 512 * 1024;
constexpr u64 kMaxFrameBytes = u64{256} << 20;
constexpr u32 kInfiniteLoop = 1u << 16;  // iterations after which any loop is watched

}  // namespace

void Execution::Impl::activate(Warp& w) {
    const Split& top = w.splits.back();
    const Activation& call = w.calls[top.call];
    LinkedFunction& f = code.functions[call.function];
    w.active = top.mask;
    w.base = {w.frame_memory.data() + call.frame, f.constants.data(), launch_areas[call.function].data()};
    w.extra = f.code->extra.data();
    w.local_base = call.local;
    w.rec_base = rec_base[call.function];
}

/// The running split enters a function; the caller's state is in its activation.
void Execution::Impl::enter(Warp& w, u32 function, u32 site, u32 return_pc) {
    Split& top = w.splits.back();
    const u32 parent = top.call;
    const FunctionCode& caller = *code.functions[w.calls[parent].function].code;
    const FunctionCode& callee = *code.functions[function].code;
    Activation a;
    a.function = function;
    a.frame = w.calls[parent].frame + caller.frame_bytes;
    a.local = w.calls[parent].local + caller.local_bytes;
    a.parent = parent;
    a.return_pc = return_pc;
    a.site = site;
    a.users = 1;
    const u64 frame_end = u64{a.frame} + callee.frame_bytes;
    const u32 local_end = a.local + callee.local_bytes;
    if (local_end > kMaxLocalBytes || frame_end > kMaxFrameBytes)
        fault(DeviceFault::Kind::stack_overflow, w, callee.line, static_cast<u32>(__builtin_ctz(w.active)),
              "stack overflow calling '" + callee.name + "': " + std::to_string(local_end) +
                  " bytes of local memory a thread");
    if (frame_end > w.frame_memory.size()) w.frame_memory.resize(frame_end);
    if (local_end > w.local_bytes) {
        w.local_bytes = local_end;
        w.local_memory.resize(u64{local_end} * kLanes);
        w.local = w.local_memory.data();
    }
    u32 id;
    if (w.free_calls.empty()) {
        id = static_cast<u32>(w.calls.size());
        w.calls.push_back(a);
    } else {
        id = w.free_calls.back();
        w.free_calls.pop_back();
        w.calls[id] = a;
    }
    // The parent keeps the use that the split had of it.
    top.call = id;
    top.pc = 0;
    const u32 mask = top.mask;
    const CallSite& s = caller.calls[site];
    if (s.args.size() != callee.params.size())
        fault(DeviceFault::Kind::trap, w, s.line, static_cast<u32>(__builtin_ctz(mask)),
              "'" + callee.name + "' takes " + std::to_string(callee.params.size()) + " arguments, not " +
                  std::to_string(s.args.size()));
    pass_values(w, s.args, w.calls[parent], callee.params, a, mask);
}

void Execution::Impl::leave(Warp& w) {
    Split& top = w.splits.back();
    const u32 id = top.call;
    const Activation a = w.calls[id];
    const Activation parent = w.calls[a.parent];
    const FunctionCode& callee = *code.functions[a.function].code;
    const CallSite& s = code.functions[parent.function].code->calls[a.site];
    if (s.returns.size() <= callee.returns.size())
        pass_values(w, callee.returns, a, s.returns, parent, top.mask);
    top.call = a.parent;
    top.pc = a.return_pc;
    retain(w, a.parent);
    release_call(w, id);
}

void Execution::Impl::pass_values(Warp& w, const std::vector<ParamSlot>& from, const Activation& from_call,
                                  const std::vector<ParamSlot>& to, const Activation& to_call, u32 mask) {
    auto pointer = [&](u32 ref, const Activation& call) -> std::byte* {
        LinkedFunction& f = code.functions[call.function];
        const u32 offset = ref & 0x3fffffff;
        switch (static_cast<Area>(ref >> 30)) {
            case Area::frame:
                return w.frame_memory.data() + call.frame + offset;
            case Area::constants:
                return f.constants.data() + offset;
            default:
                return launch_areas[call.function].data() + offset;
        }
    };
    const std::size_t n = std::min(from.size(), to.size());
    for (std::size_t k = 0; k < n; ++k) {
        const u32 bytes = std::min(from[k].bytes, to[k].bytes);
        for (u32 lane = 0; lane < kLanes; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            for (u32 at = 0; at < bytes;) {
                // Register values are at most 8 bytes; memory goes word by word, as it is interleaved.
                const u32 step = std::min<u32>(bytes - at, 4 - at % 4);
                std::byte part[4];
                if (from[k].reg != kNoOperand)
                    std::memcpy(part,
                                pointer(from[k].reg, from_call) + lane * (from[k].bytes == 8 ? 8 : 4) + at,
                                step);
                else
                    std::memcpy(part, local_pointer(w, lane, from_call.local + from[k].local_offset + at),
                                step);
                if (to[k].reg != kNoOperand)
                    std::memcpy(pointer(to[k].reg, to_call) + lane * (to[k].bytes == 8 ? 8 : 4) + at, part,
                                step);
                else
                    std::memcpy(local_pointer(w, lane, to_call.local + to[k].local_offset + at), part, step);
                at += step;
            }
        }
    }
}

/// The function that the first active lane calls; `lanes` becomes the lanes that call the same.
u32 Execution::Impl::indirect_target(Warp& w, const Op& op, u32& lanes) {
    u64 target = 0;
    const u32 first = static_cast<u32>(__builtin_ctz(w.active));
    std::memcpy(&target, operand_pointer(w, op.a) + first * 8, 8);
    lanes = 0;
    for (u32 m = w.active; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        u64 v;
        std::memcpy(&v, operand_pointer(w, op.a) + lane * 8, 8);
        if (v == target) lanes |= 1u << lane;
    }
    const u64 id = (target - kFunctionWindow) / 16;
    if (target < kFunctionWindow || id >= code.functions.size() ||
        target != function_address(static_cast<u32>(id)))
        fault(DeviceFault::Kind::illegal_address, w, op.line, first,
              "call through a pointer that does not point to a function");
    return static_cast<u32>(id);
}

/// The running split waits: another one runs, or the warp waits. True: go on there.
bool Execution::Impl::wait(Warp& w) {
    if (!step_aside(w)) return false;
    forget_loops(w);  // a round with other splits' instructions in it can't be taken out
    return true;
}

/// The top changed by a pop: it may be one that waits. True: go on there.
bool Execution::Impl::resume(Warp& w) {
    Split& top = w.splits.back();
    if (top.state == Split::State::spinning || top.state == Split::State::members)
        top.state = Split::State::running;
    if (top.state == Split::State::running || wait(w)) return true;
    barrier_wait(w);
    return false;
}

[[gnu::always_inline]] inline Execution::Impl::Step Execution::Impl::branch(Warp& w, const Op& op, u32 pc,
                                                                            u32 mask) {
    const u32 taken = op.control == Control::jump ? w.active : mask, fallen = w.active & ~taken;
    if (op.control == Control::branch) record_plain(w, op, w.active);
    if (fallen != 0 && taken != 0) {
        w.splits.back().pc = pc;
        diverge(w, op.target, pc + 1, op.rpc, taken, fallen);
        activate(w);  // in the same function
        pc = w.splits.back().pc;
    } else {
        pc = taken != 0 ? op.target : pc + 1;
    }
    if ((op.flags & kAnyLoop) == 0 || pc != op.target) return {pc, Flow::on};
    if (w.loop_branch != &op) {
        w.loop_branch = &op;
        w.loop_count = 0;
    }
    ++w.loop_count;
    if (w.loop_count == kInfiniteLoop) tracking = true;
    const bool watched = (op.flags & kSpinBranch) != 0 || w.loop_count > kInfiniteLoop;
    if (!watched || !loop_repeats(w, op, w.active)) return {pc, Flow::on};
    w.splits.back().pc = pc;
    w.splits.back().state = Split::State::spinning;
    if (wait(w)) return {pc, Flow::elsewhere};
    park(w);
    return {pc, Flow::stop};
}

Execution::Impl::Step Execution::Impl::branch_index(Warp& w, const Op& op, u32 pc, u32 mask) {
    const auto& table = function_of(w).tables[op.target];
    const u32 first = static_cast<u32>(__builtin_ctz(mask)), index = operand_word(w, op.a, first);
    if (index >= table.size())
        fault(DeviceFault::Kind::trap, w, op.line, first,
              "brx.idx: index " + std::to_string(index) + " is beyond its " + std::to_string(table.size()) +
                  " targets");
    u32 same = 0;
    for (u32 m = mask; m != 0; m &= m - 1)
        if (operand_word(w, op.a, static_cast<u32>(__builtin_ctz(m))) == index) same |= m & (~m + 1);
    if (same == w.active) return {table[index], Flow::on};
    // The others execute the branch again.
    w.splits.back().pc = pc;
    const u32 others = w.active & ~same;
    const bool guarded_off = (others & mask) == 0;
    diverge(w, table[index], guarded_off ? pc + 1 : pc, op.rpc, same, others);
    return {pc, Flow::elsewhere};
}

Execution::Impl::Step Execution::Impl::call(Warp& w, const Op& op, u32 pc) {
    u32 lanes = w.active;
    u32 function = 0;
    if (op.control == Control::call_indirect)
        function = indirect_target(w, op, lanes);
    else
        function = code.functions[w.calls[w.splits.back().call].function].callees[op.ext];
    w.splits.back().pc = pc + 1;
    if (lanes != w.active) {
        const u32 rest = w.active & ~lanes;
        w.splits.back().pc = pc;
        // Like a branch that meets after the call: the rest calls next.
        Split& top = w.splits.back();
        Split side = top;
        top.pc = pc + 1;
        side.rpc = pc + 1;
        side.rpc_call = top.call;
        side.mask = rest;
        retain(w, side.call);
        w.splits.push_back(side);
        side.mask = lanes;
        retain(w, side.call);
        w.splits.push_back(side);
    }
    activate(w);
    enter(w, function, op.ext, pc + 1);
    return {pc, Flow::elsewhere};
}

Execution::Impl::Step Execution::Impl::end_lanes(Warp& w, u32 pc, u32 mask) {
    w.splits.back().pc = pc + 1;
    remove_lanes(w, mask);
    if (w.live == 0) {
        w.state = Warp::State::done;
        warp_ended(w);
        return {pc, Flow::stop};
    }
    return {pc, resume(w) ? Flow::elsewhere : Flow::stop};
}

Execution::Impl::Step Execution::Impl::barrier(Warp& w, const Op& op, u32 pc, u32 mask) {
    w.splits.back().pc = pc;
    arrive(w, op, mask);
    if (w.splits.back().state == Split::State::running) return {pc + 1, Flow::on};  // bar.arrive
    if (wait(w)) return {pc, Flow::elsewhere};
    barrier_wait(w);
    return {pc, w.state == Warp::State::ready ? Flow::elsewhere : Flow::stop};
}

Execution::Impl::Step Execution::Impl::warp_barrier(Warp& w, const Op& op, u32 pc, u32 mask) {
    w.splits.back().pc = pc;
    const u32 members = operand_word(w, op.ext, static_cast<u32>(__builtin_ctz(mask)));
    if ((members & w.live & ~mask) != 0 && op.guard == kNoOperand && w.splits.size() > 1) {
        if (join_members(w)) {
            activate(w);
            mask = w.active;
        }
        // Only bar.warp.sync has no result; its lanes may meet from several places.
        const bool barrier = op.dst == kNoOperand;
        if ((members & w.live & ~mask) != 0 && !(barrier && release_members(w, members))) {
            w.splits.back().state = Split::State::members;
            w.splits.back().members = barrier ? members : 0;
            if (wait(w)) return {pc, Flow::elsewhere};
            if (std::any_of(w.splits.begin(), w.splits.end(),
                            [](const Split& s) { return s.state == Split::State::spinning; })) {
                park(w);  // they may still come
                return {pc, Flow::stop};
            }
            w.splits.back().state = Split::State::running;  // nobody else can come: go on alone
        }
    }
    op.fn(w, op, mask);
    return {pc + 1, Flow::on};
}

/// An operation that steers the warp, other than jumps, branches and where these meet.
Execution::Impl::Step Execution::Impl::steer(Warp& w, const Op& op, u32 pc, u32 mask) {
    const bool guarded = op.control != Control::call && op.control != Control::call_indirect &&
                         op.control != Control::ret && op.control != Control::sleep;
    if (guarded && mask == 0) return {pc + 1, Flow::on};
    switch (op.control) {
        case Control::branch_index:
            return branch_index(w, op, pc, mask);
        case Control::call:
        case Control::call_indirect:
            return call(w, op, pc);
        case Control::ret:
            leave(w);
            return {pc, Flow::elsewhere};
        case Control::exit:
            return end_lanes(w, pc, mask);
        case Control::barrier:
            return barrier(w, op, pc, mask);
        case Control::warp_barrier:
            return warp_barrier(w, op, pc, mask);
        case Control::sleep:
            if (mask != 0) w.clock += operand_word(w, op.a, static_cast<u32>(__builtin_ctz(mask)));
            w.splits.back().pc = pc + 1;
            return {pc, Flow::stop};
        case Control::trap:
            fault(DeviceFault::Kind::trap, w, op.line, static_cast<u32>(__builtin_ctz(mask)), "trap");
        default:
            fault(DeviceFault::Kind::unsupported, w, op.line, static_cast<u32>(__builtin_ctz(mask)),
                  "instruction is not supported: " + function_of(w).messages[op.ext]);
    }
}

u64 Execution::Impl::run_warp(Warp& w, u64 budget) {
    activate(w);
    const Op* ops = function_of(w).ops.data();
    u32 pc = w.splits.back().pc;
    u64 ran = 0;
    w.splits.back().state = Split::State::running;
    while (ran < budget) {
        const Op& op = ops[pc];
        ++ran;
        ++w.clock;
        u32 mask = w.active;
        if (op.guard != kNoOperand) {
            const u32 p = operand_word(w, op.guard, 0);
            mask &= op.guard_negated ? ~p : p;
        }
        if (static_cast<std::size_t>(w.out_end - w.out) < kReserveWords && w.out != nullptr) flush(w);
        if (op.control == Control::none) {
            if (op.rec_count != 0 && !op.memory) record_plain(w, op, mask);
            if (mask != 0 || op.memory) op.fn(w, op, mask);
            ++pc;
            continue;
        }
        if (op.rec_count != 0 && op.control != Control::branch) record_plain(w, op, mask);
        Step step;
        switch (op.control) {
            case Control::jump:
            case Control::branch:
                step = branch(w, op, pc, mask);
                break;
            case Control::reconverge: {
                Split& top = w.splits.back();
                --ran;
                --w.clock;
                if (top.rpc != pc || top.call != top.rpc_call || w.splits.size() == 1) {
                    ++pc;
                    continue;
                }
                top.pc = pc;
                reconverge(w);
                step.flow = resume(w) ? Flow::elsewhere : Flow::stop;
                break;
            }
            default:
                step = steer(w, op, pc, mask);
        }
        if (step.flow == Flow::on) {
            pc = step.pc;
        } else if (step.flow == Flow::elsewhere) {
            activate(w);
            ops = function_of(w).ops.data();
            pc = w.splits.back().pc;
        } else {
            return ran;
        }
    }
    w.splits.back().pc = pc;
    return ran;
}

}  // namespace heddle::ptx
