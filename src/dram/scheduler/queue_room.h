#pragma once
// How many requests a controller's queues may hold: the read queue (0) and the write queue (1), or queue 0 alone for
// both; and the entries of queue 0 that are reserved for CPUs (cpu_reserve, cpu_split).

#include <array>

#include "dram/settings.h"
#include "mem/request.h"

namespace heddle::dram {

class QueueRoom {
  public:
    explicit QueueRoom(const MemorySettings& settings)
        : cpu_split_(settings.cpu_split),
          cpu_reserve_(settings.cpu_reserve),
          room_{settings.read_queue, settings.write_queue} {}

    bool has(const Request& request, u32 queue) const {
        return !full(queue) && (cpu_reserve_ == 0 || queue != 0 || share_left(request));
    }
    bool full(u32 queue) const { return occupied_[queue] >= room_[queue]; }
    void enter(const Request& request, u32 queue) {
        ++occupied_[queue];
        if (queue == 0) of_cpus_ += request.cpu;
    }
    void leave(const Request& request, u32 queue) {
        --occupied_[queue];
        if (queue == 0) of_cpus_ -= request.cpu;
    }

  private:
    /// Whether the creator of the request (CPU or GPU) may take one more entry of queue 0.
    bool share_left(const Request& r) const {
        return r.cpu ? !cpu_split_ || of_cpus_ < cpu_reserve_
                     : occupied_[0] - of_cpus_ < room_[0] - cpu_reserve_;
    }

    bool cpu_split_;
    u32 cpu_reserve_;
    std::array<u32, 2> room_, occupied_{};
    u32 of_cpus_ = 0;  // occupied entries of queue 0
};

}  // namespace heddle::dram
