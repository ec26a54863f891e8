#pragma once
// A scheduler by itself: requests go in, heads of the board are served by hand.

#include <deque>
#include <string>

#include "dram/geometry.h"
#include "dram/scheduler.h"

namespace heddle::dram {

class SchedulerRig : private Network {
  public:
    SchedulerRig(std::string_view scheduler, std::string_view parameters, MemorySettings settings)
        : settings_(with(std::move(settings), scheduler, parameters)),
          resolved_(resolve(settings_)),
          timing_(resolved_),
          device_(resolved_, timing_),
          scheduler_(make_scheduler(settings_.scheduler, {settings_, resolved_, device_, board_,
                                                          static_cast<Network&>(*this), 0})) {}

    SchedulerRig(const SchedulerRig&) = delete;
    SchedulerRig& operator=(const SchedulerRig&) = delete;

    static constexpr u32 kNoLoad = Request::kNoLoad;
    /// A read of load `load` of SM 0 (a group by itself without one), or a write.
    void add(const std::string& name, u32 bank, u32 row, u32 load = kNoLoad, bool write = false, u8 app = 0) {
        requests_.emplace_back();
        names_.push_back(name);
        Request& r = requests_.back();
        r.bank = static_cast<u8>(bank);
        r.row = row;
        r.load = load;
        r.app = app;
        r.origin.slot = static_cast<u8>(load);
        r.arrived = now_;
        r.kind = write ? RequestKind::write : RequestKind::read;
        scheduler_->accept(&r, now_);
    }
    void complete(u32 load) { scheduler_->group_complete(key(load), 0, now_); }
    static GroupKey key(u32 load) { return {0, load}; }
    void step(u32 clocks = 1) {
        for (u32 k = 0; k < clocks; ++k, now_ = now_ + 1)
            if (board_.alarm <= now_) scheduler_->step(now_);
    }
    /// Serves the head of the bank's command queue; its name.
    std::string serve(u32 bank) {
        const Request* r = board_.head[bank];
        if (r == nullptr) return "";
        std::string name;
        for (std::size_t k = 0; k < requests_.size(); ++k)
            if (&requests_[k] == r) name = names_[k];
        const CommandKind kind = r->is_write() ? CommandKind::write : CommandKind::read;
        scheduler_->on_command({kind, bank, board_.head[bank], true, false, now_});
        step();
        return name;
    }
    /// Serves the bank until it has nothing more; names in the order in which they were sent.
    std::string drain(u32 bank) {
        std::string all;
        for (u32 idle = 0; idle < 20; ++idle) {
            step();
            if (board_.head[bank] == nullptr) continue;
            idle = 0;
            all += (all.empty() ? "" : " ") + serve(bank);
        }
        return all;
    }
    /// The bank opens this row.
    void activate(u32 bank, u32 row) { device_.activate(bank, row, now_); }
    /// The next command for the head of the bank: closes its row, opens the head's, or serves it.
    void command(u32 bank) {
        Request* r = board_.head[bank];
        const u32 open = device_.open_row(bank);
        if (open == r->row) {
            const CommandKind kind = r->is_write() ? CommandKind::write : CommandKind::read;
            device_.column(bank, kind, now_);
            scheduler_->on_command({kind, bank, r, true, false, now_});
        } else if (open == kNoRow) {
            device_.activate(bank, r->row, now_);
            scheduler_->on_command({CommandKind::activate, bank, r, false, false, now_});
        } else {
            device_.precharge(bank, now_);
            scheduler_->on_command({CommandKind::precharge, bank, r, false, true, now_});
        }
    }
    const Request* head(u32 bank) const { return board_.head[bank]; }
    u32 open_row(u32 bank) const { return device_.open_row(bank); }
    const Resolved& resolved() const { return resolved_; }
    /// Sends a request of the row and serves it: the row is then the one last scheduled.
    void open(u32 bank, u32 row) {
        add("", bank, row);
        step(4);
        serve(bank);
    }
    template <class Policy>
    Policy& as() {
        return static_cast<Policy&>(*scheduler_);
    }
    Scheduler& scheduler() { return *scheduler_; }
    const Request& newest() const { return requests_.back(); }
    const std::deque<Message>& sent() const { return sent_; }
    Cycle now() const { return now_; }
    u64 counter(std::string_view name) const {
        std::vector<PolicyCounter> all;
        scheduler_->report(all);
        for (const PolicyCounter& c : all)
            if (c.name == name) return c.value;
        return ~u64{0};
    }

  private:
    static MemorySettings with(MemorySettings s, std::string_view scheduler, std::string_view parameters) {
        s.scheduler = schedulers().choose(scheduler, parameters);
        return s;
    }
    void send(const Message& message, Cycle, u64) override { sent_.push_back(message); }

    const MemorySettings settings_;
    const Resolved resolved_;
    const TimingTable timing_;
    Device device_;
    Board board_;
    std::unique_ptr<Scheduler> scheduler_;
    std::deque<Request> requests_;
    std::deque<std::string> names_;
    std::deque<Message> sent_;
    Cycle now_{0};
};

}  // namespace heddle::dram
