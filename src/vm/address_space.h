#pragma once
// Physical placement without translation cost: each 4 GiB region of an application's address space that is used
// becomes the next free 4 GiB region of physical memory, in order of first use. Where a program's data lie in
// the virtual address space (the base) therefore never changes a result. Capacity is not enforced.
//
// Several applications: region k of part p of n becomes physical region k*n + p, so that where one's data lie does
// not depend on what the others do, nor on whether they run at all.

#include <vector>

#include "sim/types.h"

namespace heddle {

class LinearMemory {
  public:
    static constexpr u32 kRegionShift = 32;

    /// Before the first use: which part of how many the application is. Default: the one of one.
    void place(u8 app, u32 part, u32 parts) {
        if (app >= parts_of_.size()) parts_of_.resize(app + 1u);
        parts_of_[app] = {part, parts};
    }

    PhysAddr translate(u8 app, VirtAddr address) {
        const u64 region = address.v >> kRegionShift;
        const u64 offset = address.v & ((u64{1} << kRegionShift) - 1);
        if (region == last_region_ && app == last_app_) return PhysAddr(last_base_ | offset);
        return PhysAddr(find(app, region) | offset);
    }
    u64 regions() const { return regions_.size(); }

  private:
    struct Region {
        u64 region;
        u8 app;
    };
    u64 find(u8 app, u64 region);

    struct Part {
        u32 part = 0, parts = 1;
    };

    std::vector<Region> regions_;  // a handful, in order of first use
    std::vector<Part> parts_of_;   // by application
    u64 last_region_ = ~u64{0};
    u64 last_base_ = 0;
    u8 last_app_ = 0;
};

}  // namespace heddle
