#include "core/decoded.h"

#include <bit>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

Decoded decode(const StaticInst& inst, const OpTable& ops) {
    Decoded d;
    const OpSettings& op = ops[static_cast<std::size_t>(inst.op)];
    d.memory = inst.is_memory();
    if (d.memory && inst.space != MemSpace::constant && inst.space != MemSpace::texture &&
        (!std::has_single_bit(inst.access_bytes) || inst.access_bytes > 32))
        throw InputError(fmt::format(
            "the instruction at pc {:#x} accesses {} bytes per lane; 1, 2, 4, 8, 16 and 32 are possible",
            inst.pc, inst.access_bytes));
    d.pipe = d.memory ? Pipe::memory : op.pipe;
    d.op = inst.op;
    d.async_role = inst.async_role;
    d.async_keep = inst.async_keep;
    d.latency = static_cast<u32>(op.latency.v);
    d.interval = static_cast<u32>(op.interval.v);
    for (u16 r : inst.dst) {
        if (r == StaticInst::kNoRegister) break;
        for (u16 k = 0; k < inst.dst_width && k < 8; ++k) d.registers[d.results++] = static_cast<u16>(r + k);
    }
    d.checks = d.results;
    for (u16 r : inst.src) {
        if (r == StaticInst::kNoRegister) break;
        d.registers[d.checks++] = r;
    }
    return d;
}

}  // namespace heddle
