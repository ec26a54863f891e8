#pragma once
// The lives of a run's requests (machine/lifetimes.h) as a file for Perfetto and chrome://tracing: JSON object format of
// the Trace Event Format (Google, "Trace Event Format", 2016), `ts` in microseconds of simulated time with six decimals.
//
// Processes are the SMs, the L2 slices and the DRAM channels; threads are an SM's warp slots, a slice's requests and a
// channel's banks, each in as many lanes as overlap. In an SM a slice of time is an instruction, from issue to its last
// data; below it, where it has several, its lines; below those the stations, which follow each other without a gap. Its
// time in L2 stands once more, divided, in the slice's process, and L2's time in DRAM in the channel's; arrows (flow
// events) lead from one to the next. `otherData` says what the file holds and what it leaves out.

#include <string>

#include "machine/lifetimes.h"
#include "sim/output_file.h"

namespace heddle::report {

class TraceEventFile {
  public:
    /// Before the run: InputError if the file can't be made or is not a regular one. Nothing has PATH's name before
    /// finish() has written all.
    explicit TraceEventFile(const std::string& path) : file_(path, "the traced requests") {}

    /// InputError if something could not be written.
    void finish(const Lifetimes& lives, const std::string& machine, const std::string& version);

  private:
    OutputFile file_;
};

/// One line: how many requests of how many instructions there are, and what was left out.
std::string sampled(const Lifetimes& lives);

}  // namespace heddle::report
