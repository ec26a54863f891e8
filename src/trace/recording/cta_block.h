#pragma once
// Instructions of CTAs into the payload of a block and back. A block stands for itself: predictions start
// afresh, so any can be read without those before it.

#include <memory>
#include <span>

#include "trace/recording/coder.h"
#include "trace/recording/model.h"
#include "trace/recording/streams.h"
#include "trace/stream.h"

namespace heddle::recording {

class BlockEncoder {
  public:
    BlockEncoder(const KernelInfo& info, StreamPacker& packer) : info_(info), packer_(packer) { clear(); }

    /// A whole CTA.
    void add(const CtaStream& cta, std::span<const StaticInst> table);
    /// Some instructions of one warp.
    void add_warp(u32 warp, std::span<const u32> words, std::span<const StaticInst> table);

    u64 words() const { return words_; }  // taken since clear()
    u64 instructions() const { return instructions_; }
    bool empty() const { return words_ == 0 && ctas_ == 0; }
    /// Appends the payload and starts over.
    void finish(Bytes& out);

  private:
    void clear();
    void encode_inst(const u32* head, u64 full, u64 mask, bool marked_full,
                     std::span<const StaticInst> table);
    void encode_addresses(Site& site, const StaticInst& inst, AddressForm form, u64 mask, const u32* payload);
    /// `lane(k)`: the lane that the k-th address belongs to.
    template <class LaneOf>
    void encode_lanes(Site& site, u32 unit, std::span<const u64> addresses, LaneOf lane);

    const KernelInfo& info_;
    StreamPacker& packer_;
    Model model_;
    std::vector<Bytes> streams_;
    u64 run_ = 0;  // instructions in a row that were as predicted
    u64 words_ = 0, instructions_ = 0, ctas_ = 0;
    u64 next_cta_ = 0;
    u64 last_count_ = 0, last_warps_ = 0;
    u32 last_edge_ = 0;
};

class BlockDecoder {
  public:
    /// Throws InputError if the payload is damaged.
    BlockDecoder(ByteReader payload, const KernelInfo& info, std::span<const StaticInst> table);

    /// The next CTA; false after the block's last.
    bool next(CtaStream& out);
    /// All instructions of the one warp in the block.
    void warp(u32 warp, std::vector<u32>& words);

  private:
    void decode_warp(u32 warp, std::vector<u32>& words);
    u32* decode_addresses(Site& site, const StaticInst& inst, AddressForm form, u64 mask, u32* out);
    u32* decode_lanes(Site& site, u32 unit, AddressForm form, u64 mask, u32* out);

    const KernelInfo& info_;
    std::span<const StaticInst> table_;
    std::vector<Bytes> streams_;
    std::unique_ptr<NumberReader> in_;
    Model model_;
    u64 ctas_ = 0;
    u64 run_ = 0;
    u64 next_cta_ = 0;
    u64 last_count_ = 0, last_warps_ = 0;
    u32 last_edge_ = 0;
};

}  // namespace heddle::recording
