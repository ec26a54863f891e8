// The two fixed answers to "does this request go around the cache?".

#include "cache/settings.h"

namespace heddle {
namespace {

class NoBypass final : public BypassPolicy {
  public:
    explicit NoBypass(const CacheContext&) {}
    bool bypass(const Request&, Cycle) override { return false; }
};

class BypassReads final : public BypassPolicy {
  public:
    explicit BypassReads(const CacheContext&) {}
    bool bypass(const Request& r, Cycle) override { return r.kind == RequestKind::read; }
};

const bool registered =
    bypass_policies().add<NoBypass>("none", "no request bypasses the cache", "") &&
    bypass_policies().add<BypassReads>("reads", "every plain read bypasses the cache", "");

}  // namespace
}  // namespace heddle
