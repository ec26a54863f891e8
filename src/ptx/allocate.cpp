#include "ptx/allocate.h"

#include <algorithm>
#include <numeric>

#include "ptx/optimise.h"

namespace heddle::ptx {

namespace {

template <class F>
void for_each_read(IrFunction& f, IrInst& i, F visit) {
    auto one = [&](Ref r) {
        if (is_reg(r)) visit(ref_index(r));
    };
    for_each_use(f, i, [&](Ref& r) { one(r); });
    for (Ref r : i.stream_sources) one(r);
    if (i.guard != kNoRef)  // inactive lanes keep the old value
        for (u32 d = 0; d < i.dst_count; ++d) one(i.dst[d]);
    if (i.control == Control::ret)
        for (const auto& r : f.returns) one(r.ref);
}
template <class F>
void for_each_write(const IrInst& i, F visit) {
    for (u32 d = 0; d < i.dst_count; ++d)
        if (i.dst[d] != kNoRef) visit(ref_index(i.dst[d]));
}

void add_segment(std::vector<Segment>& list, u32 begin, u32 end) {  // called with descending begins
    if (!list.empty() && list.back().begin <= end) {
        list.back().begin = std::min(list.back().begin, begin);
        list.back().end = std::max(list.back().end, end);
    } else {
        list.push_back({begin, end});
    }
}

bool intersect(const std::vector<Segment>& a, const std::vector<Segment>& b) {
    auto x = a.begin();
    auto y = b.begin();
    if (!a.empty() && !b.empty()) {  // jump to where they could meet
        x = std::lower_bound(a.begin(), a.end(), b.front().begin,
                             [](const Segment& s, u32 p) { return s.end <= p; });
        if (x != a.end())
            y = std::lower_bound(b.begin(), b.end(), x->begin,
                                 [](const Segment& s, u32 p) { return s.end <= p; });
    }
    while (x != a.end() && y != b.end()) {
        if (x->end <= y->begin)
            ++x;
        else if (y->end <= x->begin)
            ++y;
        else
            return true;
    }
    return false;
}

void merge_into(std::vector<Segment>& a, const std::vector<Segment>& b) {
    const std::size_t middle = a.size();
    a.insert(a.end(), b.begin(), b.end());
    auto before = [](const Segment& s, const Segment& t) { return s.begin < t.begin; };
    std::inplace_merge(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(middle), a.end(), before);
    std::size_t out = 0;
    for (std::size_t k = 1; k < a.size(); ++k) {
        if (a[k].begin <= a[out].end)
            a[out].end = std::max(a[out].end, a[k].end);
        else
            a[++out] = a[k];
    }
    if (!a.empty()) a.resize(out + 1);
}

}  // namespace

Liveness::Liveness(IrFunction& f, const Cfg& cfg) {
    const u32 registers = static_cast<u32>(f.registers.size()), blocks = static_cast<u32>(cfg.blocks.size());
    constexpr u32 none = 0xffffffff;
    // Only registers read before written in some block cross blocks.
    std::vector<u32> bit(registers, none), written(registers, none);
    for (u32 b = 0; b < blocks; ++b)
        for (u32 k = cfg.blocks[b].first; k < cfg.blocks[b].end; ++k) {
            IrInst& i = f.insts[k];
            if (i.dead) continue;
            for_each_read(f, i, [&](u32 r) {
                if (written[r] == b || bit[r] != none) return;
                bit[r] = static_cast<u32>(shared_.size());
                shared_.push_back(r);
            });
            for_each_write(i, [&](u32 r) { written[r] = b; });
        }
    const std::size_t words = (shared_.size() + 63) / 64;
    std::vector<std::vector<u64>> use(blocks, std::vector<u64>(words)), def = use, out = use;
    in_.assign(blocks, std::vector<u64>(words));
    for (u32 b = 0; b < blocks; ++b)
        for (u32 k = cfg.blocks[b].first; k < cfg.blocks[b].end; ++k) {
            IrInst& i = f.insts[k];
            if (i.dead) continue;
            for_each_read(f, i, [&](u32 r) {
                if (bit[r] != none && (def[b][bit[r] / 64] >> bit[r] % 64 & 1) == 0)
                    use[b][bit[r] / 64] |= u64{1} << bit[r] % 64;
            });
            for_each_write(i, [&](u32 r) {
                if (bit[r] != none) def[b][bit[r] / 64] |= u64{1} << bit[r] % 64;
            });
        }
    std::vector<u8> queued(blocks, 1);
    std::vector<u32> work(blocks);
    std::iota(work.begin(), work.end(), 0u);
    while (!work.empty()) {
        const u32 b = work.back();
        work.pop_back();
        queued[b] = 0;
        for (u32 s : cfg.blocks[b].successors)
            for (std::size_t w = 0; w < words; ++w) out[b][w] |= in_[s][w];
        bool changed = false;
        for (std::size_t w = 0; w < words; ++w) {
            const u64 v = use[b][w] | (out[b][w] & ~def[b][w]);
            changed |= v != in_[b][w];
            in_[b][w] = v;
        }
        if (!changed) continue;
        for (u32 p : cfg.blocks[b].predecessors)
            if (queued[p] == 0) {
                queued[p] = 1;
                work.push_back(p);
            }
    }
    // Segments, walking backwards; `live_until` is the end of the range that is open.
    segments_.resize(registers);
    std::vector<u32> live_until(registers, 0);
    std::vector<u32> open;
    for (u32 b = blocks; b-- > 0;) {
        const u32 begin = 2 * cfg.blocks[b].first, end = 2 * cfg.blocks[b].end;
        open.clear();
        for (std::size_t w = 0; w < words; ++w)
            for (u64 m = out[b][w]; m != 0; m &= m - 1) {
                const u32 r = shared_[w * 64 + static_cast<u32>(__builtin_ctzll(m))];
                live_until[r] = end;
                open.push_back(r);
            }
        for (u32 k = cfg.blocks[b].end; k-- > cfg.blocks[b].first;) {
            IrInst& i = f.insts[k];
            if (i.dead) continue;
            for_each_write(i, [&](u32 r) {
                add_segment(segments_[r], 2 * k + 1, live_until[r] != 0 ? live_until[r] : 2 * k + 2);
                live_until[r] = 0;
            });
            for_each_read(f, i, [&](u32 r) {
                if (live_until[r] != 0) return;
                live_until[r] = 2 * k + 1;
                open.push_back(r);
            });
        }
        for (u32 r : open)
            if (live_until[r] != 0) {
                add_segment(segments_[r], begin, live_until[r]);
                live_until[r] = 0;
            }
    }
    for (auto& list : segments_) std::reverse(list.begin(), list.end());
}

std::vector<u32> Liveness::live_in(u32 block) const {
    std::vector<u32> list;
    for (std::size_t w = 0; w < in_[block].size(); ++w)
        for (u64 m = in_[block][w]; m != 0; m &= m - 1)
            list.push_back(shared_[w * 64 + static_cast<u32>(__builtin_ctzll(m))]);
    std::sort(list.begin(), list.end());
    return list;
}

namespace {

class Scan {
  public:
    Scan(IrFunction& f, const Liveness& liveness)
        : f_(f), ranges_(liveness.segments()), leader_(f.registers.size()) {
        std::iota(leader_.begin(), leader_.end(), 0u);
    }

