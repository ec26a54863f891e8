#pragma once
// What copies between the host and the devices cost: nothing, or the time of their bytes. An application's copies follow one
// another, and no kernel of it starts, nor does it end, before they have.

#include <algorithm>
#include <vector>

#include "config/schema.h"
#include "trace/stream.h"

namespace heddle {

enum class HostCopyCost : u8 {
    free,       // they take no time
    timed,      // each takes that of its bytes
    footprint,  // all that is allocated is copied once, when it is allocated
};

struct HostCopySettings {
    HostCopyCost cost = HostCopyCost::free;
    u64 bytes_per_s = 0;
    static const config::Schema<HostCopySettings>& schema();
};

class HostCopies {
  public:
    /// In cycles of a clock of so many hertz.
    HostCopies(const HostCopySettings& settings, u64 hertz) : settings_(settings), hertz_(hertz) {}

    void copied(u8 app, const CopyEvent& copy, Cycle now);
    void allocated(u8 app, const AllocEvent& alloc, Cycle now);
    /// Its copies have ended in this cycle.
    Cycle until(u8 app) const { return app < until_.size() ? until_[app] : Cycle(0); }
    /// Those of all applications.
    Cycle until() const {
        return until_.empty() ? Cycle(0) : *std::max_element(until_.begin(), until_.end());
    }
    u64 bytes() const { return bytes_; }
    u64 cycles() const { return cycles_; }
    bool free() const { return settings_.cost == HostCopyCost::free; }

  private:
    void add(u8 app, u64 bytes, Cycle now);

    HostCopySettings settings_;
    u64 hertz_;
    std::vector<Cycle> until_;  // by application
    u64 bytes_ = 0, cycles_ = 0;
};

}  // namespace heddle
