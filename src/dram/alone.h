#pragma once
// A memory by itself, fed from a stream of requests: what `heddle dram` runs, and what cross-validation with
// other DRAM simulators uses.
//
// Injection: each clock the front end offers its next `requests_per_clock` requests in order; one that is
// refused (no queue room in its channel) holds back all behind it. A request with a time is not offered
// before it. The run ends when the last read has returned and the last write is written.
//
// Files: one request a line, "0xADDR R|W" (Ramulator 1), "LD|ST 0xADDR" (Ramulator 2) or "0xADDR READ|WRITE CYCLE"
// (DRAMsim3); blank lines and lines that begin with # are skipped, CRLF is accepted, xz, gzip and zstd are unpacked.
// Errors are InputErrors "FILE:LINE: ...".

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "dram/channel.h"
#include "dram/energy.h"
#include "dram/statistics.h"
#include "mem/address_map.h"
#include "sim/record.h"

namespace heddle::dram {

struct StreamEntry {
    StreamEntry() = default;
    StreamEntry(u64 address, bool write, Cycle not_before = Cycle{0}, u8 app = 0)
        : address(address), not_before(not_before), write(write), app(app) {}
    u64 address = 0;  // byte
    Cycle not_before;
    bool write = false;
    u8 app = 0;  // files have none
};

/// Thrown by run_alone when it was told to stop; files of commands that it was writing are gone then.
struct AloneInterrupted {};

struct AloneOptions {
    u32 requests_per_clock = 1;
    u32 max_outstanding = ~u32{0};        // reads and writes accepted and not completed
    u32 request_bytes = 0;                // 0: one column command
    u32 interleave_bytes = 256;           // over the channels
    const AddressMap* map = nullptr;      // instead, how a GPU spreads physical addresses over the channels
    bool step_every_cycle = false;        // for tests: results must be the same
    CommandObserver* observer = nullptr;  // of all channels
    bool audit = false;                   // instead, the independent auditor on each channel
    std::string command_trace =
        {};  // instead or beside it, files of each channel's commands (command_files.h)
    const std::atomic<bool>* interrupted = nullptr;  // once it is set, AloneInterrupted
};

struct AloneResult {
    u64 requests = 0;
    u64 read_cycles = 0;  // until the last read had returned
    u64 cycles = 0;       // until everything was done
    u64 clock_hz = 0;
    u64 peak_bytes_per_s = 0;
    u32 access_bytes = 0;
    u32 channels = 0;
    u64 blocked_clocks = 0;  // memory stalls: the offered request was refused
    u64 injection_clocks =
        0;  // front-end stalls: all offers were taken, there was room for more, more were waiting
    std::string heading;  // standard, channels, bytes a request, peak
    Statistics total;     // over all channels
    struct PerChannel {
        Statistics counts;
        Histogram queue;  // requests that waited already, as each accepted request found them
    };
    std::vector<PerChannel> by_channel;
    std::vector<PolicyCounter> policy;   // what the scheduler counted, summed over all channels
    std::optional<AuditRecord> audit;    // of a run that was audited; a violation is an InvariantError
    const Currents* currents = nullptr;  // null: the standard's are not known, and `energy` is not there
    Energy energy;                       // of all channels

    /// Bytes a second moved on the data buses, over `cycles`.
    u64 bytes_per_s() const;
};

/// What a memory holds, over all channels.
u64 memory_bytes(const MemorySettings& settings);
/// `limit` is the number of bytes that the memory holds; addresses beyond it are errors.
std::vector<StreamEntry> read_stream(const std::string& file, u64 limit);
AloneResult run_alone(const MemorySettings& settings, const std::vector<StreamEntry>& stream,
                      const AloneOptions& options = {});
/// The result as the text that `heddle dram` prints.
std::string to_text(const AloneResult& result);

}  // namespace heddle::dram
