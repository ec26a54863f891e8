#include "core/decoded.h"

namespace heddle {

Decoded decode(const StaticInst& inst, const OpTable& ops) {
    Decoded d;
    const OpSettings& op = ops[static_cast<std::size_t>(inst.op)];
    d.memory = inst.is_memory();
    d.pipe = d.memory ? Pipe::memory : op.pipe;
    d.op = inst.op;
    d.latency = static_cast<u32>(op.latency.v);
    d.interval = static_cast<u32>(op.interval.v);
    for (u16 r : inst.dst) {
        if (r == StaticInst::kNoRegister) break;
        for (u16 k = 0; k < inst.dst_width && k < 4; ++k) d.registers[d.results++] = static_cast<u16>(r + k);
    }
    d.checks = d.results;
    for (u16 r : inst.src) {
        if (r == StaticInst::kNoRegister) break;
        d.registers[d.checks++] = r;
    }
    return d;
}

}  // namespace heddle
