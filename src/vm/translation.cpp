#include "vm/translation.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

Translation::Translation(const TranslationSettings& settings, const TranslationWiring& wiring)
    : settings_(settings),
      wiring_(wiring),
      l2_(settings.l2_tlb.entries, settings.l2_tlb.ways),
      bypass_(settings.l2_tlb.bypass_entries, 0),
      walk_cache_(static_cast<u32>(settings.walk_cache.size_bytes / WalkCacheSettings::kEntryBytes),
                  settings.walk_cache.ways),
      by_page_(wiring.sms * settings.l1_tlb.mshrs),
      walks_(settings.walker.walks) {
    for (u32 s = 0; s < wiring.sms; ++s) l1_.push_back(std::make_unique<L1Tlb>(settings.l1_tlb));
    mshr_stall_.because(stats_.stall_mshr_cycles);
    for (u32 k = settings.walker.walks; k-- > 0;) free_walks_.push_back(k);
    FillContext context;
    context.sms = wiring.sms;
    context.warps_per_sm = wiring.warps;
    fill_ = tlb_fill_policies().make(settings.fill, context);
    shootdown_ = shootdown_policies().make(settings.shootdown);
}

void Translation::start(std::span<const TranslationApp> apps, u32 parts) {
    blocks_ = std::make_unique<FrameBlocks>(parts);
    MemoryManagerContext context;
    context.blocks = blocks_.get();
    manager_ = memory_managers().make(settings_.memory_manager, context);
    std::vector<u32> part_of;
    std::vector<std::string> names;
    std::vector<FillApp> fill;
    for (const TranslationApp& app : apps) {
        part_of.push_back(parts == 1 ? 0 : app.part);
        names.push_back(app.name);
        fill.push_back(app.fill);
    }
    tables_ = std::make_unique<PageTables>(settings_.page_size, *manager_, part_of, names);
    fill_->applications(fill);
    wiring_.pressure->apps.resize(apps.size());
    walks_of_.resize(apps.size());
    app_stats_.resize(apps.size());
    epoch_end_ = Cycle(settings_.epoch.v);
    wiring_.agenda->wake(wiring_.part, epoch_end_);
}

void Translation::miss(u16 sm, PageKey page, Cycle at) {
    ++asked_;
    arrivals_.push({at, page, sm});
    wiring_.agenda->wake(wiring_.part, at);
}

Cycle Translation::step(Cycle now) {
    if (now >= epoch_end_) end_epoch(now);
    while (!ended_.empty() && ended_.front().at <= now + 1) {
        const Ended e = ended_.pop();
        finish(e.slot, e.at);
    }
    Cycle next = std::min(epoch_end_, look_up(now));
    if (!ended_.empty()) next = std::min(next, ended_.front().at - 1);
    return next;
}

/// Begins the lookups that are due; when the next can.
Cycle Translation::look_up(Cycle now) {
    const bool l2 = settings_.has_l2_tlb();
    u32 left = l2 ? settings_.l2_tlb.ports : ~u32{0};
    while (!arrivals_.empty() && arrivals_.front().at <= now && lookups_from_ <= now && left != 0) {
        const Arrival a = arrivals_.pop();
        --left;
        if (!l2) {
            miss_in_l2({now, a.page, a.sm}, now);
            continue;
        }
        const Cycle known = now + settings_.l2_tlb.latency.v;
        const u8 app = a.page.app();
        u32 frame = l2_.probe(a.page.v, a.page.page());
        bool bypassed = false;
        if (frame == Tlb::kMiss && bypass_used_) {
            frame = bypass_.probe(a.page.v, 0);
            bypassed = frame != Tlb::kMiss;
        }
        const bool hit = frame != Tlb::kMiss;
        SharedTlbStats& stats = app_stats_[app];
        ++stats.accesses;
        stats.hits += hit;
        stats.bypass_hits += bypassed;
        fill_->on_access(app, hit, now);
        if (hit) {
            answer(a.sm, a.page, frame, known);
        } else {
            miss_in_l2({known, a.page, a.sm}, now);
        }
    }
    if (arrivals_.empty()) return kNever;
    return std::max({arrivals_.front().at, lookups_from_, now + 1});
}

