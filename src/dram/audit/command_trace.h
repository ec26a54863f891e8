#pragma once
// The command stream of one channel as a text file, with the device in its head: an audit needs nothing else.
//
//     heddle-dram-commands 1
//     label gtx480 gddr5 channel 0       optional: free text to the end of the line
//     standard HBM2
//     pseudo-channels 2                  these six: 1 if left out
//     ranks 1
//     groups 4                           bank groups in a rank
//     banks 4                            banks in a bank group
//     rows 32768
//     columns 32                         bursts in a row
//     steps-per-clock 1                  2: the times below are half clocks, timings stay clocks; 1 if left out
//     activate-clocks 1                  clocks of an activate on its bus; the standard's if left out
//     command-buses separate             standard, shared, separate; standard if left out
//     refresh all-bank                   off, all-bank, same-bank, per-bank; off if left out
//     max-postponed 8                    refreshes that a bank may owe; 8 if left out
//     max-pulled-in 8                    refreshes that a bank may be ahead; 8 if left out
//     timing CL 14                       one line a timing, in clocks
//     ...
//     commands
//     0 ACT 0 0 1 2 77 0                 CLOCK KIND pseudo-channel rank group bank row column
//     15 RD 0 0 1 2 77 4                 kinds: ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb
//     ...
//     end 3900                           the clock at which the run ended
//
// Words are separated by spaces or tabs; lines may end in CR LF; empty lines and lines that start with # are
// comments. Coordinates that a command does not use are 0. Clocks never decrease. Numbers are decimal.

#include <memory>
#include <string>

#include "dram/audit/device.h"
#include "dram/command.h"
#include "sim/output_file.h"

namespace heddle::dram::audit {

class CommandTraceWriter {
  public:
    /// InputError if the file can't be made or the description can't be audited.
    CommandTraceWriter(const std::string& path, const AuditDevice& device);

    void write(const Command& command);
    /// Writes the last line; the file gets its name. WriteError if the disk is full.
    void finish(Cycle end);

  private:
    OutputFile file_;
};

class CommandTraceReader {
  public:
    /// Reads the head. InputError "FILE:LINE: ..." for whatever is wrong with it, here and in next().
    explicit CommandTraceReader(const std::string& path);
    ~CommandTraceReader();

    const AuditDevice& device() const;
    /// False at the end line; end() is known then.
    bool next(Command& command);
    Cycle end() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::dram::audit
