#pragma once
// A kernel in execution: the state that its CTAs on all SMs share.

#include <memory>
#include <vector>

#include "core/decoded.h"
#include "sim/record.h"
#include "trace/stream.h"

namespace heddle {

/// What is counted of one static load (or atomic with a result), by PC.
struct LoadSiteStats {
    u64 executions = 0;
    u64 requests = 0;        // lines after coalescing
    u64 latency_cycles = 0;  // issue to last data, summed
    u64 wait_cycles = 0;     // for which a warp could not issue because of it
};

struct KernelRun {
    std::unique_ptr<KernelStream> stream;
    u8 app = 0;
    u64 index = 0;                    // launch number in its application, from 1
    u32 first_sm = 0, sms = ~u32{0};  // its CTAs may run on these SMs of a GPU
    u8 device = 0;                    // the GPU of its next CTA
    u64 ctas_started = 0, ctas_done = 0;
    bool exhausted = false;   // the stream has given its last CTA
    Cycle launched = kNever;  // may start CTAs from here
    Cycle first_cta = kNever;
    Cycle ended = kNever;
    u64 warp_instructions = 0, thread_instructions = 0;
    // -- kept by KernelAccount
    MemoryCounts memory;
    u64 accounted_instructions = 0;  // warp instructions at the last settlement
    bool shared = false;             // others of its application ran beside it

    std::vector<LoadSiteStats> sites;  // by static instruction
    std::vector<bool> signalled;       // by edge number
    /// A warp that waits for an edge.
    struct EdgeWaiter {
        u32 edge = 0;
        u16 sm = 0;
        u8 warp = 0;
        u8 device = 0;  // whose SM it is
    };
    std::vector<EdgeWaiter> edge_waiters;

    // -- left by retire()
    std::vector<std::pair<u64, LoadSiteStats>> finished_sites;  // by PC, those that executed
    std::vector<std::pair<std::string, u64>> unknown_opcodes;
    std::vector<std::string> warnings;

    /// The kernel has ended: keeps what the result needs and frees the rest. A program may launch often.
    void retire() {
        if (stream == nullptr) return;
        info_ = stream->info();
        unknown_opcodes = stream->unknown_opcodes();
        warnings = stream->warnings();
        for (std::size_t k = 0; k < sites.size(); ++k)
            if (sites[k].executions != 0) finished_sites.emplace_back(table()[k].pc, sites[k]);
        stream.reset();
        sites = {};
        signalled = {};
        edge_waiters = {};
        decoded_ = {};
    }

    const KernelInfo& info() const { return stream != nullptr ? stream->info() : info_; }
    const std::vector<StaticInst>& table() const { return stream->static_insts(); }
    LoadSiteStats& site(u32 static_index) {
        if (static_index >= sites.size()) sites.resize(table().size());
        return sites[static_index];
    }
    /// The instruction ready for issue; `ops` is the machine's table.
    const Decoded& decoded(u32 static_index, const OpTable& ops) {
        if (static_index >= decoded_.size()) decode_new(ops);
        return decoded_[static_index];
    }
    /// Register numbers of the instructions read so far are below this.
    u32 registers_in_use(const OpTable& ops) {
        decode_new(ops);
        return used_;
    }
    bool may_run_on(u32 sm) const { return sm - first_sm < sms; }  // below first_sm the difference is huge
    bool is_signalled(u32 edge) const { return edge < signalled.size() && signalled[edge]; }

  private:
    void decode_new(const OpTable& ops) {
        while (decoded_.size() < table().size()) {
            const Decoded d = decode(table()[decoded_.size()], ops);
            for (u32 k = 0; k < d.checks; ++k)
                if (d.registers[k] >= used_) used_ = d.registers[k] + 1u;
            decoded_.push_back(d);
        }
    }

    KernelInfo info_;
    std::vector<Decoded> decoded_;
    u32 used_ = 0;
};

}  // namespace heddle
