#pragma once
// A channel on which one sees in which order requests are served.

#include <string>
#include <string_view>
#include <vector>

#include "dram/channel.h"
#include "dram/scheduler.h"
#include "dram/statistics.h"
#include "mem/request_pool.h"

namespace heddle::dram {

/// GDDR5, 16 banks, flat map: rows above banks above columns; no refresh.
inline MemorySettings small_memory() {
    MemorySettings s;
    s.map = {"byte:32", "column:64", "group:4", "bank:4", "row"};
    s.line_bytes = 32;
    return s;
}

class ServiceOrder {
  public:
    explicit ServiceOrder(const MemorySettings& settings = small_memory(),
                          const TranslationPressure* pressure = nullptr)
        : channel_(settings, 0, pressure) {}

    struct Ask {
        std::string name;
        u32 bank = 0;  // 0..15, bank group lowest
        u32 row = 0;
        u8 app = 0;
        bool write = false;
        bool walk = false;  // of a page table
    };
    /// Offered at once, in this order.
    void add(const std::vector<Ask>& asks) {
        for (const Ask& ask : asks) add_one(ask);
    }
    Request* add_one(const Ask& ask) {
        Request* r = pool_.take();
        r->local = PhysAddr((u64{ask.row} * 16 + ask.bank) * 2048 + (names_.size() % 64) * 32);
        r->line = r->local;
        r->sectors = 1;
        r->app = ask.app;
        r->kind = ask.write ? RequestKind::write : RequestKind::read;
        if (ask.walk) r->cls = RequestClass::page_walk;
        r->load = static_cast<u32>(names_.size());
        names_.push_back(ask.name);
        next_ = std::min(next_, channel_.accept(r, now_));
        return r;
    }
    /// Runs for so many clocks, or until nothing waits; names in the order of completion.
    void run(u64 clocks = ~u64{0} >> 1) {
        const Cycle end = now_ + clocks;
        while (now_ < end) {
            if (next_ <= now_) next_ = channel_.step(now_);
            bool ahead = false;
            while (const auto* done = channel_.completion()) {
                if (done->at > now_) {
                    ahead = true;
                    break;
                }
                served_.push_back(names_[done->request->load]);
                pool_.give(done->request);
                channel_.pop_completion();
            }
            if (!ahead && channel_.waiting() == 0 && clocks > (u64{1} << 40)) return;
            Cycle then = next_;
            if (const auto* done = channel_.completion()) then = std::min(then, done->at);
            now_ = std::min(std::max(then, now_ + 1), end);
        }
    }
    /// Serves one request of the row so that it is open, and forgets it.
    void open(u32 bank, u32 row, u8 app = 255) {
        add_one({"", bank, row, app});
        run();
        served_.clear();
    }
    /// Forgets what was served.
    void clear() { served_.clear(); }
    std::string served() const {
        std::string all;
        for (const std::string& s : served_) all += (all.empty() ? "" : " ") + s;
        return all;
    }
    Channel& channel() { return channel_; }
    const Channel& channel() const { return channel_; }
    Cycle now() const { return now_; }

  private:
    Channel channel_;
    RequestPool pool_;
    Cycle now_{0}, next_ = kNever;
    std::vector<std::string> names_, served_;
};

/// ~0 if the policy does not count it.
inline u64 counter_of(const std::vector<PolicyCounter>& counters, std::string_view name) {
    for (const PolicyCounter& c : counters)
        if (c.name == name) return c.value;
    return ~u64{0};
}
inline u64 counter_of(const ServiceOrder& order, std::string_view name) {
    return counter_of(order.channel().policy_counters(), name);
}

}  // namespace heddle::dram
