#include "trace/filters.h"

#include <algorithm>

#include "sim/error.h"
#include "trace/words.h"

namespace heddle {
namespace {

class SelectedKernels final : public StreamSource {
  public:
    SelectedKernels(std::unique_ptr<StreamSource> source, KernelSelection kernels)
        : source_(std::move(source)), kernels_(std::move(kernels)) {}

    const std::string& name() const override { return source_->name(); }
    std::vector<std::string> warnings() const override { return source_->warnings(); }
    std::vector<ProgramRange> ranges() const override { return source_->ranges(); }

    bool next(ProgramEvent& out) override {
        while (source_->next(out)) {
            if (!std::holds_alternative<LaunchEvent>(out) || kernels_.contains(++launches_)) return true;
        }
        if (kernels_.last() > launches_)
            throw InputError(source_->name() + ": --kernels " + kernels_.text() + " names launch " +
                             std::to_string(kernels_.last()) + ", but the program has " +
                             std::to_string(launches_));
        return false;
    }

  private:
    std::unique_ptr<StreamSource> source_;
    KernelSelection kernels_;
    u64 launches_ = 0;
};

/// What is left of the bound, shared by all kernels of a program.
using Budget = std::shared_ptr<u64>;

/// Words of the first `count` instructions; `count` becomes how many there are.
std::size_t prefix_words(std::span<const u32> words, u64 full, bool wide, u64& count) {
    std::size_t at = 0;
    u64 done = 0;
    for (; done < count && at < words.size(); ++done) at += instruction_words(words.subspan(at), full, wide);
    count = done;
    return at;
}

/// A CTA whose later chunks draw on the budget.
class CutCta final : public CtaStream {
  public:
    CutCta(std::unique_ptr<CtaStream> whole, Budget budget)
        : whole(std::move(whole)), budget(std::move(budget)) {}

    std::span<const u32> refill(u32 warp) override {
        const auto chunk = whole->refill(warp);
        u64 count = *budget;
        const std::size_t kept = prefix_words(chunk, full_mask(*info, warp), info->warp_lanes > 32, count);
        *budget -= count;
        return chunk.first(kept);
    }

    std::unique_ptr<CtaStream> whole;
    Budget budget;
    const KernelInfo* info = nullptr;
};

class FirstInstructionsKernel final : public KernelStream {
  public:
    FirstInstructionsKernel(std::unique_ptr<KernelStream> kernel, Budget budget)
        : kernel_(std::move(kernel)), budget_(std::move(budget)) {}

    const KernelInfo& info() const override { return kernel_->info(); }
    const std::vector<StaticInst>& static_insts() const override { return kernel_->static_insts(); }
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override {
        return kernel_->unknown_opcodes();
    }
    std::vector<std::string> warnings() const override { return kernel_->warnings(); }
    std::unique_ptr<CtaStream> make_cta() override {
        return std::make_unique<CutCta>(kernel_->make_cta(), budget_);
    }

    bool next_cta(CtaStream& out) override {
        auto& cta = dynamic_cast<CutCta&>(out);
        if (*budget_ == 0 || !kernel_->next_cta(*cta.whole)) return false;
        cta.info = &info();
        cta.index = cta.whole->index;
        cta.chunked = cta.whole->chunked;
        cta.words.swap(cta.whole->words);
        cta.ranges.swap(cta.whole->ranges);
        cut(cta);
        return true;
    }

  private:
    /// Shortens the warps to what the budget allows, evenly.
    void cut(CutCta& cta) {
        const bool wide = info().warp_lanes > 32;
        const std::size_t warps = cta.ranges.size();
        std::vector<u64> lengths(warps);
        u64 all = 0;
        for (u32 w = 0; w < warps; ++w) {
            lengths[w] = ~u64{0};
            prefix_words(words_of(cta, w), full_mask(info(), w), wide, lengths[w]);
            all += lengths[w];
        }
        if (all <= *budget_) {
            *budget_ -= all;
            return;
        }
        const std::vector<u64> kept = share(lengths, *budget_);
        *budget_ = 0;
        for (u32 w = 0; w < warps; ++w) {
            u64 count = kept[w];
            const std::size_t words = prefix_words(words_of(cta, w), full_mask(info(), w), wide, count);
            cta.ranges[w].second = cta.ranges[w].first + static_cast<u32>(words);
        }
    }

    static std::span<const u32> words_of(const CtaStream& cta, u32 warp) {
        const auto [begin, end] = cta.ranges[warp];
        return std::span<const u32>(cta.words).subspan(begin, end - begin);
    }

    /// `total` shared out: every warp gets up to the same number, short ones what they have.
    static std::vector<u64> share(const std::vector<u64>& lengths, u64 total) {
        std::vector<u64> kept(lengths.size(), 0);
        while (total != 0) {
            u64 open = 0;
            for (std::size_t w = 0; w < lengths.size(); ++w) open += kept[w] < lengths[w];
            const u64 each = std::max<u64>(1, total / open);
            for (std::size_t w = 0; w < lengths.size() && total != 0; ++w) {
                const u64 more = std::min({each, lengths[w] - kept[w], total});
                kept[w] += more;
                total -= more;
            }
        }
        return kept;
    }

    std::unique_ptr<KernelStream> kernel_;
    Budget budget_;
};

class FirstInstructions final : public StreamSource {
  public:
    FirstInstructions(std::unique_ptr<StreamSource> source, u64 count)
        : source_(std::move(source)), budget_(std::make_shared<u64>(count)) {}

    const std::string& name() const override { return source_->name(); }
    std::vector<std::string> warnings() const override { return source_->warnings(); }
    std::vector<ProgramRange> ranges() const override { return source_->ranges(); }

    bool next(ProgramEvent& out) override {
        while (source_->next(out)) {
            auto* launch = std::get_if<LaunchEvent>(&out);
            if (launch == nullptr) return true;
            if (*budget_ == 0) continue;
            launch->kernel = std::make_unique<FirstInstructionsKernel>(std::move(launch->kernel), budget_);
            return true;
        }
        return false;
    }

  private:
    std::unique_ptr<StreamSource> source_;
    Budget budget_;
};

}  // namespace

std::unique_ptr<StreamSource> select_kernels(std::unique_ptr<StreamSource> source, KernelSelection kernels) {
    return std::make_unique<SelectedKernels>(std::move(source), std::move(kernels));
}

std::unique_ptr<StreamSource> first_instructions(std::unique_ptr<StreamSource> source, u64 count) {
    return std::make_unique<FirstInstructions>(std::move(source), count);
}

}  // namespace heddle
