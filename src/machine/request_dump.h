#pragma once
// The requests of a run as files that `heddle dram` reads: PATH holds what the DRAM controllers accepted, PATH.l2 what
// reached the L2 slices. One line for each column command's worth of bytes (the memory's access) that a request
// touches; addresses are physical, times are memory clocks. An atomic in L2 is a READ and a WRITE.

#include <memory>
#include <string>
#include <vector>

#include "dram/stream_writer.h"
#include "machine/machine.h"
#include "mem/request_observer.h"

namespace heddle {

class RequestDump {
  public:
    /// Observes the machine's first GPU and its memory from now on. InputError if a file cannot be created.
    RequestDump(const Machine& machine, const std::string& path);
    ~RequestDump();

    /// After the run. InputError if not all could be written.
    void finish();
    /// Lines beyond the end of the memory, whose capacity a run does not enforce; their addresses were wrapped around.
    u64 wrapped() const { return wrapped_; }

  private:
    class Station;
    void write(dram::StreamWriter& to, u32 channel, const Request& request, bool write, Cycle at);

    Gpu& gpu_;
    MemoryNode& memory_;
    u32 access_bytes_;
    u64 channel_bytes_;
    dram::StreamWriter dram_, l2_;
    std::vector<std::unique_ptr<Station>> stations_;
    u64 wrapped_ = 0;
};

}  // namespace heddle
