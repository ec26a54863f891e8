// A KernelStream that executes as it is read.

#include <cstring>
#include <deque>
#include <map>

#include "ptx/launch.h"

namespace heddle::ptx {

namespace {

/// Words of one CTA that were made and not yet read.
struct Pending {
    Dim3 index;
    std::vector<std::deque<std::vector<u32>>> chunks;  // by warp
    bool complete = false;
};

class LiveKernel;

class LiveCta final : public CtaStream {
  public:
    explicit LiveCta(LiveKernel& kernel) : kernel_(kernel) {}
    std::span<const u32> refill(u32 warp) override;

    u64 linear = 0;
    bool open = false;
    std::vector<std::vector<u32>> current;  // the chunk that each warp's cursor reads

  private:
    LiveKernel& kernel_;
};

class LiveKernel final : public KernelStream, public KernelSink {
  public:
    LiveKernel(Context& context, const Launch& launch) : execution_(context, launch, this) {}

    const KernelInfo& info() const override { return execution_.info(); }
    const std::vector<StaticInst>& static_insts() const override { return execution_.static_insts(); }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<LiveCta>(*this); }

    bool next_cta(CtaStream& out) override {
        auto& cta = static_cast<LiveCta&>(out);
        if (cta.open) pending_.erase(cta.linear);
        cta.open = false;
        if (given_ == info().cta_count()) return false;
        while (!pending_.contains(given_)) execution_.advance();
        Pending& p = pending_.at(given_);
        cta.linear = given_++;
        cta.open = true;
        cta.index = p.index;
        cta.chunked = true;
        cta.words.clear();
        cta.current.assign(p.chunks.size(), {});
        cta.ranges.assign(p.chunks.size(), {0, 0});
        return true;
    }

    std::vector<u32> next_chunk(u64 cta, u32 warp) {
        for (;;) {
            Pending& p = pending_.at(cta);
            auto& queue = p.chunks[warp];
            if (!queue.empty()) {
                std::vector<u32> chunk = std::move(queue.front());
                queue.pop_front();
                return chunk;
            }
            if (p.complete) return {};
            execution_.advance();
        }
    }

    void begin_kernel(const KernelInfo&, const std::vector<StaticInst>&) override {}
    void begin_cta(u64 cta, Dim3 index) override {
        Pending& p = pending_[cta];
        p.index = index;
        p.chunks.resize(info().warps_per_cta());
    }
    void words(u64 cta, u32 warp, std::span<const u32> words) override {
        pending_.at(cta).chunks[warp].emplace_back(words.begin(), words.end());
    }
    void end_cta(u64 cta) override { pending_.at(cta).complete = true; }
    void end_kernel() override {}

  private:
    std::map<u64, Pending> pending_;
    Execution execution_;
    u64 given_ = 0;
};

std::span<const u32> LiveCta::refill(u32 warp) {
    current[warp] = kernel_.next_chunk(linear, warp);
    return current[warp];
}

}  // namespace

std::unique_ptr<KernelStream> execute_as_stream(Context& context, const Launch& launch) {
    return std::make_unique<LiveKernel>(context, launch);
}

}  // namespace heddle::ptx
