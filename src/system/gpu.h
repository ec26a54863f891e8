#pragma once
// One GPU and the memory behind it: its parts, their two clocks, CTA dispatch, and the end of kernels.

#include <memory>
#include <string>
#include <vector>

#include "cache/l2_hit_rates.h"
#include "cache/slice.h"
#include "core/sm.h"
#include "system/application.h"
#include "system/kernel_account.h"
#include "system/machine.h"
#include "system/partition.h"
#include "system/signals.h"
#include "vm/translation.h"

namespace heddle {

class Gpu final : public SmOwner, public HostActions {
  public:
    /// Clocks are in ticks of the machine's common clock. Throws InputError if the description does not hold.
    Gpu(const std::string& name, const GpuSettings& settings, const dram::MemorySettings& memory,
        const Clock& core, const Clock& dram);

    /// `again` null: it runs once. Throws InputError if the share does not fit the GPU.
    void add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share);
    void start();
    /// Nothing new is issued or started; what is on its way still arrives.
    void halt();

    /// The earliest time with something to do; Tick max if there is none.
    Tick next() const;
    /// Does everything at that time.
    void run_next();

    /// Every application has finished once.
    bool finished() const { return running_apps_ == 0; }
    /// Some are running again.
    bool repeats() const { return !running_.empty(); }
    /// What has been counted of an application up to now, or up to its first end.
    AppTotals totals(const Application& app);
    /// Gives what has been counted since the last kernel's end to the kernels that it belongs to; before the result.
    void settle_kernels();
    /// Last core cycle in which something was done.
    Cycle now() const { return now_; }
    Cycle ended() const { return ended_; }
    /// Core cycles until the last thing happened anywhere, the memory included.
    Cycle drained() const { return std::max(now_, core_.at_or_after(dram_.tick(dram_now_))); }
    u64 thread_instructions() const { return load_stats_.thread_instructions; }
    /// Grows with everything that counts as progress: instructions, answers, DRAM requests.
    u64 progress() const;
    /// Nothing is in flight anywhere.
    bool quiet() const;
    /// Throws InvariantError unless all that was sent was answered and levels agree.
    void check_conservation() const;
    /// Who waits for whom.
    std::string describe() const;

    /// Memory instructions that are issued from now on are told to the observer; null: to nobody.
    void trace(LifetimeObserver* lifetimes);

    // -- for the result
    const std::string& name() const { return name_; }
    const GpuSettings& settings() const { return settings_; }
    const dram::MemorySettings& memory_settings() const { return memory_settings_; }
    const Clock& core() const { return core_; }
    const Clock& dram_clock() const { return dram_; }
    const std::vector<std::unique_ptr<Application>>& applications() const { return apps_; }
    const std::vector<std::unique_ptr<Sm>>& sms() const { return sms_; }
    const std::vector<std::unique_ptr<Slice>>& slices() const { return slices_; }
    std::vector<std::unique_ptr<Partition>>& partitions() { return partitions_; }
    const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }
    const LoadStats& load_stats() const { return load_stats_; }
    /// What the DRAM scheduler has counted, over the channels.
    std::vector<dram::PolicyCounter> policy_counters() const;
    const AddressMap& map() const { return map_; }
    /// Null without translation.
    const Translation* translation() const { return translation_.get(); }
    Translation* translation() { return translation_.get(); }
    const Crossbar& requests() const { return requests_; }
    const Crossbar& responses() const { return responses_; }
    /// Accounts for resident warps up to now (a run that was cut off).
    void settle();
    /// Device memory that the run has used so far, and that there is.
    u64 used_bytes() const;
    u64 memory_bytes() const { return memory_bytes_; }

  private:
    void run_core(Cycle now);
    void run_dram(Cycle now);
    void step_slice(u32 s, Cycle now);
    void dispatch(Cycle now);
    bool dispatch_to(u32 sm, Cycle now);
    void start_kernels_of(Application& app, Cycle now);
    void start_kernels(Cycle now);
    void kernel_done(KernelRun& kernel, Cycle now);
    void end_kernel(KernelRun& kernel, Cycle now);
    void settle_kernels_of(const Application& app);
    MemoryCounts memory_counts(const Application& app) const;

    void cta_done(u16 sm, KernelRun& kernel, Cycle now) override;
    void signalled(KernelRun& kernel, u32 edge, Cycle now) override;
    void load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) override;
    void copied(u8 app, const CopyEvent& copy) override;
    void freed(u8 app, u64 address, u64 bytes) override;
    PhysAddr placed(u8 app, VirtAddr address) {
        return translation_ ? translation_->tables().translate(app, address)
                            : memory_.translate(app, address);
    }

    u32 slice_part(u32 slice) const { return settings_.sms + slice; }
    u32 dispatcher_part() const { return settings_.sms + static_cast<u32>(slices_.size()); }

    std::string name_;
    GpuSettings settings_;
    dram::MemorySettings memory_settings_;
    Clock core_, dram_;
    u32 channels_;
    AddressMap map_;
    RequestPool pool_;
    LinearMemory memory_;
    LoadStats load_stats_;
    Agenda core_agenda_, dram_agenda_;
    Crossbar requests_, responses_;
    std::vector<std::unique_ptr<Sm>> sms_;
    L2HitRates hit_rates_;
    Footprint footprint_;
    u64 memory_bytes_;
    u64 largest_copy_ = 0;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::vector<std::unique_ptr<Partition>> partitions_;
    std::unique_ptr<Translation> translation_;
    MemorySignals signals_;
    std::vector<std::unique_ptr<Application>> apps_;
    u32 running_apps_ = 0;
    bool halted_ = false;

    // Dispatch.
    std::vector<KernelAccount> accounts_;               // by application
    std::vector<KernelRun*> running_;                   // in launch order
    std::vector<const KernelRun*> last_kernel_;         // by SM
    std::vector<Cycle> may_take_;                       // when an SM may have room for a CTA
    Ring<std::pair<Cycle, KernelRun*>> ended_kernels_;  // from when the dispatcher knows
    u32 next_sm_ = 0;

    Cycle now_{0}, ended_{0}, dram_now_{0};
};

}  // namespace heddle
