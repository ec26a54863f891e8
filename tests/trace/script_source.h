#pragma once
// A program made of given events and random kernels: what a real source could give at its strangest.

#include <memory>
#include <random>

#include "trace/cta_writer.h"
#include "trace/stream.h"

namespace heddle::test {

struct ScriptKernel {
    KernelInfo info;
    std::vector<StaticInst> table;
    std::vector<CtaStream> ctas;  // held whole
    bool chunked = false;         // give them a few instructions at a time
    std::vector<std::pair<std::string, u64>> unknown;
    std::vector<std::string> warnings;
};

class ScriptCta final : public CtaStream {
  public:
    std::span<const u32> refill(u32 warp) override {
        // An instruction at a time, found by walking a cursor over the whole.
        auto& [at, end] = left[warp];
        if (at == end) return {};
        CtaStream rest;
        rest.words = whole->words;
        rest.ranges = {{at, end}};
        rest.ranges.resize(warp + 1, {at, end});
        WarpCursor cursor = rest.cursor(warp, *info);
        DynInst inst;
        cursor.next(inst);
        u32 length = static_cast<u32>(inst.payload - (rest.words.data() + at));
        const u32 lanes = static_cast<u32>(std::popcount(inst.mask));
        if (inst.form == AddressForm::strided) length += 3;
        if (inst.form == AddressForm::deltas) length += 1 + lanes;
        if (inst.form == AddressForm::absolute) length += 2 * lanes;
        chunk.assign(whole->words.begin() + at, whole->words.begin() + at + length);
        at += length;
        return chunk;
    }

    const CtaStream* whole = nullptr;
    const KernelInfo* info = nullptr;
    std::vector<std::pair<u32, u32>> left;
    std::vector<u32> chunk;
};

class ScriptStream final : public KernelStream {
  public:
    explicit ScriptStream(std::shared_ptr<const ScriptKernel> kernel) : kernel_(std::move(kernel)) {}
    const KernelInfo& info() const override { return kernel_->info; }
    const std::vector<StaticInst>& static_insts() const override { return kernel_->table; }
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override { return kernel_->unknown; }
    std::vector<std::string> warnings() const override { return kernel_->warnings; }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<ScriptCta>(); }
    bool next_cta(CtaStream& out) override {
        if (next_ == kernel_->ctas.size()) return false;
        const CtaStream& cta = kernel_->ctas[next_++];
        out.index = cta.index;
        out.chunked = kernel_->chunked;
        out.words = cta.words;
        out.ranges = cta.ranges;
        if (kernel_->chunked) {
            auto& script = dynamic_cast<ScriptCta&>(out);
            script.whole = &cta;
            script.info = &kernel_->info;
            script.left = cta.ranges;
            script.words.clear();
            script.ranges.assign(cta.ranges.size(), {0, 0});
        }
        return true;
    }

  private:
    std::shared_ptr<const ScriptKernel> kernel_;
    std::size_t next_ = 0;
};

/// Events; a launch is the next of `kernels`.
class ScriptSource final : public StreamSource {
  public:
    using Event = std::variant<std::shared_ptr<const ScriptKernel>, CopyEvent, AllocEvent, FreeEvent,
                               SyncEvent, PageHintEvent>;
    explicit ScriptSource(std::vector<Event> events) : events_(std::move(events)) {}
    const std::string& name() const override { return name_; }
    bool next(ProgramEvent& out) override {
        if (next_ == events_.size()) return false;
        std::visit(
            [&](const auto& event) {
                if constexpr (std::is_same_v<std::decay_t<decltype(event)>,
                                             std::shared_ptr<const ScriptKernel>>)
                    out = LaunchEvent{std::make_unique<ScriptStream>(event)};
                else
                    out = event;
            },
            events_[next_++]);
        return true;
    }

  private:
    std::string name_ = "script";
    std::vector<Event> events_;
    std::size_t next_ = 0;
};

