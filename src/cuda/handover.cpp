#include "cuda/handover.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "sim/error.h"

namespace heddle::cuda {
namespace {

// The state is a letter for each thing said, then the report.
constexpr char kLoaded = 'L', kInMemory = 'M', kOnDisk = 'D', kFailed = 'F', kUnwritten = 'U';

std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

Descriptor make_memory(const char* name) {
    Descriptor memory(memfd_create(name, MFD_CLOEXEC));
    if (!memory.is_open())
        throw InputError(std::string("not enough memory for the program's recording: ") +
                         std::strerror(errno));
    return memory;
}

std::string path_of(u64 process, i64 number) {
    return "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
}

Descriptor open_there(const std::string& path) {
    Descriptor there(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!there.is_open())
        throw InputError(std::string(kHandoverVariable) + ": heddle can't be reached through " + path + ": " +
                         std::strerror(errno));
    return there;
}

/// What a file holds from the beginning on.
std::string contents(int file) {
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t n; (n = pread(file, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
        text.append(part.data(), static_cast<std::size_t>(n));
    return text;
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}
Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Handover::Handover(u64 memory_bytes)
    : memory_bytes_(memory_bytes),
      state_(make_memory("heddle-state")),
      memory_(make_memory("heddle-recording")) {
    std::string path = temporary_folder() + "/heddle-XXXXXX";
    disk_ = Descriptor(mkostemp(path.data(), O_CLOEXEC));
    if (disk_.is_open())
        unlink(path.c_str());
    else
        disk_error_ = errno;
}

std::string Handover::text() const {
    std::string out = std::to_string(getpid());
    for (const i64 number : {i64{state_.number()}, i64{memory_.number()},
                             disk_.is_open() ? i64{disk_.number()} : -i64{disk_error_}})
        out += ':' + std::to_string(number);
    return out + ':' + std::to_string(memory_bytes_);
}

std::string Handover::state() const {
    return contents(state_.number());
}

Outcome Handover::outcome() const {
    const std::string said = state();
    if (said.empty()) return Outcome::not_loaded;
    if (said.size() == 1) return Outcome::unfinished;
    if (said[1] == kFailed) return Outcome::failed;
    return said[1] == kUnwritten ? Outcome::unwritten : Outcome::recorded;
}

std::string Handover::report() const {
    const std::string said = state();
    return said.size() > 2 ? said.substr(2) : std::string();
}

std::string Handover::recording() const {
    const int file = state().substr(1, 1) == std::string(1, kOnDisk) ? disk_.number() : memory_.number();
    return "/proc/self/fd/" + std::to_string(file);
}

HandoverWriter::HandoverWriter(const std::string& text) {
    std::array<i64, 5> numbers{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (k != 0 && (at == end || *at++ != ':'))
            throw InputError(std::string(kHandoverVariable) + ": '" + text + "'");
        const auto [stop, error] = std::from_chars(at, end, numbers[k]);
        if (error != std::errc{}) throw InputError(std::string(kHandoverVariable) + ": '" + text + "'");
        at = stop;
    }
    const auto process = static_cast<u64>(numbers[0]);
    state_ = open_there(path_of(process, numbers[1]));
    memory_ = path_of(process, numbers[2]);
    if (numbers[3] >= 0)
        disk_ = path_of(process, numbers[3]);
    else
        disk_error_ = static_cast<int>(-numbers[3]);
    memory_bytes_ = static_cast<u64>(numbers[4]);
    write_all(state_.number(), {&kLoaded, 1});
}

void HandoverWriter::tell(Outcome outcome, std::string_view report) {
    if (std::exchange(told_, true)) return;
    std::string text(1, outcome == Outcome::unwritten ? kUnwritten : kFailed);
    text += report;
    write_all(state_.number(), text);
}

/// Memory first, then the disk.
class HandoverWriter::Sink final : public ByteSink {
  public:
    explicit Sink(HandoverWriter& owner) : owner_(owner), file_(open_there(owner.memory_)) {}

    void write(std::string_view bytes) override {
        constexpr std::size_t kBuffer = 256 << 10;
        buffer_ += bytes;
        if (buffer_.size() >= kBuffer) flush();
    }
    void finish() override {
        flush();
        if (std::exchange(owner_.told_, true)) return;
        write_all(owner_.state_.number(), {on_disk_ ? &kOnDisk : &kInMemory, 1});
    }

  private:
    void flush() {
        if (!on_disk_ &&
            (written_ + buffer_.size() > owner_.memory_bytes_ || !write_all(file_.number(), buffer_)))
            move_to_disk();
        else if (!on_disk_)
            return taken();
        if (!write_all(file_.number(), buffer_)) fail(errno);
        taken();
    }
    void taken() {
        written_ += buffer_.size();
        buffer_.clear();
    }

    /// Copies what memory holds whole and gives the memory back.
    void move_to_disk() {
        if (owner_.disk_.empty()) fail(owner_.disk_error_);
        Descriptor disk = open_there(owner_.disk_);
        std::string part(std::size_t{1} << 20, '\0');
        for (u64 at = 0; at < written_;) {
            const std::size_t want = std::min<u64>(part.size(), written_ - at);
            const ssize_t got = pread(file_.number(), part.data(), want, static_cast<off_t>(at));
            if (got <= 0 || !write_all(disk.number(), {part.data(), static_cast<std::size_t>(got)}))
                fail(errno);
            at += static_cast<u64>(got);
        }
        if (ftruncate(file_.number(), 0) != 0) fail(errno);
        file_ = std::move(disk);
        on_disk_ = true;
    }

    [[noreturn]] void fail(int error) const {
        errno = error;
        throw WriteError("the program's recording takes more than " +
                         std::to_string(owner_.memory_bytes_ >> 20) + " MiB and can't be written to '" +
                         temporary_folder() + "': " + write_error() +
                         "; set TMPDIR to a folder with more room");
    }

    HandoverWriter& owner_;
    Descriptor file_;
    bool on_disk_ = false;
    u64 written_ = 0;
    std::string buffer_;
};

std::unique_ptr<ByteSink> HandoverWriter::recording() {
    return std::make_unique<Sink>(*this);
}

}  // namespace heddle::cuda
