#pragma once
// The array of a TLB, or of a page-walk cache: keys and what they map to, any number of sets and ways, least recently
// used. The number of a page, or of a page-table entry, chooses the set; where there is one set, any number does.

#include <algorithm>
#include <vector>

#include "vm/mapping.h"
#include "vm/page_map.h"

namespace heddle {

class Tlb {
  public:
    struct Entry {
        PageKey key;
        Mapping mapping;
    };

    /// `ways` 0: fully associative; otherwise it divides `entries`, of which there are at most 2^20.
    Tlb(u32 entries, u32 ways)
        : ways_(ways == 0 ? entries : ways),
          sets_(entries / ways_),
          entries_(entries),
          links_(entries),
          ends_(sets_),
          map_(entries) {
        clear();
    }

    /// None if the key is not there. What is found becomes the most recent of its set.
    Mapping probe(PageKey key) {
        if (key == last_key_) return last_mapping_;
        const u32 e = map_.find(key.v);
        if (e == PageMap::kNone) return {};
        to_front(set_of(key), e);
        last_key_ = key;
        return last_mapping_ = entries_[e].mapping;
    }
    /// The same without a trace.
    Mapping find(PageKey key) const {
        const u32 e = map_.find(key.v);
        return e == PageMap::kNone ? Mapping() : entries_[e].mapping;
    }

    /// Puts the key in as the most recent of its set, or gives it another mapping; what had to go, which may be nothing.
    Entry insert(PageKey key, Mapping mapping) {
        const u32 set = set_of(key);
        u32 e = map_.find(key.v);
        Entry victim;
        if (e == PageMap::kNone) {
            e = ends_[set].back;  // free entries are at the back
            victim = entries_[e];
            if (victim.key.any()) map_.erase(victim.key.v);
            map_.insert(key.v, e);
        }
        entries_[e] = {key, mapping};
        to_front(set, e);
        last_key_ = key;
        last_mapping_ = mapping;
        return victim;
    }

    bool remove(PageKey key) {
        const u32 e = map_.find(key.v);
        if (e == PageMap::kNone) return false;
        drop(set_of(key), e);
        return true;
    }
    /// Removes every key for which `gone(key)`; how many.
    template <class Gone>
    u32 remove_if(Gone gone) {
        u32 n = 0;
        for (u32 e = 0; e < entries_.size(); ++e)
            if (entries_[e].key.any() && gone(entries_[e].key)) {
                drop(e / ways_, e);
                ++n;
            }
        return n;
    }
    u32 used() const {
        return static_cast<u32>(
            std::count_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.key.any(); }));
    }

  private:
    static constexpr u32 kEnd = ~u32{0};
    struct Link {
        u32 before = kEnd, behind = kEnd;  // towards the front, towards the back
    };
    struct Ends {
        u32 front = kEnd, back = kEnd;
    };

    u32 set_of(PageKey key) const { return sets_ == 1 ? 0 : static_cast<u32>(key.page() % sets_); }

    void unlink(u32 set, u32 e) {
        const Link l = links_[e];
        (l.before == kEnd ? ends_[set].front : links_[l.before].behind) = l.behind;
        (l.behind == kEnd ? ends_[set].back : links_[l.behind].before) = l.before;
    }
    void to_front(u32 set, u32 e) {
        if (ends_[set].front == e) return;
        unlink(set, e);
        const u32 old = ends_[set].front;
        links_[e] = {kEnd, old};
        (old == kEnd ? ends_[set].back : links_[old].before) = e;
        ends_[set].front = e;
    }
    void to_back(u32 set, u32 e) {
        if (ends_[set].back == e) return;
        unlink(set, e);
        const u32 old = ends_[set].back;
        links_[e] = {old, kEnd};
        (old == kEnd ? ends_[set].front : links_[old].behind) = e;
        ends_[set].back = e;
    }
    void drop(u32 set, u32 e) {
        map_.erase(entries_[e].key.v);
        entries_[e] = Entry{};
        to_back(set, e);
        last_key_ = PageKey();
    }
    void clear() {
        for (u32 set = 0; set < sets_; ++set) {
            ends_[set] = {set * ways_, set * ways_ + ways_ - 1};
            for (u32 e = set * ways_; e < (set + 1) * ways_; ++e)
                links_[e] = {e == ends_[set].front ? kEnd : e - 1, e == ends_[set].back ? kEnd : e + 1};
        }
    }

    u32 ways_, sets_;
    std::vector<Entry> entries_;
    std::vector<Link> links_;  // of each set a list, the most recent entry in front
    std::vector<Ends> ends_;
    PageMap map_;
    // The key touched last is the most recent of its set: most lookups are for it again.
    PageKey last_key_;
    Mapping last_mapping_;
};

}  // namespace heddle
