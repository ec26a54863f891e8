#include "machine/kernel_account.h"

namespace heddle {
namespace {

using All = MemoryCounts::All;

void add(KernelRun& kernel, const All& more) {
    All sum = kernel.memory.all();
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
    kernel.memory = MemoryCounts::from(sum);
}

/// n * part / whole, rounded down; the product may need 128 bits.
u64 scaled_part(u64 n, u64 part, u64 whole) {
    return static_cast<u64>(static_cast<unsigned __int128>(n) * part / whole);
}

}  // namespace

void KernelAccount::settle(const MemoryCounts& total, std::span<KernelRun* const> ran) {
    All grown = total.all();
    const All before = settled_.all();
    for (std::size_t k = 0; k < grown.size(); ++k) grown[k] -= before[k];
    if (ran.empty() && last_ == nullptr) return;
    settled_ = total;
    if (ran.empty()) return add(*last_, grown);
    last_ = ran.back();
    if (ran.size() == 1) {
        ran[0]->accounted_instructions = ran[0]->warp_instructions;
        return add(*ran[0], grown);
    }
    u64 whole = 0;
    for (const KernelRun* k : ran) whole += k->warp_instructions - k->accounted_instructions;
    const bool none_issued = whole == 0;
    if (none_issued) whole = ran.size();
    // Differences of rounded partial sums: the parts add up exactly.
    u64 below = 0;
    for (KernelRun* kernel : ran) {
        const u64 above =
            below + (none_issued ? 1 : kernel->warp_instructions - kernel->accounted_instructions);
        All part;
        for (std::size_t k = 0; k < part.size(); ++k)
            part[k] = scaled_part(grown[k], above, whole) - scaled_part(grown[k], below, whole);
        add(*kernel, part);
        kernel->accounted_instructions = kernel->warp_instructions;
        kernel->shared = true;
        below = above;
    }
}

}  // namespace heddle
