#include "trace/input/byte_source.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "sim/error.h"

namespace heddle {
namespace {

constexpr std::size_t kBlock = 128 << 10;

class PlainFile final : public ByteSource {
  public:
    explicit PlainFile(int fd) : fd_(fd) {}
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;
    ~PlainFile() override { ::close(fd_); }

    std::size_t read(char* to, std::size_t size) override {
        for (;;) {
            const ssize_t got = ::read(fd_, to, size);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno == EINTR) continue;
            damage_ = std::string("cannot read: ") + std::strerror(errno);
            return 0;
        }
    }

  private:
    int fd_;
};

/// What the three decompressors share: a block of compressed bytes that is refilled when used up.
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
            damage_ = "no memory for the xz decoder";
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
            damage_ = "no memory for the gzip decoder";
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
                // Bytes may still wait in the decoder: it is asked once more with no input.
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

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw InputError(path + ": cannot open: " + std::strerror(errno));
    auto file = std::make_unique<PlainFile>(fd);
    struct stat about {};
    if (::fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
        throw InputError(path + ": is a directory, not a file");

    std::array<u8, 6> head{};
    const ssize_t got = ::pread(fd, head.data(), head.size(), 0);
    if (got == 0) throw InputError(path + ": the file is empty");
    // A pipe can't be looked into: it is read as plain text.
    if (got < 0) return file;
    auto starts = [&](std::initializer_list<u8> magic) {
        return static_cast<std::size_t>(got) >= magic.size() &&
               std::equal(magic.begin(), magic.end(), head.begin());
    };
    if (starts({0xfd, '7', 'z', 'X', 'Z', 0})) return std::make_unique<XzFile>(std::move(file));
    if (starts({0x1f, 0x8b})) return std::make_unique<GzipFile>(std::move(file));
    if (starts({0x28, 0xb5, 0x2f, 0xfd})) return std::make_unique<ZstdFile>(std::move(file));
    return file;
}

}  // namespace heddle
