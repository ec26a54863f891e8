#include "trace/pattern.h"

#include <array>
#include <bit>
#include <vector>

#include "sim/error.h"
#include "sim/random.h"
#include "trace/cta_writer.h"

namespace heddle {
namespace {

constexpr u32 kLanes = 32;
constexpr u64 kLineBytes = 128;

// Static instructions of every pattern, in this order.
enum StaticIndex : u32 { kCompute, kIndexLoad, kLoad, kStore, kExit, kStaticInsts };

// Registers: the compute chain, the data, its address, an index.
constexpr u16 kChain = 8, kData = 4, kAddress = 2, kIndex = 6;

std::vector<StaticInst> make_table(const PatternSettings& s) {
    std::vector<StaticInst> table(kStaticInsts);
    for (u32 k = 0; k < kStaticInsts; ++k) table[k].pc = k * 16;
    StaticInst& compute = table[kCompute];
    compute.op = OpClass::fp32_mad;
    compute.dst[0] = compute.src[0] = kChain;
    auto memory = [&](StaticIndex index, MemOp what) -> StaticInst& {
        StaticInst& inst = table[index];
        inst.op = OpClass::memory;
        inst.mem = what;
        inst.space = MemSpace::global;
        inst.access_bytes = static_cast<u8>(s.bytes);
        return inst;
    };
    const u8 width = static_cast<u8>(s.bytes > 4 ? s.bytes / 4 : 1);
    StaticInst& index = memory(kIndexLoad, MemOp::load);
    index.access_bytes = 4;
    index.dst[0] = kIndex;
    index.src[0] = kAddress;
    StaticInst& load = memory(kLoad, MemOp::load);
    // A chase's address is the data that came before; a gather's is the index.
    load.dst[0] = kData;
    load.dst_width = width;
    load.src[0] = s.kind == PatternKind::chase ? kData : s.kind == PatternKind::gather ? kIndex : kAddress;
    StaticInst& store = memory(kStore, MemOp::store);
    store.src[0] = s.kind == PatternKind::gather ? kIndex : kAddress;
    store.src[1] = kChain;
    table[kExit].op = OpClass::exit;
    return table;
}

class PatternKernel final : public KernelStream {
  public:
    PatternKernel(const PatternSettings& settings, std::string name)
        : s_(settings), insts_(make_table(settings)) {
        info_.name = std::move(name);
        info_.id = 1;
        info_.grid = {static_cast<u32>(s_.ctas), 1, 1};
        info_.block = {s_.threads, 1, 1};
        info_.registers = 16;
        info_.register_names = 16;
        info_.place = info_.name;
        index_base_ = s_.base + ceil_div(s_.footprint, kLineBytes) * kLineBytes;
    }

    const KernelInfo& info() const override { return info_; }
    const std::vector<StaticInst>& static_insts() const override { return insts_; }

    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<PatternCta>(); }

    bool next_cta(CtaStream& out) override {
        if (next_ == s_.ctas) return false;
        const u32 warps = info_.warps_per_cta();
        auto& cta = dynamic_cast<PatternCta&>(out);
        cta.kernel = this;
        cta.warps.clear();
        for (u32 w = 0; w < warps; ++w) {
            const u64 warp = next_ * warps + w;
            cta.warps.push_back({warp, lanes_of(w), Random(s_.seed ^ mix64(warp), "pattern"), 0, nullptr});
        }
        CtaWriter writer(out, info_);
        writer.begin({static_cast<u32>(next_), 0, 0});
        // A long CTA is written piece by piece as its warps ask for it.
        out.chunked = u64{s_.accesses} * (s_.compute + kWordsAnAccess) * warps > kMaxCtaWords;
        for (u32 w = 0; w < warps; ++w) {
            writer.begin_warp();
            if (!out.chunked) write_warp(writer, cta.warps[w], s_.accesses);
            writer.end_warp();
        }
        ++next_;
        return true;
    }

