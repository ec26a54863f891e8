// What must hold of a GPU at the end of a run, and who waits for whom in it when a run cannot end.

#include <fmt/format.h>

#include "gpu/gpu.h"
#include "sim/error.h"

namespace heddle {

void Gpu::check_conservation() const {
    auto expect = [](const char* what, u64 a, const char* other, u64 b) {
        if (a != b)
            throw InvariantError(fmt::format("conservation: {} ({}) differ from {} ({})", what, a, other, b));
    };
    u64 sm_reads = 0, sm_writes = 0, sm_atomics = 0, resident = 0;
    for (const auto& sm : sms_) {
        const SmStats& s = sm->stats();
        expect("L1 reads", s.l1_reads, "hits, merges and misses",
               s.l1_read_hits + s.l1_read_merges + s.l1_read_misses);
        sm_reads += s.l1_read_misses + s.l1_bypassed;
        sm_writes += s.l1_write_backs;
        if (settings_.l1.write == WritePolicy::through) sm_writes += s.l1_writes;
        sm_atomics += s.atomic_requests;
        resident += sm->resident_ctas();
    }
    u64 reads = 0, writes = 0, atomics = 0;
    for (const auto& slice : slices_) {
        const SliceStats& s = slice->stats();
        expect("L2 reads", s.reads, "hits, merges and misses", s.read_hits + s.read_merges + s.read_misses);
        reads += s.reads + s.bypassed;
        writes += s.writes;
        atomics += s.atomics;
    }
    expect("reads sent by SMs", sm_reads, "reads seen by L2", reads);
    if (settings_.l1.write == WritePolicy::through)
        expect("writes sent by SMs", sm_writes, "writes seen by L2", writes);
    expect("atomics sent by SMs", sm_atomics, "atomics seen by L2", atomics);
    const u64 walks_by_sms = translation_ ? translation_->reads_by_sms() : 0;
    expect("packets sent", requests_.packets(), "packets answered and reads of walks",
           responses_.packets() + walks_by_sms);
    if (translation_) translation_->check_conservation();
    if (moves_) moves_->check_conservation();
    if (!dispatcher_.halted()) expect("resident CTAs", resident, "none", 0);
    expect("live requests", pool_.live(), "none", 0);
}

std::string Gpu::describe() const {
    std::string text;
    u32 shown = 0;
    for (const auto& sm : sms_) {
        const std::string lines = sm->describe(now());
        if (lines.empty() || ++shown > 4) continue;
        text += lines;
    }
    if (shown > 4) text += fmt::format("  ... and {} more SMs\n", shown - 4);
    if (translation_) text += translation_->describe();
    if (moves_) text += moves_->describe();
    for (u32 k = 0; k < slices_.size(); ++k) {
        const auto& s = *slices_[k];
        if (s.quiet()) continue;
        text += fmt::format("  L2 slice {}: {} requests in bank queues, {} lines outstanding\n", k,
                            s.waiting_in_banks(), s.cache().outstanding());
    }
    return text;
}

}  // namespace heddle
