#pragma once
// Builds a CtaStream: begin(), then for each warp in order begin_warp(), instructions, and end().

#include <span>

#include "trace/stream.h"

namespace heddle {

class CtaWriter {
  public:
    CtaWriter(CtaStream& out, const KernelInfo& kernel);

    void begin(Dim3 index);
    void begin_warp();
    /// An instruction without addresses.
    void add(u32 static_index, u64 mask);
    /// With the addresses of the active lanes, ascending; chooses the shortest form.
    void add(u32 static_index, u64 mask, std::span<const u64> addresses);
    /// With lane addresses base + rank*stride.
    void add_strided(u32 static_index, u64 mask, u64 base, i32 stride);
    /// Attaches an edge to the instruction added next.
    void edge(EdgeKind kind, u32 number);
    void end_warp();

  private:
    void head(u32 static_index, u64 mask, AddressForm form);

    CtaStream& out_;
    u32 lanes_;
    u64 threads_;
    u64 full_ = 0;
    bool has_edge_ = false;
    u32 edge_ = 0;
};

}  // namespace heddle
