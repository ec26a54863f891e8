#include <array>
#include <bit>

#include "trace/recording/cta_block.h"
#include "trace/words.h"

namespace heddle::recording {
namespace {

constexpr u32 kUnusedBits = 26;  // of an instruction's head, from here

/// Addresses of `count` active lanes, told one by one. for_each_address would also find out which lanes they are of, which is
/// most of its work.
void expand(AddressForm form, const u32* payload, u32 count, u64* out) {
    const auto u64_at = [](const u32* p) { return p[0] | u64{p[1]} << 32; };
    if (form == AddressForm::absolute) {
        for (u32 k = 0; k < count; ++k) out[k] = u64_at(payload + std::size_t{2} * k);
        return;
    }
    out[0] = u64_at(payload);
    for (u32 k = 1; k < count; ++k)
        out[k] = out[k - 1] + static_cast<u64>(i64{static_cast<i32>(payload[k + 1])});
}

}  // namespace

void BlockEncoder::clear() {
    model_ = Model();
    streams_.assign(kStreams, {});
    run_ = words_ = instructions_ = ctas_ = next_cta_ = last_count_ = last_warps_ = 0;
    last_edge_ = 0;
}

void BlockEncoder::finish(Bytes& out) {
    NumberWriter(streams_).put(kRun, run_);
    put_varint(out, ctas_);
    packer_.pack(streams_, out);
    clear();
}

void BlockEncoder::add(const CtaStream& cta, std::span<const StaticInst> table) {
    NumberWriter to(streams_);
    const Dim3 grid = info_.grid;
    const u64 number = cta.index.x + u64{grid.x} * (cta.index.y + u64{grid.y} * cta.index.z);
    to.put_difference(kIndex, static_cast<i64>(number - next_cta_), 0);
    next_cta_ = number + 1;
    ++ctas_;
    to.put_difference(kCount, static_cast<i64>(cta.ranges.size() - last_warps_), 0);
    last_warps_ = cta.ranges.size();
    for (u32 w = 0; w < cta.ranges.size(); ++w) {
        const auto [begin, end] = cta.ranges[w];
        add_warp(w, std::span<const u32>(cta.words).subspan(begin, end - begin), table);
    }
}

void BlockEncoder::add_warp(u32 warp, std::span<const u32> words, std::span<const StaticInst> table) {
    const u64 full = full_mask(info_, warp);
    const bool wide = info_.warp_lanes > 32;
    words_ += words.size();
    model_.begin_warp(full);
    u64 count = 0;
    while (!words.empty()) {
        const u32 length = instruction_words(words, full, wide);
        if (length > words.size()) throw InvariantError("a warp's words end within an instruction");
        const bool marked_full = (words[0] >> 22 & 1) != 0;
        u64 mask = full;
        if (!marked_full) mask = words[1] | (wide ? u64{words[2]} << 32 : 0);
        encode_inst(words.data(), full, mask, marked_full, table);
        words = words.subspan(length);
        ++count;
    }
    if (count > kMaxInstructions)
        throw InvariantError("a warp too long to hold in memory was not delivered in chunks");
    instructions_ += count;
    NumberWriter(streams_).put_difference(kCount, static_cast<i64>(count - last_count_), 0);
    last_count_ = count;
}

void BlockEncoder::encode_inst(const u32* head, u64 full, u64 mask, bool marked_full,
                               std::span<const StaticInst> table) {
    NumberWriter to(streams_);
    const u32 static_index = *head & 0x3fffff;
    if (static_index >= table.size() || *head >> kUnusedBits != 0)
        throw InvariantError("an invalid instruction word");
    if (mask == 0 && (*head >> 23 & 3) != 0) throw InvariantError("addresses without active lanes");
    const auto form = static_cast<AddressForm>(*head >> 23 & 3);
    const bool has_edge = (*head >> 25 & 1) != 0;

    const u32 expected = model_.expected_static();
    model_.need(static_index);
    Site& site = model_.site(static_index);
    const bool plain_mask = marked_full == (mask == full);
    const bool mask_expected = plain_mask && model_.recent(site.mask_place) == mask;
    const u8 flags =
        static_cast<u8>((static_index != expected ? kStaticWrong : 0) | (!mask_expected ? kMaskWrong : 0) |
                        (form != site.expected_form(mask) ? kFormWrong : 0) | (has_edge ? kHasEdge : 0));
    const u8 place = mask_expected ? site.mask_place : model_.find(mask);
    if (flags == 0) {
        ++run_;
    } else {
        to.put(kRun, run_);
        run_ = 0;
        to.byte(kFlags, flags);
        if (static_index != expected) to.put_difference(kStatic, i64{static_index} - i64{expected}, 0);
        if (!mask_expected) {
            const u8 kind = !plain_mask ? kMaskGivenNotFull : place < kRecentMasks ? place : kMaskGiven;
            to.byte(kMaskKind, kind);
            if (kind >= kMaskGiven) to.put(kMask, mask ^ model_.recent(0));
        }
        if (form != site.expected_form(mask)) to.byte(kForm, static_cast<u8>(form));
    }
    const u32* payload = head + 1;
    if (!marked_full) payload += info_.warp_lanes > 32 ? 2 : 1;
    if (has_edge) {
        to.put_difference(kEdge, i64{*payload} - i64{last_edge_}, 0);
        last_edge_ = *payload++;
    }
    if (form != AddressForm::none) encode_addresses(site, table[static_index], form, mask, payload);
    if (place < kRecentMasks) site.mask_place = place;
    site.update_form(form, mask);
    model_.use(mask, place);
    model_.follow(static_index);
}

void BlockEncoder::encode_addresses(Site& site, const StaticInst& inst, AddressForm form, u64 mask,
                                    const u32* payload) {
    NumberWriter to(streams_);
    const u32 unit = unit_of(inst);
    const u64 base = payload[0] | u64{payload[1]} << 32;
    to.put_difference(kBase, static_cast<i64>(base - model_.expected_base(site)), unit);
    if (form == AddressForm::strided) {
        const u64 stride = static_cast<u64>(i64{static_cast<i32>(payload[2])});
        const u64 expected = (mask & (mask - 1)) == 0 ? 0 : site.distance;
        to.put_difference(kStride, static_cast<i64>(stride - expected), unit);
        site.set_strided(mask, base, stride);
    } else {
        // Neither array is cleared first: that was a third of the time spent here.
        std::array<u64, kMaxLanes> addresses;
        const auto count = static_cast<u32>(std::popcount(mask));
        expand(form, payload, count, addresses.data());
        const auto first = static_cast<u32>(std::countr_zero(mask));
        if (const u64 lanes = mask >> first; (lanes & (lanes + 1)) == 0) {
            encode_lanes(site, unit, {addresses.data(), count}, [first](u32 k) { return first + k; });
        } else {
            std::array<u32, kMaxLanes> lane;
            u32 k = 0;
            for (u64 rest = mask; rest != 0; rest &= rest - 1)
                lane[k++] = static_cast<u32>(std::countr_zero(rest));
            encode_lanes(site, unit, {addresses.data(), count}, [&lane](u32 at) { return lane[at]; });
        }
    }
    model_.update_base(site, base);
}

template <class LaneOf>
void BlockEncoder::encode_lanes(Site& site, u32 unit, std::span<const u64> addresses, LaneOf lane) {
    NumberWriter to(streams_);
    site.settle();
    const auto count = static_cast<u32>(addresses.size());
    u64 distance = site.distance;
    if (count > 1) {
        const i64 step = static_cast<i64>(addresses[1] - addresses[0]);
        const i64 lanes = i64{lane(1)} - i64{lane(0)};
        if (lanes == 1)
            distance = static_cast<u64>(step);
        else if (step % lanes == 0)
            distance = static_cast<u64>(step / lanes);
    }
    const u64 way = addresses[0] - site.lanes[lane(0)];
    auto difference = [&](LaneMode mode, u32 k) {
        const u64 expected = mode == LaneMode::neighbour ? addresses[k - 1]
                             : mode == LaneMode::turn    ? site.lanes[lane(k)] + way
                                                      : addresses[k - 1] + distance * (lane(k) - lane(k - 1));
        return static_cast<i64>(addresses[k] - expected);
    };
    auto all_expected = [&](LaneMode mode) {
        i64 any = 0;
        for (u32 k = 1; k < count; ++k) any |= difference(mode, k);
        return any == 0;
    };
    const i64 distance_change = static_cast<i64>(distance - site.distance);
    LaneMode best = LaneMode::distance;
    bool exact = all_expected(LaneMode::distance);
    // What matches the prediction takes no bytes; no other mode takes fewer.
    if (!exact || distance_change != 0) {
        if (all_expected(LaneMode::turn)) {
            best = LaneMode::turn;
            exact = true;
        } else {
            u32 best_bytes = difference_bytes(distance_change, unit);
            for (u32 k = 1; k < count; ++k) best_bytes += difference_bytes(difference(best, k), unit);
            for (const LaneMode mode : {LaneMode::turn, LaneMode::neighbour}) {
                u32 bytes = 0;
                for (u32 k = 1; k < count; ++k) bytes += difference_bytes(difference(mode, k), unit);
                if (bytes < best_bytes) best = mode, best_bytes = bytes;
            }
            exact = all_expected(best);
        }
    }
    to.byte(kLaneMode, static_cast<u8>(static_cast<u8>(best) | (exact ? kLanesExact : 0)));
    if (best == LaneMode::distance) to.put_difference(kStride, distance_change, unit);
    if (!exact)
        for (u32 k = 1; k < count; ++k) to.put_difference(kLane, difference(best, k), unit);
    if (best == LaneMode::distance) site.distance = distance;
    for (u32 k = 0; k < count; ++k) site.lanes[lane(k)] = addresses[k];
}

}  // namespace heddle::recording
