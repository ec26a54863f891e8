#pragma once
// From the lanes' addresses of one warp instruction to the lines and sectors it touches.

#include <array>

#include "mem/geometry.h"
#include "trace/stream.h"

namespace heddle {

/// One 128-byte line that an instruction touches.
struct LineAccess {
    u64 line = 0;    // virtual address / 128
    u8 sectors = 0;  // sectors touched
    u8 partial = 0;  // of them, those of which not every byte is touched
    u8 lanes = 0;    // lanes whose first byte lies in the line
    // Set by find_busiest_words() alone.
    u8 busiest_word = 0;  // the 4-byte word on which most lanes begin, the first of several
    u8 busiest_lanes = 0;
};

/// Reused from instruction to instruction.
class Coalescer {
  public:
    /// Lines in the order of the first lane (ascending) that touches them; a lane whose bytes reach into the next
    /// line touches both. `partial` is computed only with `want_partial` (stores); otherwise it is 0.
    std::span<const LineAccess> coalesce(const DynInst& inst, u32 access_bytes, bool want_partial);
    /// Of the lines that coalesce(inst) has just given: the word that most lanes touch.
    void find_busiest_words(const DynInst& inst);

  private:
    static constexpr u32 kMost = 2 * kMaxLanes;
    using Bytes = std::array<u64, 2>;  // one bit a byte of the line

    void run(u64 first, u64 last);
    u32 at(u64 line);
    void mark_partial();

    u32 count_ = 0;
    std::array<LineAccess, kMost> lines_;
    std::array<Bytes, kMost> bytes_;
    // Lines found so far, by hash; a stamp from another instruction means empty.
    struct Slot {
        u32 stamp = 0;
        u32 index = 0;
    };
    std::array<Slot, 256> slots_;
    u32 stamp_ = 0;
};

/// Passes that a shared-memory access needs: the most different words that fall into one bank, summed over the
/// groups of lanes that are served together (banks x 4 bytes a pass). Lanes that read the same word share it;
/// `atomic`: they do not. 0 if no lane is active.
u32 bank_passes(const DynInst& inst, u32 access_bytes, u32 banks, bool atomic);

}  // namespace heddle
