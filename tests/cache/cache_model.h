#pragma once
// A slow cache that does what the headers of src/cache say, in maps, lists and plain loops, to compare the real
// one with; and the same with one fault put in, to see that the comparison would find it.

#include <array>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "cache/cache.h"

namespace heddle::test {

enum class CacheFault {
    none,
    evicts_most_recent,
    fill_loses_a_sector,
    one_mshr_too_many,
    merge_limit_ignored,
    write_marks_whole_line_valid,
    wakes_newest_first,
    wakes_on_any_sector,
    granule_ignored,
    partial_counts_as_valid,
    fill_cleans_the_line,
    set_by_bit_mask,
    invalidate_drops_the_line,
    insertion_position_ignored,
    reserved_line_evicted,
    hit_does_not_refresh,
    count_
};

/// What one operation on a cache answers.
struct Answer {
    Outcome outcome = Outcome::hit;
    u8 fetch = 0;
    bool found = false;                       // mark_dirty
    std::vector<std::array<u32, 4>> dirty{};  // lines to write back: number, sectors, partial, application
    std::vector<u32> woken{};                 // waiters, in order
    friend bool operator==(const Answer&, const Answer&) = default;
};

class CacheModel {
  public:
    CacheModel(const CacheSettings& settings, u8 granule, CacheFault fault = CacheFault::none)
        : s_(settings), granule_(granule), fault_(fault) {
        resize(settings.size_bytes);
    }

    Answer read(u64 index, u32 number, u8 sectors, u32 waiter) {
        Set& set = set_of(index);
        Line* line = find(set, number);
        const u8 here = line == nullptr ? u8{0} : line->valid;
        const u8 want = s_.sectored ? sectors : kAllSectors;
        if ((want & ~here) == 0) {
            if (fault_ != CacheFault::hit_does_not_refresh) to_position(set, number, 0);
            return {Outcome::hit};
        }
        // A cache without sectors fetches lines, also where writes have filled some sectors.
        const u8 missing = static_cast<u8>(s_.sectored ? want & ~here : kAllSectors);
        const auto outstanding = mshrs_.find(number);
        if (outstanding != mshrs_.end()) {
            Mshr& m = outstanding->second;
            if (m.waiters.size() >= s_.mshr_merges && fault_ != CacheFault::merge_limit_ignored)
                return {Outcome::stall_merge};
            if (line != nullptr) to_position(set, number, 0);
            m.waiters.push_back({waiter, missing});
            if ((missing & ~m.pending) == 0) return {Outcome::merged};
            const u8 fetch = static_cast<u8>(granules(missing, here) & ~m.pending);
            m.pending |= fetch;
            return {Outcome::miss, fetch};
        }
        if (mshrs_.size() >= s_.mshrs + (fault_ == CacheFault::one_mshr_too_many ? 1 : 0))
            return {Outcome::stall_mshr};
        Answer answer{Outcome::miss, granules(missing, here)};
        const bool present = line != nullptr;
        if (s_.allocate == AllocatePolicy::on_miss) {
            if (line == nullptr) line = take(set, number, 0, answer);
            if (line == nullptr) return {Outcome::stall_line};
            line->reserved = true;
        }
        if (present) to_position(set, number, 0);
        mshrs_[number] = {answer.fetch, {{waiter, missing}}};
        return answer;
    }

    Answer write(u64 index, u32 number, u8 sectors, u8 partial, u8 app, u32 position) {
        Answer answer{Outcome::hit};
        Set& set = set_of(index);
        Line* line = find(set, number);
        answer.fetch = write_fetch(line, number, sectors);
        if (answer.fetch != 0 && mshrs_.count(number) == 0 && mshrs_.size() >= s_.mshrs)
            return {Outcome::stall_mshr};
        if (line != nullptr) {
            if (fault_ != CacheFault::hit_does_not_refresh) to_position(set, number, 0);
        } else {
            answer.outcome = Outcome::forward;
            if (!s_.write_allocate) return answer;
            line = take(set, number, position, answer);
            if (line == nullptr) return {Outcome::stall_line};
        }
        if (answer.fetch != 0) {
            Mshr& m = mshrs_[number];
            m.pending = static_cast<u8>(m.pending | answer.fetch);
            line->reserved |= s_.allocate == AllocatePolicy::on_miss;
        }
        const u8 whole = static_cast<u8>(sectors & ~partial);
        const u8 was_whole = line->valid;
        line->valid |= whole;
        line->partial = static_cast<u8>(line->partial & ~whole);
        if (fault_ == CacheFault::write_marks_whole_line_valid) line->valid = kAllSectors;
        if (s_.write == WritePolicy::back) {
            line->dirty |= sectors;
            const u8 pieces = static_cast<u8>(partial & ~was_whole);
            if (fault_ == CacheFault::partial_counts_as_valid)
                line->valid |= pieces;
            else
                line->partial |= pieces;
            line->app = app;
        }
        return answer;
    }

