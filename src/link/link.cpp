#include "link/link.h"

#include <algorithm>
#include <numeric>

namespace heddle {

Link::Link(std::string name, const LinkSettings& settings, const Clock& clock)
    : name_(std::move(name)), settings_(settings) {
    if (settings.bytes_per_s == 0) return;
    const u64 common = std::gcd(clock.hertz(), settings.bytes_per_s);
    byte_cost_ = clock.hertz() / common;
    rate_ = settings.bytes_per_s / common;
}

Cycle Link::carry(LinkDirection direction, u32 data_bytes, Cycle now) {
    Way& way = ways_[static_cast<u32>(direction)];
    const u64 bytes = u64{data_bytes} + settings_.header_bytes;
    ++way.stats.messages;
    way.stats.bytes += bytes;
    const Cycle there = now + std::max<u64>(settings_.latency.v, 1);
    if (rate_ == 0) return there;
    if (way.free < now) {
        way.free = now;
        way.part = 0;
    }
    way.stats.wait_cycles += way.free - now;
    way.part += bytes * byte_cost_;
    way.free += way.part / rate_;
    way.part %= rate_;
    // What takes a part of a cycle is there at its end.
    return there + (way.free - now) + (way.part != 0);
}

}  // namespace heddle
