#pragma once
// The file: blocks one after the other, and an index of them at the end. Layout: docs/recording.md.

#include <memory>
#include <string>
#include <vector>

#include "sim/output_file.h"
#include "trace/recording/bytes.h"

namespace heddle::recording {

inline constexpr char kMagic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'R', '\n'};
inline constexpr u32 kVersion = 3, kOldestVersion = 1;

enum class BlockType : u8 {
    events = 1,    // program events
    kernel = 2,    // a kernel's description, where its static instructions are, and its list of CTAs
    ctas = 3,      // whole CTAs
    pieces = 4,    // instructions of one warp of a CTA that was read in chunks
    long_cta = 5,  // which pieces make up such a CTA
    index = 6,
    table = 7,   // static instructions; launches of one kernel share them
    ranges = 8,  // marks and ranges of the program; readers that do not know them pass them over
};

struct BlockEntry {
    BlockType type = BlockType::index;
    u64 offset = 0;  // of the payload
    u64 bytes = 0;
    u64 checksum = 0;  // CRC-64 (ECMA-182, as in xz) of type, size and payload
};

class FileWriter {
  public:
    explicit FileWriter(std::unique_ptr<ByteSink> sink);

    /// The block's number.
    u64 add(BlockType type, const Bytes& payload);
    /// Writes the index; the file's size.
    u64 finish();

  private:
    void write(const Bytes& bytes);

    std::unique_ptr<ByteSink> sink_;
    u64 offset_ = 0;
    std::vector<BlockEntry> blocks_;
};

/// Reads blocks by number, each checked against its checksum.
class FileReader {
  public:
    /// Reads and checks the index. Throws InputError.
    explicit FileReader(const std::string& path);
    FileReader(const FileReader&) = delete;
    FileReader& operator=(const FileReader&) = delete;
    ~FileReader();

    const std::vector<BlockEntry>& blocks() const { return blocks_; }
    /// The payload, checked. `type` is what the caller expects to find.
    Bytes read(u64 number, BlockType type) const;
    const std::string& path() const { return path_; }
    u64 bytes() const { return bytes_; }
    u32 version() const { return version_; }

    /// Calls `act`; damage that it meets is an InputError that names file and block.
    template <class Act>
    auto in_block(u64 number, Act act) const {
        try {
            return act();
        } catch (const InputError& error) {
            fail(number, error.what());
        }
    }
    [[noreturn]] void fail(u64 number, const std::string& what) const;

  private:
    void read_at(u64 offset, void* to, std::size_t size, const char* what) const;

    std::string path_;
    int file_ = -1;
    u64 bytes_ = 0;
    u32 version_ = kVersion;
    std::vector<BlockEntry> blocks_;
};

}  // namespace heddle::recording
