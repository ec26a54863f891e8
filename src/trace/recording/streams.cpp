#include "trace/recording/streams.h"

#include <algorithm>
#include <bit>
#include <lzma.h>
#include <memory>
#include <zstd.h>

namespace heddle::recording {
namespace {

enum class Codec : u8 { raw = 0, zstd = 1, lzma = 2 };

constexpr int kZstdLevel = 19, kZstdFastLevel = 1;
constexpr u32 kLzmaLevel = 6;
constexpr u64 kMaxStream = u64{256} << 20;  // a block's streams are some MiB; more is damage
// A frame of zstd has nine bytes beside its content, which takes one at least.
constexpr std::size_t kZstdLeast = 11;
// LZMA clears half a megabyte before it starts, and shorter streams gain less than a line of text.
constexpr std::size_t kLzmaLeast = 512;
// LZMA is taken only if it saves a tenth of the size that zstd needs.
constexpr std::size_t kGainParts = 9, kGainWhole = 10;

/// LZMA with the settings of kLzmaLevel and a dictionary no larger than the stream needs.
class LzmaFilters {
  public:
    explicit LzmaFilters(std::size_t raw_bytes) {
        lzma_lzma_preset(&options_, kLzmaLevel);
        // Bytes of one plane have neither text contexts nor alignment.
        options_.lc = 1;
        options_.lp = 0;
        options_.pb = 0;
        options_.dict_size =
            static_cast<u32>(std::bit_ceil(std::clamp<std::size_t>(raw_bytes, 4096, 8 << 20)));
        filters_[0] = {LZMA_FILTER_LZMA1, &options_};
        filters_[1] = {LZMA_VLI_UNKNOWN, nullptr};
    }
    const lzma_filter* get() const { return filters_; }

  private:
    lzma_options_lzma options_{};
    lzma_filter filters_[2];
};

Bytes zstd_encode(ZSTD_CCtx* context, const Bytes& raw) {
    Bytes out(ZSTD_compressBound(raw.size()));
    const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), raw.data(), raw.size());
    if (ZSTD_isError(size)) throw InvariantError("zstd cannot encode");
    out.resize(size);
    return out;
}

Bytes lzma_encode(const Bytes& raw) {
    const LzmaFilters filters(raw.size());
    Bytes out(raw.size() + raw.size() / 2 + 256);
    std::size_t size = 0;
    if (lzma_raw_buffer_encode(filters.get(), nullptr, raw.data(), raw.size(), out.data(), &size,
                               out.size()) != LZMA_OK)
        throw InvariantError("LZMA cannot encode");
    out.resize(size);
    return out;
}

}  // namespace

struct StreamPacker::Zstd {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
};

StreamPacker::StreamPacker(Compression compression)
    : small_(compression == Compression::small), zstd_(std::make_unique<Zstd>()) {
    ZSTD_CCtx* const context = zstd_->context.get();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, small_ ? kZstdLevel : kZstdFastLevel);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
}

StreamPacker::~StreamPacker() = default;

void StreamPacker::pack(std::span<const Bytes> streams, Bytes& out) {
    for (const Bytes& raw : streams) {
        put_varint(out, raw.size());
        if (raw.empty()) continue;
        Codec codec = Codec::raw;
        const Bytes* best = &raw;
        const Bytes zstd = raw.size() < kZstdLeast ? raw : zstd_encode(zstd_->context.get(), raw);
        if (zstd.size() < best->size()) best = &zstd, codec = Codec::zstd;
        const bool try_lzma = small_ && raw.size() >= kLzmaLeast;
        const Bytes lzma = try_lzma ? lzma_encode(raw) : Bytes();
        if (try_lzma && lzma.size() * kGainWhole < best->size() * kGainParts)
            best = &lzma, codec = Codec::lzma;
        put_fixed(out, static_cast<u8>(codec), 1);
        if (codec != Codec::raw) put_varint(out, best->size());
        out.insert(out.end(), best->begin(), best->end());
    }
}

std::vector<Bytes> unpack_streams(ByteReader& in, std::size_t count) {
    std::vector<Bytes> streams(count);
    for (Bytes& raw : streams) {
        const u64 size = in.bounded(kMaxStream);
        if (size == 0) continue;
        const u64 codec = in.fixed(1);
        if (codec > static_cast<u64>(Codec::lzma)) ByteReader::damaged();
        const u64 stored = codec == static_cast<u64>(Codec::raw) ? size : in.bounded(kMaxStream);
        const u8* const from = in.take(stored);
        if (codec == static_cast<u64>(Codec::raw)) {
            raw.assign(from, from + stored);
            continue;
        }
        raw.resize(size);
        if (codec == static_cast<u64>(Codec::zstd)) {
            if (ZSTD_decompress(raw.data(), size, from, stored) != size) ByteReader::damaged();
        } else {
            const LzmaFilters filters(size);
            std::size_t used = 0, made = 0;
            const lzma_ret ret =
                lzma_raw_buffer_decode(filters.get(), nullptr, from, &used, stored, raw.data(), &made, size);
            if (ret != LZMA_OK || made != size) ByteReader::damaged();
        }
    }
    if (in.left() != 0) ByteReader::damaged();
    return streams;
}

}  // namespace heddle::recording
