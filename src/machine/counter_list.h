#pragma once
// Adds counters to a record under their owner's name.

#include <string>
#include <utility>
#include <vector>

#include "sim/field.h"
#include "sim/record.h"

namespace heddle {

/// Adds what a level of caches has counted to that level's record; nothing if it was not used.
inline void add_cache(RunRecord& record, const std::string& name, u64 accesses, u64 hits) {
    if (accesses == 0) return;
    for (CacheRecord& c : record.caches)
        if (c.name == name) {
            c.accesses += accesses;
            c.hits += hits;
            return;
        }
    record.caches.push_back({name, accesses, hits});
}

class CounterList {
  public:
    /// `owner`: what stands before each name, its dot included.
    CounterList(std::vector<CounterRecord>& to, std::string owner) : to_(to), owner_(std::move(owner)) {}

    void add(const std::string& name, const std::string& unit, u64 value) const {
        to_.push_back({owner_ + name, unit, value});
    }
    template <class Stats, std::size_t N>
    void add(const Field<Stats> (&fields)[N], const Stats& stats) const {
        for (const Field<Stats>& f : fields) add(f.name, f.unit, f.read(stats));
    }
    /// Sums over parts, of which `stats_of` gives what one has counted.
    template <class Stats, std::size_t N, class Parts, class StatsOf>
    void sums(const Field<Stats> (&fields)[N], const Parts& parts, StatsOf stats_of) const {
        for (const Field<Stats>& f : fields) {
            u64 sum = 0;
            for (const auto& part : parts) sum += f.read(stats_of(part));
            add(f.name, f.unit, sum);
        }
    }
    /// Those of a part of the owner: `part` with its dot.
    CounterList of(const std::string& part) const { return {to_, owner_ + part}; }

  private:
    std::vector<CounterRecord>& to_;
    std::string owner_;
};

}  // namespace heddle
