#include "trace/recording/cta_block.h"
#include "trace/recording/streams.h"
#include "trace/words.h"

namespace heddle::recording {
namespace {

constexpr u64 kMaxWarps = 1024;

}  // namespace

BlockDecoder::BlockDecoder(ByteReader payload, const KernelInfo& info, std::span<const StaticInst> table)
    : info_(info), table_(table) {
    ctas_ = payload.varint();
    streams_ = unpack_streams(payload, kStreams);
    in_ = std::make_unique<NumberReader>(streams_);
    run_ = in_->get(kRun);
}

bool BlockDecoder::next(CtaStream& out) {
    if (ctas_ == 0) return false;
    --ctas_;
    const Dim3 grid = info_.grid;
    const u64 number = next_cta_ + static_cast<u64>(in_->get_difference(kIndex, 0));
    if (number >= info_.cta_count()) ByteReader::damaged();
    next_cta_ = number + 1;
    out.index = {static_cast<u32>(number % grid.x), static_cast<u32>(number / grid.x % grid.y),
                 static_cast<u32>(number / grid.x / grid.y)};
    last_warps_ += static_cast<u64>(in_->get_difference(kCount, 0));
    if (last_warps_ > kMaxWarps) ByteReader::damaged();
    out.words.clear();
    out.chunked = false;
    out.ranges.resize(last_warps_);
    for (u32 w = 0; w < last_warps_; ++w) {
        const u32 begin = static_cast<u32>(out.words.size());
        decode_warp(w, out.words);
        out.ranges[w] = {begin, static_cast<u32>(out.words.size())};
    }
    return true;
}

void BlockDecoder::warp(u32 warp, std::vector<u32>& words) {
    words.clear();
    decode_warp(warp, words);
}

void BlockDecoder::decode_warp(u32 warp, std::vector<u32>& words) {
    const u64 full = full_mask(info_, warp);
    const bool wide = info_.warp_lanes > 32;
    const u64 lanes_allowed = wide ? ~u64{0} : 0xffffffff;
    model_.begin_warp(full);
    last_count_ += static_cast<u64>(in_->get_difference(kCount, 0));
    if (last_count_ > kMaxInstructions) ByteReader::damaged();
    std::size_t used = words.size();
    for (u64 k = 0; k < last_count_; ++k) {
        if (words.size() < used + kMaxInstWords) {
            const u64 ahead = std::min<u64>(last_count_ - k, u64{1} << 16);
            words.resize(used + 2 * ahead + kMaxInstWords);
        }
        u8 flags = 0;
        if (run_ == 0) {
            flags = in_->byte(kFlags);
            if (flags == 0) ByteReader::damaged();
        } else {
            --run_;
        }
        u32 static_index = model_.expected_static();
        if ((flags & kStaticWrong) != 0)
            static_index = static_cast<u32>(i64{static_index} + in_->get_difference(kStatic, 0));
        if (static_index >= table_.size()) ByteReader::damaged();
        model_.need(static_index);
        Site& site = model_.site(static_index);

        u8 place = site.mask_place;
        bool marked_as_is = true;
        u64 mask = model_.recent(place);
        if ((flags & kMaskWrong) != 0) {
            const u8 kind = in_->byte(kMaskKind);
            if (kind > kMaskGivenNotFull) ByteReader::damaged();
            mask = kind < kRecentMasks ? model_.recent(kind) : in_->get(kMask) ^ model_.recent(0);
            place = kind < kRecentMasks ? kind : model_.find(mask);
            marked_as_is = kind != kMaskGivenNotFull;
            if ((mask & ~lanes_allowed) != 0) ByteReader::damaged();
        }
        AddressForm form = site.expected_form(mask);
        if ((flags & kFormWrong) != 0) {
            const u8 given = in_->byte(kForm);
            if (given > static_cast<u8>(AddressForm::absolute)) ByteReader::damaged();
            form = static_cast<AddressForm>(given);
        }
        const bool has_edge = (flags & kHasEdge) != 0;
        const bool marked_full = mask == full && marked_as_is;

        u32* w = words.data() + used;
        *w++ = static_index | u32{marked_full} << 22 | static_cast<u32>(form) << 23 | u32{has_edge} << 25;
        if (!marked_full) {
            *w++ = static_cast<u32>(mask);
            if (wide) *w++ = static_cast<u32>(mask >> 32);
        }
        if (has_edge) *w++ = last_edge_ = static_cast<u32>(i64{last_edge_} + in_->get_difference(kEdge, 0));
        if (form != AddressForm::none) w = decode_addresses(site, table_[static_index], form, mask, w);
        used = static_cast<std::size_t>(w - words.data());
        if (place < kRecentMasks) site.mask_place = place;
        site.update_form(form, mask);
        model_.use(mask, place);
        model_.follow(static_index);
        if (flags != 0) run_ = in_->get(kRun);
    }
    words.resize(used);
}

u32* BlockDecoder::decode_addresses(Site& site, const StaticInst& inst, AddressForm form, u64 mask,
                                    u32* out) {
    if (mask == 0) ByteReader::damaged();
    const u32 unit = unit_of(inst);
    const u64 base = model_.expected_base(site) + static_cast<u64>(in_->get_difference(kBase, unit));
    if (form == AddressForm::strided) {
        const u64 expected = (mask & (mask - 1)) == 0 ? 0 : site.distance;
        const u64 stride = expected + static_cast<u64>(in_->get_difference(kStride, unit));
        out[0] = static_cast<u32>(base);
        out[1] = static_cast<u32>(base >> 32);
        out[2] = static_cast<u32>(stride);
        out += 3;
        site.set_strided(mask, base, stride);
    } else {
        out[0] = static_cast<u32>(base);
        out[1] = static_cast<u32>(base >> 32);
        out = decode_lanes(site, unit, form, mask, out);
    }
    model_.update_base(site, base);
    return out;
}

u32* BlockDecoder::decode_lanes(Site& site, u32 unit, AddressForm form, u64 mask, u32* out) {
    site.settle();
    u32 lane = static_cast<u32>(std::countr_zero(mask));
    u64 address = out[0] | u64{out[1]} << 32;
    out += 2;
    const u8 told = in_->byte(kLaneMode);
    const bool exact = (told & kLanesExact) != 0;
    if ((told & ~kLanesExact) > static_cast<u8>(LaneMode::distance)) ByteReader::damaged();
    const auto mode = static_cast<LaneMode>(told & ~kLanesExact);
    if (mode == LaneMode::distance) site.distance += static_cast<u64>(in_->get_difference(kStride, unit));
    const u64 way = address - site.lanes[lane];
    site.lanes[lane] = address;
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        const u32 next = static_cast<u32>(std::countr_zero(mask));
        const u64 before = address;
        if (mode == LaneMode::turn) address = site.lanes[next] + way;
        if (mode == LaneMode::distance) address += site.distance * (next - lane);
        if (!exact) address += static_cast<u64>(in_->get_difference(kLane, unit));
        site.lanes[next] = address;
        lane = next;
        if (form == AddressForm::deltas) {
            *out++ = static_cast<u32>(address - before);
        } else {
            *out++ = static_cast<u32>(address);
            *out++ = static_cast<u32>(address >> 32);
        }
    }
    return out;
}

}  // namespace heddle::recording
