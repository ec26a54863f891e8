#pragma once
// From a physical line to the channel and L2 slice that hold it. Works for any number of channels and slices.
//
// B = address / interleave. X = hash(B), one-to-one. channel = X mod channels; X div channels is the block's
// number inside the channel, so local address = (X div channels) * interleave + offset.
// With the channels divided among applications, each `parts`-th region of 4 GiB belongs to the same one, and its
// blocks spread over that one's channels only; local addresses stay apart, for they contain the region.
// slice = block, its bits folded, mod slices a channel (not folded if the slices are no power of two).

#include "mem/geometry.h"
#include "sim/types.h"

namespace heddle {

enum class ChannelHash : u8 {
    modulo,    // X = B
    xor3,      // lowest three bits of B XOR the next three (S1, machine M-WG)
    xor_fold,  // lowest k bits XOR all higher k-bit groups below 4 GiB, k = bits of the channel count
};

struct AddressMapSettings {
    u32 interleave_bytes = 256;  // power of two, at least a line
    ChannelHash hash = ChannelHash::modulo;
};

struct Place {
    u32 channel = 0;
    u32 slice = 0;   // within the channel
    PhysAddr local;  // byte address within the channel
};

class AddressMap {
  public:
    /// `parts`: equal groups of channels, of which 4 GiB region r uses the group r mod parts; it divides channels.
    AddressMap(const AddressMapSettings& settings, u32 channels, u32 slices_per_channel, u32 parts = 1);
    Place place(PhysAddr address) const;
    /// The inverse: the physical address of a channel's local address.
    PhysAddr address(u32 channel, PhysAddr local) const;
    /// Dense number of a line within its slice, from its local address: what L2 set indices are made of.
    u64 slice_line(PhysAddr local) const {
        const u64 block = local.v >> shift_;
        const u64 in_block = local.v >> kLineShift & ((u64{1} << (shift_ - kLineShift)) - 1);
        return (slice_bits_ >= 0 ? block >> slice_bits_ : block / slices_) << (shift_ - kLineShift) |
               in_block;
    }

  private:
    u64 hash(u64 block) const;

    u32 shift_ = 8;  // log2 interleave
    ChannelHash hash_;
    u32 channels_, slices_;  // channels of one part
    u32 parts_;
    u32 channel_bits_ = 0;
    bool power_of_two_ = false;
    i32 slice_bits_ = 0;  // log2 of the slices a channel, -1 if not a power of two
};

}  // namespace heddle
