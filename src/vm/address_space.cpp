#include "vm/address_space.h"

#include "mem/geometry.h"
#include "sim/error.h"

namespace heddle {

u64 LinearMemory::find(u8 app, u64 region) {
    std::size_t k = 0;
    u64 own = 0;  // regions of the application before this one
    for (; k < regions_.size() && (regions_[k].region != region || regions_[k].app != app); ++k)
        own += regions_[k].app == app;
    const Part part = app < parts_of_.size() ? parts_of_[app] : Part{};
    const u64 physical = own * part.parts + part.part;
    if (k == regions_.size()) {
        constexpr u64 kMost = (u64{1} << (32 + kLineShift - kRegionShift)) - 1;
        if (physical >= kMost)
            throw InputError(
                "the applications use more than 127 different 4 GiB regions of their address spaces");
        regions_.push_back({region, app});
    }
    last_region_ = region;
    last_app_ = app;
    last_base_ = physical << kRegionShift;
    return last_base_;
}

}  // namespace heddle
