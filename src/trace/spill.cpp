#include "trace/spill.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdlib.h>
#include <string>
#include <unistd.h>

#include "sim/error.h"
#include "sim/output_file.h"
#include "trace/words.h"

namespace heddle {
namespace {

constexpr std::size_t kChunkWords = 16 << 10;

[[noreturn]] void file_error(const char* what) {
    throw InputError(std::string("temporary file for a very long CTA: cannot ") + what + ": " +
                     write_error() + "; set TMPDIR to a folder with free space");
}

int open_unnamed() {
    const char* folder = std::getenv("TMPDIR");
    std::string path =
        std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/heddle-cta-XXXXXX";
    const int file = ::mkstemp(path.data());
    if (file < 0) file_error("create");
    ::unlink(path.c_str());
    return file;
}

}  // namespace

SpillCta::~SpillCta() {
    if (file_ >= 0) ::close(file_);
}

void SpillCta::begin() {
    chunked = false;
    spilled_ = 0;
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

void SpillCta::spill(std::span<const u32> more) {
    if (file_ < 0) file_ = open_unnamed();
    if (!write_all(file_, {reinterpret_cast<const char*>(more.data()), more.size_bytes()}))
        file_error("write");
    spilled_ += more.size();
}

void SpillCta::finish(const KernelInfo& kernel, std::span<const std::pair<u64, u64>> positions) {
    chunked = true;
    wide_ = kernel.warp_lanes > 32;
    words.clear();
    ranges.assign(positions.size(), {0, 0});
    warps_.resize(positions.size());
    for (u32 w = 0; w < positions.size(); ++w) {
        warps_[w].next = positions[w].first;
        warps_[w].end = positions[w].second;
        warps_[w].full = full_mask(kernel, w);
    }
}

std::span<const u32> SpillCta::refill(u32 warp) {
    Warp& w = warps_[warp];
    const std::size_t count = std::min<u64>(kChunkWords, w.end - w.next);
    w.chunk.resize(count);
    char* to = reinterpret_cast<char*>(w.chunk.data());
    std::size_t left = count * sizeof(u32);
    u64 at = w.next * sizeof(u32);
    while (left != 0) {
        const ssize_t done = ::pread(file_, to, left, static_cast<off_t>(at));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) file_error("read");
        to += done;
        at += static_cast<u64>(done);
        left -= static_cast<std::size_t>(done);
    }
    // An instruction that the chunk cuts belongs to the next one.
    std::span<const u32> rest(w.chunk);
    while (!rest.empty()) {
        const u32 length = instruction_words(rest, w.full, wide_);
        if (length > rest.size()) break;
        rest = rest.subspan(length);
    }
    const std::size_t whole = count - rest.size();
    w.next += whole;
    return std::span<const u32>(w.chunk).first(whole);
}

}  // namespace heddle
