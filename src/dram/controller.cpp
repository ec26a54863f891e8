// Accepting and planning; issuing is in controller_issue.cpp.

#include "dram/controller.h"

namespace heddle::dram {

namespace {

constexpr u64 kPageKey = ~u64{0};

}  // namespace

Controller::Controller(std::shared_ptr<const Specification> specification, u16 index,
                       const TranslationPressure* pressure)
    : specification_(std::move(specification)),
      settings_(specification_->settings),
      resolved_(specification_->resolved),
      map_(specification_->map),
      device_(resolved_, specification_->timing),
      refresh_(settings_, resolved_),
      index_(index),
      separate_(resolved_.separate_buses),
      auto_delays_refresh_(device_.auto_delays_refresh()),
      steps_(resolved_.standard->steps),
      read_latency_(resolved_.read_latency()),
      write_latency_(resolved_.write_latency()),
      burst_(resolved_.time(Param::BL)),
      pending_writes_(settings_.write_queue),
      data_(resolved_.geometry.pseudo_channels) {
    for (u32 b = 0; b < resolved_.geometry.banks(); ++b)
        pseudo_of_[b] = static_cast<u8>(resolved_.geometry.pseudo_of(b));
    slot_.fill(kNoSlot);
    bus_.fill(kNoBus);
    scheduler_ = make_scheduler(settings_.scheduler, {settings_, resolved_, device_, board_,
                                                      static_cast<Network&>(*this), index, pressure});
    messages_wait_ = scheduler_->messages_wait();
}

void Controller::send(const Message& message, Cycle now, u64 latency) {
    if (peers_ == nullptr) return;
    Message copy = message;
    copy.source = index_;
    peers_->broadcast(copy, now + std::max<u64>(1, latency));  // what crosses channels takes time
}

Cycle Controller::deliver(const Message& message, Cycle at) {
    inbox_.push_by_time({at, message});
    return messages_wait_ ? kNever : at;
}

Cycle Controller::accept(Request* request, Cycle now) {
    // What is due in this clock is read by the step that follows.
    read_inbox(now);
    const Location at = map_.locate_row(request->local.v);
    request->arrived = now;
    request->bank = static_cast<u8>(at.bank);
    request->row = at.row;
    request->bursts = request->bursts_left = specification_->bursts[request->sectors] & Request::kMostBursts;
    request->met_drain = request->activated = request->precharged = request->started = false;
    if (settings_.forward_writes) {
        const u8 sectors = request->sectors != 0 ? request->sectors : u8{1};
        if (request->is_write()) {
            pending_writes_.add(request->local.v, sectors);
        } else if (pending_writes_.covers(request->local.v, sectors)) {
            // The data is in the controller: as long as a row hit takes, but no command and no bus.
            ++statistics_.forwarded_reads;
            ++app(request->app).reads;
            complete(request, now + read_latency_);
            return next_step_;
        }
    }
    if (waiting_++ == 0) idle_cycles_ += now - idle_since_;
    statistics_.occupancy_cycles -= now.v;
    scheduler_->accept(request, now);
    // A refresh that was put off watches all that happens.
    return board_.changes != 0 || board_.rekeyed || refresh_.owed() ? now
                                                                    : std::min(next_step_, board_.alarm);
}

Cycle Controller::floor_of(u32 bus, Cycle now) const {
    return std::max(now, bus_free_[bus]);
}

/// Where a clock of the data sheet has two steps, column commands start with a clock.
Cycle Controller::aligned(u32 bus, Cycle at) const {
    return bus == 1 && steps_ > 1 ? Cycle(ceil_div(at.v, steps_) * steps_) : at;
}

/// The command that the bank's request needs next; kNoSlot if none may be issued.
inline u8 Controller::next_slot(u32 bank) const {
    const Request* r = board_.head[bank];
    if (r == nullptr) return kNoSlot;
    const u32 open = device_.open_row(bank);
    if (open != r->row) {
        if (refresh_.blocked().test(bank)) return kNoSlot;
        return static_cast<u8>(open == kNoRow ? Slot::activate : Slot::precharge);
    }
    // A row that was opened for a request is used before a refresh closes it; it cannot close sooner anyway.
    if (refresh_.blocked().test(bank) && !r->activated) return kNoSlot;
    if (board_.held.test(bank)) return kNoSlot;
    return static_cast<u8>(r->is_write() ? Slot::write : Slot::read);
}

/// Brings the bank's candidate up to date and compares it with the plan of its bus.
inline void Controller::look_at(u32 bank, Cycle now) {
    const u32 before = bus_[bank];
    if (before != kNoBus && plan_[before].bank == bank) plan_[before].stale = true;
    const u8 next = next_slot(bank);
    slot_[bank] = next;
    const u32 bus = next == kNoSlot ? kNoBus : bus_of(static_cast<Slot>(next));
    if (before != bus) {
        if (before != kNoBus) candidates_[before].remove(bank);
        bus_[bank] = static_cast<u8>(bus);
        if (bus == kNoBus) return;
    } else if (bus == kNoBus) {
        return;
    }
    const Slot slot = static_cast<Slot>(next);
    candidates_[bus].put(bank, board_.key[bank], device_.own(bank, slot), device_.group_entry(bank, slot),
                         device_.rank_entry(bank, slot));
    Plan& plan = plan_[bus];
    if (plan.stale) return;
    const u64 key = board_.key[bank] - board_.origin;
    const Cycle at = aligned(bus, std::max(floor_of(bus, now), device_.earliest(bank, slot)));
    const Cycle planned = std::max(plan.at, now);
    if (at < planned || (at == planned && key < plan.key)) plan.set(at, key, bank, Plan::Maker::request);
}

/// Whether the page policy wants the bank closed, and from when on.
void Controller::update_close(u32 bank) {
    closing_.clear(bank);
    if (settings_.page_policy == PagePolicyKind::open || !device_.is_open(bank)) return;
    const Request* head = board_.head[bank];
    if (head != nullptr) return;  // its own command comes first: a hit, or the precharge itself
    if (settings_.page_policy == PagePolicyKind::closed) {
        closing_.set(bank);
        close_from_[bank] = Cycle{0};
    } else if (settings_.page_timeout != 0) {
        closing_.set(bank);
    }
}

void Controller::look_at_changes(Cycle now) {
    if (board_.rekeyed) {
        board_.rekeyed = false;
        for (Candidates& c : candidates_) c.rekey(board_.key);
        plan_[0].stale = plan_[1].stale = true;
    }
    for (u32 k = 0; k < board_.changes; ++k) {
        const u32 bank = board_.changed[k];
        board_.listed[bank] = false;
        if (settings_.page_policy != PagePolicyKind::open) {
            update_close(bank);
            plan_[0].stale = true;
        }
        look_at(bank, now);
    }
    board_.changes = 0;
}

void Controller::scan(u32 bus, Cycle now) {
    const Cycle floor = floor_of(bus, now);
    const Candidates::Best found =
        candidates_[bus].best(device_.times(), floor.v, board_.origin, bus == 1 ? steps_ : 1);
    Plan& best = plan_[bus];
    best.set(Cycle(found.at), found.key, found.bank,
             found.bank != kMaxBanks ? Plan::Maker::request : Plan::Maker::none);
    if (!board_.bus_only.empty() && bus == bus_of(Slot::read)) {
        const u32 bank = board_.bus_only.front()->bank;
        const Cycle at = aligned(bus, std::max(floor, device_.earliest_on_bus(bank, Slot::read)));
        if (at <= best.at) best.set(at, 0, bank, Plan::Maker::bus_only);
    }
    if (bus == 0 && refresh_.running()) {
        refresh_step_ = refresh_.next(device_);
        const Cycle at = std::max(floor, refresh_step_.ready);
        if (at <= best.at) best.set(at, 0, refresh_step_.bank, Plan::Maker::refresh);
    }
    if (bus == 0 && closing_.any()) {
        closing_.without(refresh_.blocked()).each([&](u32 bank) {
            const Cycle at = std::max({floor, device_.earliest(bank, Slot::precharge), close_from_[bank]});
            if (at < best.at) best.set(at, kPageKey, bank, Plan::Maker::page);
        });
    }
}

void Controller::start_refreshes(Cycle now) {
    const BankMask before = refresh_.blocked();
    if (!refresh_.update(now, board_)) return;
    plan_[0].stale = plan_[1].stale = true;
    refresh_.blocked().without(before).each([&](u32 bank) { look_at(bank, now); });
}

Cycle Controller::step(Cycle now) {
    read_inbox(now + 1);
    if (board_.alarm <= now) scheduler_->step(now);
    const u32 last_bus = separate_ ? 1 : 0;
    take_changes(now);
    if (now >= refresh_.next_due() || refresh_.owed()) start_refreshes(now);
    // The column bus first: what it issues may let a row command go in the same clock.
    for (u32 bus = last_bus;;) {
        Plan& plan = plan_[bus];
        if (plan.stale) scan(bus, now);
        if (plan.at <= now) {
            if (plan.at < now) scan(bus, now);  // a late call: others may have become ready meanwhile
            issue(bus, now);
            take_changes(now);
            if (refresh_.owed()) start_refreshes(now);
            bus = last_bus;
        } else if (bus == 0) {
            break;
        } else {
            --bus;
        }
    }
    Cycle next = std::min({board_.alarm, refresh_.next_due(), plan_[0].at});
    if (separate_) next = std::min(next, plan_[1].at);
    if (!messages_wait_ && !inbox_.empty()) next = std::min(next, inbox_.front().at);
    next_step_ = next;
    return next;
}

}  // namespace heddle::dram
