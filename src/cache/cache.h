#pragma once
// What a cache decides about an access: tags, sectors, MSHRs, evictions. Time and queues are its owner's.
//
// Written bytes are tracked by sector: a sector is valid (all bytes here), or partial (some written bytes here,
// fetched and merged when it is read), or absent. A write fetches nothing, unless `write_miss` says so.

#include <memory>
#include <utility>
#include <vector>

#include "cache/mshr.h"
#include "cache/settings.h"
#include "cache/tag_array.h"
#include "mem/geometry.h"

namespace heddle {

enum class Outcome : u8 {
    hit,          // read: data are here; write: taken (write-back) or updated on its way through
    miss,         // sectors must be fetched: Lookup::fetch
    merged,       // all missing sectors are already in flight
    forward,      // write: the line was not here (it is now if write_allocate)
    stall_mshr,   // no MSHR free
    stall_merge,  // too many waiters on this line
    stall_line,   // every line of the set is reserved
};

struct Lookup {
    Outcome outcome;
    u8 fetch = 0;  // sectors to ask the next level for
    bool stalled() const { return outcome >= Outcome::stall_mshr; }
};

/// Waiter: see Mshrs.
template <class Waiter>
class Cache {
  public:
    struct Evicted {
        u32 number = 0;
        u8 sectors = 0;  // to write back; 0: clean
        u8 partial = 0;  // of them, those not complete
        u8 app = 0;
        bool left = false;  // there is one
    };

    /// `granule`: sectors that the next level brings at once; a fetch asks for whole granules.
    Cache(const CacheSettings& s, u32 index, u8 granule = 1)
        : settings_(s),
          tags_(static_cast<u32>(s.size_bytes / (u64{s.ways} * kLineBytes)), s.ways),
          mshrs_(s.mshrs, s.mshr_merges),
          index_(index),
          granule_(granule) {
        make_policy();
    }

    /// Prefetches, in the host's caches, what a lookup or fill of this line will touch.
    void prefetch(u64 index, u32 number) const {
        mshrs_.prefetch(number);
        tags_.prefetch(tags_.set_of(index));
    }

    /// Looks up sectors for a reader; on a miss or merge the waiter is kept until fill() has brought them.
    /// `evicted` is set if a line had to go (allocate on miss only).
    /// `position` is where a line that is reserved now enters the recency order, `app` whose ways it may take.
    Lookup read(u64 index, u32 number, u8 sectors, Waiter waiter, Evicted& evicted, u32 position = 0,
                u8 app = 0) {
        const u32 set = tags_.set_of(index);
        const u32 way = tags_.find(set, number);
        u8 valid = 0;
        if (way != TagArray::kMiss) {
            valid = tags_.line(set, way).valid;
            const u8 want = settings_.sectored ? sectors : kAllSectors;
            if ((want & ~valid) == 0) {
                replacement_->on_hit(set, way);
                return {Outcome::hit};
            }
        }
        const u8 missing = settings_.sectored ? static_cast<u8>(sectors & ~valid) : kAllSectors;
        const u8 wanted =
            settings_.sectored ? static_cast<u8>(whole_granules(missing) & ~valid) : kAllSectors;
        if (auto* entry = mshrs_.find(number)) {
            if (!mshrs_.can_merge(*entry)) return {Outcome::stall_merge};
            if (way != TagArray::kMiss) replacement_->on_hit(set, way);
            const u8 fetch =
                (missing & ~entry->pending) == 0 ? u8{0} : static_cast<u8>(wanted & ~entry->pending);
            entry->pending |= fetch;
            mshrs_.wait(*entry, waiter, missing);
            return {fetch != 0 ? Outcome::miss : Outcome::merged, fetch};
        }
        if (mshrs_.full()) return {Outcome::stall_mshr};
        if (settings_.allocate == AllocatePolicy::on_miss) {
            u32 taken = way;
            if (taken == TagArray::kMiss) {
                taken = take(set, number, evicted, position, app);
                if (taken == TagArray::kMiss) return {Outcome::stall_line};
            }
            tags_.reserve(set, taken, true);
        }
        // A line of which other sectors are here is in use.
        if (way != TagArray::kMiss) replacement_->on_hit(set, way);
        auto* entry = mshrs_.allocate(number);
        entry->pending = wanted;
        mshrs_.wait(*entry, waiter, missing);
        return {Outcome::miss, wanted};
    }

