#pragma once
// For DRAM schedulers that serve a load's requests together: how many requests of a load go to each channel, told to
// the owner once all of the load's lines that belong there have their outcome in L1.

#include <vector>

#include "core/sm_wiring.h"

namespace heddle {

class LoadGroups {
  public:
    explicit LoadGroups(const SmWiring& wiring)
        : owner_(*wiring.owner),
          sm_(wiring.index),
          channels_(wiring.router->channels()),
          lines_left_(channels_),
          requests_(channels_) {}

    /// Loads are numbered by their flights, below `flights`.
    void make_room(u32 flights) {
        lines_left_.resize(std::size_t{flights} * channels_);
        requests_.resize(std::size_t{flights} * channels_);
    }
    /// A line of the load belongs to the channel: told of all its lines before the first one's outcome.
    void expect(u32 flight, u32 channel) { ++lines_left_[flight * channels_ + channel]; }
    void sent(u32 flight, u32 channel) { ++requests_[flight * channels_ + channel]; }
    /// A line that belongs to the channel has its outcome. At the last one, the channel learns how many requests it gets.
    void settled(u32 flight, u32 channel, u32 load, Cycle now) {
        const u32 k = flight * channels_ + channel;
        if (--lines_left_[k] != 0 || requests_[k] == 0) return;
        owner_.load_complete(sm_, load, channel, requests_[k], now);
        requests_[k] = 0;
    }

  private:
    SmOwner& owner_;
    u16 sm_;
    u32 channels_;
    std::vector<u16> lines_left_, requests_;  // by flight and channel
};

}  // namespace heddle
