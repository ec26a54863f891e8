#pragma once
// Fat binaries made by hand, as nvcc lays them out.

#include <cstring>
#include <lz4.h>
#include <string>
#include <vector>
#include <zstd.h>

#include "sim/types.h"

namespace heddle {

enum class Packing { plain, zstd, lz4 };

struct FatbinImage {
    u16 kind = 1;  // 1: PTX, 2: machine code
    u32 architecture = 75;
    std::string payload;
    Packing packing = Packing::plain;
    u32 header_bytes = 80;
};

template <class T>
void put_at(std::string& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

inline std::string packed(const std::string& text, Packing packing) {
    std::string out;
    if (packing == Packing::zstd) {
        out.resize(ZSTD_compressBound(text.size()));
        out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    } else if (packing == Packing::lz4) {
        out.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
        out.resize(static_cast<std::size_t>(LZ4_compress_default(
            text.data(), out.data(), static_cast<int>(text.size()), static_cast<int>(out.size()))));
    } else {
        out = text;
    }
    return out;
}

inline std::string fatbin_entry(const FatbinImage& image) {
    const std::string data = packed(image.payload, image.packing);
    std::string out(image.header_bytes, '\0');
    const u64 padded = ceil_div(data.size() + 1, 8) * 8;
    put_at(out, 0, image.kind);
    put_at(out, 4, image.header_bytes);
    put_at(out, 8, padded);
    put_at(out, 28, image.architecture);
    u64 flags = 0x11;
    if (image.packing != Packing::plain) {
        put_at(out, 16, static_cast<u32>(data.size()));
        put_at(out, 56, static_cast<u64>(image.payload.size()));
        flags |= image.packing == Packing::zstd ? 0x8000u : 0x2000u;
    }
    put_at(out, 40, flags);
    out += data;
    out.resize(image.header_bytes + padded, '\0');
    return out;
}

inline std::string fatbin(const std::vector<FatbinImage>& images) {
    std::string entries;
    for (const FatbinImage& image : images) entries += fatbin_entry(image);
    std::string out(16, '\0');
    put_at(out, 0, 0xBA55ED50u);
    put_at(out, 4, u16{1});
    put_at(out, 6, u16{16});
    put_at(out, 8, static_cast<u64>(entries.size()));
    return out + entries;
}

}  // namespace heddle
