#include "mem/address_map.h"

#include <bit>

namespace heddle {

AddressMap::AddressMap(const AddressMapSettings& settings, u32 channels, u32 slices_per_channel, u32 parts)
    : shift_(static_cast<u32>(std::countr_zero(settings.interleave_bytes))),
      hash_(settings.hash),
      channels_(channels / parts),
      slices_(slices_per_channel),
      parts_(parts),
      channel_bits_(static_cast<u32>(std::bit_width(channels / parts - 1))),
      power_of_two_(std::has_single_bit(channels / parts)),
      slice_bits_(std::has_single_bit(slices_per_channel) ? std::countr_zero(slices_per_channel) : -1) {}

// Each hash changes low bits by a function of higher bits that it leaves alone, so applying it twice undoes it.
u64 AddressMap::hash(u64 block) const {
    switch (hash_) {
        case ChannelHash::modulo:
            return block;
        case ChannelHash::xor3:
            return block ^ (block >> 3 & 7);
        case ChannelHash::xor_fold: {
            if (channel_bits_ == 0) return block;
            const u64 mask = (u64{1} << channel_bits_) - 1;
            // Bits from 4 GiB up name the region, not the data's place in it: a moved program keeps its channels.
            u64 high = (block & ((u64{1} << (32 - shift_)) - 1)) >> channel_bits_;
            u64 fold = 0;
            for (; high != 0; high >>= channel_bits_) fold ^= high & mask;
            return block ^ fold;
        }
    }
    return block;
}

Place AddressMap::place(PhysAddr address) const {
    const u64 x = hash(address.v >> shift_);
    Place p;
    u64 block;
    if (power_of_two_) {
        p.channel = static_cast<u32>(x & (channels_ - 1));
        block = x >> channel_bits_;
    } else {
        p.channel = static_cast<u32>(x % channels_);
        block = x / channels_;
    }
    p.local = PhysAddr(block << shift_ | (address.v & ((u64{1} << shift_) - 1)));
    if (parts_ != 1) p.channel += static_cast<u32>((address.v >> 32) % parts_) * channels_;
    // The fold keeps (slice, block >> slice bits) one-to-one and spreads strides of several blocks.
    if (slice_bits_ >= 0)
        p.slice = static_cast<u32>((block ^ block >> 3 ^ block >> 7) & (slices_ - 1));
    else
        p.slice = static_cast<u32>(block % slices_);
    return p;
}

PhysAddr AddressMap::address(u32 channel, PhysAddr local) const {
    const u64 x = (local.v >> shift_) * channels_ + channel % channels_;
    return PhysAddr(hash(x) << shift_ | (local.v & ((u64{1} << shift_) - 1)));
}

}  // namespace heddle
