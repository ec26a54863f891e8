#include "cache/tag_array.h"

namespace heddle {

TagArray::TagArray(u32 sets, u32 ways) : sets_(0), ways_(ways) { resize(sets); }

void TagArray::resize(u32 sets) {
    sets_ = sets;
    set_mask_ = std::has_single_bit(sets) ? sets - 1 : 0;
    short_tags_.assign(std::size_t{sets} * ways_, ~u32{0});
    lines_.assign(std::size_t{sets} * ways_, Line{});
}

u32 TagArray::free_way(u32 set) const {
    for (u32 w = 0; w < ways_; ++w)
        if (line(set, w).number == kFree) return w;
    return kMiss;
}

u64 TagArray::evictable(u32 set) const {
    u64 mask = 0;
    for (u32 w = 0; w < ways_; ++w)
        if (!line(set, w).reserved) mask |= u64{1} << w;
    return mask;
}

void TagArray::assign(u32 set, u32 way, u64 number) {
    line(set, way) = Line{number, 0, 0, 0, false, 0};
    short_tags_[std::size_t{set} * ways_ + way] = static_cast<u32>(number);
}

void TagArray::release(u32 set, u32 way) {
    line(set, way) = Line{};
    short_tags_[std::size_t{set} * ways_ + way] = ~u32{0};
}

u64 TagArray::clear() {
    u64 dirty = 0;
    for (const Line& l : lines_) dirty += l.dirty != 0;
    resize(sets_);
    return dirty;
}

}  // namespace heddle