    /// A write of sectors, of which `partial` are not covered completely. With WriteMiss::fetch it may ask for sectors
    /// (hit or forward, and Lookup::fetch); no one waits for them.
    Lookup write(u64 index, u32 number, u8 sectors, u8 partial, u8 app, u32 position, Evicted& evicted) {
        const u32 set = tags_.set_of(index);
        u32 way = tags_.find(set, number);
        const bool present = way != TagArray::kMiss;
        u8 fetch = 0;
        if (settings_.write_miss == WriteMiss::fetch) {
            fetch = missing_for_write(number, sectors, present ? tags_.line(set, way).valid : u8{0});
            if (fetch != 0 && mshrs_.find(number) == nullptr && mshrs_.full()) return {Outcome::stall_mshr};
        }
        if (present) {
            replacement_->on_hit(set, way);
        } else {
            if (!settings_.write_allocate) return {Outcome::forward};
            way = take(set, number, evicted, position, app);
            if (way == TagArray::kMiss) return {Outcome::stall_line};
        }
        if (fetch != 0) fetch_for_write(set, way, number, fetch);
        TagArray::Line& line = tags_.line(set, way);
        const u8 whole = static_cast<u8>(sectors & ~partial);
        line.valid |= whole;
        if (settings_.write == WritePolicy::back) {
            line.partial = static_cast<u8>((line.partial | (partial & ~line.valid)) & ~whole);
            line.dirty |= sectors;
            line.app = app;
        }
        return {present ? Outcome::hit : Outcome::forward, fetch};
    }

    /// Data have arrived. done(waiter) is called for each reader whose last sector is among them.
    template <class Done>
    void fill(u64 index, u32 number, u8 sectors, u32 position, Evicted& evicted, Done done, u8 app = 0) {
        auto* entry = mshrs_.find(number);
        const bool last = (entry->pending & ~sectors) == 0;
        const u32 set = tags_.set_of(index);
        u32 way = tags_.find(set, number);
        if (way == TagArray::kMiss) way = take(set, number, evicted, position, app);
        TagArray::Line& line = tags_.line(set, way);
        line.valid |= sectors;
        line.partial &= static_cast<u8>(~sectors);
        if (last) tags_.reserve(set, way, false);
        mshrs_.arrive(*entry, sectors, done);
    }

    /// Marks sectors of a line dirty if it is here (an atomic performed on fetched data). False if it is not.
    bool mark_dirty(u64 index, u32 number, u8 sectors, u8 app) {
        const u32 set = tags_.set_of(index);
        const u32 way = tags_.find(set, number);
        if (way == TagArray::kMiss) return false;
        tags_.line(set, way).dirty |= sectors;
        tags_.line(set, way).app = app;
        return true;
    }

    /// Makes sectors of a line invalid; what was written in them still goes back to memory.
    void invalidate(u64 index, u32 number, u8 sectors) {
        const u32 set = tags_.set_of(index);
        const u32 way = tags_.find(set, number);
        if (way == TagArray::kMiss) return;
        TagArray::Line& line = tags_.line(set, way);
        line.valid &= static_cast<u8>(~sectors);
        if (line.valid == 0 && line.dirty == 0 && !tags_.reserved(set, way)) tags_.release(set, way);
    }

    /// Sectors of the line are on their way here.
    bool in_flight(u32 number) { return mshrs_.find(number) != nullptr; }
    /// The line leaves as if another took its place; it is not in flight.
    Evicted give_up(u64 index, u32 number) {
        const u32 set = tags_.set_of(index);
        const u32 way = tags_.find(set, number);
        if (way == TagArray::kMiss) return {};
        const Evicted evicted = evicted_line(set, way);
        replacement_->on_evict(set, way, line_address(number));
        tags_.release(set, way);
        return evicted;
    }