    Answer fill(u64 index, u32 number, u8 sectors, u32 position) {
        Answer answer;
        Set& set = set_of(index);
        Line* line = find(set, number);
        if (line == nullptr) line = take(set, number, position, answer);
        if (line != nullptr) {
            line->valid |= sectors;
            line->partial = static_cast<u8>(line->partial & ~sectors);
            if (fault_ == CacheFault::fill_loses_a_sector && sectors == kAllSectors) line->valid = 7;
            if (fault_ == CacheFault::fill_cleans_the_line)
                line->dirty = static_cast<u8>(line->dirty & ~sectors);
        }
        Mshr& m = mshrs_.at(number);
        m.pending = static_cast<u8>(m.pending & ~sectors);
        std::list<Waiting> still;
        for (Waiting& w : m.waiters) {
            const bool some = (w.missing & sectors) != 0;
            w.missing = static_cast<u8>(w.missing & ~sectors);
            if (w.missing == 0 || (some && fault_ == CacheFault::wakes_on_any_sector))
                answer.woken.push_back(w.waiter);
            else
                still.push_back(w);
        }
        if (fault_ == CacheFault::wakes_newest_first) std::reverse(answer.woken.begin(), answer.woken.end());
        m.waiters = std::move(still);
        if (m.pending == 0) {
            mshrs_.erase(number);
            if (line != nullptr) line->reserved = false;
        }
        return answer;
    }

    Answer mark_dirty(u64 index, u32 number, u8 sectors, u8 app) {
        Answer answer;
        Line* line = find(set_of(index), number);
        if (line == nullptr) return answer;
        line->dirty |= sectors;
        line->app = app;
        answer.found = true;
        return answer;
    }

    Answer invalidate(u64 index, u32 number, u8 sectors) {
        Set& set = set_of(index);
        Line* line = find(set, number);
        if (line == nullptr) return {};
        if (fault_ == CacheFault::invalidate_drops_the_line) sectors = kAllSectors;
        line->valid = static_cast<u8>(line->valid & ~sectors);
        if ((line->valid | line->dirty) == 0 && !line->reserved) drop(set, number);
        return {};
    }

    Answer warm(u64 index, u32 number) {
        Answer dropped;
        Set& set = set_of(index);
        Line* line = find(set, number);
        if (line == nullptr) line = take(set, number, 0, dropped);
        if (line != nullptr) {
            line->valid = kAllSectors;
            line->partial = 0;
        }
        return {};
    }

    /// Dirty lines by number.
    Answer flush() {
        Answer answer;
        for (auto& [index, set] : sets_)
            for (auto& way : set.ways)
                if (way && way->dirty != 0) write_back(*way, answer);
        std::sort(answer.dirty.begin(), answer.dirty.end());
        sets_.clear();
        return answer;
    }

    void resize(u64 size_bytes) {
        set_count_ = size_bytes / (u64{s_.ways} * 128);
        sets_.clear();
    }

    // What a driver must know to stay within the rules.
    bool quiet() const { return mshrs_.empty(); }
    u32 outstanding() const { return static_cast<u32>(mshrs_.size()); }
    /// (line, sectors that are in flight), by line number.
    std::vector<std::pair<u32, u8>> on_their_way() const {
        std::vector<std::pair<u32, u8>> result;
        for (const auto& [number, m] : mshrs_) result.emplace_back(number, m.pending);
        return result;
    }
    u8 valid(u64 index, u32 number) {
        const Line* line = find(set_of(index), number);
        return line == nullptr ? u8{0} : line->valid;
    }
    u8 partial(u64 index, u32 number) {
        const Line* line = find(set_of(index), number);
        return line == nullptr ? u8{0} : line->partial;
    }

