#pragma once
// A CTA that may be too long to hold in memory: its words then go to an unnamed temporary file (in $TMPDIR or /tmp) and
// come back in chunks, warp by warp, so memory stays bounded however long the CTA is.

#include <vector>

#include "trace/stream.h"

namespace heddle {

class SpillCta final : public CtaStream {
  public:
    SpillCta() = default;
    SpillCta(const SpillCta&) = delete;
    SpillCta& operator=(const SpillCta&) = delete;
    ~SpillCta() override;

    /// Starts a new CTA whose words are all in `words` until spill() is called.
    void begin();
    /// Appends words to the file; positions count from the CTA's first word.
    void spill(std::span<const u32> more);
    u64 spilled() const { return spilled_; }
    /// After the last spill(): the words of each warp, [begin, end) by position.
    void finish(const KernelInfo& kernel, std::span<const std::pair<u64, u64>> positions);

    std::span<const u32> refill(u32 warp) override;

  private:
    struct Warp {
        u64 next = 0, end = 0;  // positions in the file
        u64 full = 0;           // lanes as launched
        std::vector<u32> chunk;
    };

    int file_ = -1;
    u64 spilled_ = 0;
    bool wide_ = false;
    std::vector<Warp> warps_;
};

}  // namespace heddle
