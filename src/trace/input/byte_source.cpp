#include "trace/input/byte_source.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/error.h"
#include "trace/input/decoders.h"

namespace heddle {
namespace {

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

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw InputError(path + ": cannot open: " + std::strerror(errno));
    auto file = std::make_unique<PlainFile>(fd);
    struct stat about {};
    if (::fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
        throw InputError(path + ": is a directory, not a file");

    std::array<char, 6> head{};
    const ssize_t got = ::pread(fd, head.data(), head.size(), 0);
    if (got == 0) throw InputError(path + ": the file is empty");
    // A pipe can't be looked into: it is read as plain text.
    if (got < 0) return file;
    const std::string_view start(head.data(), static_cast<std::size_t>(got));
    for (const Container& container : containers())
        // A file cut off within its first bytes is a damaged file, not text.
        if (start.starts_with(container.magic) || (start.size() > 1 && container.magic.starts_with(start)))
            return container.open(std::move(file));
    return file;
}

}  // namespace heddle
