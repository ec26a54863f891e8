// Every fill enters as least recently used (LIP): a line stays only if it is used again before the next fill.
// Source: Qureshi et al., "Adaptive Insertion Policies for High Performance Caching", ISCA 2007, section 3.

#include "cache/settings.h"

namespace heddle {
namespace {

class LruInsertion final : public InsertionPolicy {
  public:
    explicit LruInsertion(const CacheContext& c) : last_(c.ways - 1) {}
    u32 position(const Request&) override { return last_; }

  private:
    u32 last_;
};

const bool registered = insertion_policies().add<LruInsertion>("lru", "inserts as least recently used",
                                                               "Qureshi et al., ISCA 2007, section 3");

}  // namespace
}  // namespace heddle
