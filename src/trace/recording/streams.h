#pragma once
// The byte streams of one block, each compressed on its own, so that like stands with like.

#include <span>
#include <vector>

#include "trace/recording.h"
#include "trace/recording/bytes.h"

namespace heddle::recording {

/// Appends the streams, each by the codec that suits it: raw, zstd, or (`small`) LZMA where it is much smaller (LZMA
/// decodes about ten times slower).
void pack_streams(std::span<const Bytes> streams, Compression compression, Bytes& out);

/// The reverse. `count` streams are expected; anything else is damage.
std::vector<Bytes> unpack_streams(ByteReader& in, std::size_t count);

}  // namespace heddle::recording
