#include "dram/scheduler/command_queues.h"

namespace heddle::dram {

CommandQueues::CommandQueues(const CommandQueueSettings& settings, const SchedulerContext& context)
    : context_(context),
      board_(context.board),
      device_(context.device),
      separate_(context.settings.queues == QueueForm::separate),
      depth_(settings.command_queue),
      groups_(context.device.geometry().all_groups()),
      banks_per_group_(context.device.geometry().banks_per_group),
      room_(context.settings),
      drain_(context.settings, context.resolved.two_row_clocks()),
      writes_(groups_ * banks_per_group_, settings.sorter_rows,
              settings.age_threshold.cycles_at(context.resolved.clock_hz), settings.max_streak),
      banks_(groups_ * banks_per_group_),
      queues_(banks_.size() * depth_) {
    for (u32 k = 0; k < banks_per_group_; ++k)
        for (u32 g = 0; g < groups_; ++g) turn_.push_back(g * banks_per_group_ + k);
    for (u32 b = 0; b < banks(); ++b) open_.set(b);
    for (u32 g = 0; g < groups_; ++g) rotate((g + 1) * banks_per_group_ - 1);
}

bool CommandQueues::can_accept(const Request& request) const {
    return room_.has(request, room_of(request));
}

void CommandQueues::accept(Request* request, Cycle now) {
    const u32 l = list_of(*request);
    room_.enter(*request, room_of(*request));
    ++waiting_[l];
    bool wakes = true;
    if (l == 1 && !mixed_) {
        writes_.add(request);
    } else {
        wakes = arrived(request, now);
    }
    drain_.came(l == 1, waiting_[1], now);
    const bool drained = draining_;
    if (l == 1 || waiting_[0] == 1 || drain_.reads_matter(now)) update_drain(now);
    if (drain_.in_turn() && draining_ != drained) wakes = true;
    if (wakes || waiting_[l] == 1 || room_.full(room_of(*request))) wake(now);
}

void CommandQueues::step(Cycle now) {
    next_send_ = now + 1;
    board_.alarm = kNever;
    if (waiting_[0] + (draining_ || mixed_ ? waiting_[1] : 0) == 0) return;
    const bool drained = draining_;
    BankMask from = drained ? writes_.banks() : wanted(now);
    // `wanted` may have seen to the last read of a turn.
    if (drain_.in_turn() || (draining_ != drained && waiting_[0] != 0)) [[unlikely]] {
        // The policy may wait for what the writes hold up: then it has no use for its turn.
        if (!draining_ && !from.any()) {
            drain_.give_up();
            update_drain(now);
        }
        if (draining_) from = writes_.banks();
    }
    bool writes = draining_;
    if (!from.any() && waiting_[1] != 0 && writes_fill_gaps()) {
        from = writes_.banks();
        writes = true;
        drained_until_ = now;
    }
    if (send(from, writes, now) && waiting_[0] + waiting_[1] != 0) wake_at(now + 1);
}

/// Moves one request to a command queue with room, banks in turn; false if there is none.
bool CommandQueues::send(const BankMask& from, bool writes, Cycle now) {
    const BankMask can = from & open_;
    if (!can.any()) return false;
    u32 turn = next_turn_;
    while (!can.test(turn_[turn])) turn = turn + 1 == banks() ? 0 : turn + 1;
    next_turn_ = turn + 1 == banks() ? 0 : turn + 1;
    const u32 bank = turn_[turn];
    Bank& b = banks_[bank];
    push(bank, writes ? writes_.take(bank, now, b.last_row, b.streak) : take(bank, now), now);
    return true;
}

void CommandQueues::push(u32 bank, Request* request, Cycle now) {
    Bank& b = banks_[bank];
    const bool hit = request->row == b.last_row;
    const u32 score = hit ? kHit : kMiss;
    b.streak = hit ? b.streak + 1 : 1;
    b.last_row = request->row;
    b.score += score;
    u32 place = b.first + b.count;
    if (place >= depth_) place -= depth_;
    queues_[bank * depth_ + place] = {request, score};
    if (++b.count == depth_) open_.clear(bank);
    ++queued_;
    if (b.count == 1) board_.offer(bank, request, board_.key[bank]);
    const u32 l = list_of(*request);
    --waiting_[l];
    room_.leave(*request, room_of(*request));
    ++board_.room_events;
    drain_.went(l == 1);
    if (l == 1 || waiting_[0] == 0 || drain_.reads_matter(now)) update_drain(now);
    if (l == 0 && drained_until_ > request->arrived) {
        request->met_drain = true;
        ++held_by_drain_;
    }
    sent(*request, hit, now);
}

void CommandQueues::pop(u32 bank) {
    Bank& b = banks_[bank];
    b.score -= queues_[bank * depth_ + b.first].score;
    b.first = b.first + 1 == depth_ ? 0 : b.first + 1;
    --b.count;
    --queued_;
    open_.set(bank);
    if (b.count != 0) {
        board_.offer(bank, queues_[bank * depth_ + b.first].request, board_.key[bank]);
    } else {
        board_.withdraw(bank);
    }
}

void CommandQueues::need_no_bank(Request* read, Cycle now) {
    --waiting_[0];
    drain_.went(false);
    room_.leave(*read, room_of(*read));
    ++board_.room_events;
    board_.offer_bus(read);
    if (waiting_[0] != 0 && !drain_.reads_matter(now)) return;
    update_drain(now);
    if (waiting_[1] != 0) wake_at(next_send_);  // nothing was sent to a bank whose command would see to that
}

/// Requests have gone from the middle of a command queue.
void CommandQueues::left_out(u32 bank, u32 requests) {
    Bank& b = banks_[bank];
    queued_ -= requests;
    open_.set(bank);
    if (b.count != 0) {
        b.last_row = at(bank, b.count - 1).request->row;
        board_.offer(bank, at(bank, 0).request, board_.key[bank]);
    } else {
        b.last_row = device_.open_row(bank);
        board_.withdraw(bank);
    }
}

void CommandQueues::on_command(const Issued& issued) {
    if (issued.request != nullptr) rotate(issued.bank);
    Bank& b = banks_[issued.bank];
    if (issued.last) {
        const bool was_full = b.count == depth_;
        pop(issued.bank);
        // If nothing could be sent before, then only room for it or an end of all work changes that.
        if ((was_full || draining_ || queued_ == 0) && waiting_[0] + waiting_[1] != 0)
            wake_at(std::max(issued.now + 1, next_send_));
    }
    if (issued.closes && b.count == 0) b.last_row = kNoRow;
}

/// The bank has issued a command: its group and, inside it, the bank itself are now last in turn. The banks of a group
/// have adjacent keys and groups stand far apart, so that only this group's keys change; where the turn of the groups
/// begins is the origin.
void CommandQueues::rotate(u32 bank) {
    const u32 group = bank / banks_per_group_;
    const u32 first = group * banks_per_group_;
    u64 key = group_key(group);
    for (u32 b = bank + 1; b < first + banks_per_group_; ++b) board_.key[b] = key++;
    for (u32 b = first; b <= bank; ++b) board_.key[b] = key++;
    board_.origin = group_key(group + 1) - 1;
    board_.rekeyed = true;
}

void CommandQueues::report(std::vector<PolicyCounter>& to) const {
    to.push_back({"reads_held_by_drain", "requests", held_by_drain_, CounterMeaning::reads_held_by_drain});
}

bool CommandQueues::wants_row(u32 bank, const Request* leaving) const {
    const u32 row = device_.open_row(bank);
    const Bank& b = banks_[bank];
    for (u32 k = 0; k < b.count; ++k) {
        const Request* r = queues_[bank * depth_ + (b.first + k) % depth_].request;
        if (r != leaving && r->row == row) return true;
    }
    return draining_ ? writes_.wants(bank, row) : read_wants(bank, row);
}

}  // namespace heddle::dram