  private:
    static constexpr u64 kMaxCtaWords = u64{1} << 20;
    static constexpr u64 kWordsAnAccess = 2 * (2 + 2 * kLanes);
    static constexpr u32 kChunkAccesses = 64;

    struct WarpState {
        u64 warp = 0;  // number in the grid
        u64 mask = 0;
        Random random;
        u32 done = 0;  // accesses written
        std::unique_ptr<CtaStream> chunk;
    };

    /// Must not outlive its kernel.
    struct PatternCta final : CtaStream {
        PatternKernel* kernel = nullptr;
        std::vector<WarpState> warps;

        std::span<const u32> refill(u32 warp) override {
            WarpState& state = warps[warp];
            if (state.done > kernel->s_.accesses) return {};
            if (state.chunk == nullptr) state.chunk = std::make_unique<CtaStream>();
            CtaWriter writer(*state.chunk, kernel->info_);
            writer.begin(index);
            state.chunk->ranges.resize(warp);
            writer.begin_warp();
            kernel->write_warp(writer, state, kChunkAccesses);
            writer.end_warp();
            return state.chunk->words;
        }
    };

    u64 lanes_of(u32 warp) const {
        const u64 left = s_.threads - u64{warp} * kLanes;
        return left >= kLanes ? 0xffffffff : (u64{1} << left) - 1;
    }

    /// Up to `count` more accesses, and EXIT after the last.
    void write_warp(CtaWriter& writer, WarpState& state, u32 count) {
        for (; count != 0 && state.done < s_.accesses; --count, ++state.done) write_access(writer, state);
        if (state.done != s_.accesses) return;
        writer.add(kExit, state.mask);
        ++state.done;
    }

    void write_access(CtaWriter& writer, WarpState& state) {
        const u64 mask = state.mask;
        for (u32 c = 0; c < s_.compute; ++c) writer.add(kCompute, mask);
        if (s_.kind == PatternKind::alu) return;
        const u64 all_warps = s_.ctas * info_.warps_per_cta();
        const u64 first = (state.done * all_warps + state.warp) * kLanes;
        const bool loads = s_.kind == PatternKind::chase || s_.read_percent == 100 ||
                           state.random.chance(s_.read_percent, 100);
        const StaticIndex inst = loads ? kLoad : kStore;
        switch (s_.kind) {
            case PatternKind::stream:
                write_line(writer, inst, mask, first, s_.bytes);
                break;
            case PatternKind::strided:
                write_line(writer, inst, mask, first, s_.stride);
                break;
            case PatternKind::gather:
                writer.add_strided(kIndexLoad, mask, index_base_ + first * 4,
                                   std::popcount(mask) == 1 ? 0 : 4);
                write_scattered(writer, inst, mask, state.random);
                break;
            default:
                write_scattered(writer, inst, mask, state.random);
                break;
        }
    }

    /// Elements first, first+1, ..., each `step` bytes after the one before, wrapped around the footprint.
    void write_line(CtaWriter& writer, StaticIndex inst, u64 mask, u64 first, u64 step) {
        const u64 places = s_.footprint / step;
        const u64 place = first % places;
        const u32 lanes = static_cast<u32>(std::popcount(mask));
        if (place + lanes <= places && step <= 0x7fffffff) {
            writer.add_strided(inst, mask, s_.base + place * step, lanes == 1 ? 0 : static_cast<i32>(step));
            return;
        }
        for (u32 k = 0; k < lanes; ++k) addresses_[k] = s_.base + (first + k) % places * step;
        writer.add(inst, mask, std::span<const u64>(addresses_).first(lanes));
    }

    void write_scattered(CtaWriter& writer, StaticIndex inst, u64 mask, Random& random) {
        const u32 lanes = static_cast<u32>(std::popcount(mask));
        const u32 group = kLanes / s_.divergence;  // lanes that share a line
        const u64 lines = s_.footprint / kLineBytes;
        u64 line = 0;
        for (u32 k = 0; k < lanes; ++k) {
            if (k % group == 0) line = draw_line(random, lines, k / group);
            addresses_[k] = s_.base + line * kLineBytes + k % group * s_.bytes % kLineBytes;
        }
        writer.add(inst, mask, std::span<const u64>(addresses_).first(lanes));
    }

