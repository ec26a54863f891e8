#include "core/load_store.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {

namespace {

constexpr u64 kNullPageBytes = 4096;

AccessKind kind_of(MemOp op) {
    switch (op) {
        case MemOp::store:
            return AccessKind::store;
        case MemOp::reduction:
            return AccessKind::reduction;
        case MemOp::atomic:
            return AccessKind::atomic;
        case MemOp::prefetch:
            return AccessKind::prefetch;
        default:
            return AccessKind::load;
    }
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const SmSettings& settings, const SmWiring& wiring, SmStats& stats,
                             LoadTable& loads, LoadGroups& groups, Mmu& mmu, L1Cache& l1)
    : settings_(settings.lsu),
      shared_(settings.shared_memory),
      wiring_(wiring),
      stats_(stats),
      loads_(loads),
      groups_(groups),
      mmu_(mmu),
      l1_(l1) {}

LoadStoreUnit::Started LoadStoreUnit::issue(const MemoryIssue& issue, Cycle now) {
    const StaticInst& inst = issue.inst;
    MemoryAccess todo;
    todo.pc = static_cast<u32>(inst.pc);
    todo.warp = static_cast<u8>(issue.warp);
    todo.app = issue.kernel.app;
    if (inst.space == MemSpace::shared) return issue_shared(todo, issue, now);

    const bool atomic = inst.mem == MemOp::atomic || inst.mem == MemOp::reduction;
    auto lines = coalescer_.coalesce(issue.dynamic, inst.access_bytes, inst.mem == MemOp::store);
    if (atomic && wiring_.wants_busiest_words) coalescer_.find_busiest_words(issue.dynamic);
    if (settings_.perfect_coalescing && inst.mem == MemOp::load) lines = lines.first(1);
    todo.kind = kind_of(inst.mem);
    todo.lines = static_cast<u32>(lines.size());
    todo.bypass = inst.bypass_l1 || atomic || l1_.off();
    todo.fresh = wiring_.wants_groups || mmu_.holds_lines();
    queue_lines(issue, lines, todo.kind);

    Started started;
    const bool reads =
        todo.kind == AccessKind::load || todo.kind == AccessKind::atomic || todo.kind == AccessKind::prefetch;
    if (reads || issue.edge != 0) {
        todo.load = take_load(issue, now);
        Load& load = loads_[todo.load];
        load.requests = load.pieces = todo.lines;
        load.edge = issue.edge;
        load.counts = todo.kind == AccessKind::load || todo.kind == AccessKind::atomic;
        load.group = issue.group;
        started.loads = 1;
    }
    if (!reads) started.writes = todo.lines;
    if (lifetimes_ != nullptr) [[unlikely]]
        todo.traced = traced(issue, todo, now);
    queue_.push(todo);
    return started;
}

LoadStoreUnit::Started LoadStoreUnit::issue_shared(MemoryAccess& todo, const MemoryIssue& issue, Cycle now) {
    const StaticInst& inst = issue.inst;
    const u32 passes = bank_passes(issue.dynamic, inst.access_bytes, shared_.banks,
                                   inst.mem == MemOp::atomic || inst.mem == MemOp::reduction);
    ++stats_.shared_accesses;
    stats_.shared_extra_passes += passes - 1;
    todo.kind = AccessKind::shared;
    todo.lines = passes;
    // Without a queue ahead, the time is known now; with one, when the unit gets to it.
    Started started;
    if (inst.dst[0] != StaticInst::kNoRegister) {
        todo.load = take_load(issue, now);
        Load& load = loads_[todo.load];
        load.counts = false;
        load.pieces = 1;
        load.sent = true;
        started.loads = 1;
    }
    queue_.push(todo);
    return started;
}

/// The lines enter the queue and the statistics.
void LoadStoreUnit::queue_lines(const MemoryIssue& issue, std::span<const LineAccess> lines,
                                AccessKind kind) {
    u64 sectors = 0;
    bool null_page = false;
    for (const LineAccess& line : lines) {
        lines_.push_slot() = line;
        sectors += sector_count(line.sectors);
        null_page |= line.line < kNullPageBytes / kLineBytes;
    }
    stats_.null_page_accesses += null_page;
    // Every form of addresses begins with the low word of the first lane's.
    const u32 bytes = issue.inst.access_bytes;
    stats_.misaligned_accesses += bytes > 1 && issue.dynamic.payload[0] % bytes != 0;
    switch (kind) {
        case AccessKind::store:
            ++stats_.stores;
            stats_.store_requests += lines.size();
            stats_.store_sectors += sectors;
            break;
        case AccessKind::reduction:
            ++stats_.reductions;
            stats_.atomic_requests += lines.size();
            break;
        case AccessKind::atomic:
            ++stats_.atomics;
            stats_.atomic_requests += lines.size();
            break;
        case AccessKind::prefetch:
            ++stats_.prefetches;
            break;
        default:
            ++stats_.loads;
            stats_.load_requests += lines.size();
            stats_.load_sectors += sectors;
            break;
    }
}

u32 LoadStoreUnit::take_load(const MemoryIssue& issue, Cycle now) {
    const u32 index = loads_.take();
    Load& load = loads_[index];
    load.kernel = &issue.kernel;
    load.issued = now.v;
    load.static_index = issue.dynamic.static_index;
    load.warp = static_cast<u8>(issue.warp);
    return index;
}

/// Whether somebody wants to follow this instruction.
bool LoadStoreUnit::traced(const MemoryIssue& issue, MemoryAccess& todo, Cycle now) {
    constexpr const char* kNames[] = {"load", "store", "atomic", "reduction", "shared", "prefetch"};
    IssuedAccess access;
    access.sm = wiring_.index;
    access.warp = todo.warp;
    access.app = todo.app;
    access.what = issue.inst.mem == MemOp::async_copy ? "copy" : kNames[static_cast<std::size_t>(todo.kind)];
    access.kernel = issue.kernel.info().name;
    access.pc = issue.inst.pc;
    if (todo.load != Request::kNoLoad) access.load = loads_[todo.load].id;
    access.lines = todo.lines;
    access.at = now;
    todo.trace = traced_;
    const bool chosen = lifetimes_->issued(access);
    traced_ += chosen;
    return chosen;
}

Cycle LoadStoreUnit::step(Cycle now) {
    if (mmu_.holds_lines()) take_held_lines(now);
    take_lines(now);
    Cycle next = mmu_.next(l1_.stalled(), now);
    // A line that was refused is tried again whenever a response or a free port steps this SM; one for which the MMU has no
    // room has its turn when L1 has taken another.
    if (!queue_.empty() && !stopped_ && mmu_.has_room())
        next = std::min(next, std::max(free_, mmu_.blocked_until()));
    return next;
}

/// The instructions in the queue, line by line.
void LoadStoreUnit::take_lines(Cycle now) {
    if (queue_.empty() || free_ > now || !mmu_.begin_lookups(now)) return;
    stopped_ = false;
    for (u32 k = 0; k < settings_.lines_per_cycle && !queue_.empty(); ++k) {
        if (k != 0 && !mmu_.begin_lookups(now)) break;
        MemoryAccess& inst = queue_.front();
        if (inst.kind == AccessKind::shared) {
            access_shared(inst, now);
            queue_.pop();
            return;
        }
        if (!mmu_.has_room()) break;
        if (inst.fresh) begin(inst);
        const LineAccess& line = lines_.front();
        // A line has its place at its first use, so one that L1 cannot take yet does not ask for it.
        const bool taken =
            mmu_.holds_lines()
                ? mmu_.hold(inst, line, now)
                : l1_.accepts(now) &&
                      to_l1(inst, line, mmu_.locate(inst.app, VirtAddr(line.line << kLineShift)), now);
        if (!taken) {
            stopped_ = true;
            return;
        }
        lines_.pop();
        if (--inst.lines != 0) continue;
        if (!mmu_.holds_lines()) all_sent(inst, now);
        queue_.pop();
    }
    free_ = now + 1;
}

/// Lines that the MMU has held and now gives back.
void LoadStoreUnit::take_held_lines(Cycle now) {
    mmu_.take_answers(now);
    for (u32 k = 0; k < settings_.lines_per_cycle && mmu_.due(now); ++k) {
        if (!l1_.accepts(now)) return;
        const Mmu::Line held = mmu_.first();
        if (!to_l1(flights_[held.flight].inst, held.access, held.line, now)) return;
        mmu_.pop();
        line_of_flight_taken(held.flight, now);
    }
}

/// After l1_.accepts(). False if L1 could not take the line.
bool LoadStoreUnit::to_l1(const MemoryAccess& inst, const LineAccess& access, PhysAddr line, Cycle now) {
    if (!l1_.access(inst, access, line, now)) return false;
    if (inst.counted)
        groups_.settled(inst.flight, wiring_.router->route(line).channel, loads_[inst.load].id, now);
    return true;
}

/// Before the instruction's first line.
void LoadStoreUnit::begin(MemoryAccess& inst) {
    inst.fresh = false;
    if (mmu_.holds_lines()) inst.flight = take_flight();
    inst.counted = wiring_.wants_groups && inst.kind == AccessKind::load;
    // Where the lines belong is known, whenever their translations come.
    if (inst.counted)
        for (u32 k = 0; k < inst.lines; ++k) {
            const PhysAddr line = mmu_.locate(inst.app, VirtAddr(lines_[k].line << kLineShift));
            groups_.expect(inst.flight, wiring_.router->route(line).channel);
        }
    if (mmu_.holds_lines()) flights_[inst.flight] = {inst, inst.lines, kNone};
}

u32 LoadStoreUnit::take_flight() {
    if (free_flight_ == kNone) {
        flights_.emplace_back();
        if (wiring_.wants_groups) groups_.make_room(static_cast<u32>(flights_.size()));
        return static_cast<u32>(flights_.size() - 1);
    }
    const u32 flight = free_flight_;
    free_flight_ = flights_[flight].next_free;
    return flight;
}

void LoadStoreUnit::line_of_flight_taken(u32 flight, Cycle now) {
    Flight& f = flights_[flight];
    if (--f.lines != 0) return;
    f.next_free = free_flight_;
    free_flight_ = flight;
    all_sent(f.inst, now);
}

void LoadStoreUnit::access_shared(const MemoryAccess& inst, Cycle now) {
    const u64 extra = (inst.lines - 1) * shared_.cycles_per_pass.v;
    free_ = now + std::max<u64>(1, extra + 1);
    if (inst.load != Request::kNoLoad)
        loads_.piece_arrived(inst.load, now.v + shared_.latency.v + extra, now);
}

std::string LoadStoreUnit::describe() const {
    if (queue_.empty()) return {};
    return fmt::format(
        "  SM {} load/store unit: {} instructions, {} lines; {} requests in flight, {} MSHRs in use\n",
        wiring_.index, queue_.size(), lines_.size(), l1_.in_flight(), l1_.outstanding());
}

}  // namespace heddle
