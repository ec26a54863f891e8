#include "trace/input/decoders.h"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace heddle {
namespace {

constexpr std::size_t kBlock = 128 << 10;

/// What the decompressors share: a block of compressed bytes that is refilled when used up.
class Compressed : public ByteSource {
  public:
    explicit Compressed(std::unique_ptr<ByteSource> file) : file_(std::move(file)), block_(kBlock) {}

  protected:
    /// Refills the block; its size, 0 at the file's end.
    std::size_t refill() {
        const std::size_t got = file_->read(block_.data(), block_.size());
        if (got == 0 && !file_->damage().empty()) damage_ = file_->damage();
        return got;
    }

    std::unique_ptr<ByteSource> file_;
    std::vector<char> block_;
    bool done_ = false;
};

class XzFile final : public Compressed {
  public:
    explicit XzFile(std::unique_ptr<ByteSource> file) : Compressed(std::move(file)) {
        constexpr u64 kMemory = u64{1} << 30;
        if (lzma_stream_decoder(&stream_, kMemory, LZMA_CONCATENATED) != LZMA_OK) {
            damage_ = "not enough memory for the xz decoder";
            done_ = true;
        }
    }
    ~XzFile() override { lzma_end(&stream_); }

    std::size_t read(char* to, std::size_t size) override {
        stream_.next_out = reinterpret_cast<u8*>(to);
        stream_.avail_out = size;
        while (!done_ && stream_.avail_out != 0) {
            if (stream_.avail_in == 0 && !at_end_) {
                stream_.next_in = reinterpret_cast<const u8*>(block_.data());
                stream_.avail_in = refill();
                at_end_ = stream_.avail_in == 0;
            }
            const lzma_ret ret = lzma_code(&stream_, at_end_ ? LZMA_FINISH : LZMA_RUN);
            if (ret == LZMA_OK) continue;
            done_ = true;
            if (ret == LZMA_STREAM_END || !damage_.empty()) continue;
            damage_ = ret == LZMA_BUF_ERROR        ? "the xz data is truncated"
                      : ret == LZMA_MEMLIMIT_ERROR ? "the xz data needs more than 1 GiB of memory to decode"
                                                   : "the xz data is corrupt";
        }
        return size - stream_.avail_out;
    }

  private:
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool at_end_ = false;
};

class GzipFile final : public Compressed {
  public:
    explicit GzipFile(std::unique_ptr<ByteSource> file) : Compressed(std::move(file)) {
        constexpr int kGzipOnly = 15 + 16;
        if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
            damage_ = "not enough memory for the gzip decoder";
            done_ = true;
        }
    }
    ~GzipFile() override { inflateEnd(&stream_); }

    std::size_t read(char* to, std::size_t size) override {
        stream_.next_out = reinterpret_cast<u8*>(to);
        stream_.avail_out = static_cast<uInt>(size);
        while (!done_ && stream_.avail_out != 0) {
            if (stream_.avail_in == 0) {
                stream_.next_in = reinterpret_cast<u8*>(block_.data());
                stream_.avail_in = static_cast<uInt>(refill());
                if (stream_.avail_in == 0) {
                    done_ = true;
                    if (inside_ && damage_.empty()) damage_ = "the gzip data is truncated";
                    break;
                }
            }
            inside_ = true;
            const int ret = inflate(&stream_, Z_NO_FLUSH);
            if (ret == Z_STREAM_END) {
                inside_ = false;
                inflateReset(&stream_);
            } else if (ret != Z_OK && ret != Z_BUF_ERROR) {
                done_ = true;
                damage_ = "the gzip data is corrupt";
            }
        }
        return size - stream_.avail_out;
    }

  private:
    z_stream stream_{};
    bool inside_ = true;
};

class ZstdFile final : public Compressed {
  public:
    explicit ZstdFile(std::unique_ptr<ByteSource> file)
        : Compressed(std::move(file)), context_(ZSTD_createDCtx()) {
        ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, 30);
    }
    ZstdFile(const ZstdFile&) = delete;
    ZstdFile& operator=(const ZstdFile&) = delete;
    ~ZstdFile() override { ZSTD_freeDCtx(context_); }

    std::size_t read(char* to, std::size_t size) override {
        ZSTD_outBuffer out{to, size, 0};
        while (!done_ && out.pos < size) {
            if (in_.pos == in_.size) {
                const std::size_t got = refill();
                // Bytes may still wait in the decoder: it is called once more with no input.
                if (got == 0 && !flushing_) {
                    done_ = true;
                    if (wants_ != 0 && damage_.empty()) damage_ = "the zstd data is truncated";
                    break;
                }
                in_ = {block_.data(), got, 0};
            }
            const std::size_t before = out.pos;
            const std::size_t ret = ZSTD_decompressStream(context_, &out, &in_);
            if (ZSTD_isError(ret)) {
                done_ = true;
                damage_ = std::string("the zstd data is corrupt: ") + ZSTD_getErrorName(ret);
                break;
            }
            wants_ = ret;
            flushing_ = out.pos == size && out.pos != before;
        }
        return out.pos;
    }

  private:
    ZSTD_DCtx* context_;
    ZSTD_inBuffer in_{nullptr, 0, 0};
    std::size_t wants_ = 0;
    bool flushing_ = false;
};

