#pragma once
// Writes the commands of a memory's channels as command traces that `heddle audit` reads (docs/audit.md), a file a
// channel: FILE if there is one, else FILE.0, FILE.1, ...

#include <memory>
#include <string>
#include <vector>

#include "dram/audit/device.h"
#include "dram/channel.h"

namespace heddle::dram {

/// The file of one of so many channels.
std::string command_file(const std::string& file, std::size_t channel, std::size_t channels);

class CommandFiles {
  public:
    /// Makes all files. InputError if one can't be made or a device can't be described to the auditor.
    CommandFiles(const std::string& file, const std::vector<audit::AuditDevice>& devices);
    ~CommandFiles();
    CommandFiles(const CommandFiles&) = delete;
    CommandFiles& operator=(const CommandFiles&) = delete;

    /// What the channel is to be observed by; it hands each command on to `next`, which may be null.
    CommandObserver* observer(std::size_t channel, CommandObserver* next);
    /// The run ended. InputError if something could not be written.
    void finish(Cycle end);

  private:
    class File;
    std::vector<std::unique_ptr<File>> files_;
};

}  // namespace heddle::dram
