#pragma once
// Heddle's own recording of a program's stream: everything that timing can see, compact, checked, and read with bounded
// memory on both sides. docs/recording.md describes the format.
//
// A recording replays the same events, the same kernel descriptions, the same static instructions and the same words
// for each warp. It is written under a temporary name beside `path` and renamed when complete, so a file under its
// final name is complete.

#include <memory>
#include <string>

#include "sim/output_file.h"
#include "trace/stream.h"

namespace heddle {

struct RecordingSummary {
    u64 events = 0, kernels = 0, ctas = 0, warp_instructions = 0;
    u64 bytes = 0;  // of the file
};

enum class Compression : u8 {
    small,  // for keeping
    fast,   // for a file that is read once and deleted: a fraction of the time
};

/// Writes a recording while its events come.
class RecordingWriter {
  public:
    RecordingWriter(std::unique_ptr<ByteSink> sink, const std::string& program, Compression compression);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    /// A launch's kernel is read to its end. Throws InputError if it can't be written, and what the kernel throws; the
    /// recording can't be completed then.
    void add(const ProgramEvent& event);
    /// At any time; they stand behind the events.
    void add(ProgramRange range);
    /// Writes what is left and finishes the sink.
    RecordingSummary finish();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Drains the source into a file. Throws InputError if the file can't be written, and what the source throws;
/// nothing is left behind then.
RecordingSummary record(StreamSource& source, const std::string& path,
                        Compression compression = Compression::small);

/// True if the file starts like a recording.
bool is_recording(const std::string& path);

/// Opens a recording. A truncated or damaged file is an InputError that names file and block: at once if it is the
/// index, otherwise when the block is reached.
std::unique_ptr<StreamSource> open_recording(const std::string& path);

/// Reads every block and compares its checksum. Throws InputError as above; returns what the file holds.
RecordingSummary verify_recording(const std::string& path);

}  // namespace heddle
