#include "sim/output_file.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kBuffer = 256 << 10;

/// While it lives, writing past the limit on file sizes fails with EFBIG and sends this thread no deadly signal.
class NoSizeSignal {
  public:
    NoSizeSignal() {
        sigemptyset(&size_);
        sigaddset(&size_, SIGXFSZ);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &size_, &before_);
    }
    ~NoSizeSignal() {
        const int error = errno;
        const timespec now{};
        if (!was_pending_) sigtimedwait(&size_, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }
    NoSizeSignal(const NoSizeSignal&) = delete;
    NoSizeSignal& operator=(const NoSizeSignal&) = delete;

  private:
    sigset_t size_, before_;
    bool was_pending_ = false;
};

}  // namespace

bool write_all(int file, std::string_view bytes) {
    const NoSizeSignal guard;
    while (!bytes.empty()) {
        const ssize_t done = ::write(file, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
}

std::string write_error() {
    const int error = errno;
    std::string text = std::strerror(error);
    if (error == ENOSPC || error == EDQUOT) text += " (the disk is full)";
    if (error == EFBIG) text += " (see ulimit -f)";
    return text;
}

OutputFile::OutputFile(const std::string& path, std::string what)
    : path_(path), what_(std::move(what)), target_(path) {
    struct stat there;
    if (::stat(path.c_str(), &there) == 0) {
        if (!S_ISREG(there.st_mode)) fail("not a regular file");
        std::error_code error;
        if (std::filesystem::is_symlink(path, error)) {
            const std::filesystem::path real = std::filesystem::canonical(path, error);
            if (!error) target_ = real.string();
        }
    }
    // A name that nobody has: neither a file of the user's nor one of another run is touched.
    std::string partial;
    for (u32 attempt = 0; file_ < 0; ++attempt) {
        partial = target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".partial";
        file_ = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ < 0 && errno != EEXIST) fail(write_error());
    }
    partial_ = partial;
}

OutputFile::~OutputFile() {
    discard();
}

void OutputFile::discard() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    if (!partial_.empty()) ::unlink(std::exchange(partial_, {}).c_str());
}

void OutputFile::fail(const std::string& why) const {
    throw WriteError(path_ + ": cannot write " + what_ + ": " + why);
}

void OutputFile::write(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
}

void OutputFile::flush() {
    if (!write_all(file_, buffer_)) fail(write_error());
    buffer_.clear();
}

void OutputFile::finish() {
    flush();
    if (::close(std::exchange(file_, -1)) != 0) fail(write_error());
    if (::rename(partial_.c_str(), target_.c_str()) != 0) fail(write_error());
    partial_.clear();
}

void write_file(const std::string& path, std::string_view text, const std::string& what) {
    OutputFile file(path, what);
    file.write(text);
    file.finish();
}

}  // namespace heddle
