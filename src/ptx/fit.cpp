#include "ptx/fit.h"

#include <algorithm>

#include "ptx/code.h"
#include "ptx/emit.h"

namespace heddle::ptx {

namespace {

u32 registers_of(const Code& code, u32 function) {
    u32 most = 0;
    for (u32 f : code.functions[function].reach) most = std::max(most, code.functions[f].code->registers);
    return most;
}

/// A new version's constants: those that name things have the values that linking gave them.
AlignedBytes constants_of(const FunctionCode& fresh, const LinkedFunction& old) {
    AlignedBytes out;
    out.resize(fresh.constants.size() * kSlotBytes);
    for (std::size_t k = 0; k < fresh.constants.size(); ++k) {
        const Constant& c = fresh.constants[k];
        std::byte* slot = out.data() + k * kSlotBytes;
        if (c.kind == Constant::Kind::value) {
            splat(slot, c.value, c.width == Width::w64);
            continue;
        }
        const auto same = std::find_if(old.code->constants.begin(), old.code->constants.end(),
                                       [&](const Constant& o) { return !(o < c) && !(c < o); });
        const std::size_t at = static_cast<std::size_t>(same - old.code->constants.begin());
        std::memcpy(slot, old.constants.data() + at * kSlotBytes, kSlotBytes);
    }
    return out;
}

Kernel compile_for(const Kernel& kernel, u32 most) {
    auto code = std::make_shared<Code>(*kernel.code);
    for (u32 f : kernel.code->functions[kernel.function].reach) {
        const LinkedFunction& old = kernel.code->functions[f];
        if (old.code->registers <= most) continue;
        const ast::Unit& unit = *old.code->unit;
        const ast::Function& function =
            unit.functions[unit.function_ids.at(unit.name_ids.at(old.code->name))];
        std::vector<Unsupported> known;  // by the module
        auto fresh = std::make_shared<const FunctionCode>(compile_function(unit, function, known, most));
        LinkedFunction& now = code->functions[f];
        now.constants = constants_of(*fresh, old);
        now.code = fresh.get();
        code->own.push_back(std::move(fresh));
    }
    Kernel out = kernel;
    out.code = code;
    out.registers = registers_of(*code, kernel.function);
    out.decl.local_bytes = code->functions[kernel.function].code->local_bytes;
    return out;
}

}  // namespace

u32 register_limit(const DeviceLimits& limits, u64 threads, u64 ctas) {
    const u64 warps = ceil_div(threads, kLanes) * ctas, granule = limits.register_granule;
    return static_cast<u32>(
        std::min<u64>(limits.registers_per_sm / warps / granule * granule / kLanes, kMostRegisters));
}

u32 register_limit(const DeviceLimits& limits, const KernelDecl& kernel) {
    if (kernel.max_threads == 0) return kMostRegisters;
    const u64 threads = std::min(kernel.max_threads, limits.threads_per_cta);
    // More CTAs than an SM ever holds are not asked for.
    const u64 most_ctas = std::min<u64>(limits.ctas_per_sm, limits.threads_per_sm / threads);
    return register_limit(limits, threads, std::clamp<u64>(kernel.min_ctas, 1, std::max<u64>(most_ctas, 1)));
}

const Kernel& fitted(const Kernel& kernel, u32 most) {
    if (kernel.registers <= most) return kernel;
    auto& kept = kernel.code->fitted[{kernel.function, most}];
    if (kept == nullptr) kept = std::make_shared<const Kernel>(compile_for(kernel, most));
    return *kept;
}

}  // namespace heddle::ptx
