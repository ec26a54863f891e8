#pragma once
// One GPU: its SMs, the two crossbars, the L2 slices in front of a memory, translation, and the dispatcher, in one clock.

#include <memory>
#include <string>
#include <vector>

#include "cache/l2_hit_rates.h"
#include "cache/slice.h"
#include "core/sm.h"
#include "gpu/dispatcher.h"
#include "machine/application.h"
#include "machine/kernel_account.h"
#include "machine/settings.h"
#include "memory/memory_node.h"
#include "vm/translation.h"

namespace heddle {

class Gpu final : public Domain, public SmOwner, private DispatchOwner, private ApplicationCounters {
  public:
    /// `memory`: where its slices read and write. `pressure`: where translation tells how applications suffer from it.
    /// `device`: its number in the machine. Throws InputError if the description does not hold.
    Gpu(const std::string& name, const GpuSettings& settings, const Clock& clock, MemoryNode& memory,
        TranslationPressure& pressure, u8 device = 0);

    /// `again` null: it runs once. Throws InputError if the share does not fit the GPU.
    void add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share);
    void start();
    /// Nothing new is issued or started; what is in flight still arrives.
    void halt();

    /// Every application has finished once.
    bool finished() const { return dispatcher_.finished(); }
    /// Some are running again.
    bool repeats() const { return !dispatcher_.running().empty(); }
    /// What has been counted for an application up to now, or until it first ended.
    AppTotals totals(const Application& app) const override;
    /// Attributes what has been counted since the last kernel's end to the kernels that it belongs to; call before the
    /// result.
    void settle_kernels();
    Cycle ended() const { return dispatcher_.ended(); }
    /// Core cycles until the last thing happened anywhere, the memory included.
    Cycle drained() const {
        return std::max(now(), clock().at_or_after(memory_.clock().tick(memory_.now())));
    }
    u64 thread_instructions() const { return load_stats_.thread_instructions; }
    /// Grows with everything that counts as progress: instructions, responses, DRAM requests.
    u64 progress() const;
    /// Nothing is in flight anywhere.
    bool quiet() const;
    /// Throws InvariantError unless everything that was sent was answered and the levels agree.
    void check_conservation() const;
    /// Who waits for whom.
    std::string describe() const;

    /// Memory instructions issued from now on are reported to the observer; null: to none.
    void trace(LifetimeObserver* lifetimes);

    // -- for the result
    const std::string& name() const { return name_; }
    const GpuSettings& settings() const { return settings_; }
    const std::vector<std::unique_ptr<Application>>& applications() const {
        return dispatcher_.applications();
    }
    const std::vector<std::unique_ptr<Sm>>& sms() const { return sms_; }
    const std::vector<std::unique_ptr<Slice>>& slices() const { return slices_; }
    MemoryNode& memory() { return memory_; }
    const MemoryNode& memory() const { return memory_; }
    const LoadStats& load_stats() const { return load_stats_; }
    const Router& router() const { return router_; }
    /// Null without translation.
    const Translation* translation() const { return translation_.get(); }
    Translation* translation() { return translation_.get(); }
    const Crossbar& requests() const { return requests_; }
    const Crossbar& responses() const { return responses_; }
    /// Accounts for resident warps up to now (for a run that was cut short).
    void settle();
    /// Device memory that the run has used so far.
    u64 used_bytes() const;

  private:
    void run(Cycle now) override;
    void step_slice(u32 s, Cycle now);
    void settle_kernels_of(const Application& app) override;
    MemoryCounts memory_counts(const Application& app) const;

    void cta_done(u16 sm, KernelRun& kernel, Cycle now) override;
    void signalled(KernelRun& kernel, u32 edge, Cycle now) override;
    void load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) override;
    void copied(u8 app, const CopyEvent& copy) override;
    void freed(u8 app, u64 address, u64 bytes) override;
    u32 application_count() const override;
    u64 instructions(u32 app) const override;
    u64 misses(u32 app, u32 channel) const override;
    PhysAddr placed(u8 app, VirtAddr address) {
        return processes_ ? processes_->translate(app, address) : linear_.translate(app, address);
    }

    // Parts of the domain, in the order in which they are stepped: SMs, slices, dispatcher, translation.
    u32 slice_part(u32 slice) const { return settings_.sms + slice; }
    u32 dispatcher_part() const { return slice_part(router_.ports()); }
    u32 translation_part() const { return dispatcher_part() + 1; }

    std::string name_;
    GpuSettings settings_;
    MemoryNode& memory_;
    u8 device_;
    Router router_;
    RequestPool pool_;
    LinearMemory linear_;
    LoadStats load_stats_;
    Crossbar requests_, responses_;
    std::vector<std::unique_ptr<Sm>> sms_;
    L2HitRates hit_rates_;
    Footprint footprint_;
    u64 largest_copy_ = 0;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::unique_ptr<Processes> processes_;  // with translation, from the start of a run
    std::unique_ptr<Translation> translation_;
    Dispatcher dispatcher_;
    std::vector<KernelAccount> accounts_;  // by application
};

}  // namespace heddle