inline std::shared_ptr<const ScriptKernel> random_kernel(std::mt19937_64& random, u32 lanes, bool chunked,
                                                         u32 max_warp = 60) {
    auto kernel = std::make_shared<ScriptKernel>();
    auto below = [&](u64 n) { return random() % n; };
    KernelInfo& info = kernel->info;
    info.name = "kernel" + std::to_string(below(100));
    info.id = random();
    info.grid = {static_cast<u32>(1 + below(5)), static_cast<u32>(1 + below(3)),
                 static_cast<u32>(1 + below(2))};
    info.block = {static_cast<u32>(1 + below(200)), 1, 1};
    info.shared_bytes = static_cast<u32>(below(50000));
    info.registers = static_cast<u32>(below(256));
    info.stream = random();
    info.warp_lanes = lanes;
    info.register_names = 300;
    info.cooperative = below(2) == 0;
    info.place = "somewhere:12";
    kernel->chunked = chunked;
    kernel->unknown = {{"ODD.X", below(1000)}, {"ODDER", 7}};
    kernel->warnings = {"a line"};
    kernel->table.resize(1 + below(40));
    for (StaticInst& inst : kernel->table) {
        inst.pc = random() >> below(64);
        for (u16& r : inst.dst) r = static_cast<u16>(below(3) == 0 ? random() : StaticInst::kNoRegister);
        for (u16& r : inst.src) r = static_cast<u16>(below(2) == 0 ? random() : StaticInst::kNoRegister);
        inst.op = static_cast<OpClass>(below(static_cast<u64>(OpClass::count_)));
        inst.mem = static_cast<MemOp>(below(7));
        inst.space = static_cast<MemSpace>(below(6));
        inst.access_bytes = static_cast<u8>(below(3) == 0 ? below(40) : 1 << below(5));
        inst.bypass_l1 = below(2) == 0;
        inst.barrier_id = static_cast<u8>(below(16));
        inst.barrier_warps = static_cast<u8>(below(33));
        inst.barrier_arrive_only = below(2) == 0;
        inst.dst_width = static_cast<u8>(1 + below(4));
        inst.async_role = static_cast<AsyncRole>(below(3));
        inst.async_keep = static_cast<u8>(below(4));
    }
    const u64 all = lanes == 64 ? ~u64{0} : 0xffffffff;
    u64 number = 0;
    for (u64 c = 0; c < info.cta_count(); ++c) {
        CtaStream& cta = kernel->ctas.emplace_back();
        CtaWriter writer(cta, info);
        writer.begin({static_cast<u32>(c % info.grid.x), static_cast<u32>(c / info.grid.x % info.grid.y),
                      static_cast<u32>(c / info.grid.x / info.grid.y)});
        for (u32 w = 0; w < info.warps_per_cta(); ++w) {
            writer.begin_warp();
            u64 mask = all;
            u32 at = 0;
            for (u64 n = below(max_warp); n != 0; --n) {
                if (below(10) == 0) mask = random() & all & (below(2) == 0 ? random() : ~u64{0});
                if (below(15) == 0) mask = all;
                at = below(6) == 0 ? static_cast<u32>(below(kernel->table.size()))
                                   : (at + 1) % static_cast<u32>(kernel->table.size());
                if (below(20) == 0)
                    writer.edge(below(2) == 0 ? EdgeKind::wait : EdgeKind::signal,
                                static_cast<u32>(number++));
                std::vector<u64> addresses;
                u64 address = random() >> below(40);
                const u64 step = below(4) == 0 ? random() >> below(64) : below(3) * 4;
                const u64 kind = below(5);
                for (int k = 0; k < std::popcount(mask); ++k)
                    addresses.push_back(kind < 2    ? address += step
                                        : kind == 2 ? address + below(1 << 20) * 4
                                                    : random());
                if (kind == 4)
                    writer.add(at, mask);
                else
                    writer.add(at, mask, addresses);
            }
            writer.end_warp();
        }
    }
    return kernel;
}

}  // namespace heddle::test
