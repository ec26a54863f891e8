#include "vm/translation.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "sim/error.h"
#include "vm/design.h"
#include "vm/page_moves.h"

namespace heddle {

Translation::Translation(const TranslationSettings& settings, const TranslationWiring& wiring)
    : settings_(settings), wiring_(wiring), reader_(context(), memory_) {
    memory_.pool = wiring.pool;
    memory_.router = wiring.router;
    memory_.device = wiring.device;
    memory_.first_slice_part = wiring.first_slice_part;
    memory_.l2_front = wiring.l2_front;
    for (u32 s = 0; s < wiring.sms; ++s) {
        l1_.push_back(std::make_unique<L1Tlb>(settings.l1_tlb));
        cores_.attach(*l1_.back());
    }
    FillContext fill;
    fill.sms = wiring.sms;
    fill.warps_per_sm = wiring.warps;
    fill_ = tlb_fill_policies().make(settings.fill, fill);
    shootdown_ = shootdown_policies().make(settings.shootdown);
}

void Translation::start(Processes& processes, std::span<const FillApp> apps) {
    processes_ = &processes;
    fill_->applications(apps);
    wiring_.pressure->apps.resize(apps.size());
    counts_.apps.resize(apps.size());
    compose();
    epoch_end_ = Cycle(settings_.epoch.v);
    wiring_.agenda->wake(wiring_.part, epoch_end_);
}

TranslationNodeContext Translation::context() {
    TranslationNodeContext context;
    context.settings = &settings_;
    context.counts = &counts_;
    context.pressure = wiring_.pressure;
    context.fill = fill_.get();
    context.processes = processes_;
    context.agenda = wiring_.agenda;
    context.part = wiring_.part;
    context.most_misses = wiring_.sms * settings_.l1_tlb.mshrs;
    return context;
}

/// The nodes of the design, each connected with the one before it and the one behind.
void Translation::compose() {
    const TranslationNodePoint& known = translation_nodes();
    for (const std::string_view name : nodes_of(settings_.design)) {
        of_design_.push_back(known.make(known.choose(name), context()));
        nodes_.push_back(of_design_.back().get());
    }
    nodes_.push_back(&reader_);
    TranslationAsker* asker = this;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        nodes_[k]->connect(*asker, k + 1 < nodes_.size() ? nodes_[k + 1] : nullptr);
        asker = nodes_[k];
    }
    std::copy_if(nodes_.rbegin(), nodes_.rend(), std::back_inserter(stepped_),
                 [](const TranslationNode* n) { return n->steps(); });
    if (nodes_.front()->beside_l1())
        for (auto& l1 : l1_) l1->look_beside(nodes_.front());
}

void Translation::miss(u16 sm, PageKey page, u16 line, Cycle at) {
    ++asked_;
    arrivals_.push_by_time({at, page, sm, 0, sm, line});
    wiring_.agenda->wake(wiring_.part, at);
}

void Translation::ask(const PageMiss& m, Cycle now) {
    if (moves_ != nullptr && moves_->closed(m.key)) {
        closed_[m.key.v].push_back(m);
        return;
    }
    if (settings_.l1_tlb.blocking == TlbBlocking::gpu) {
        const auto [waiting, first] = under_walk_.try_emplace(m.key.v);
        if (!first) {
            waiting->second.push_back(m);
            return;
        }
    }
    nodes_.front()->ask(m, now);
}

Cycle Translation::step(Cycle now) {
    if (now >= epoch_end_) end_epoch(now);
    for (TranslationNode* node : stepped_)
        if (node->due() <= now) node->step(now);
    while (!arrivals_.empty() && arrivals_.front().at <= now) ask(arrivals_.pop(), now);
    Cycle next = epoch_end_;
    if (!arrivals_.empty()) next = std::min(next, arrivals_.front().at);
    for (const TranslationNode* node : stepped_) next = std::min(next, node->due());
    return next;
}

void Translation::answer(const PageAnswer& a, Cycle) {
    if (moves_ != nullptr && moves_->closed(a.key)) {
        auto& closed = closed_[a.key.v];
        closed.insert(closed.end(), a.to.begin(), a.to.end());
        return;
    }
    answered_ += a.to.size();
    const bool kept_aside = settings_.l1_tlb.kept_out.v != 0;
    for (const PageMiss& m : a.to) {
        const Cycle at = a.time(m);
        l1_[m.from]->answer({at, a.key, a.mapping, a.l1 != L1Keep::no, a.l1 == L1Keep::aside && kept_aside});
        wiring_.agenda->wake(m.from, at);
    }
    if (settings_.l1_tlb.blocking != TlbBlocking::gpu) return;
    // Those that waited look again.
    const auto waited = under_walk_.extract(a.key.v);
    for (const PageMiss& m : waited.mapped()) {
        const Cycle at = a.time(m);
        arrivals_.push_by_time(m.starting(at));
        wiring_.agenda->wake(wiring_.part, at);
    }
}