    /// A line that this access has not drawn yet; `drawn` are those before it.
    u64 draw_line(Random& random, u64 lines, u32 drawn) {
        for (;;) {
            const bool hot = s_.kind == PatternKind::hotset && random.chance(s_.hot_percent, 100);
            const u64 line = random.below(hot ? s_.hot / kLineBytes : lines);
            bool again = false;
            for (u32 k = 0; k < drawn; ++k) again |= drawn_[k] == line;
            if (again) continue;
            drawn_[drawn] = line;
            return line;
        }
    }

    PatternSettings s_;
    KernelInfo info_;
    std::vector<StaticInst> insts_;
    u64 index_base_ = 0;
    u64 next_ = 0;
    std::array<u64, kLanes> addresses_{};
    std::array<u64, kLanes> drawn_{};
};

class PatternSource final : public StreamSource {
  public:
    explicit PatternSource(const PatternSettings& settings)
        : settings_(settings), name_(std::string(kPatternPrefix) + std::string(pattern_name(settings.kind))) {
        const u64 data = ceil_div(settings.footprint, kLineBytes) * kLineBytes;
        const u64 warps = settings.ctas * ceil_div(settings.threads, kLanes);
        if (settings.kind != PatternKind::alu)
            arrays_.push_back({settings.base, data, AllocEvent::Kind::device});
        if (settings.kind == PatternKind::gather)
            arrays_.push_back(
                {settings.base + data, warps * settings.accesses * kLanes * 4, AllocEvent::Kind::device});
    }
    const std::string& name() const override { return name_; }
    bool next(ProgramEvent& out) override {
        if (step_ > arrays_.size()) return false;
        if (step_ < arrays_.size())
            out = arrays_[step_];
        else
            out = LaunchEvent{std::make_unique<PatternKernel>(settings_, name_)};
        ++step_;
        return true;
    }

  private:
    PatternSettings settings_;
    std::string name_;
    std::vector<AllocEvent> arrays_;
    std::size_t step_ = 0;
};

}  // namespace

bool draws_random_numbers(const PatternSettings& s) {
    if (s.kind == PatternKind::alu) return false;
    if (s.kind != PatternKind::stream && s.kind != PatternKind::strided) return true;
    return s.read_percent != 100;
}

std::unique_ptr<StreamSource> make_pattern(const PatternSettings& given) {
    PatternSettings s = given;
    const auto need = [&](bool holds, const char* what) {
        if (!holds) throw InputError(std::string("pattern: ") + what);
    };
    need(std::has_single_bit(s.divergence) && s.divergence <= kLanes,
         "divergence must be 1, 2, 4, 8, 16 or 32");
    need(std::has_single_bit(s.bytes) && s.bytes <= 16, "bytes must be 1, 2, 4, 8 or 16");
    need(s.footprint >= s.divergence * kLineBytes, "footprint is smaller than one access's lines");
    need(s.footprint >= u64{s.bytes} * kLanes, "footprint is smaller than one access");
    need(s.kind != PatternKind::strided || (s.stride >= s.bytes && s.footprint >= s.stride * kLanes),
         "stride must be at least one access's bytes, and 32 strides must fit into the footprint");
    need(s.base % kLineBytes == 0, "base must be a multiple of 128");
    if (s.kind == PatternKind::hotset) {
        need(s.hot >= s.divergence * kLineBytes, "hot is smaller than one access's lines");
        need(s.hot <= s.footprint, "hot is larger than footprint");
    }
    if (s.kind == PatternKind::alu && s.compute == 0) s.compute = 1;
    return std::make_unique<PatternSource>(s);
}

}  // namespace heddle
