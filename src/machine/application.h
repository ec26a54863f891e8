#pragma once
// One application: its stream of events, the kernels that wait and run, and the SMs it may use.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cache/slice.h"
#include "core/kernel_run.h"
#include "core/sm_stats.h"
#include "dram/channel.h"
#include "dram/statistics.h"
#include "gpu/share.h"
#include "sim/record.h"
#include "trace/stream.h"
#include "vm/translation_stats.h"

namespace heddle {

/// What a program's host does to the machine between kernels; it takes no time.
class HostActions {
  public:
    virtual ~HostActions() = default;
    virtual void allocated(u8 app, const AllocEvent& alloc) = 0;
    virtual void copied(u8 app, const CopyEvent& copy) = 0;
    virtual void hinted(u8 app, const PageHintEvent& hint) = 0;
    /// Memory that it had allocated has been freed.
    virtual void freed(u8 app, u64 address, u64 bytes) = 0;
};

/// Opens a program's stream again, from its start.
using Reopen = std::function<std::unique_ptr<StreamSource>()>;

/// What has been counted for one application. It does not include its writes that L2 still holds.
struct AppTotals {
    Cycle at{0};
    SmStats sm;
    SliceAppStats l2;
    std::vector<dram::AppCounts> memories;  // by the machine's memory
    dram::AppCounts dram;                   // of all of them
    /// What the DRAM scheduler has counted for it, over the channels.
    std::vector<dram::PolicyCounter> scheduler;
    L1TlbStats l1_tlb;
    SharedTlbStats tlb;
    /// What the TLB fill policy has counted for it.
    std::vector<CounterRecord> fill;
};

/// What kernels have done.
struct KernelWork {
    u64 warp_instructions = 0, thread_instructions = 0;
    u64 ctas_done = 0, ctas = 0;

    void add(const KernelRun& kernel) {
        warp_instructions += kernel.warp_instructions;
        thread_instructions += kernel.thread_instructions;
        ctas_done += kernel.ctas_done;
        ctas += kernel.info().cta_count();
    }
};

class Application {
  public:
    Application(std::unique_ptr<StreamSource> source, Reopen again, u8 id, const Share& share)
        : source_(std::move(source)),
          again_(std::move(again)),
          id_(id),
          share_(share),
          name_(source_->name()) {}

    const std::string& name() const { return name_; }
    u8 id() const { return id_; }
    const Share& share() const { return share_; }
    bool owns(u32 sm) const { return sm >= share_.first_sm && sm < share_.first_sm + share_.sms; }

    /// Reads ahead, performs what takes no time, and returns the next kernel that may start, or null. Kernels of one
    /// stream follow each other, those of several streams run side by side, and host synchronization waits for what it
    /// names.
    KernelRun* next_kernel(HostActions& host);
    void kernel_ended(const KernelRun& kernel);
    /// What its host waits for, in one line; empty if it waits only for running kernels. For deadlock reports.
    std::string describe() const;
    /// Nothing left to read, to start or to end.
    bool finished() const { return exhausted_ && items_.empty(); }
    /// It has finished for the first time: its counts are kept as they are now.
    void freeze(const AppTotals& totals) { frozen_ = std::make_unique<AppTotals>(totals); }
    /// Null until then.
    const AppTotals* frozen() const { return frozen_.get(); }
    /// A finished application is launched again. False if it can't be, or never launches a kernel.
    bool launch_again();
    u64 launches() const { return launches_; }
    /// Kernels that have started and not ended.
    u32 running() const { return running_; }

    /// Those of its first run.
    const std::vector<std::unique_ptr<KernelRun>>& kernels() const { return kernels_; }
    /// What all its kernels have done so far, those of later launches included.
    KernelWork work() const;
    /// The most device memory that it has reported as allocated at once.
    u64 peak_device_bytes() const { return peak_device_bytes_; }
    /// Its source's notes.
    std::vector<std::string> warnings() const { return source_->warnings(); }
    /// Its source's marks and ranges.
    std::vector<ProgramRange> ranges() const { return source_->ranges(); }

  private:
    struct Item {
        ProgramEvent event;
        KernelRun* run = nullptr;  // a launch that has started
        bool done = false;
    };
    static constexpr std::size_t kReadAhead = 64;

    void read_ahead();
    void happened(const ProgramEvent& event, HostActions& host);
    bool blocked(std::size_t k) const;
    void allocated(const AllocEvent& alloc);

    std::unique_ptr<StreamSource> source_;
    Reopen again_;
    u8 id_;
    Share share_;
    std::string name_;
    bool exhausted_ = false;
    u64 launches_ = 1;
    u32 running_ = 0;
    std::unique_ptr<AppTotals> frozen_;
    std::deque<Item> items_;               // program order; done ones leave from the front
    std::unordered_set<u64> events_done_;  // recorded events that have happened; looked up only
    std::map<u64, AllocEvent> allocated_;  // by address
    u64 device_bytes_ = 0, peak_device_bytes_ = 0;
    std::vector<std::unique_ptr<KernelRun>> kernels_, repeated_;  // of its first run, of the others
    KernelWork ended_;                                            // of the kernels that have ended
};

}  // namespace heddle
