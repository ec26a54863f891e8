#include "trace/recording/file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::recording {
namespace {

constexpr u32 kHeaderBytes = 12;   // magic, version
constexpr u32 kTrailerBytes = 32;  // the index's offset, size and checksum; the magic again
constexpr u64 kMaxBlock = u64{1} << 30;

u64 checksum_of(BlockType type, const u8* data, u64 size) {
    Bytes head;
    put_fixed(head, static_cast<u8>(type), 1);
    put_fixed(head, size, 8);
    return lzma_crc64(data, size, lzma_crc64(head.data(), head.size(), 0));
}

}  // namespace

FileWriter::FileWriter(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {
    Bytes head(kMagic, kMagic + sizeof kMagic);
    put_fixed(head, kVersion, 4);
    write(head);
}

void FileWriter::write(const Bytes& bytes) {
    sink_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    offset_ += bytes.size();
}

u64 FileWriter::add(BlockType type, const Bytes& payload) {
    blocks_.push_back({type, offset_, payload.size(), checksum_of(type, payload.data(), payload.size())});
    write(payload);
    return blocks_.size() - 1;
}

u64 FileWriter::finish() {
    Bytes index;
    put_varint(index, blocks_.size());
    for (const BlockEntry& block : blocks_) {
        put_fixed(index, static_cast<u8>(block.type), 1);
        put_varint(index, block.bytes);
        put_fixed(index, block.checksum, 8);
    }
    Bytes trailer;
    put_fixed(trailer, offset_, 8);
    put_fixed(trailer, index.size(), 8);
    put_fixed(trailer, checksum_of(BlockType::index, index.data(), index.size()), 8);
    trailer.insert(trailer.end(), kMagic, kMagic + sizeof kMagic);
    write(index);
    write(trailer);
    sink_->finish();
    return offset_;
}

FileReader::FileReader(const std::string& path) : path_(path) {
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw InputError(path + ": cannot open: " + std::strerror(errno));
    struct stat about {};
    ::fstat(file_, &about);
    bytes_ = static_cast<u64>(about.st_size);
    const char* const cut = "the recording is cut off: its index at the end is missing";
    if (bytes_ < kHeaderBytes + kTrailerBytes) throw InputError(path + ": " + cut);

    Bytes head(kHeaderBytes), trailer(kTrailerBytes);
    read_at(0, head.data(), head.size(), "header");
    if (std::memcmp(head.data(), kMagic, sizeof kMagic) != 0)
        throw InputError(path + ": is not a Heddle recording");
    ByteReader version(head.data() + sizeof kMagic, head.data() + head.size());
    version_ = static_cast<u32>(version.fixed(4));
    if (version_ < kOldestVersion || version_ > kVersion)
        throw InputError(path + ": is a recording of version " + std::to_string(version_) +
                         "; this program reads versions " + std::to_string(kOldestVersion) + " to " +
                         std::to_string(kVersion));
    read_at(bytes_ - kTrailerBytes, trailer.data(), trailer.size(), "trailer");
    if (std::memcmp(trailer.data() + 24, kMagic, sizeof kMagic) != 0) throw InputError(path + ": " + cut);
    ByteReader in(trailer);
    const u64 offset = in.fixed(8), size = in.fixed(8), checksum = in.fixed(8);
    if (offset < kHeaderBytes || size > bytes_ || offset != bytes_ - kTrailerBytes - size)
        throw InputError(path + ": block index: " + cut);
    Bytes index(size);
    read_at(offset, index.data(), size, "index");
    if (checksum_of(BlockType::index, index.data(), size) != checksum)
        throw InputError(path + ": block index: its checksum is wrong: the recording is damaged");

    ByteReader entries(index);
    const u64 count = entries.bounded(size);
    u64 at = kHeaderBytes;
    for (u64 k = 0; k < count; ++k) {
        BlockEntry block;
        block.type = static_cast<BlockType>(entries.fixed(1));
        block.offset = at;
        block.bytes = entries.bounded(kMaxBlock);
        block.checksum = entries.fixed(8);
        at += block.bytes;
        blocks_.push_back(block);
    }
    if (at != offset || entries.left() != 0)
        throw InputError(path + ": block index: it does not fit the file: the recording is damaged");
}

FileReader::~FileReader() {
    if (file_ >= 0) ::close(file_);
}

void FileReader::fail(u64 number, const std::string& what) const {
    throw InputError(path_ + ": block " + std::to_string(number) + ": " + what);
}

void FileReader::read_at(u64 offset, void* to, std::size_t size, const char* what) const {
    char* p = static_cast<char*>(to);
    while (size != 0) {
        const ssize_t got = ::pread(file_, p, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw InputError(path_ + ": " + what + ": " +
                             (got == 0 ? "the recording is cut off" : std::strerror(errno)));
        p += got;
        offset += static_cast<u64>(got);
        size -= static_cast<std::size_t>(got);
    }
}

Bytes FileReader::read(u64 number, BlockType type) const {
    if (number >= blocks_.size()) fail(number, "there is no such block: the recording is damaged");
    const BlockEntry& block = blocks_[number];
    if (block.type != type) fail(number, "it has the wrong type: the recording is damaged");
    Bytes payload(block.bytes);
    read_at(block.offset, payload.data(), payload.size(), ("block " + std::to_string(number)).c_str());
    if (checksum_of(type, payload.data(), payload.size()) != block.checksum)
        fail(number, "its checksum is wrong: the recording is damaged");
    return payload;
}

}  // namespace heddle::recording
