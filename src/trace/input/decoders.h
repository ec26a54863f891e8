#pragma once
// Compressed files as streams of bytes, told apart by their first bytes. Each decoder reads concatenated members as one
// and tells truncated from corrupt data in damage().
//
// Not libarchive: it brings further shared libraries, and it passes over what follows the last member.

#include <span>
#include <string_view>

#include "trace/input/byte_source.h"

namespace heddle {

/// A kind of compressed file.
struct Container {
    std::string_view name;   ///< "xz"
    std::string_view magic;  ///< its first bytes
    /// The bytes that the file decompresses to.
    std::unique_ptr<ByteSource> (*open)(std::unique_ptr<ByteSource> file);
};

std::span<const Container> containers();

}  // namespace heddle