/// Joins those that asked for the page before, or is the first and takes an MSHR or waits for one.
void Translation::miss_in_l2(const Miss& miss, Cycle now) {
    if (const u32 found = by_page_.find(miss.page.v); found != PageMap::kNone) {
        mshrs_[found].misses.push_back(miss);
        ++app_stats_[miss.page.app()].merges;
        return;
    }
    if (free_mshrs_.empty()) {
        free_mshrs_.push_back(static_cast<u32>(mshrs_.size()));
        mshrs_.emplace_back();
    }
    const u32 k = free_mshrs_.back();
    free_mshrs_.pop_back();
    by_page_.insert(miss.page.v, k);
    Mshr& m = mshrs_[k];
    m.page = miss.page;
    m.since = miss.known;
    m.misses.assign(1, miss);
    if (outstanding_ < settings_.walker.mshrs) {
        take_mshr(k, m.since, now);
    } else {
        if (without_mshr_.empty()) mshr_stall_.begin(now);
        without_mshr_.push(k);
    }
}

/// Begins the page's walk at `from`, or has it wait for the walker.
void Translation::take_mshr(u32 k, Cycle from, Cycle now) {
    const u8 app = mshrs_[k].page.app();
    count_walks(now);
    ++outstanding_;
    ++app_stats_[app].walks;
    const u32 walks = ++walks_of_[app];
    app_stats_[app].most_walks = std::max<u64>(app_stats_[app].most_walks, walks);
    u8& most = wiring_.pressure->apps[app].walks;
    most = std::max(most, static_cast<u8>(std::min<u32>(walks, TranslationPressure::kMost)));
    if (free_walks_.empty()) {
        waiting_.push({from, k});
    } else {
        const u32 slot = free_walks_.back();
        free_walks_.pop_back();
        stats_.most_walking = std::max<u64>(stats_.most_walking, walks_.size() - free_walks_.size());
        begin(slot, k, from, now);
    }
}

void Translation::answer(u16 sm, PageKey page, u32 frame, Cycle at) {
    ++answered_;
    l1_[sm]->answer({at, page, frame, true});
    wiring_.agenda->wake(sm, at);
}

void Translation::begin(u32 slot, u32 mshr, Cycle at, Cycle now) {
    const PageKey page = mshrs_[mshr].page;
    mshrs_[mshr].stale = false;
    walks_[slot].mshr = mshr;
    walks_[slot].level = 1;
    walks_[slot].path = tables_->path(page.app(), page.address());
    next_read(slot, at, now);
}

/// Goes on through the page-walk cache as far as it reaches; true if to the end.
bool Translation::found_in_walk_cache(Walk& w, Cycle& at) {
    for (;; ++w.level) {
        at += settings_.walk_cache.latency.v;
        ++stats_.walk_cache_accesses;
        const u64 entry = w.path.entry[w.level - 1].v / WalkCacheSettings::kEntryBytes;
        if (walk_cache_.probe(entry, entry) == Tlb::kMiss) return false;
        ++stats_.walk_cache_hits;
        ++stats_.level[w.level].cache_hits;
        if (w.level == w.path.levels) return true;
    }
}

/// The walk's next entry is wanted from `at` on.
void Translation::next_read(u32 slot, Cycle at, Cycle now) {
    Walk& w = walks_[slot];
    if (!settings_.has_l2_tlb() && found_in_walk_cache(w, at)) {
        ended(slot, at, now);
        return;
    }
    const PageKey page = mshrs_[w.mshr].page;
    const PhysAddr entry = w.path.entry[w.level - 1];
    Request* r = wiring_.pool->take();
    wiring_.router->send_to(*r, PhysAddr(entry.v & ~u64{kLineBytes - 1}));
    r->sectors = static_cast<u8>(1u << (entry.v / kSectorBytes % kSectors));
    r->origin = {Origin::kNoUnit, static_cast<u8>(slot), wiring_.device};
    r->app = page.app();
    r->cls = RequestClass::page_walk;
    r->level = w.level & 7;
    w.asked = at;
    ++sent_;
    ++stats_.level[w.level].reads;
    ++app_stats_[r->app].reads;
    const Cycle there = at + wiring_.l2_front.v;
    slices_[r->port]->walk(r, there);
    wiring_.agenda->wake(wiring_.first_slice_part + r->port, there);
}

