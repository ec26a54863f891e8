#include "ptx/schedule.h"

#include <algorithm>

#include "ptx/cfg.h"
#include "ptx/optimise.h"

namespace heddle::ptx {

namespace {

/// Memory that one access may share with another. Constant memory, textures and parameters are never written.
enum : u8 { kGlobal = 1, kShared = 2, kLocal = 4 };
u8 touches(const IrInst& i) {
    if (i.key.op != Operation::load && i.key.op != Operation::store) return 0;
    switch (i.key.space) {
        case MemSpace::global:
            return kGlobal;
        case MemSpace::shared:
            return kShared;
        case MemSpace::local:
            return kLocal;
        case MemSpace::none:
            return kGlobal | kShared | kLocal;
        default:
            return 0;
    }
}

/// Nothing moves across these.
bool is_fixed(const IrInst& i) {
    if (i.control != Control::none || i.strong || i.fence_before || i.fence_after) return true;
    const bool plain =
        i.key.op == Operation::load || i.key.op == Operation::store || i.key.op == Operation::texture;
    return i.effect && !plain;
}
bool is_load(const IrInst& i) {
    return i.mem == MemOp::load && i.cost.count != 0;
}

class Scheduler {
  public:
    explicit Scheduler(IrFunction& f)
        : f_(f),
          writer_(f.registers.size(), kNone),
          readers_(f.registers.size()),
          stamp_(f.registers.size(), 0) {}

    /// One stretch of instructions that may be permuted.
    void window(u32 first, u32 end) {
        u32 loads = 0;
        for (u32 k = first; k < end; ++k) loads += is_load(f_.insts[k]);
        if (loads < 2 || end - first < 3) return;
        dependences(first, end);
        const u32 n = end - first;
        order_.clear();
        placed_.assign(n, 0);
        for (u32 wave = 0, left = loads; left != 0; ++wave)
            for (u32 k = 0; k < n; ++k) {
                if (level_[k] != wave || !is_load(f_.insts[first + k])) continue;
                place(k);
                --left;
            }
        for (u32 k = 0; k < n; ++k) place(k);
        std::vector<IrInst> sorted;
        sorted.reserve(n);
        for (u32 k : order_) sorted.push_back(std::move(f_.insts[first + k]));
        std::move(sorted.begin(), sorted.end(), f_.insts.begin() + first);
    }

  private:
    static constexpr u32 kNone = 0xffffffff;

    void dependences(u32 first, u32 end) {
        const u32 n = end - first;
        before_.assign(n, {});
        level_.assign(n, 0);
        ++now_;
        std::vector<u32> stores, loads;
        for (u32 k = 0; k < n; ++k) {
            IrInst& i = f_.insts[first + k];
            if (i.dead) continue;
            auto after = [&](u32 j, bool value) {
                before_[k].push_back(j);
                const u32 reached = level_[j] + (value && is_load(f_.insts[first + j]) ? 1 : 0);
                level_[k] = std::max(level_[k], reached);
            };
            auto fresh = [&](u32 r) {
                if (stamp_[r] == now_) return;
                stamp_[r] = now_;
                writer_[r] = kNone;
                readers_[r].clear();
            };
            auto read = [&](Ref ref) {
                if (!is_reg(ref)) return;
                const u32 r = ref_index(ref);
                fresh(r);
                if (writer_[r] != kNone && writer_[r] != k) after(writer_[r], true);
                readers_[r].push_back(k);
            };
            for_each_use(f_, i, [&](Ref& r) { read(r); });
            for (Ref r : i.stream_sources) read(r);
            if (i.guard != kNoRef)
                for (u32 d = 0; d < i.dst_count; ++d) read(i.dst[d]);
            for (u32 d = 0; d < i.dst_count; ++d) {
                if (i.dst[d] == kNoRef) continue;
                const u32 r = ref_index(i.dst[d]);
                fresh(r);
                for (u32 j : readers_[r])
                    if (j != k) after(j, false);
                if (writer_[r] != kNone && writer_[r] != k) after(writer_[r], false);
                writer_[r] = k;
                readers_[r].clear();
            }
            const u8 space = touches(i);
            if (space == 0) continue;
            const bool store = i.key.op == Operation::store;
            for (u32 j : stores)
                if ((touches(f_.insts[first + j]) & space) != 0) after(j, false);
            if (store)
                for (u32 j : loads)
                    if ((touches(f_.insts[first + j]) & space) != 0) after(j, false);
            (store ? stores : loads).push_back(k);
        }
    }

    /// After everything that it depends on. Depths are bounded by the window, so a stack of our own is used.
    void place(u32 k) {
        stack_.assign(1, {k, 0});
        while (!stack_.empty()) {
            auto& [at, next] = stack_.back();
            if (placed_[at] != 0) {
                stack_.pop_back();
            } else if (next < before_[at].size()) {
                const u32 j = before_[at][next++];
                if (placed_[j] == 0) stack_.emplace_back(j, 0);
            } else {
                placed_[at] = 1;
                order_.push_back(at);
                stack_.pop_back();
            }
        }
    }

    IrFunction& f_;
    std::vector<u32> writer_;                // by register: the last instruction that wrote it, in the window
    std::vector<std::vector<u32>> readers_;  // since then
    std::vector<u32> stamp_;
    u32 now_ = 0;
    std::vector<std::vector<u32>> before_;
    std::vector<u32> level_, order_;
    std::vector<u8> placed_;
    std::vector<std::pair<u32, u32>> stack_;
};

}  // namespace

void schedule_loads(IrFunction& f, u32 most_loading) {
    const Cfg cfg(f);
    Scheduler scheduler(f);
    for (const Block& b : cfg.blocks) {
        u32 first = b.first, loading = 0;
        for (u32 k = b.first; k < b.end; ++k) {
            const IrInst& i = f.insts[k];
            u32 registers = 0;
            if (is_load(i) && !i.dead)
                for (u32 d = 0; d < i.dst_count; ++d)
                    if (i.dst[d] != kNoRef)
                        registers += f.registers[ref_index(i.dst[d])].width == Width::w64 ? 2 : 1;
            if (is_fixed(i) || loading + registers > most_loading) {
                scheduler.window(first, k);
                first = is_fixed(i) ? k + 1 : k;
                loading = 0;
            }
            if (!is_fixed(i)) loading += registers;
        }
        scheduler.window(first, b.end);
    }
}

}  // namespace heddle::ptx
