#include "vm/address_space.h"

#include "mem/geometry.h"
#include "sim/error.h"

namespace heddle {

u64 LinearMemory::find(u8 app, u64 region) {
    std::size_t k = 0;
    while (k < regions_.size() && (regions_[k].region != region || regions_[k].app != app)) ++k;
    if (k == regions_.size()) {
        constexpr u64 kMost = (u64{1} << (32 + kLineShift - kRegionShift)) - 1;
        if (k == kMost)
            throw InputError(
                "the applications use more than 127 different 4 GiB regions of their address spaces");
        regions_.push_back({region, app});
    }
    last_region_ = region;
    last_app_ = app;
    last_base_ = u64{k} << kRegionShift;
    return last_base_;
}

}  // namespace heddle