void Translation::walk_read(Request* r, WalkSource source, Cycle at, Cycle now) {
    const u32 slot = r->origin.slot;
    Walk& w = walks_[slot];
    WalkLevelStats& level = stats_.level[w.level];
    level.cycles += at - w.asked;
    level.l2_hits += source == WalkSource::l2_hit;
    level.l2_merges += source == WalkSource::l2_merge;
    level.dram += source == WalkSource::dram;
    app_stats_[r->app].reads_in_dram += source == WalkSource::dram;
    ++returned_;
    wiring_.pool->give(r);
    const u64 entry = w.path.entry[w.level - 1].v / WalkCacheSettings::kEntryBytes;
    if (!settings_.has_l2_tlb()) walk_cache_.insert(entry, entry, 0);
    if (w.level == w.path.levels) {
        ended(slot, at, now);
        return;
    }
    ++w.level;
    next_read(slot, at, now);
}

/// The walk knows its translation at `at`.
void Translation::ended(u32 slot, Cycle at, Cycle now) {
    if (at <= now + 1) {
        finish(slot, at);
        return;
    }
    ended_.push_by_time({at, slot});
    wiring_.agenda->wake(wiring_.part, at - 1);
}

/// Done in the cycle before `at`, so that the SMs have the translation at `at`.
void Translation::finish(u32 slot, Cycle at) {
    const u32 k = walks_[slot].mshr;
    Mshr& m = mshrs_[k];
    if (m.stale) {
        ++stats_.restarts;
        begin(slot, k, at, at - 1);
        return;
    }
    const u8 app = m.page.app();
    const u32 frame = walks_[slot].path.frame;
    if (settings_.has_l2_tlb()) fill(m, frame, at);
    for (const Miss& miss : m.misses) answer(miss.sm, m.page, frame, std::max(at, miss.known));
    stats_.walk_latency.add(at - m.since);
    app_stats_[app].walk_cycles += at - m.since;
    count_walks(at);
    --outstanding_;
    --walks_of_[app];
    by_page_.erase(m.page.v);
    m.page = PageKey();
    free_mshrs_.push_back(k);
    if (waiting_.empty()) {
        free_walks_.push_back(slot);
    } else {
        const auto [from, next] = waiting_.pop();
        stats_.walker_wait_cycles += at > from ? at - from : 0;
        begin(slot, next, std::max(at, from), at - 1);
    }
    if (without_mshr_.empty()) return;
    const u32 first = without_mshr_.pop();
    take_mshr(first, std::max(at, mshrs_[first].since), at - 1);
    if (without_mshr_.empty()) mshr_stall_.end(at);
}

void Translation::fill(Mshr& m, u32 frame, Cycle at) {
    requesters_.clear();
    for (const Miss& miss : m.misses) {
        const L1Tlb::Mshr& waits = *l1_[miss.sm]->waiting_for(m.page);
        requesters_.push_back({miss.sm, waits.warps});
    }
    if (fill_->fills(m.page.app(), requesters_, at)) {
        l2_.insert(m.page.v, m.page.page(), frame);
    } else {
        bypass_.insert(m.page.v, 0, frame);
        bypass_used_ = true;
        ++app_stats_[m.page.app()].bypass_fills;
    }
}

/// The number of outstanding walks is about to change.
void Translation::count_walks(Cycle at) {
    if (at > counted_to_) {
        if (outstanding_ != 0) stats_.busy_cycles += at - counted_to_;
        stats_.walks_over_cycles += outstanding_ * (at - counted_to_);
        counted_to_ = at;
    }
}

void Translation::end_epoch(Cycle now) {
    std::vector<u64> active;
    for (auto& l1 : l1_) active.push_back(std::exchange(l1->active, 0));
    fill_->end_epoch(active, now);
    for (std::size_t a = 0; a < wiring_.pressure->apps.size(); ++a)
        wiring_.pressure->apps[a] = {static_cast<u8>(std::min<u32>(walks_of_[a], TranslationPressure::kMost)),
                                     0};
    for (auto& l1 : l1_) l1->each_wait([&](const L1Tlb::Mshr& m) { stalled(m.page.app(), m.stalled); });
    while (epoch_end_ <= now) epoch_end_ += settings_.epoch.v;
}

