#pragma once
// A file's bytes as a stream, decompressed on the way: plain, xz, gzip, zstd, bzip2 or lz4, told apart by content
// and not by name. Concatenated members are read as one. Memory is bounded by the compressor's window.

#include <memory>
#include <string>

#include "sim/types.h"

namespace heddle {

class ByteSource {
  public:
    virtual ~ByteSource() = default;

    /// Up to `size` bytes; 0 at the end, or when the data is damaged (see damage()).
    virtual std::size_t read(char* to, std::size_t size) = 0;

    /// Why reading stopped before the end ("xz data is truncated"); empty: it did not.
    const std::string& damage() const { return damage_; }

  protected:
    std::string damage_;
};

/// Throws InputError if the file is missing, a directory, empty or unreadable.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

}  // namespace heddle
