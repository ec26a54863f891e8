#pragma once
// What a program's CUDA runtime hands over to the `heddle run` that started it: how the run went, and the recording.
//
// Both pass through memory, so that a full or missing TMPDIR does no harm. A recording larger than kMemoryBytes moves to a
// file in TMPDIR that has no name: it is gone when the last process that has it open ends, however that happens. All three
// are open in heddle; the runtime finds them through /proc, as the text of an environment variable says.

#include <memory>
#include <string>
#include <string_view>

#include "sim/output_file.h"
#include "sim/types.h"

namespace heddle::cuda {

inline constexpr const char* kHandoverVariable = "HEDDLE_HANDOVER";
/// Small beside what heddle itself needs to time such a recording.
inline constexpr u64 kMemoryBytes = u64{256} << 20;

/// How a program's run went.
enum class Outcome : u8 {
    not_loaded,  // it has never called the runtime
    unfinished,  // it ended without saying anything: by _exit, say
    recorded,
    failed,     // the program or a kernel did something wrong
    unwritten,  // the recording could not be written
};

/// A file descriptor, closed by the destructor.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

/// The side of heddle.
class Handover {
  public:
    /// InputError if there is no memory. `memory_bytes`: a larger recording moves to TMPDIR.
    explicit Handover(u64 memory_bytes = kMemoryBytes);

    /// The value of kHandoverVariable for the program.
    std::string text() const;

    // -- after the program has ended
    Outcome outcome() const;
    /// What went wrong, if the runtime said so.
    std::string report() const;
    /// Where the recording can be read, as often as wanted while this lives.
    std::string recording() const;

  private:
    std::string state() const;

    u64 memory_bytes_;
    Descriptor state_, memory_, disk_;
    int disk_error_ = 0;  // why there is no disk_
};

/// The side of the runtime.
class HandoverWriter {
  public:
    /// From kHandoverVariable's value; says that the runtime is there. InputError if heddle can't be reached.
    explicit HandoverWriter(const std::string& text);

    /// Takes the recording; finish() says that it is whole.
    std::unique_ptr<ByteSink> recording();
    /// Failed or unwritten, and why. The first outcome counts.
    void tell(Outcome outcome, std::string_view report);

  private:
    class Sink;
    Descriptor state_;
    std::string memory_, disk_;  // paths
    u64 memory_bytes_ = 0;
    int disk_error_ = 0;
    bool told_ = false;
};

}  // namespace heddle::cuda
