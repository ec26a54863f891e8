#pragma once
// Attained service: for how many clocks banks were busy with each application's requests (bank-cycles).
// A bank is busy with a request from the first command for it to the end of its data; clocks in which it is
// already busy with an earlier one count once.

#include <array>
#include <vector>

#include "dram/scheduler.h"

namespace heddle::dram {

class ServiceMeter {
  public:
    explicit ServiceMeter(const Resolved& resolved)
        : read_latency_(resolved.read_latency()), write_latency_(resolved.write_latency()), service_(256) {
        first_.fill(kNever);
    }

    void on_command(const Issued& issued) {
        if (issued.request == nullptr) return;
        Cycle& first = first_[issued.bank];
        if (first == kNever) first = issued.now;
        if (!issued.last) return;
        const Cycle end = issued.now + (issued.request->is_write() ? write_latency_ : read_latency_);
        Cycle& busy_until = busy_until_[issued.bank];
        const Cycle from = std::max(first, busy_until);
        if (end > from) service_[issued.request->app] += end - from;
        busy_until = std::max(busy_until, end);  // a write may end before the read ahead of it
        first = kNever;
    }
    /// Bank-cycles of each application since the last call.
    std::vector<u64> take() {
        std::vector<u64> service(service_.size());
        service.swap(service_);
        return service;
    }

  private:
    u64 read_latency_, write_latency_;
    std::vector<u64> service_;
    std::array<Cycle, kMaxBanks> first_;
    std::array<Cycle, kMaxBanks> busy_until_{};
};

}  // namespace heddle::dram
