#include "cuda/kernel_feed.h"

#include <map>
#include <utility>
#include <vector>

namespace heddle::cuda {
namespace {

/// A CTA that has begun and was not given yet.
struct Pending {
    Dim3 index;
    std::vector<std::vector<u32>> warps;
    u64 words = 0;
    bool complete = false;
};

class Feed;

class FeedCta final : public CtaStream {
  public:
    explicit FeedCta(Feed& feed) : feed_(feed) {}
    std::span<const u32> refill(u32 warp) override;

    u64 linear = 0;
    std::vector<std::vector<u32>> current;  // the piece that each warp's cursor reads

  private:
    Feed& feed_;
};

class Feed final : public KernelStream, public ptx::KernelSink {
  public:
    Feed(ptx::Context& context, const ptx::Launch& launch, u64 most_words)
        : execution_(context, launch, this), most_words_(most_words) {}

    const KernelInfo& info() const override { return execution_.info(); }
    const std::vector<StaticInst>& static_insts() const override { return execution_.static_insts(); }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<FeedCta>(*this); }

    bool next_cta(CtaStream& out) override {
        auto& cta = static_cast<FeedCta&>(out);
        if (cta.chunked) pending_.erase(cta.linear);
        if (given_ == info().cta_count()) {
            // The last CTA may have been read before the execution has noticed that it was the last.
            while (execution_.advance()) {
            }
            return false;
        }
        while (!ready()) execution_.advance();
        Pending& p = pending_.at(given_);
        cta.index = p.index;
        cta.linear = given_;
        cta.words.clear();
        cta.ranges.clear();
        cta.chunked = !p.complete;
        cta.current.assign(p.warps.size(), {});
        for (const std::vector<u32>& words : p.warps) {
            const u32 begin = static_cast<u32>(cta.words.size());
            if (p.complete) cta.words.insert(cta.words.end(), words.begin(), words.end());
            cta.ranges.emplace_back(begin, static_cast<u32>(cta.words.size()));
        }
        if (p.complete) pending_.erase(given_);
        ++given_;
        return true;
    }

    std::vector<u32> next_piece(u64 cta, u32 warp) {
        for (;;) {
            Pending& p = pending_.at(cta);
            if (!p.warps[warp].empty()) return std::exchange(p.warps[warp], {});
            if (p.complete) return {};
            execution_.advance();
        }
    }

    void begin_kernel(const KernelInfo&, const std::vector<StaticInst>&) override {}
    void begin_cta(u64 cta, Dim3 index) override {
        Pending& p = pending_[cta];
        p.index = index;
        p.warps.resize(info().warps_per_cta());
    }
    void words(u64 cta, u32 warp, std::span<const u32> words) override {
        Pending& p = pending_.at(cta);
        p.warps[warp].insert(p.warps[warp].end(), words.begin(), words.end());
        p.words += words.size();
    }
    void end_cta(u64 cta) override { pending_.at(cta).complete = true; }
    void end_kernel() override {}

  private:
    bool ready() const {
        const auto at = pending_.find(given_);
        return at != pending_.end() && (at->second.complete || at->second.words > most_words_);
    }

    std::map<u64, Pending> pending_;
    ptx::Execution execution_;
    u64 most_words_, given_ = 0;
};

std::span<const u32> FeedCta::refill(u32 warp) {
    current[warp] = feed_.next_piece(linear, warp);
    return current[warp];
}

}  // namespace

std::unique_ptr<KernelStream> feed_kernel(ptx::Context& context, const ptx::Launch& launch, u64 most_words) {
    return std::make_unique<Feed>(context, launch, most_words);
}

}  // namespace heddle::cuda
