#pragma once
// The byte streams of one block, each compressed on its own, so that like stands with like.

#include <memory>
#include <span>
#include <vector>

#include "trace/recording.h"
#include "trace/recording/bytes.h"

namespace heddle::recording {

/// Packs streams, each by the codec that suits it: raw, zstd, or (`small`) LZMA where it is much smaller (LZMA decodes about
/// ten times slower). It is kept for a whole file: what a codec needs is cleared once.
class StreamPacker {
  public:
    explicit StreamPacker(Compression compression);
    ~StreamPacker();
    StreamPacker(const StreamPacker&) = delete;
    StreamPacker& operator=(const StreamPacker&) = delete;

    /// Appends them.
    void pack(std::span<const Bytes> streams, Bytes& out);

  private:
    struct Zstd;
    const bool small_;
    const std::unique_ptr<Zstd> zstd_;
};

/// The reverse. `count` streams are expected; anything else is damage.
std::vector<Bytes> unpack_streams(ByteReader& in, std::size_t count);

}  // namespace heddle::recording
