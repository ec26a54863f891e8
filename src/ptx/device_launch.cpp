#include "ptx/device_launch.h"

#include <algorithm>
#include <cstring>

#include "ptx/execution.h"

namespace heddle::ptx {

namespace {

constexpr u32 kMostParameterBytes = 4096;
// cudaError: success, invalid configuration, invalid device function.
constexpr u32 kSuccess = 0, kInvalidConfiguration = 9, kInvalidFunction = 98;
/// Kernels that wait for kernels that wait...; CUDA allows 24.
constexpr u32 kDeepestWait = 24;

/// Bytes at a generic address of a thread. False: there is no such memory.
bool read_bytes(const Execution::Impl& machine, const Warp& w, u32 lane, u64 address, std::byte* to,
                u64 bytes) {
    if ((address & ~(kWindowBytes - 1)) == kLocalWindow) {
        const u64 offset = address & (kWindowBytes - 1);
        if (offset + bytes > w.local_bytes) return false;
        for (u64 k = 0; k < bytes; ++k) to[k] = *local_pointer(w, lane, offset + k);
        return true;
    }
    if (!machine.context.memory().accessible(address, bytes)) return false;
    std::memcpy(to, global_pointer(address), bytes);
    return true;
}

void run_launched(Context& context, DeviceLaunch& d, bool record, u32 depth) {
    d.has_run = true;
    d.launch.children = &d.children;
    d.launch.depth = depth;
    auto kept = record ? std::make_unique<KeptKernel>() : nullptr;
    Execution(context, d.launch, kept.get()).run();
    d.stream = std::move(kept);
    for (const bool tail : {false, true})
        for (DeviceLaunch& child : d.children)
            if (!child.has_run && child.tail == tail) run_launched(context, child, record, depth);
}

}  // namespace

void Execution::Impl::launch_from_device(Warp& w, const Op& op, u32 mask) {
    ++w.effects;
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        u64 at;
        std::memcpy(&at, operand_pointer(w, op.a) + lane * 8, 8);
        const u32 result = launch_from_lane(w, op, lane, at);
        std::memcpy(operand_pointer(w, op.dst) + lane * 4, &result, 4);
    }
}

/// The kernel at the address of a function; null: there is none.
const Kernel* Execution::Impl::kernel_at(u64 address) const {
    const u64 id = (address - kFunctionWindow) / 16;
    if (address < kFunctionWindow || id >= code.functions.size()) return nullptr;
    const auto kernel = code.kernels.find(static_cast<u32>(id));
    return kernel == code.kernels.end() ? nullptr : kernel->second;
}

/// What a buffer for a kernel's parameters has to hold.
void Execution::Impl::parameter_bytes(Warp& w, const Op& op, u32 mask) {
    for (u32 m = mask; m != 0; m &= m - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctz(m));
        u64 address;
        std::memcpy(&address, operand_pointer(w, op.a) + lane * 8, 8);
        const Kernel* kernel = kernel_at(address);
        const u64 bytes = kernel == nullptr ? 0 : kernel->decl.param_bytes;
        std::memcpy(operand_pointer(w, op.dst) + lane * 8, &bytes, 8);
    }
}

u32 Execution::Impl::launch_from_lane(Warp& w, const Op& op, u32 lane, u64 at) {
    DeviceLaunchRecord r;
    auto bad = [&](const std::string& what) {
        fault(DeviceFault::Kind::illegal_address, w, op.line, lane, what);
    };
    if (!read_bytes(*this, w, lane, at, reinterpret_cast<std::byte*>(&r), sizeof r))
        bad("a launch whose record is not in valid memory");
    const Kernel* kernel = kernel_at(r.kernel);
    if (kernel == nullptr) return kInvalidFunction;
    DeviceLaunch d;
    d.launch.kernel = kernel;
    d.launch.grid = {r.grid[0], r.grid[1], r.grid[2]};
    d.launch.block = {r.block[0], r.block[1], r.block[2]};
    d.launch.dynamic_shared = r.dynamic_shared;
    d.cta = cta_of(w).linear;
    d.tail = r.stream == kTailStream;
    const DeviceLimits& limits = context.limits();
    const KernelDecl& decl = kernel->decl;
    const u64 threads = d.launch.block.count();
    if (d.launch.grid.count() == 0 || threads == 0 || threads > limits.threads_per_cta ||
        (decl.max_threads != 0 && threads > decl.max_threads) ||
        u64{r.dynamic_shared} + kernel->static_shared_bytes > limits.shared_per_cta)
        return kInvalidConfiguration;
    if (r.parameter_bytes > kMostParameterBytes || r.parameter_bytes < decl.param_bytes)
        bad("a launch of '" + decl.name + "' with " + std::to_string(r.parameter_bytes) +
            " bytes of parameters; it takes " + std::to_string(decl.param_bytes));
    d.launch.args.resize(r.parameter_bytes);
    if (!read_bytes(*this, w, lane, r.parameters, d.launch.args.data(), r.parameter_bytes))
        bad("a launch whose parameters are not in valid memory");
    launched->push_back(std::move(d));
    return kSuccess;
}

/// All that the block has launched runs now.
void Execution::Impl::wait_for_launched(Warp& w, const Op& op, u32 mask) {
    if (launch.depth + 1 > kDeepestWait)
        fault(DeviceFault::Kind::stack_overflow, w, op.line, static_cast<u32>(__builtin_ctz(mask)),
              "nested launches wait more than " + std::to_string(kDeepestWait) + " levels deep");
    ++w.effects;
    const u64 cta = cta_of(w).linear;
    context.clock = std::max(context.clock, w.clock);
    for (DeviceLaunch& d : *launched)
        if (!d.has_run && !d.tail && d.cta == cta)
            run_launched(context, d, sink != nullptr, launch.depth + 1);
    w.clock = std::max(w.clock, context.clock);
    ranges.fill(Range{});
    const u32 success = kSuccess;
    for (u32 m = mask; m != 0; m &= m - 1)
        std::memcpy(operand_pointer(w, op.dst) + static_cast<u32>(__builtin_ctz(m)) * 4, &success, 4);
}

}  // namespace heddle::ptx
