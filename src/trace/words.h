#pragma once
// Walking instruction words without decoding them (layout: stream.h).

#include <bit>
#include <span>

#include "trace/stream.h"

namespace heddle {

/// Lanes with which a warp was launched: all, or fewer in the last warp of a CTA.
inline u64 full_mask(const KernelInfo& kernel, u32 warp) {
    const u64 threads = kernel.block.count();
    const u64 first = u64{warp} * kernel.warp_lanes;
    const u64 lanes = threads <= first                      ? 0
                      : threads - first < kernel.warp_lanes ? threads - first
                                                            : kernel.warp_lanes;
    return lanes >= 64 ? ~u64{0} : (u64{1} << lanes) - 1;
}

/// Most words that an instruction can have: head, mask, edge, an absolute address for each lane.
inline constexpr u32 kMaxInstWords = 1 + 2 + 1 + 2 * kMaxLanes;

/// Words of the instruction that starts `words`; more than words.size() if it is cut off.
inline u32 instruction_words(std::span<const u32> words, u64 full, bool wide) {
    const u32 head = words[0];
    const bool has_mask = (head >> 22 & 1) == 0;
    u32 length = 1 + (has_mask ? (wide ? 2u : 1u) : 0u) + (head >> 25 & 1);
    const auto form = static_cast<AddressForm>(head >> 23 & 3);
    if (form == AddressForm::none) return length;
    if (form == AddressForm::strided) return length + 3;
    if (words.size() < length) return length;
    u64 mask = full;
    if (has_mask) mask = words[1] | (wide ? u64{words[2]} << 32 : 0);
    const u32 lanes = static_cast<u32>(std::popcount(mask));
    return length + (form == AddressForm::deltas ? 1 + lanes : 2 * lanes);
}

}  // namespace heddle