u64 Translation::waiting_warps(const PageMiss& m) const {
    return l1_[m.from]->waiting_for(m.key)->warps;
}

void Translation::end_epoch(Cycle now) {
    std::vector<u64> active;
    for (auto& l1 : l1_) active.push_back(std::exchange(l1->active, 0));
    fill_->end_epoch(active, now);
    for (auto& app : wiring_.pressure->apps) app = {};
    for (TranslationNode* node : nodes_) node->end_epoch(now);
    for (auto& l1 : l1_) l1->each_wait([&](const L1Tlb::Mshr& m) { stalled(m.page.app(), m.stalled); });
    while (epoch_end_ <= now) epoch_end_ += settings_.epoch.v;
}

u64 Translation::walks() const {
    u64 n = 0;
    for (const SharedTlbStats& s : counts_.apps) n += s.walks;
    return n;
}

// -- taking translations back

void Translation::shoot_down(const PageSet& pages, Cycle now) {
    cores_.flush(pages);
    cores_.stall(now + settings_.l1_tlb.invalidate.v);
    for (TranslationNode* node : nodes_) node->remove(pages, now);
    ++counts_.all.shootdowns;
}

void Translation::unmapped(u8 app, VirtAddr first, u64 bytes, u64 pages, Cycle now) {
    if (pages == 0) return;
    counts_.all.pages_taken_back += pages;
    const u32 shift = page_shift(settings_.page_size);
    const u64 from = (first.v + (u64{1} << shift) - 1) >> shift;
    changed({EntryChange::removed, app, from, (first.v + bytes) >> shift}, now);
}

void Translation::changed(const TranslationChange& change, Cycle now) {
    const u32 shift = page_shift(settings_.page_size);
    const PageSet pages =
        PageSet::range(change.app, VirtAddr(change.first << shift), VirtAddr(change.end << shift));
    switch (shootdown_->scope(change, now)) {
        case ShootdownScope::pages:
            shoot_down(pages, now);
            break;
        case ShootdownScope::address_space:
            flush(change.app, now);
            break;
        case ShootdownScope::everything:
            shoot_down(PageSet::everything(), now);
            break;
    }
    for (TranslationNode* node : nodes_) node->changed(pages, now);
}

void Translation::forget(PageKey page, Cycle now) {
    const VirtAddr begin = page.address();
    const PageSet one = PageSet::range(page.app(), begin, begin + (u64{1} << page_shift(page.size())));
    cores_.flush(one);
    for (TranslationNode* node : nodes_) {
        node->remove(one, now);
        node->changed(one, now);
    }
}

bool Translation::settled(PageKey page) const {
    const auto waiting =
        std::count_if(l1_.begin(), l1_.end(), [&](const auto& l1) { return l1->waits_for(page); });
    const auto closed = closed_.find(page.v);
    return waiting == (closed == closed_.end() ? 0 : static_cast<std::ptrdiff_t>(closed->second.size()));
}

void Translation::opened(PageKey page, Cycle now) {
    const auto waited = closed_.extract(page.v);
    if (!waited) return;
    for (const PageMiss& m : waited.mapped()) arrivals_.push_by_time(m.starting(std::max(m.at, now + 1)));
    wiring_.agenda->wake(wiring_.part, now + 1);
}

// -- the end

bool Translation::quiet() const {
    return asked_ == answered_ &&
           std::all_of(nodes_.begin(), nodes_.end(), [](const TranslationNode* n) { return n->quiet(); });
}

std::string Translation::describe() const {
    if (quiet()) return {};
    std::string text = fmt::format("  translation: {} misses on their way from L1 TLBs", arrivals_.size());
    for (const TranslationNode* node : nodes_)
        if (const std::string waits = node->describe(); !waits.empty()) text += ", " + waits;
    return text + "\n";
}

void Translation::check_conservation() const {
    auto expect = [](const std::string& what, u64 a, const char* other, u64 b) {
        if (a != b)
            throw InvariantError(fmt::format("conservation: {} ({}) differ from {} ({})", what, a, other, b));
    };
    L1TlbStats l1;
    for (const auto& tlb : l1_) l1.merge(tlb->stats);
    expect("L1 TLB accesses", l1.accesses, "hits, merges and misses", l1.hits + l1.merges + l1.misses);
    expect("L1 TLB misses", l1.misses, "fills", l1.fills);
    expect("L1 TLB misses", l1.misses, "translations asked for", asked_);
    expect("translations asked for", asked_, "answered", answered_);
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        expect(fmt::format("questions to translation node {}", k + 1), nodes_[k]->asked(), "answers",
               nodes_[k]->answered());
        nodes_[k]->check();
    }
    expect("walks", walks(), "walks that ended", counts_.all.walk_latency.count());
}

}  // namespace heddle
