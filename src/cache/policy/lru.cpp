// Least recently used: each set is a recency list; the evicted line is the last evictable one.
// A fill may enter at any position of the list (insertion policies).

#include <algorithm>
#include <memory>

#include "cache/settings.h"

namespace heddle {
namespace {

class Lru final : public ReplacementPolicy {
  public:
    explicit Lru(const CacheContext& c)
        : ways_(c.ways), links_(std::make_unique_for_overwrite<Link[]>(std::size_t{c.sets} * (c.ways + 1))) {
        const std::size_t ring = ways_ + 1;
        for (u32 k = 0; k <= ways_; ++k)
            links_[k] = {static_cast<u8>(k == ways_ ? 0 : k + 1), static_cast<u8>(k == 0 ? ways_ : k - 1)};
        // The other sets begin alike; a machine has many, so the copies double.
        for (std::size_t done = 1; done < c.sets;) {
            const std::size_t more = std::min(done, c.sets - done);
            std::copy_n(&links_[0], more * ring, &links_[done * ring]);
            done += more;
        }
    }

    void on_hit(u32 set, u32 way) override { place(set, way, 0); }
    void on_fill(u32 set, u32 way, u32 position) override { place(set, way, position); }

    u32 victim(u32 set, u64 evictable) override {
        const Link* l = list(set);
        u32 way = l[ways_].towards_front;
        while ((evictable >> way & 1) == 0) way = l[way].towards_front;
        return way;
    }

  private:
    /// A set's ways in a ring that is closed by the entry number `ways_`: behind it the most recent way, before
    /// it the least recent one.
    struct Link {
        u8 towards_back, towards_front;
    };
    Link* list(u32 set) { return &links_[std::size_t{set} * (ways_ + 1)]; }

    void place(u32 set, u32 way, u32 position) {
        Link* l = list(set);
        if (position == 0 && l[ways_].towards_back == way) return;
        l[l[way].towards_front].towards_back = l[way].towards_back;
        l[l[way].towards_back].towards_front = l[way].towards_front;
        // The entry after which the way comes; the last positions are nearer from the other end.
        u32 after = ways_;
        if (position * 2 < ways_)
            for (u32 k = 0; k < position; ++k) after = l[after].towards_back;
        else
            for (u32 k = position; k < ways_; ++k) after = l[after].towards_front;
        const u32 before = l[after].towards_back;
        l[way] = {static_cast<u8>(before), static_cast<u8>(after)};
        l[after].towards_back = static_cast<u8>(way);
        l[before].towards_front = static_cast<u8>(way);
    }

    u32 ways_;
    std::unique_ptr<Link[]> links_;
};

const bool registered = replacement_policies().add<Lru>("lru", "evicts the least recently used line", "");

}  // namespace
}  // namespace heddle
