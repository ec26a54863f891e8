#pragma once
// The lives of memory instructions and of their requests, kept during a run: `heddle run --trace-requests`.
//
// One in `one_in` instructions is taken, chosen by a hash of its number, so that no periodic behavior of the program
// affects the choice. Whenever more than kMost requests are kept, `one_in` doubles and those that it no longer chooses
// are dropped: what is left is spread over the whole run, whatever its length.

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/machine.h"
#include "mem/lifetime_observer.h"

namespace heddle {

/// One line of an instruction, which is one request unless L1 has it or waits for it already. Times are ticks.
struct LineLife {
    static constexpr u64 kUnset = ~u64{0};
    struct Command {
        RequestStep step = RequestStep::column;
        u64 at = 0;
    };

    PhysAddr line;
    L1Outcome l1 = L1Outcome::hit;
    RequestStep l2 = RequestStep::l2_hit;
    u16 slice = 0;  // flat over the GPU
    u16 channel = 0, bank = 0;
    u32 row = 0;
    u64 taken = kUnset;  // by L1
    u64 sent = kUnset, at_l2 = kUnset, looked_up = kUnset, ready = kUnset, answered = kUnset,
        returned = kUnset;
    u64 accepted = kUnset, served = kUnset;  // in DRAM
    u64 end = kUnset;
    std::vector<Command> commands;  // that DRAM issued for it
};

struct AccessLife {
    u64 number = 0;  // among the GPU's memory instructions, from 0
    u16 sm = 0;
    u8 warp = 0, app = 0;
    const char* what = "";
    u32 kernel = 0;  // Lifetimes::kernels
    u64 pc = 0;
    u64 issued = 0, end = 0;
    u32 load = Request::kNoLoad;  // its name in the SM while it is in flight
    u32 requests = 0;             // lines after coalescing
    u32 open = 0;                 // of them, those that have not ended
    std::vector<LineLife> lines;
};

class Lifetimes final : public LifetimeObserver {
  public:
    static constexpr u64 kMost = 20'000;

    /// Observes the machine's first GPU and its memory from now on, and must outlive the run. `one_in` is the initial
    /// sampling rate.
    Lifetimes(const Machine& machine, u64 one_in, u64 most = kMost);
    ~Lifetimes() override { observe(nullptr); }

    // -- after the run
    /// Those that have ended, in the order of issue.
    std::vector<const AccessLife*> finished() const;
    /// Memory instructions that were issued.
    u64 instructions() const { return issued_; }
    u64 one_in() const { return one_in_; }
    const std::string& kernel(const AccessLife& access) const { return kernels_[access.kernel]; }
    const Machine& machine() const { return machine_; }

    bool issued(const IssuedAccess& access) override;
    void line_taken(u16 sm, u32 instruction, PhysAddr line, L1Outcome outcome, const Request* request,
                    Cycle now, Cycle done) override;
    void step(const Request& request, RequestStep step, Cycle at) override;
    void fetched_for(const Request& request, const Request& fetch) override;
    void line_arrived(u16 sm, u32 load, PhysAddr line, Cycle at) override;
    void done(const Request& request, Cycle at) override;

  private:
    struct Where {
        u64 access = 0;
        u32 line = 0;
    };
    struct Untaken {  // an instruction in an SM's load/store unit
        u64 access = 0;
        u32 lines = 0;
    };

    void observe(LifetimeObserver* observer);
    bool chosen(u64 number) const;
    void thin();
    u64 core(Cycle at) const { return machine_.clock().tick(at).v; }
    u64 memory(Cycle at) const { return machine_.home_memory().clock().tick(at).v; }
    LineLife* find(const Request& request);
    void end(AccessLife& access, LineLife& line, u64 at);

    const Machine& machine_;
    u64 one_in_, most_;
    u64 issued_ = 0, lines_ = 0;
    std::map<u64, AccessLife> accesses_;  // by number
    std::vector<std::string> kernels_;
    std::map<std::string, u32, std::less<>> kernel_numbers_;
    struct Issued {
        u32 first = 0;  // number of the SM's oldest instruction with lines left
        std::deque<Untaken> untaken;
    };
    std::vector<Issued> issued_to_;  // by SM
    // Only looked up, never walked through for a result.
    // A request that has come to its end may stay until its storage is used again.
    std::unordered_map<const Request*, Where> requests_;
    std::map<std::pair<u16, u32>, u64> loads_;  // by (SM, load)
};

}  // namespace heddle
