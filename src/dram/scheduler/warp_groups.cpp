#include "dram/scheduler/warp_groups.h"

#include <bit>

namespace heddle::dram {

WarpGroups::WarpGroups(const WarpGroupSettings& settings, const SchedulerContext& context)
    : CommandQueues(settings, context),
      capacity_(std::min(settings.sorter_groups, context.settings.read_queue)),
      incomplete_wait_(settings.incomplete_wait),
      groups_(capacity_),
      chains_(std::bit_ceil(2 * capacity_), kNone),
      reads_(banks()) {
    for (u32 k = capacity_; k-- > 0;) free_.push_back(static_cast<u16>(k));
    active_.reserve(capacity_);
}

u16 WarpGroups::find(u64 key) const {
    u16 g = chains_[chain_of(key)];
    while (g != kNone && (groups_[g].key != key || groups_[g].forced)) g = groups_[g].next;
    return g;
}

/// Puts a read into the sorter; false if its group would be one too many.
bool WarpGroups::sort(Request* read, bool told) {
    const u64 key = key_of(*read);
    u16 g = key == kAlone ? kNone : find(key);
    const bool begins = g == kNone;
    if (begins) {
        if (free_.empty()) return false;
        g = free_.back();
        free_.pop_back();
        Group& fresh = groups_[g];
        fresh = Group{};
        fresh.key = key;
        fresh.since = read->arrived;
        fresh.order = ++groups_begun_;
        fresh.place = static_cast<u16>(active_.size());
        active_.push_back(g);
        if (key != kAlone) {
            u16& chain = chains_[chain_of(key)];
            fresh.next = chain;
            chain = g;
        }
    }
    Group& group = groups_[g];
    ++group.waiting;
    ++group.members;
    EntryList& list = reads_[read->bank];
    bool first = true;
    if (group.waiting != 1)
        for (const QueueEntry& e : list) first &= group_of(e) != g || e.row != read->row;
    list.push_back({read, ++arrivals_ << 16 | g, read->row, static_cast<u8>(first)});
    with_reads_.set(read->bank);
    if (begins) began(g);
    if (key == kAlone || told) complete(g);
    return true;
}

bool WarpGroups::arrived(Request* read, Cycle) {
    const u32 complete_before = complete_count_;
    if (!sort(read, false)) unsorted_.push_back({read, false});
    return current_ == kNone && (!incomplete_wait_ || complete_count_ != complete_before);
}

void WarpGroups::complete(u16 g) {
    if (groups_[g].complete) return;
    groups_[g].complete = true;
    groups_[g].completed = ++completions_;
    ++complete_count_;
}

void WarpGroups::group_complete(GroupKey key, u32, Cycle now) {
    const u64 k = key.packed();
    const u16 g = find(k);
    if (g != kNone) {
        complete(g);
        // Its turn does not come before the current group's members have been sent.
        if (current_ == kNone) wake(now);
    }
    for (Unsorted& u : unsorted_)
        if (key_of(*u.request) == k) u.complete = true;
}

/// The group is complete for its present members; later ones form a new group.
void WarpGroups::force(u16 group) {
    groups_[group].forced = true;
    complete(group);
}

u16 WarpGroups::oldest() const {
    u16 first = active_.front();
    for (const u16 g : active_)
        if (groups_[g].order < groups_[first].order) first = g;
    return first;
}

BankMask WarpGroups::wanted(Cycle now) {
    if (current_ == kNone) {
        if (complete_count_ == 0) {
            if (!may_force(now)) return {};
            force(oldest());
        }
        const u16 g = select(now);
        selected(g, now);
        begin(g);
    }
    return banks_to_serve();
}

/// No group is complete: whether the oldest goes all the same.
bool WarpGroups::may_force(Cycle now) {
    if (read_queue_full()) {
        ++forced_full_;
        return true;
    }
    if (!incomplete_wait_) {
        if (waiting_writes() != 0) return false;  // they go first
    } else {
        if (!queues_empty()) return false;
        const Cycle idle_until = std::max(last_sent_, groups_[oldest()].since) + *incomplete_wait_;
        if (now < idle_until) {
            wake_at(idle_until);
            return false;
        }
    }
    ++forced_idle_;
    return true;
}

void WarpGroups::begin(u16 g) {
    current_ = g;
    ++selections_;
    u32 unseen = groups_[g].waiting;
    with_reads_.each([&](u32 bank) {
        if (unseen == 0) return;
        u32 n = 0;
        for (const QueueEntry& e : reads_[bank]) n += group_of(e) == g;
        if (n == 0) return;
        current_left_[bank] = n;
        current_banks_.set(bank);
        unseen -= n;
    });
}

QueueEntry* WarpGroups::next_in(u32 bank) {
    QueueEntry* oldest = nullptr;
    for (QueueEntry& e : reads_[bank]) {
        if (group_of(e) != current_) continue;
        if (e.row == last_row(bank)) return &e;
        if (oldest == nullptr) oldest = &e;
    }
    return oldest;
}

Request* WarpGroups::take(u32 bank, Cycle now) {
    QueueEntry* entry = next_in(bank);
    Request* read = entry->request;
    remove(bank, entry);
    last_sent_ = now;
    if (!unsorted_.empty()) enter_unsorted();
    return read;
}

void WarpGroups::remove(u32 bank, QueueEntry* entry) {
    EntryList& list = reads_[bank];
    const u16 g = group_of(*entry);
    const u32 row = entry->row;
    const bool first = entry->tag != 0;
    list.erase(entry);
    if (list.empty()) with_reads_.clear(bank);
    if (first && groups_[g].waiting != 1) {
        for (QueueEntry& e : list) {
            if (group_of(e) != g || e.row != row) continue;
            e.tag = 1;
            break;
        }
    }
    if (g == current_ && --current_left_[bank] == 0) current_banks_.clear(bank);
    if (--groups_[g].waiting == 0) retire(g);
}

void WarpGroups::retire(u16 g) {
    Group& group = groups_[g];
    if (group.complete) --complete_count_;
    if (group.key != kAlone) {
        u16* link = &chains_[chain_of(group.key)];
        while (*link != g) link = &groups_[*link].next;
        *link = group.next;
    }
    active_[group.place] = active_.back();
    groups_[active_.back()].place = group.place;
    active_.pop_back();
    free_.push_back(g);
    if (g == current_) current_ = kNone;
}

/// Reads that found the sorter full, in arrival order.
void WarpGroups::enter_unsorted() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < unsorted_.size(); ++k)
        if (!sort(unsorted_[k].request, unsorted_[k].complete)) unsorted_[kept++] = unsorted_[k];
    unsorted_.resize(kept);
}

bool WarpGroups::read_wants(u32 bank, u32 row) const {
    return reads_[bank].has_row(row);
}

void WarpGroups::report(std::vector<PolicyCounter>& to) const {
    CommandQueues::report(to);
    to.push_back({"selections", "groups", selections_});
    to.push_back({"forced_by_full_queue", "groups", forced_full_});
    to.push_back({"forced_by_idle_time", "groups", forced_idle_});
}

}  // namespace heddle::dram
