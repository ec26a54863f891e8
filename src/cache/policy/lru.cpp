// Least recently used: each set is a recency stack; the evicted line is the lowest evictable one.
// A fill may enter at any position of the stack (insertion policies).

#include <vector>

#include "cache/settings.h"

namespace heddle {
namespace {

class Lru final : public ReplacementPolicy {
  public:
    explicit Lru(const CacheContext& c) : ways_(c.ways), stack_(std::size_t{c.sets} * c.ways) {
        for (std::size_t k = 0; k < stack_.size(); ++k) stack_[k] = static_cast<u8>(k % ways_);
    }

    void on_hit(u32 set, u32 way) override { place(set, way, 0); }
    void on_fill(u32 set, u32 way, u32 position) override { place(set, way, position); }

    u32 victim(u32 set, u64 evictable) override {
        const u8* stack = &stack_[std::size_t{set} * ways_];
        u32 k = ways_ - 1;
        while ((evictable >> stack[k] & 1) == 0) --k;
        return stack[k];
    }

  private:
    /// Moves a way to `position` (0: most recent); the ways between shift by one.
    void place(u32 set, u32 way, u32 position) {
        u8* stack = &stack_[std::size_t{set} * ways_];
        u32 k = 0;
        while (stack[k] != way) ++k;
        for (; k > position; --k) stack[k] = stack[k - 1];
        for (; k < position; ++k) stack[k] = stack[k + 1];
        stack[position] = static_cast<u8>(way);
    }

    u32 ways_;
    std::vector<u8> stack_;
};

const bool registered = replacement_policies().add<Lru>("lru", "least recently used line first", "");

}  // namespace
}  // namespace heddle