class Bzip2File final : public Compressed {
  public:
    explicit Bzip2File(std::unique_ptr<ByteSource> file) : Compressed(std::move(file)) { begin(); }
    Bzip2File(const Bzip2File&) = delete;
    Bzip2File& operator=(const Bzip2File&) = delete;
    ~Bzip2File() override { BZ2_bzDecompressEnd(&stream_); }

    std::size_t read(char* to, std::size_t size) override {
        stream_.next_out = to;
        stream_.avail_out = static_cast<unsigned>(size);
        while (!done_ && stream_.avail_out != 0) {
            if (stream_.avail_in == 0) {
                stream_.next_in = block_.data();
                stream_.avail_in = static_cast<unsigned>(refill());
                at_end_ = stream_.avail_in == 0;
                if (at_end_ && !inside_) {
                    done_ = true;
                    break;
                }
            }
            inside_ = true;
            const unsigned before = stream_.avail_out;
            const int ret = BZ2_bzDecompress(&stream_);
            if (ret == BZ_STREAM_END) {
                // Parallel compressors write one stream a block.
                inside_ = false;
                BZ2_bzDecompressEnd(&stream_);
                begin();
            } else if (ret != BZ_OK) {
                done_ = true;
                damage_ = ret == BZ_MEM_ERROR ? "not enough memory for the bzip2 decoder"
                                              : "the bzip2 data is corrupt";
            } else if (at_end_ && stream_.avail_out == before) {
                done_ = true;
                if (damage_.empty()) damage_ = "the bzip2 data is truncated";
            }
        }
        return size - stream_.avail_out;
    }

  private:
    /// Makes the decoder ready for a stream; what it has of the input and the output stays.
    void begin() {
        bz_stream next{};
        next.next_in = stream_.next_in;
        next.avail_in = stream_.avail_in;
        next.next_out = stream_.next_out;
        next.avail_out = stream_.avail_out;
        stream_ = next;
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
            damage_ = "not enough memory for the bzip2 decoder";
            done_ = true;
        }
    }

    bz_stream stream_{};
    bool inside_ = true;
    bool at_end_ = false;
};

class Lz4File final : public Compressed {
  public:
    explicit Lz4File(std::unique_ptr<ByteSource> file) : Compressed(std::move(file)) {
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) {
            damage_ = "not enough memory for the lz4 decoder";
            done_ = true;
        }
    }
    Lz4File(const Lz4File&) = delete;
    Lz4File& operator=(const Lz4File&) = delete;
    ~Lz4File() override { LZ4F_freeDecompressionContext(context_); }

    std::size_t read(char* to, std::size_t size) override {
        std::size_t got = 0;
        while (!done_ && got < size) {
            if (at_ == end_) {
                at_ = 0;
                end_ = refill();
            }
            // Without input it still gives what it holds; nothing more means the end.
            std::size_t out = size - got, in = end_ - at_;
            const bool drained = in == 0;
            const std::size_t ret =
                LZ4F_decompress(context_, to + got, &out, block_.data() + at_, &in, nullptr);
            if (LZ4F_isError(ret)) {
                done_ = true;
                damage_ = std::string("the lz4 data is corrupt: ") + LZ4F_getErrorName(ret);
                break;
            }
            if (in != 0 || out != 0) wants_ = ret;
            at_ += in;
            got += out;
            if (drained && out == 0) {
                done_ = true;
                if (wants_ != 0 && damage_.empty()) damage_ = "the lz4 data is truncated";
            }
        }
        return got;
    }

  private:
    LZ4F_dctx* context_ = nullptr;
    std::size_t at_ = 0, end_ = 0;  // what is left of the block
    std::size_t wants_ = 1;         // 0: a frame has just ended
};

template <class Decoder>
std::unique_ptr<ByteSource> make(std::unique_ptr<ByteSource> file) {
    return std::make_unique<Decoder>(std::move(file));
}

using namespace std::string_view_literals;

constexpr Container kContainers[] = {
    {"xz",
     "\xfd"
     "7zXZ\0"sv,
     make<XzFile>},
    {"gzip", "\x1f\x8b"sv, make<GzipFile>},
    {"zstd", "\x28\xb5\x2f\xfd"sv, make<ZstdFile>},
    {"bzip2", "BZh"sv, make<Bzip2File>},
    {"lz4", "\x04\x22\x4d\x18"sv, make<Lz4File>},
};

}  // namespace

std::span<const Container> containers() {
    return kContainers;
}

}  // namespace heddle
