#include "cuda/fatbin.h"

#include <cstring>
#include <lz4.h>
#include <zstd.h>

#include "sim/error.h"

namespace heddle::cuda {
namespace {

constexpr u16 kPtx = 1, kElf = 2;
constexpr u64 kZstd = 0x8000, kLz4 = 0x2000;
/// No text shrinks to less than a thousandth: LZ4 reaches 255, zstd a few dozen with PTX. What claims more is damaged.
constexpr u64 kMostShrinking = 1024;

// Offsets in an entry's header.
constexpr std::size_t kHeaderBytesAt = 4, kPayloadBytesAt = 8, kCompressedBytesAt = 16, kArchitectureAt = 28,
                      kFlagsAt = 40, kUncompressedBytesAt = 56, kEntryHeader = 64;

template <class T>
T read(std::span<const std::byte> bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

[[noreturn]] void broken(std::size_t at, const std::string& what) {
    throw InputError("fat binary, offset " + std::to_string(at) + ": " + what);
}

std::string unpack(std::span<const std::byte> packed, u64 flags, u64 bytes, std::size_t at) {
    if (bytes > (packed.size() + 1) * kMostShrinking)
        broken(at, "claims " + std::to_string(bytes) + " bytes of PTX");
    std::string text(bytes, '\0');
    if ((flags & kZstd) != 0) {
        const std::size_t n = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
        if (ZSTD_isError(n) != 0u || n != bytes) broken(at, "its zstd data is damaged");
    } else {
        const int n = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                                          static_cast<int>(packed.size()), static_cast<int>(bytes));
        if (n < 0 || static_cast<u64>(n) != bytes) broken(at, "its LZ4 data is damaged");
    }
    return text;
}

}  // namespace

u64 container_bytes(std::span<const std::byte> bytes) {
    if (bytes.size() < kContainerHeader || read<u32>(bytes, 0) != kContainerMagic) return 0;
    const u64 header = read<u16>(bytes, 6), payload = read<u64>(bytes, 8);
    if (header < kContainerHeader || payload > u64{1} << 40) return 0;
    return header + payload;
}

std::vector<FatbinEntry> read_container(std::span<const std::byte> container) {
    const u64 whole = container_bytes(container);
    if (whole == 0) broken(0, "not a fat binary: its first bytes do not match");
    if (whole > container.size())
        broken(0, "cut off: " + std::to_string(container.size()) + " of " + std::to_string(whole) + " bytes");
    std::vector<FatbinEntry> entries;
    std::size_t at = read<u16>(container, 6);
    while (at < whole) {
        const auto entry = container.subspan(at, whole - at);
        if (entry.size() < kEntryHeader) broken(at, "an entry's header is cut off");
        const u16 kind = read<u16>(entry, 0);
        const u32 header = read<u32>(entry, kHeaderBytesAt);
        const u64 payload = read<u64>(entry, kPayloadBytesAt);
        if (header < kEntryHeader || header > entry.size())
            broken(at, "an entry's header has " + std::to_string(header) + " bytes");
        if (payload > entry.size() - header) broken(at, "an entry's payload is cut off");
        if (kind == kPtx || kind == kElf) {
            FatbinEntry e;
            e.is_ptx = kind == kPtx;
            e.architecture = read<u32>(entry, kArchitectureAt);
            if (e.is_ptx) {
                const u64 flags = read<u64>(entry, kFlagsAt);
                auto data = entry.subspan(header, payload);
                if ((flags & (kZstd | kLz4)) != 0) {
                    const u32 compressed = read<u32>(entry, kCompressedBytesAt);
                    if (compressed > payload)
                        broken(at, "an entry's compressed data is longer than its payload");
                    e.text =
                        unpack(data.first(compressed), flags, read<u64>(entry, kUncompressedBytesAt), at);
                } else {
                    e.text.assign(reinterpret_cast<const char*>(data.data()), data.size());
                }
                // Padding and the end of the text are zeros.
                e.text.resize(std::strlen(e.text.c_str()));
            }
            entries.push_back(std::move(e));
        }
        at += header + payload;
    }
    return entries;
}

bool is_device_runtime(std::string_view ptx) {
    return ptx.find("\n.extern .func (.param .b32 func_retval0) cnpSetLastError") != std::string_view::npos;
}

const FatbinEntry& choose_ptx(const std::vector<FatbinEntry>& entries) {
    const FatbinEntry* best = nullptr;
    u32 code = 0;
    for (const FatbinEntry& e : entries) {
        if (!e.is_ptx)
            code = e.architecture;
        else if (best == nullptr || e.architecture > best->architecture)
            best = &e;
    }
    if (best == nullptr)
        throw InputError(
            code == 0
                ? "the program's fat binary is empty; compile with heddle cc, or nvcc -arch=compute_75"
                : "the program carries machine code for sm_" + std::to_string(code) +
                      " but no PTX; compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared");
    return *best;
}

}  // namespace heddle::cuda
