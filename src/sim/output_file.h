#pragma once
// Files that the program writes. A file appears under its name only when it is whole; every byte is checked, so a full
// disk is an error that says so.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace heddle {

/// Something could not be written: no room, no permission.
class WriteError : public InputError {
  public:
    using InputError::InputError;
};

/// Takes bytes one after the other. Errors are WriteError.
class ByteSink {
  public:
    virtual ~ByteSink() = default;
    virtual void write(std::string_view bytes) = 0;
    /// After the last byte: what was written is whole, and stays.
    virtual void finish() = 0;
};

/// Writes all bytes, also under a limit on file sizes, which would otherwise kill the process. False: errno says why not.
bool write_all(int file, std::string_view bytes);
/// What errno says, with advice if there is no room.
std::string write_error();

/// A file on the disk. It is written under a name of its own beside PATH (PATH.*.partial), which finish() renames;
/// without finish() nothing is left. A symbolic link stays one. Devices and folders are refused.
class OutputFile final : public ByteSink {
  public:
    /// `what` is what the file holds, for messages: "the recording". WriteError if it can't be created.
    OutputFile(const std::string& path, std::string what);
    ~OutputFile() override;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes) override;
    void finish() override;

  private:
    void flush();
    void discard();
    [[noreturn]] void fail(const std::string& why) const;

    std::string path_, what_;
    std::string target_;   // path_ behind symbolic links
    std::string partial_;  // empty: the file is written in place
    int file_ = -1;
    std::string buffer_;
};

/// The whole text as a file.
void write_file(const std::string& path, std::string_view text, const std::string& what);

}  // namespace heddle
