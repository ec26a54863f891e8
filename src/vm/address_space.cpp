#include "vm/address_space.h"

namespace heddle {

u64 LinearMemory::find(u8 app, u64 region) {
    std::size_t k = 0;
    while (k < regions_.size() && (regions_[k].region != region || regions_[k].app != app)) ++k;
    if (k == regions_.size()) regions_.push_back({region, app});
    last_region_ = region;
    last_app_ = app;
    last_base_ = u64{k} << kRegionShift;
    return last_base_;
}

}  // namespace heddle
