#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

QueueScheduler::QueueScheduler(const SchedulerContext& context)
    : context_(context),
      board_(context.board),
      device_(context.device),
      separate_(context.settings.queues == QueueForm::separate),
      banks_(context.device.geometry().banks()),
      room_{context.settings.read_queue, context.settings.write_queue} {
    if (separate_) drain_ = make_write_drain(context.settings);
    for (auto& list : lists_) {
        list.resize(banks_);
        for (auto& entries : list) entries.reserve(16);
    }
}

bool QueueScheduler::can_accept(const Request& request) const {
    const u32 l = list_of(request);
    return waiting_[l] < room_[l];
}

void QueueScheduler::accept(Request* request, Cycle now) {
    const u32 l = list_of(*request);
    const u32 bank = request->bank;
    ++waiting_[l];
    const Entry entry{request, order_of(*request, ++arrivals_), request->row};
    lists_[l][bank].push_back(entry);
    arrived(*request, now);
    if (separate_ && drain_->update(waiting_[0], waiting_[1]) != draining_) {
        changed();
        return;
    }
    if (l != u32{draining_}) return;
    const u64 key = entry.order | (entry.row == device_.open_row(bank) && hits_first(bank) ? 0 : kMiss);
    if (board_.head[bank] == nullptr || key < board_.key[bank]) board_.offer(bank, request, key);
}

void QueueScheduler::choose(u32 bank) {
    const std::vector<Entry>& entries = lists_[draining_][bank];
    const u32 open = hits_first(bank) ? device_.open_row(bank) : kNoRow;
    Request* best = nullptr;
    u64 best_key = ~u64{0};
    for (const Entry& e : entries) {
        const u64 key = e.order | (e.row == open ? 0 : kMiss);
        if (key < best_key) best = e.request, best_key = key;
    }
    if (best == nullptr) {
        board_.withdraw(bank);
    } else if (board_.head[bank] != best || board_.key[bank] != best_key) {
        board_.offer(bank, best, best_key);
    }
}

/// Reads and writes change places.
void QueueScheduler::changed() {
    draining_ = !draining_;
    for (u32 bank = 0; bank < banks_; ++bank)
        if (!lists_[0][bank].empty() || !lists_[1][bank].empty()) choose(bank);
}

void QueueScheduler::on_command(const Issued& issued) {
    if (issued.last) {
        const u32 l = list_of(*issued.request);
        std::vector<Entry>& entries = lists_[l][issued.bank];
        std::size_t k = 0;
        while (entries[k].request != issued.request) ++k;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(k));
        --waiting_[l];
        ++board_.room_events;
        served(*issued.request, issued.now);
        if (separate_ && drain_->update(waiting_[0], waiting_[1]) != draining_) {
            changed();
            if (!lists_[0][issued.bank].empty() || !lists_[1][issued.bank].empty()) return;
        }
    } else if (issued.request != nullptr && !issued.closes && issued.kind != CommandKind::activate) {
        return;  // more bursts of the same request
    }
    choose(issued.bank);
}

bool QueueScheduler::wants_row(u32 bank, const Request* leaving) const {
    const u32 row = device_.open_row(bank);
    for (const Entry& e : lists_[draining_][bank])
        if (e.row == row && e.request != leaving) return true;
    return false;
}

void QueueScheduler::rerank() {
    constexpr u64 kAge = (u64{1} << 39) - 1;
    for (auto& list : lists_)
        for (auto& entries : list)
            for (Entry& e : entries) e.order = order_of(*e.request, e.order & kAge);
    for (u32 bank = 0; bank < banks_; ++bank) choose(bank);
}

}  // namespace heddle::dram