u64 Translation::walks() const {
    u64 n = 0;
    for (const SharedTlbStats& s : app_stats_) n += s.walks;
    return n;
}

// -- taking translations back

template <class Gone>
void Translation::take_back(Gone gone, Cycle now) {
    for (auto& l1 : l1_) l1->take_back(gone, now + settings_.l1_tlb.invalidate.v);
    auto key_gone = [&](u64 key) { return gone(L1Tlb::as_page(key)); };
    l2_.remove_if(key_gone);
    bypass_.remove_if(key_gone);
    if (settings_.has_l2_tlb()) lookups_from_ = std::max(lookups_from_, now + settings_.l2_tlb.invalidate.v);
    ++stats_.shootdowns;
}

void Translation::flush(u8 app, Cycle now) {
    take_back([app](PageKey page) { return page.app() == app; }, now);
}

void Translation::unmap(u8 app, VirtAddr first, u64 bytes, Cycle now) {
    const u32 shift = page_shift(settings_.page_size);
    const u64 from = (first.v + (u64{1} << shift) - 1) >> shift, end = (first.v + bytes) >> shift;
    u64 pages = 0;
    for (u64 p = from; p < end; ++p) pages += tables_->unmap(app, VirtAddr(p << shift));
    if (pages == 0) return;
    stats_.pages_taken_back += pages;
    changed({EntryChange::removed, app, from, end}, now);
}

void Translation::changed(const TranslationChange& change, Cycle now) {
    auto changes = [&](PageKey page) {
        return page.app() == change.app && page.page() >= change.first && page.page() < change.end;
    };
    switch (shootdown_->scope(change, now)) {
        case ShootdownScope::pages:
            take_back(changes, now);
            break;
        case ShootdownScope::address_space:
            flush(change.app, now);
            break;
        case ShootdownScope::everything:
            take_back([](PageKey) { return true; }, now);
            break;
    }
    // The entries that the page-walk cache holds of these pages are wrong; which ones it does not know.
    walk_cache_.remove_if([](u64) { return true; });
    for (Mshr& m : mshrs_)
        if (m.page.any() && changes(m.page)) m.stale = true;
}

// -- the end

std::string Translation::describe() const {
    if (quiet()) return {};
    return fmt::format(
        "  translation: {} lookups wait, {} pages wait for an MSHR, {} walks outstanding, {} of them wait "
        "for "
        "the walker\n",
        arrivals_.size(), without_mshr_.size(), outstanding_, waiting_.size());
}

void Translation::check_conservation() const {
    auto expect = [](const char* what, u64 a, const char* other, u64 b) {
        if (a != b)
            throw InvariantError(fmt::format("conservation: {} ({}) differ from {} ({})", what, a, other, b));
    };
    L1TlbStats l1;
    for (const auto& tlb : l1_) l1.merge(tlb->stats);
    expect("L1 TLB accesses", l1.accesses, "hits, merges and misses", l1.hits + l1.merges + l1.misses);
    expect("L1 TLB misses", l1.misses, "fills", l1.fills);
    expect("L1 TLB misses", l1.misses, "translations asked for", asked_);
    expect("translations asked for", asked_, "answered", answered_);
    expect("reads of walks sent", sent_, "answered", returned_);
    u64 levels = 0, accesses = 0, outcomes = 0;
    for (const WalkLevelStats& s : stats_.level) {
        levels += s.l2_hits + s.l2_merges + s.dram;
    }
    for (const SharedTlbStats& s : app_stats_) {
        accesses += s.accesses;
        outcomes += s.hits + s.merges + s.walks;
    }
    expect("reads of walks sent", sent_, "those met in L2 and DRAM", levels);
    if (settings_.has_l2_tlb()) expect("L2 TLB accesses", accesses, "hits, merges and walks", outcomes);
    expect("walks", walks(), "walks that ended", stats_.walk_latency.count());
}

}  // namespace heddle
