#pragma once
// Where a device's requests go: the only code that knows which address belongs to which memory, channel and slice, and
// which port of the device's network leads there.
//
//     address ──> memory (PhysicalSpace) ──> channel and slice of it (AddressMap) ──> channel, port
//
// Channels and ports are numbered over all memories that the device reaches, in the order in which they are given;
// ports within a memory by channel, then slice. A port is also the number of the L2 slice behind it.

#include <vector>

#include "mem/address_map.h"
#include "mem/physical_space.h"
#include "mem/request.h"

namespace heddle {

/// A memory as a device reaches it.
struct RoutedMemory {
    AddressMapSettings map;
    u32 channels = 1;
    u32 slices_per_channel = 1;
};

class Router {
  public:
    struct Route {
        PhysAddr local;  // within the channel
        u16 channel = 0;
        u16 port = 0;
    };
    /// What is behind a port.
    struct Port {
        u32 memory = 0;
        u32 channel = 0;       // within the memory
        u32 flat_channel = 0;  // over all
    };

    explicit Router(std::vector<RoutedMemory> memories);
    /// The channels of every memory are divided into equal parts for as many applications; see AddressMap. Before the
    /// first request.
    void divide(u32 parts);

    Route route(PhysAddr address) const {
        const Target& t = targets_[space_.memory(address)];
        const Place place = t.map.place(PhysAddr(space_.byte(address)));
        return {place.local, static_cast<u16>(t.first_channel + place.channel),
                static_cast<u16>(t.first_port + place.channel * t.slices_per_channel + place.slice)};
    }
    /// Gives a request its destination.
    void send_to(Request& r, PhysAddr line) const {
        const Route to = route(line);
        r.line = line;
        r.local = to.local;
        r.channel = to.channel;
        r.port = to.port;
    }

    u32 memories() const { return static_cast<u32>(targets_.size()); }
    u32 channels() const { return channels_; }
    u32 channels_of(u32 memory) const { return memories_[memory].channels; }
    u32 first_channel_of(u32 memory) const { return targets_[memory].first_channel; }
    u32 ports() const { return static_cast<u32>(ports_.size()); }
    const Port& port(u32 port) const { return ports_[port]; }
    /// How the lines of its slice are numbered.
    const AddressMap& map_of(u32 port) const { return targets_[ports_[port].memory].map; }
    const PhysicalSpace& space() const { return space_; }
    /// The ports in front of a channel are those from here, as many as slices_of().
    u32 first_port_of(u32 channel) const { return first_ports_[channel]; }
    u32 slices_of(u32 channel) const { return first_ports_[channel + 1] - first_ports_[channel]; }
    /// The inverse of route(): the physical address of a channel's local address.
    PhysAddr address(u32 channel, PhysAddr local) const {
        const Port& p = ports_[first_ports_[channel]];
        return space_.address(p.memory, targets_[p.memory].map.address(p.channel, local).v);
    }

  private:
    struct Target {
        AddressMap map;
        u32 first_channel = 0, first_port = 0;
        u32 slices_per_channel = 1;
    };

    std::vector<RoutedMemory> memories_;
    PhysicalSpace space_;
    std::vector<Target> targets_;
    std::vector<Port> ports_;
    std::vector<u32> first_ports_;  // by channel, and behind the last
    u32 channels_ = 0;
};

}  // namespace heddle