    Allocation32 run() {
        out_.coalesced.assign(f_.insts.size(), 0);
        coalesce();
        std::vector<u32> order;
        for (u32 r = 0; r < leader_.size(); ++r)
            if (leader_[r] == r && !ranges_[r].empty()) order.push_back(r);
        std::sort(order.begin(), order.end(), [&](u32 a, u32 b) {
            return ranges_[a].front().begin != ranges_[b].front().begin
                       ? ranges_[a].front().begin < ranges_[b].front().begin
                       : a < b;
        });

        find_groups();
        place_all(order, [](Width) { return true; });
        out_.number = place_;
        out_.registers = static_cast<u32>(taken_.size());
        out_.predicates = static_cast<u32>(taken_predicates_.size());

        groups_.clear();
        group_.assign(group_.size(), kNone);
        place_all(order, [](Width w) { return w != Width::w64; });
        out_.place = place_;
        const u32 wide_from = static_cast<u32>(ceil_div(taken_.size(), 2) * 2);
        place_all(order, [](Width w) { return w == Width::w64; });
        for (u32 r = 0; r < place_.size(); ++r)
            if (place_[r] != Allocation32::kUnplaced) out_.place[r] = wide_from + place_[r];
        out_.frame_registers = wide_from + static_cast<u32>(taken_.size());
        return std::move(out_);
    }

  private:
    static constexpr u32 kNone = 0xffffffff;

    /// Gives every register of a chosen width its place_.
    template <class Chosen>
    void place_all(const std::vector<u32>& order, Chosen chosen) {
        place_.assign(f_.registers.size(), Allocation32::kUnplaced);
        taken_.clear();
        taken_predicates_.clear();
        for (u32 r : order) {
            if (!chosen(f_.registers[r].width) || place_[r] != Allocation32::kUnplaced) continue;
            if (group_[r] != kNone && place_group(groups_[group_[r]])) continue;
            place_one(r);
        }
        for (u32 r = 0; r < leader_.size(); ++r) place_[r] = place_[find(r)];
    }

