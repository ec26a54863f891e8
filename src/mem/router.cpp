#include "mem/router.h"

namespace heddle {

Router::Router(std::vector<RoutedMemory> memories)
    : memories_(std::move(memories)), space_(static_cast<u32>(memories_.size())) {
    for (u32 m = 0; m < memories_.size(); ++m) {
        const RoutedMemory& memory = memories_[m];
        targets_.push_back({AddressMap(memory.map, memory.channels, memory.slices_per_channel), channels_,
                            ports(), memory.slices_per_channel});
        for (u32 c = 0; c < memory.channels; ++c, ++channels_) {
            first_ports_.push_back(ports());
            for (u32 s = 0; s < memory.slices_per_channel; ++s) ports_.push_back({m, c, channels_});
        }
    }
    first_ports_.push_back(ports());
}

void Router::divide(u32 parts) {
    for (u32 m = 0; m < memories_.size(); ++m)
        targets_[m].map =
            AddressMap(memories_[m].map, memories_[m].channels, memories_[m].slices_per_channel, parts);
}

}  // namespace heddle
