// Issuing commands and keeping the accounts.

#include <bit>

#include "dram/controller.h"
#include "sim/error.h"

namespace heddle::dram {

namespace {

template <class E>
std::size_t at(E e) {
    return static_cast<std::size_t>(e);
}

}  // namespace

void Controller::issue(u32 bus, Cycle now) {
    const Plan& plan = plan_[bus];
    switch (plan.maker) {
        case Plan::Maker::request:
            issue_request(plan.bank, now);
            break;
        case Plan::Maker::bus_only:
            issue_bus_only(now);
            break;
        case Plan::Maker::refresh:
            issue_refresh(now);
            break;
        case Plan::Maker::page:
            issue_close(plan.bank, now);
            break;
        case Plan::Maker::none:
            throw InvariantError("a DRAM channel issued a command that was not planned");
    }
}

/// Bus and plans after any command.
inline void Controller::after(CommandKind kind, u32 bank, Cycle now) {
    const u32 bus = bus_of(slot_of(kind));
    ++statistics_.commands[at(kind)];
    bus_free_[bus] = now + resolved_.bus_clocks[at(kind)];
    plan_[bus].stale = true;
    for (u32 other = 0; other < 2; ++other)
        if (device_.disturbs(kind, other)) plan_[other].stale = true;
    if (refresh_.running()) plan_[0].stale = true;
    board_.touch(bank);
}

void Controller::tell_observer(CommandKind kind, u32 bank, u32 row, const Request* request, Cycle now) {
    const Geometry& g = resolved_.geometry;
    Command c;
    c.at = now;
    c.kind = kind;
    c.pseudo = static_cast<u8>(g.pseudo_of(bank));
    c.rank = static_cast<u8>(g.rank_of(bank) % g.ranks);
    c.group = static_cast<u8>(g.group_of(bank) % g.groups);
    c.bank = static_cast<u8>(bank % g.banks_per_group);
    c.row = row;
    if (request != nullptr) {
        // The k-th access that the sectors touch.
        u32 skip = u32{request->bursts} - request->bursts_left;
        u32 access = 0;
        const u32 sectors_each = std::max(1u, g.access_bytes / 32);
        const u32 accesses_each = std::max(1u, 32 / g.access_bytes);
        for (u32 k = 0; k < 8; k += sectors_each) {
            if ((request->sectors >> k & ((1u << sectors_each) - 1)) == 0) continue;
            if (skip < accesses_each) {
                access = k / sectors_each * accesses_each + skip;
                break;
            }
            skip -= accesses_each;
        }
        c.column = map_.locate(request->local.v).column + access;
    }
    observer_->on_command(c);
}

void Controller::issue_request(u32 bank, Cycle now) {
    Request* r = board_.head[bank];
    switch (static_cast<Slot>(slot_[bank])) {
        case Slot::activate:
            if (observer_ != nullptr) tell_observer(CommandKind::activate, bank, r->row, nullptr, now);
            tell(*r, RequestStep::activate, now);
            device_.activate(bank, r->row, now);
            r->activated = true;
            columns_done_[bank] = 0;
            ++app(r->app).activates;
            after(CommandKind::activate, bank, now);
            scheduler_->on_command({CommandKind::activate, bank, r, false, false, now});
            break;
        case Slot::precharge:
            if (observer_ != nullptr)
                tell_observer(CommandKind::precharge, bank, device_.open_row(bank), nullptr, now);
            tell(*r, RequestStep::precharge, now);
            device_.precharge(bank, now);
            r->precharged = true;
            after(CommandKind::precharge, bank, now);
            scheduler_->on_command({CommandKind::precharge, bank, r, false, true, now});
            break;
        default:
            issue_column(bank, r, now);
    }
}

/// Plain, or with auto-precharge where the page policy closes the row after this command.
CommandKind Controller::column_kind(u32 bank, const Request* r) const {
    bool close = false;
    if (settings_.page_policy != PagePolicyKind::open && r->bursts_left == 1) {
        close = settings_.page_policy == PagePolicyKind::closed
                    ? !scheduler_->wants_row(bank, r)
                    : settings_.page_cap != 0 && columns_done_[bank] + 1 >= settings_.page_cap;
        // One auto-precharge after the other would put a refresh off for ever: a plain precharge does not.
        if (close && auto_delays_refresh_ && refresh_.running()) close = false;
    }
    if (r->is_write()) return close ? CommandKind::write_auto : CommandKind::write;
    return close ? CommandKind::read_auto : CommandKind::read;
}

void Controller::issue_column(u32 bank, Request* r, Cycle now) {
    const bool write = r->is_write();
    const CommandKind kind = column_kind(bank, r);
    const bool closes = kind == CommandKind::read_auto || kind == CommandKind::write_auto;
    if (observer_ != nullptr) tell_observer(kind, bank, device_.open_row(bank), r, now);
    tell(*r, RequestStep::column, now);
    account_bus(pseudo_of_[bank], write, now);
    if (!r->started) {
        r->started = true;
        const RowOutcome outcome = r->precharged  ? RowOutcome::conflict
                                   : r->activated ? RowOutcome::miss
                                                  : RowOutcome::hit;
        ++statistics_.rows[at(outcome)];
        ++app(r->app).rows[at(outcome)];
    }
    device_.column(bank, kind, now);
    ++columns_done_[bank];
    if (settings_.page_policy == PagePolicyKind::adaptive) close_from_[bank] = now + settings_.page_timeout;
    ++(write ? statistics_.write_bursts : statistics_.read_bursts);
    --r->bursts_left;
    const bool last = r->bursts_left == 0;
    after(kind, bank, now);
    if (last) finish(r, now);
    scheduler_->on_command({kind, bank, r, last, closes, now});
}

/// A burst of an idealized read: takes the bus, and is not a command.
void Controller::issue_bus_only(Cycle now) {
    Request* r = board_.bus_only.front();
    tell(*r, RequestStep::column, now);
    account_bus(pseudo_of_[r->bank], false, now);
    device_.burst_on_bus(r->bank, CommandKind::read, now);
    ++statistics_.read_bursts;
    bus_free_[bus_of(Slot::read)] = now + resolved_.bus_clocks[at(CommandKind::read)];
    plan_[0].stale = plan_[1].stale = true;
    --r->bursts_left;
    if (r->bursts_left != 0) return;
    board_.bus_only.pop();
    finish(r, now);
}

/// The last column command of a request: its data is on the way.
inline void Controller::finish(Request* r, Cycle now) {
    if (--waiting_ == 0) idle_since_ = now;
    statistics_.occupancy_cycles += now.v;
    AppCounts& counts = app(r->app);
    const u64 bytes = u64{r->bursts} * resolved_.geometry.access_bytes;
    if (r->is_write()) {
        const Cycle done = now + write_latency_;
        ++counts.writes;
        counts.written_bytes += bytes;
        statistics_.write_latency.add(done - r->arrived);
        if (settings_.forward_writes)
            pending_writes_.remove(r->local.v, r->sectors != 0 ? r->sectors : u8{1});
        complete(r, done);
    } else {
        const Cycle done = now + read_latency_;
        const u64 latency = done - r->arrived;
        ++counts.reads;
        counts.read_bytes += bytes;
        counts.latency_cycles += latency;
        if (r->cls == RequestClass::page_walk) [[unlikely]] {
            ++statistics_.walks.reads;
            statistics_.walks.read_bytes += bytes;
            statistics_.walks.latency_cycles += latency;
        }
        statistics_.read_latency.add(latency);
        if (refresh_end_[r->bank] > r->arrived) statistics_.refresh_read_latency.add(latency);
        complete(r, done);
    }
}

void Controller::issue_refresh(Cycle now) {
    const RefreshEngine::Step step = refresh_step_;
    const Geometry& g = resolved_.geometry;
    const bool whole = step.kind == CommandKind::precharge_all || step.kind == CommandKind::refresh_all;
    const u32 first = step.unit * (whole ? g.banks_per_unit() : g.banks_per_rank());
    auto closed = [&](CommandKind kind, u32 bank) {
        board_.touch(bank);
        scheduler_->on_command({kind, bank, nullptr, false, true, now});
    };
    switch (step.kind) {
        case CommandKind::precharge:
            if (observer_ != nullptr)
                tell_observer(step.kind, step.bank, device_.open_row(step.bank), nullptr, now);
            device_.precharge(step.bank, now);
            after(step.kind, step.bank, now);
            closed(step.kind, step.bank);
            return;
        case CommandKind::precharge_all: {
            BankMask open;
            for (u32 b = first; b < first + g.banks_per_unit(); ++b)
                if (device_.is_open(b)) open.set(b);
            if (observer_ != nullptr) tell_observer(step.kind, first, 0, nullptr, now);
            device_.precharge_unit(step.unit, now);
            after(step.kind, first, now);
            open.each([&](u32 b) { closed(CommandKind::precharge_all, b); });
            return;
        }
        case CommandKind::refresh_all:
            if (observer_ != nullptr) tell_observer(step.kind, first, 0, nullptr, now);
            device_.refresh_unit(step.unit, now);
            break;
        case CommandKind::refresh_bank:
            if (observer_ != nullptr) tell_observer(step.kind, step.bank, 0, nullptr, now);
            device_.refresh_bank(step.bank, now);
            break;
        default:
            if (observer_ != nullptr) tell_observer(step.kind, first + step.bank, 0, nullptr, now);
            device_.refresh_same(step.unit, step.bank, now);
    }
    const BankMask before = refresh_.blocked();
    const Cycle free = refresh_.done(step, now);
    before.without(refresh_.blocked()).each([&](u32 b) {
        refresh_end_[b] = free;
        board_.touch(b);
    });
    after(step.kind, first, now);
    plan_[0].stale = plan_[1].stale = true;
}

void Controller::issue_close(u32 bank, Cycle now) {
    if (observer_ != nullptr)
        tell_observer(CommandKind::precharge, bank, device_.open_row(bank), nullptr, now);
    device_.precharge(bank, now);
    after(CommandKind::precharge, bank, now);
    scheduler_->on_command({CommandKind::precharge, bank, nullptr, false, true, now});
}

/// Shares the time since the last burst among its causes, then counts this burst.
inline void Controller::account_bus(u32 pseudo, bool write, Cycle now) {
    DataBus& bus = data_[pseudo];
    const Cycle end = now + (write ? write_latency_ : read_latency_);
    const Cycle start = end - burst_;
    if (start > bus.end) {
        const u64 turn = bus.used && bus.was_write != write
                             ? (write ? resolved_.time(Param::RTW) + resolved_.time(Param::CWL) -
                                            std::min(resolved_.time(Param::RTW) + resolved_.time(Param::CWL),
                                                     resolved_.time(Param::CL) + burst_)
                                      : resolved_.time(Param::WTRS) + resolved_.time(Param::CL))
                             : 0;
        account_gap(statistics_, bus, pseudo, bus.end, start, turn);
    }
    statistics_.bus_cycles[at(BusUse::data)] += burst_;
    // Member by member: see Ring::push_slot.
    bus.end = end;
    bus.idle = idle_cycles_;
    bus.was_write = write;
    bus.used = true;
}

void Controller::account_gap(Statistics& to, const DataBus& bus, u32 pseudo, Cycle from, Cycle until,
                             u64 turnaround) const {
    u64 rest = until - from;
    auto take = [&](BusUse use, u64 cycles) {
        const u64 share = std::min(rest, cycles);
        to.bus_cycles[at(use)] += share;
        rest -= share;
    };
    take(BusUse::idle, idle_cycles_ - bus.idle);
    if (settings_.refresh == RefreshMode::all_bank) {
        u64 shut = 0;
        const Geometry& g = resolved_.geometry;
        const u32 units = g.ranks / g.ranks_per_unit;
        for (u32 unit = pseudo * units; unit < (pseudo + 1) * units; ++unit) {
            const Cycle begin = std::max(from, refresh_.started(unit));
            const Cycle end = std::min(until, refresh_end_[unit * g.banks_per_unit()]);
            if (end > begin) shut = std::max(shut, end - begin);
        }
        take(BusUse::refresh, shut);
    }
    take(BusUse::turnaround, turnaround);
    take(BusUse::bank, rest);
}

const Statistics& Controller::statistics(Cycle now) {
    if (waiting_ == 0 && now > idle_since_) {
        idle_cycles_ += now - idle_since_;
        idle_since_ = now;
    }
    report_ = statistics_;
    // What is counted for each application is not counted again for all of them.
    for (const AppCounts& a : report_.apps) {
        report_.reads += a.reads;
        report_.writes += a.writes;
        report_.read_bytes += a.read_bytes;
        report_.written_bytes += a.written_bytes;
    }
    report_.reads -= report_.forwarded_reads;
    report_.occupancy_cycles += waiting_ * now.v;
    report_.cycles = now.v;
    report_.refreshes_due = refresh_.due_count();
    for (u32 k = 0; k < data_.size(); ++k)
        if (now > data_[k].end) account_gap(report_, data_[k], k, data_[k].end, now, 0);
    for (u32 rank = 0; rank < resolved_.geometry.all_ranks(); ++rank)
        report_.open_cycles += device_.open_cycles(rank, now);
    return report_;
}

}  // namespace heddle::dram
