#pragma once
// What programs have allocated: the ranges of their address spaces that belong together.

#include <map>
#include <optional>
#include <vector>

#include "trace/stream.h"
#include "vm/page.h"

namespace heddle {

class Allocations {
  public:
    struct Range {
        VirtAddr begin, end;
        AllocEvent::Kind kind = AllocEvent::Kind::device;
    };

    void add(u8 app, const AllocEvent& a) {
        if (app >= apps_.size()) apps_.resize(app + 1u);
        apps_[app][a.address] = a;
        bytes_ += a.kind == AllocEvent::Kind::host ? 0 : a.bytes;
    }
    void remove(u8 app, u64 address) {
        if (app < apps_.size()) apps_[app].erase(address);
    }
    /// The allocation that an address belongs to, if one is known.
    std::optional<Range> find(u8 app, VirtAddr address) const {
        if (app >= apps_.size()) return {};
        auto at = apps_[app].upper_bound(address.v);
        if (at == apps_[app].begin()) return {};
        const AllocEvent& a = (--at)->second;
        if (address.v - a.address >= a.bytes) return {};
        return Range{VirtAddr(a.address), VirtAddr(a.address + a.bytes), a.kind};
    }
    /// Device and managed memory that has been allocated, freed or not.
    u64 bytes() const { return bytes_; }

  private:
    std::vector<std::map<u64, AllocEvent>> apps_;  // by address
    u64 bytes_ = 0;
};

}  // namespace heddle
