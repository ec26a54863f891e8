#include "cache/tag_array.h"

namespace heddle {

void TagArray::resize(u32 sets) {
    sets_ = sets;
    set_mask_ = std::has_single_bit(sets) ? sets - 1 : 0;
    all_ = ways_ == 64 ? ~u64{0} : (u64{1} << ways_) - 1;
    tags_.assign(std::size_t{sets} * stride_, kFree);
    lines_.assign(std::size_t{sets} * ways_, Line{});
    masks_.assign(sets, Masks{all_, 0});
}

}  // namespace heddle
