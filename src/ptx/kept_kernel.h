#pragma once
// A kernel's whole stream in memory: of a launch that runs before it is known where it stands among others.

#include <map>
#include <vector>

#include "ptx/launch.h"

namespace heddle::ptx {

class KeptKernel final : public KernelStream, public KernelSink {
  public:
    const KernelInfo& info() const override { return info_; }
    const std::vector<StaticInst>& static_insts() const override { return static_insts_; }
    bool next_cta(CtaStream& out) override {
        const auto at = ctas_.find(next_);
        if (at == ctas_.end()) return false;
        ++next_;
        out.index = at->second.index;
        out.words.clear();
        out.ranges.clear();
        out.chunked = false;
        for (const std::vector<u32>& words : at->second.warps) {
            const u32 begin = static_cast<u32>(out.words.size());
            out.words.insert(out.words.end(), words.begin(), words.end());
            out.ranges.emplace_back(begin, static_cast<u32>(out.words.size()));
        }
        ctas_.erase(at);
        return true;
    }

    /// KernelInfo's, where the launch turns out to stand.
    void place(u64 stream, u64 id) {
        info_.stream = stream;
        info_.id = id;
    }

    void begin_kernel(const KernelInfo& info, const std::vector<StaticInst>& insts) override {
        info_ = info;
        static_insts_ = insts;
    }
    void begin_cta(u64 cta, Dim3 index) override {
        ctas_[cta].index = index;
        ctas_[cta].warps.resize(info_.warps_per_cta());
    }
    void words(u64 cta, u32 warp, std::span<const u32> words) override {
        auto& to = ctas_.at(cta).warps[warp];
        to.insert(to.end(), words.begin(), words.end());
    }
    void end_cta(u64) override {}
    void end_kernel() override {}

  private:
    struct Cta {
        Dim3 index;
        std::vector<std::vector<u32>> warps;
    };
    KernelInfo info_;
    std::vector<StaticInst> static_insts_;
    std::map<u64, Cta> ctas_;
    u64 next_ = 0;
};

}  // namespace heddle::ptx
