#include "trace/stream.h"

namespace heddle {

std::span<const u32> CtaStream::refill(u32) {
    return {};
}

WarpCursor CtaStream::cursor(u32 warp, const KernelInfo& kernel) {
    const u64 threads = kernel.block.count();
    const u64 first = u64{warp} * kernel.warp_lanes;
    const u64 lanes = threads - first < kernel.warp_lanes ? threads - first : kernel.warp_lanes;
    const u64 full = lanes >= 64 ? ~u64{0} : (u64{1} << lanes) - 1;
    const auto [begin, end] = ranges[warp];
    return WarpCursor(words.data() + begin, words.data() + end, full, kernel.warp_lanes > 32,
                      chunked ? this : nullptr, warp);
}

bool WarpCursor::refill() {
    if (refill_ == nullptr) return false;
    const auto more = refill_->refill(warp_);
    p_ = more.data();
    end_ = p_ + more.size();
    return !more.empty();
}

}  // namespace heddle