    /// Makes a line valid without traffic (a host copy warms L2). What it evicts is not to be written back.
    Evicted warm(u64 index, u32 number, u8 app = 0) {
        const u32 set = tags_.set_of(index);
        u32 way = tags_.find(set, number);
        Evicted dropped;
        if (way == TagArray::kMiss) way = take(set, number, dropped, 0, app);
        if (way == TagArray::kMiss) return dropped;
        tags_.line(set, way).valid = kAllSectors;
        tags_.line(set, way).partial = 0;
        return dropped;
    }

    /// Visits every line with dirty sectors, then frees all lines.
    template <class Visit>
    void flush(Visit visit) {
        for (u32 set = 0; set < tags_.sets(); ++set)
            for (u32 way = 0; way < tags_.ways(); ++way)
                if (tags_.line(set, way).dirty != 0) visit(evicted_line(set, way));
        tags_.clear();
        make_policy();
    }

    /// Changes the number of sets; the cache must be quiet.
    void resize(u64 size_bytes) {
        tags_.resize(static_cast<u32>(size_bytes / (u64{settings_.ways} * kLineBytes)));
        make_policy();
    }

    /// Gives each application its own ways to put lines into: `ways[app]`, one bit per way. Lines in other ways are
    /// still found.
    void divide(std::vector<u64> ways) { ways_of_app_ = std::move(ways); }

    bool quiet() const { return mshrs_.used() == 0; }
    u32 outstanding() const { return mshrs_.used(); }
    const CacheSettings& settings() const { return settings_; }
    TagArray& tags() { return tags_; }
    const TagArray& tags() const { return tags_; }

  private:
    u8 whole_granules(u8 sectors) const {
        if (granule_ == 1) return sectors;
        u8 whole = 0;
        const u8 one = static_cast<u8>((1u << granule_) - 1);
        for (u32 k = 0; k < kSectors; k += granule_)
            if ((sectors >> k & one) != 0) whole |= static_cast<u8>(one << k);
        return whole;
    }

    /// What a write has to ask for: neither here nor in flight.
    u8 missing_for_write(u32 number, u8 sectors, u8 valid) {
        const auto* entry = mshrs_.find(number);
        const u8 here = static_cast<u8>(valid | (entry == nullptr ? 0 : entry->pending));
        const u8 missing = static_cast<u8>((settings_.sectored ? sectors : kAllSectors) & ~here);
        return missing == 0 ? u8{0} : static_cast<u8>(whole_granules(missing) & ~here);
    }
    void fetch_for_write(u32 set, u32 way, u32 number, u8 sectors) {
        auto* entry = mshrs_.find(number);
        if (entry == nullptr) entry = mshrs_.allocate(number);
        entry->pending |= sectors;
        if (settings_.allocate == AllocatePolicy::on_miss) tags_.reserve(set, way, true);
    }

    void make_policy() {
        replacement_ = replacement_policies().make(settings_.replacement,
                                                   CacheContext{tags_.sets(), tags_.ways(), index_});
    }

    Evicted evicted_line(u32 set, u32 way) const {
        const TagArray::Line& line = tags_.line(set, way);
        // A cache without sectors writes whole lines back where it has them.
        const bool all = !settings_.sectored && line.valid == kAllSectors && line.dirty != 0;
        return {tags_.number(set, way), all ? kAllSectors : line.dirty, line.partial, line.app, true};
    }

    u32 take(u32 set, u32 number, Evicted& evicted, u32 position, u8 app) {
        const u64 ways = ways_of_app_.empty() ? ~u64{0} : ways_of_app_[app];
        u32 way = tags_.free_way(set, ways);
        if (way == TagArray::kMiss) {
            const u64 candidates = tags_.evictable(set) & ways;
            if (candidates == 0) return TagArray::kMiss;
            way = replacement_->victim(set, candidates);
            evicted = evicted_line(set, way);
            replacement_->on_evict(set, way, line_address(evicted.number));
        }
        tags_.assign(set, way, number);
        replacement_->on_fill(set, way, position);
        return way;
    }

    CacheSettings settings_;
    TagArray tags_;
    std::vector<u64> ways_of_app_;  // empty: all ways for all
    Mshrs<Waiter> mshrs_;
    std::unique_ptr<ReplacementPolicy> replacement_;
    u32 index_;
    u8 granule_;
};

}  // namespace heddle
