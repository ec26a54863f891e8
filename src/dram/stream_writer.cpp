#include "dram/stream_writer.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/stat.h>

#include "sim/error.h"

namespace heddle::dram {

StreamWriter::StreamWriter(std::string path, std::string_view heading) : path_(std::move(path)) {
    struct stat there;
    if (::stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = 0;
        fail("this is no regular file");
    }
    file_ = std::fopen(path_.c_str(), "w");
    if (file_ == nullptr) fail(std::strerror(errno));
    while (!heading.empty()) {
        const std::size_t end = std::min(heading.find('\n'), heading.size());
        const std::string line = "# " + std::string(heading.substr(0, end)) + "\n";
        std::fwrite(line.data(), 1, line.size(), file_);
        heading.remove_prefix(std::min(end + 1, heading.size()));
    }
}

StreamWriter::~StreamWriter() {
    if (file_ != nullptr) std::fclose(file_);
}

void StreamWriter::fail(std::string_view what) const {
    throw InputError(path_ + ": cannot write the requests: " + std::string(what));
}

void StreamWriter::write(u64 address, bool write, Cycle at) {
    std::array<char, 64> line;
    char* const last = line.data() + line.size();
    char* p = line.data();
    *p++ = '0';
    *p++ = 'x';
    p = std::to_chars(p, last, address, 16).ptr;
    const std::string_view kind = write ? " WRITE " : " READ ";
    std::memcpy(p, kind.data(), kind.size());
    p = std::to_chars(p + kind.size(), last, at.v).ptr;
    *p++ = '\n';
    std::fwrite(line.data(), 1, static_cast<std::size_t>(p - line.data()), file_);
}

void StreamWriter::finish() {
    const bool failed = std::ferror(file_) != 0;
    const bool closed = std::fclose(file_) == 0;
    file_ = nullptr;
    if (failed || !closed) fail(std::strerror(errno));
}

}  // namespace heddle::dram
