// Every fill enters as most recently used: plain LRU behaviour.

#include "cache/settings.h"

namespace heddle {
namespace {

class MruInsertion final : public InsertionPolicy {
  public:
    explicit MruInsertion(const CacheContext&) {}
    u32 position(const Request&) override { return 0; }
};

const bool registered = insertion_policies().add<MruInsertion>("mru", "inserts as most recently used", "");

}  // namespace
}  // namespace heddle
