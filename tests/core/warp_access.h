#pragma once
// Random warp accesses for the tests of coalescer and shared memory: the lanes' addresses as a plain list, and
// the same access encoded by CtaWriter and decoded by a WarpCursor, as timing gets it.

#include <vector>

#include "sim/random.h"
#include "trace/cta_writer.h"

namespace heddle::test {

struct LaneAddress {
    u32 lane = 0;
    u64 address = 0;
};

/// One instruction of a warp. The decoded form points into the words kept here, so it does not move.
class WarpAccess {
  public:
    /// Lanes ascending. `threads` live ones of `warp_lanes` (32 or 64).
    WarpAccess(std::vector<LaneAddress> lanes, u32 warp_lanes, u32 threads) : lanes_(std::move(lanes)) {
        std::vector<u64> addresses;
        u64 mask = 0;
        for (const auto& [lane, address] : lanes_) {
            mask |= u64{1} << lane;
            addresses.push_back(address);
        }
        KernelInfo kernel;
        kernel.warp_lanes = warp_lanes;
        kernel.block = {threads, 1, 1};
        CtaWriter writer(cta_, kernel);
        writer.begin({});
        writer.begin_warp();
        writer.add(7, mask, addresses);
        writer.end_warp();
        cta_.cursor(0, kernel).next(inst_);
    }
    WarpAccess(const WarpAccess&) = delete;
    WarpAccess& operator=(const WarpAccess&) = delete;

    const std::vector<LaneAddress>& lanes() const { return lanes_; }
    const DynInst& inst() const { return inst_; }

  private:
    std::vector<LaneAddress> lanes_;
    CtaStream cta_;
    DynInst inst_;
};

/// Active lanes: all, none, one, every other, few, most.
inline u64 random_mask(Random& random, u32 threads) {
    const u64 all = threads == 64 ? ~u64{0} : (u64{1} << threads) - 1;
    switch (random.below(8)) {
        case 0:
            return 0;
        case 1:
            return u64{1} << random.below(threads);
        case 2:
            return 0x5555555555555555 & all;
        case 3:
            return random.next() & random.next() & random.next() & all;
        case 4:
            return (random.next() | random.next()) & all;
        default:
            return all;
    }
}

/// The addresses of `mask`'s lanes in one of the shapes that programs have; multiples of `align` below `span`
/// from a base (`far`: anywhere in 48 bits for each lane).
inline std::vector<LaneAddress> random_lanes(Random& random, u64 mask, u64 align, u64 base, u64 span) {
    const auto inside = [&] { return base + random.below(span) / align * align; };
    const u64 shape = random.below(8);
    const u64 near = inside();
    const u64 steps[] = {0, 1, 2, 3, 4, 8, 16, 32, 33, 64, 128, 256, 1024, 4096};
    u64 step = steps[random.below(std::size(steps))] * align;
    if (random.chance(1, 4)) step = random.below(u64{1} << 20) / align * align;
    const bool down = random.chance(1, 3);
    u64 walk = near;
    u64 rank = 0;
    std::vector<LaneAddress> lanes;
    for (u32 lane = 0; lane < 64; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        u64 address = near;
        switch (shape) {
            case 0:
            case 1:
            case 2:
                address = down ? near - rank * step : near + rank * step;
                break;  // by rank
            case 3:
                address = near + lane / 4 * step;
                break;  // groups share
            case 4:
                address = walk;
                break;  // a walk of short steps
            case 5:
                address = inside();
                break;  // gather
            case 6:
                address = lanes.empty() || random.chance(1, 2)  // many duplicates
                              ? inside()
                              : lanes[random.below(lanes.size())].address;
                break;
            case 7:
                address = random.below(u64{1} << 48) / align * align;
                break;  // anywhere
        }
        walk += (random.below(9) * align) - 4 * align;
        lanes.push_back({lane, address});
        ++rank;
    }
    return lanes;
}

}  // namespace heddle::test
