#pragma once
// What encoder and decoder both know while they go through a block: predictions made from what came before.
// Only what differs from the prediction is stored, and most instructions of a GPU program differ in nothing.
//
//   static instruction   the one that followed the last instruction the time before
//   mask                 a place in the warp's list of recent masks, the place that this instruction used last
//   form                 the one that this instruction had last (none without active lanes)
//   base address         last base + last step: one pair for the first execution in a warp, which steps from
//                        warp to warp, one for later executions, which step from turn to turn
//   lanes' addresses     the smallest of three: the difference to the lane before; the way that the same lane
//                        took since the instruction's last execution; a constant distance a lane
//
// Encoder and decoder must update a Model in the same way; both do it only through its functions.

#include <array>
#include <bit>
#include <vector>

#include "trace/recording/bytes.h"
#include "trace/stream.h"

namespace heddle::recording {

/// A byte stream of a block. Each number coder owns nine: lengths, then the numbers' bytes by significance.
inline constexpr std::size_t kCoderStreams = 9;
enum Coder : std::size_t { kRun, kStatic, kMask, kEdge, kBase, kStride, kLane, kCount, kIndex, kCoders };
enum ByteStream : std::size_t { kFlags = kCoders * kCoderStreams, kMaskKind, kForm, kLaneMode, kStreams };

/// Of a warp in one block; more in a file is damage. Sources give longer warps in chunks.
inline constexpr u64 kMaxInstructions = u64{1} << 26;

/// Flags of an instruction that is not as predicted.
enum Flag : u8 { kStaticWrong = 1, kMaskWrong = 2, kFormWrong = 4, kHasEdge = 8 };

/// How a mask is told: a place in the list of recent masks, or in full.
inline constexpr u8 kRecentMasks = 8;
inline constexpr u8 kMaskGiven = kRecentMasks;             // the mask follows
inline constexpr u8 kMaskGivenNotFull = kRecentMasks + 1;  // and is not marked full although it is

enum class LaneMode : u8 { neighbour = 0, turn = 1, distance = 2 };
inline constexpr u8 kLanesExact = 0x80;  // all as predicted; no numbers follow

struct Site {
    std::array<u64, 2> base{}, step{};
    u64 warp = 0;      // in which it executed last; numbers from 1
    u64 distance = 0;  // bytes from lane to lane
    AddressForm form = AddressForm::none;
    u8 mask_place = 0;
    u64 strided_mask = 0, strided_base = 0;  // a strided execution that lanes do not show yet
    std::array<u64, kMaxLanes> lanes{};      // address that each lane had last

    /// With one active lane every address is strided, whatever the instruction does otherwise.
    AddressForm expected_form(u64 mask) const {
        if (mask == 0 || form == AddressForm::none) return AddressForm::none;
        return (mask & (mask - 1)) == 0 ? AddressForm::strided : form;
    }
    void update_form(AddressForm met, u64 mask) {
        if (mask != 0 && (form == AddressForm::none || (mask & (mask - 1)) != 0)) form = met;
    }

    void set_strided(u64 mask, u64 first, u64 stride) {
        strided_mask = mask;
        strided_base = first;
        if ((mask & (mask - 1)) != 0) distance = stride;
    }
    /// Brings `lanes` up to date.
    void settle() {
        for (u64 address = strided_base; strided_mask != 0;
             strided_mask &= strided_mask - 1, address += distance)
            lanes[static_cast<std::size_t>(std::countr_zero(strided_mask))] = address;
    }
};

class Model {
  public:
    void begin_warp(u64 full) {
        ++warp_;
        last_ = 0;
        recent_.fill(0);
        recent_[0] = full;
    }

    u32 expected_static() const { return follower_[last_]; }
    Site& site(u32 static_index) { return sites_[static_index]; }
    u64 recent(u8 place) const { return recent_[place]; }

    /// Room for a static index.
    void need(u32 static_index) {
        while (sites_.size() <= static_index) {
            sites_.emplace_back();
            // A new instruction is expected to be followed by the next new one.
            follower_.push_back(static_cast<u32>(follower_.size()));
        }
    }

    void follow(u32 static_index) {
        follower_[last_] = static_index;
        last_ = static_index + 1;
    }

    /// Place of a mask among the recent ones; kRecentMasks if it is not there.
    u8 find(u64 mask) const {
        u8 place = 0;
        while (place < kRecentMasks && recent_[place] != mask) ++place;
        return place;
    }
    /// Moves the mask at `place` (or a new one) to the front.
    void use(u64 mask, u8 place) {
        if (place == 0) return;
        for (u8 k = place < kRecentMasks ? place : kRecentMasks - 1; k > 0; --k) recent_[k] = recent_[k - 1];
        recent_[0] = mask;
    }

    u64 expected_base(const Site& s) const { return s.base[again(s)] + s.step[again(s)]; }
    void update_base(Site& s, u64 base) const {
        const std::size_t k = again(s);
        s.step[k] = base - s.base[k];
        s.base[k] = base;
        if (k == 0) s.base[1] = base;
        s.warp = warp_;
    }

  private:
    std::size_t again(const Site& s) const { return s.warp == warp_ ? 1 : 0; }

    std::vector<u32> follower_{0};  // by static index + 1; 0 stands before a warp's first instruction
    std::vector<Site> sites_;
    std::array<u64, kRecentMasks> recent_{};
    u32 last_ = 0;
    u64 warp_ = 0;
};

}  // namespace heddle::recording