  private:
    struct Line {
        u32 number = 0;
        u8 valid = 0, dirty = 0, partial = 0, app = 0;
        bool reserved = false;
    };
    struct Set {
        std::vector<std::optional<Line>> ways;
        std::list<u32> order;  // of the ways, most recent first
    };
    struct Waiting {
        u32 waiter = 0;
        u8 missing = 0;
    };
    struct Mshr {
        u8 pending = 0;
        std::list<Waiting> waiters;
    };

    Set& set_of(u64 index) {
        u64 at = index % set_count_;
        if (fault_ == CacheFault::set_by_bit_mask) at = index & (set_count_ - 1);
        Set& set = sets_[at];
        if (set.ways.empty()) {
            set.ways.resize(s_.ways);
            for (u32 k = 0; k < s_.ways; ++k) set.order.push_back(k);
        }
        return set;
    }
    static Line* find(Set& set, u32 number) {
        for (auto& way : set.ways)
            if (way && way->number == number) return &*way;
        return nullptr;
    }
    static void drop(Set& set, u32 number) {
        for (auto& way : set.ways)
            if (way && way->number == number) way.reset();
    }
    void to_position(Set& set, u32 number, u32 position) {
        for (u32 k = 0; k < s_.ways; ++k)
            if (set.ways[k] && set.ways[k]->number == number) {
                set.order.remove(k);
                set.order.insert(std::next(set.order.begin(), position), k);
                return;
            }
    }
    /// The lowest free way, else the least recent one that is not reserved.
    Line* take(Set& set, u32 number, u32 position, Answer& answer) {
        std::optional<u32> way;
        for (u32 k = 0; k < s_.ways && !way; ++k)
            if (!set.ways[k]) way = k;
        if (!way) {
            const auto usable = [&](u32 k) {
                return !set.ways[k]->reserved || fault_ == CacheFault::reserved_line_evicted;
            };
            for (const u32 k : set.order) {
                if (!usable(k)) continue;
                way = k;
                if (fault_ == CacheFault::evicts_most_recent) break;
            }
            if (!way) return nullptr;
            if (set.ways[*way]->dirty != 0) write_back(*set.ways[*way], answer);
        }
        set.ways[*way] = Line{number};
        to_position(set, number, fault_ == CacheFault::insertion_position_ignored ? 0 : position);
        return &*set.ways[*way];
    }
    void write_back(const Line& line, Answer& answer) const {
        // Without sectors whole lines are written where they are here.
        const bool whole = !s_.sectored && line.valid == kAllSectors;
        answer.dirty.push_back({line.number, whole ? kAllSectors : line.dirty, line.partial, line.app});
    }
    /// What a write asks for: sectors that are neither here nor on their way.
    u8 write_fetch(const Line* line, u32 number, u8 sectors) const {
        if (s_.write_miss == WriteMiss::no_fetch) return 0;
        u8 here = line == nullptr ? u8{0} : line->valid;
        if (const auto m = mshrs_.find(number); m != mshrs_.end())
            here = static_cast<u8>(here | m->second.pending);
        const u8 missing = static_cast<u8>((s_.sectored ? sectors : kAllSectors) & ~here);
        return missing == 0 ? u8{0} : static_cast<u8>(granules(missing, here) & ~here);
    }
    u8 granules(u8 missing, u8 here) const {
        if (!s_.sectored) return kAllSectors;
        if (fault_ == CacheFault::granule_ignored) return missing;
        u8 result = 0;
        for (u32 first = 0; first < kSectors; first += granule_) {
            const u8 bits = static_cast<u8>(((1u << granule_) - 1) << first);
            if ((missing & bits) != 0) result |= bits;
        }
        return static_cast<u8>(result & ~here);
    }

    CacheSettings s_;
    u8 granule_;
    CacheFault fault_;
    u64 set_count_ = 1;
    std::map<u64, Set> sets_;
    std::map<u32, Mshr> mshrs_;
};

}  // namespace heddle::test
