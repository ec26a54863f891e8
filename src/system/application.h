#pragma once
// One application: its stream of events, the kernels that wait and run, and the SMs it may use.

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel_run.h"
#include "trace/stream.h"

namespace heddle {

/// What a host copy does to the machine (it takes no time).
class CopySink {
  public:
    virtual ~CopySink() = default;
    virtual void copied(u8 app, const CopyEvent& copy) = 0;
};

class Application {
  public:
    Application(std::unique_ptr<StreamSource> source, u8 id, u32 first_sm, u32 sms)
        : source_(std::move(source)), id_(id), first_sm_(first_sm), sms_(sms) {}

    const std::string& name() const { return source_->name(); }
    u8 id() const { return id_; }
    bool owns(u32 sm) const { return sm >= first_sm_ && sm < first_sm_ + sms_; }

    /// Reads ahead, performs what has no time, and gives the next kernel that may start, or null. Kernels of one
    /// stream follow each other, those of several streams run side by side, host synchronisation waits for what
    /// it names.
    KernelRun* next_kernel(CopySink& copies);
    void kernel_ended(const KernelRun& kernel);
    /// What its host waits for, one line; empty if for nothing but kernels that run. For deadlock reports.
    std::string describe() const;
    /// Nothing left to read, to start or to end.
    bool finished() const { return exhausted_ && items_.empty(); }
    /// True the first time.
    bool count_end() { return !std::exchange(end_counted_, true); }

    const std::vector<std::unique_ptr<KernelRun>>& kernels() const { return kernels_; }
    u64 warp_instructions() const;
    u64 thread_instructions() const;

  private:
    struct Item {
        ProgramEvent event;
        KernelRun* run = nullptr;  // a launch that has started
        bool done = false;
    };
    static constexpr std::size_t kReadAhead = 64;

    void read_ahead();
    bool blocked(std::size_t k) const;

    std::unique_ptr<StreamSource> source_;
    u8 id_;
    u32 first_sm_, sms_;
    bool exhausted_ = false;
    bool end_counted_ = false;
    std::deque<Item> items_;        // program order; done ones leave from the front
    std::vector<u64> events_done_;  // recorded events that have happened
    std::vector<std::unique_ptr<KernelRun>> kernels_;
};

}  // namespace heddle
