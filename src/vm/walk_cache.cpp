// The page-walk cache: entries of page tables, of every level, looked up before each read of a walk. Lookups are
// pipelined.

#include "vm/node.h"
#include "vm/settings.h"
#include "vm/tlb.h"
#include "vm/translation_stats.h"

namespace heddle {
namespace {

class WalkCache final : public TranslationNode {
  public:
    explicit WalkCache(const TranslationNodeContext& c)
        : TranslationNode(c),
          latency_(c.settings->walk_cache.latency),
          stats_(c.counts->all),
          entries_(static_cast<u32>(c.settings->walk_cache.size_bytes / WalkCacheSettings::kEntryBytes),
                   c.settings->walk_cache.ways) {}

    Mapping probe(PageKey key) override { return entries_.find(key); }
    void insert(PageKey key, Mapping mapping, Cycle now) override {
        const Tlb::Entry victim = entries_.insert(key, mapping);
        if (victim.key.any()) next().evicted(victim.key, victim.mapping, now);
    }
    /// Which of its entries belong to these pages it does not know.
    void changed(const PageSet&, Cycle) override {
        entries_.remove_if([](PageKey) { return true; });
    }

  private:
    void miss(const PageMiss& m, Cycle now) override {
        const Cycle known = m.at + latency_.v;
        ++stats_.walk_cache_accesses;
        const Mapping found = entries_.probe(m.key);
        if (!found.any()) {
            next().ask(m.starting(known), now);
            return;
        }
        ++stats_.walk_cache_hits;
        ++stats_.level[m.level].cache_hits;
        reply({m.key, found, known, {&m, 1}}, now);
    }

    void answer(const PageAnswer& a, Cycle now) override {
        insert(a.key, a.mapping, now);
        reply(a, now);
    }

    const Cycle latency_;
    TranslationStats& stats_;
    Tlb entries_;
};

const bool walk_cache_registered =
    translation_nodes().add<WalkCache>("walk_cache", "entries of page tables", "Power et al., HPCA 2014");

}  // namespace
}  // namespace heddle