    u32 find(u32 r) {
        while (leader_[r] != r) r = leader_[r] = leader_[leader_[r]];
        return r;
    }

    void coalesce() {
        for (u32 k = 0; k < f_.insts.size(); ++k) {
            const IrInst& i = f_.insts[k];
            if (i.dead || i.guard != kNoRef || i.control != Control::none || i.key.op != Operation::mov ||
                !is_reg(i.src[0]))
                continue;
            const u32 d = find(ref_index(i.dst[0])), s = find(ref_index(i.src[0]));
            if (f_.registers[d].width != f_.registers[s].width) continue;
            if (d != s) {
                if (intersect(ranges_[d], ranges_[s])) continue;
                merge_into(ranges_[d], ranges_[s]);
                leader_[s] = d;
            }
            out_.coalesced[k] = 1;
        }
    }

    void find_groups() {
        group_.assign(f_.registers.size(), kNone);
        for (const IrInst& i : f_.insts) {
            if (i.dead || i.count < 2 || i.mem == MemOp::none) continue;
            std::vector<u32> members;
            if (i.key.op == Operation::load)
                for (u32 d = 0; d < i.dst_count; ++d) {
                    if (i.dst[d] != kNoRef) members.push_back(find(ref_index(i.dst[d])));
                }
            else if (i.key.op == Operation::store)
                for (u32 s = 1; s < i.src_count; ++s)
                    if (is_reg(i.src[s])) members.push_back(find(ref_index(i.src[s])));
            if (members.size() != i.count) continue;
            bool fresh = true;
            for (u32 m : members)
                fresh &= group_[m] == kNone && std::count(members.begin(), members.end(), m) == 1;
            if (!fresh) continue;
            for (u32 m : members) group_[m] = static_cast<u32>(groups_.size());
            groups_.push_back(std::move(members));
        }
    }

    bool fits(u32 r, u32 at) const {
        const u32 span = f_.registers[r].width == Width::w64 ? 2 : 1;
        for (u32 k = 0; k < span; ++k)
            if (at + k < taken_.size() && intersect(taken_[at + k], ranges_[r])) return false;
        return true;
    }
    void take(u32 r, u32 at) {
        const u32 span = f_.registers[r].width == Width::w64 ? 2 : 1;
        if (taken_.size() < at + span) taken_.resize(at + span);
        for (u32 k = 0; k < span; ++k) merge_into(taken_[at + k], ranges_[r]);
        place_[r] = at;
    }

    bool place_group(const std::vector<u32>& members) {
        for (u32 m : members)
            if (place_[m] != Allocation32::kUnplaced || f_.registers[m].width == Width::pred ||
                ranges_[m].empty())
                return false;
        u32 span = 0;
        for (u32 m : members) span += f_.registers[m].width == Width::w64 ? 2 : 1;
        for (u32 at = 0;; at += span) {
            u32 to = at;
            bool ok = true;
            for (u32 m : members) {
                ok = ok && fits(m, to);
                to += f_.registers[m].width == Width::w64 ? 2 : 1;
            }
            if (!ok) continue;
            to = at;
            for (u32 m : members) {
                take(m, to);
                to += f_.registers[m].width == Width::w64 ? 2 : 1;
            }
            return true;
        }
    }

    void place_one(u32 r) {
        if (f_.registers[r].width == Width::pred) {
            u32 at = 0;
            while (at < taken_predicates_.size() && intersect(taken_predicates_[at], ranges_[r])) ++at;
            if (at == taken_predicates_.size()) taken_predicates_.emplace_back();
            merge_into(taken_predicates_[at], ranges_[r]);
            place_[r] = at;
            return;
        }
        const u32 step = f_.registers[r].width == Width::w64 ? 2 : 1;
        u32 at = 0;
        while (!fits(r, at)) at += step;
        take(r, at);
    }

    IrFunction& f_;
    std::vector<std::vector<Segment>> ranges_;
    std::vector<u32> leader_, group_, place_;
    std::vector<std::vector<u32>> groups_;
    std::vector<std::vector<Segment>> taken_, taken_predicates_;
    Allocation32 out_;
};

}  // namespace

Allocation32 allocate_registers(IrFunction& f, const Liveness& liveness) {
    return Scan(f, liveness).run();
}

}  // namespace heddle::ptx
