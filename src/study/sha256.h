#pragma once
// SHA-256 (FIPS 180-4): what names the contents of files and whole runs.

#include <array>
#include <string>
#include <string_view>

#include "sim/types.h"

namespace heddle::study {

class Sha256 {
  public:
    void add(std::string_view bytes);
    /// 64 lowercase hexadecimal digits. Nothing may be added afterwards.
    std::string hex();

  private:
    void block(const u8* bytes);

    std::array<u32, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<u8, 64> buffer_{};
    std::size_t used_ = 0;
    u64 length_ = 0;
};

std::string sha256(std::string_view bytes);

/// Of a file's contents. Throws InputError if it can't be read.
std::string sha256_of_file(const std::string& path);

}  // namespace heddle::study
