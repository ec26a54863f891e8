#include "machine/application.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

namespace {

/// The stream that an event belongs to; copies and synchronization of the host name theirs.
u64 stream_of(const ProgramEvent& event) {
    if (const auto* launch = std::get_if<LaunchEvent>(&event))
        return launch->kernel ? launch->kernel->info().stream : 0;
    if (const auto* copy = std::get_if<CopyEvent>(&event)) return copy->stream;
    if (const auto* sync = std::get_if<SyncEvent>(&event)) return sync->stream;
    if (const auto* hint = std::get_if<PageHintEvent>(&event)) return hint->stream;
    return 0;
}

bool is_host_wait(const ProgramEvent& event) {
    const auto* sync = std::get_if<SyncEvent>(&event);
    return sync != nullptr && sync->kind != SyncEvent::Kind::record && sync->kind != SyncEvent::Kind::wait;
}

}  // namespace

void Application::read_ahead() {
    while (!exhausted_ && items_.size() < kReadAhead) {
        Item item;
        if (source_->next(item.event))
            items_.push_back(std::move(item));
        else
            exhausted_ = true;
    }
}

/// Whether item k has to wait for an earlier one.
bool Application::blocked(std::size_t k) const {
    const ProgramEvent& event = items_[k].event;
    const u64 stream = items_[k].run ? items_[k].run->info().stream : stream_of(event);
    const auto* sync = std::get_if<SyncEvent>(&event);
    if (sync != nullptr && sync->kind == SyncEvent::Kind::host_device)
        return std::any_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(k),
                           [](const Item& i) { return !i.done; });
    if (sync != nullptr &&
        (sync->kind == SyncEvent::Kind::wait || sync->kind == SyncEvent::Kind::host_event) &&
        !events_done_.contains(sync->event))
        return true;
    if (sync != nullptr && sync->kind == SyncEvent::Kind::host_event) return false;
    return std::any_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(k), [&](const Item& i) {
        return !i.done && (i.run ? i.run->info().stream : stream_of(i.event)) == stream;
    });
}

void Application::allocated(const AllocEvent& alloc) {
    AllocEvent& known = allocated_[alloc.address];
    if (known.kind != AllocEvent::Kind::host) device_bytes_ -= known.bytes;
    known = alloc;
    if (alloc.kind == AllocEvent::Kind::host) return;
    if (__builtin_add_overflow(device_bytes_, alloc.bytes, &device_bytes_))
        throw InputError(fmt::format("{}: its allocations exceed 2^64 bytes", name_));
    peak_device_bytes_ = std::max(peak_device_bytes_, device_bytes_);
}

/// What is not a kernel takes no time.
void Application::happened(const ProgramEvent& event, HostActions& host) {
    if (const auto* copy = std::get_if<CopyEvent>(&event)) {
        host.copied(id_, *copy);
    } else if (const auto* hint = std::get_if<PageHintEvent>(&event)) {
        host.hinted(id_, *hint);
    } else if (const auto* sync = std::get_if<SyncEvent>(&event)) {
        if (sync->kind == SyncEvent::Kind::record) events_done_.insert(sync->event);
    } else if (const auto* alloc = std::get_if<AllocEvent>(&event)) {
        allocated(*alloc);
        host.allocated(id_, *alloc);
    } else if (const auto* free = std::get_if<FreeEvent>(&event)) {
        const auto known = allocated_.find(free->address);
        if (known == allocated_.end()) return;
        host.freed(id_, known->first, known->second.bytes);
        if (known->second.kind != AllocEvent::Kind::host) device_bytes_ -= known->second.bytes;
        allocated_.erase(known);
    }
}

KernelRun* Application::next_kernel(HostActions& host) {
    for (;;) {
        while (!items_.empty() && items_.front().done) items_.pop_front();
        read_ahead();
        bool moved = false;
        for (std::size_t k = 0; k < items_.size(); ++k) {
            Item& item = items_[k];
            if (item.done || item.run != nullptr) continue;
            if (blocked(k)) {
                if (is_host_wait(item.event)) break;  // the host has not come to what follows
                continue;
            }
            if (auto* launch = std::get_if<LaunchEvent>(&item.event)) {
                auto run = std::make_unique<KernelRun>();
                run->stream = std::move(launch->kernel);
                run->app = id_;
                auto& kernels = launches_ == 1 ? kernels_ : repeated_;
                run->index = kernels.size() + 1;
                item.run = run.get();
                kernels.push_back(std::move(run));
                ++running_;
                return item.run;
            }
            happened(item.event, host);
            item.done = moved = true;
        }
        if (!moved) return nullptr;
    }
}

void Application::kernel_ended(const KernelRun& kernel) {
    --running_;
    ended_.add(kernel);
    for (Item& item : items_)
        if (item.run == &kernel) item.done = true;
    while (!items_.empty() && items_.front().done) items_.pop_front();
}

bool Application::launch_again() {
    if (!again_ || kernels_.empty()) return false;
    source_ = again_();
    exhausted_ = false;
    events_done_.clear();
    ++launches_;
    return true;
}

std::string Application::describe() const {
    for (const Item& item : items_) {
        const auto* sync = std::get_if<SyncEvent>(&item.event);
        if (item.done || sync == nullptr || sync->kind == SyncEvent::Kind::record) continue;
        switch (sync->kind) {
            case SyncEvent::Kind::wait:
                return fmt::format("  application {}: stream {} waits for event {}\n", name(), sync->stream,
                                   sync->event);
            case SyncEvent::Kind::host_event:
                return fmt::format("  application {}: its host waits for event {}\n", name(), sync->event);
            case SyncEvent::Kind::host_stream:
                return fmt::format("  application {}: its host waits for stream {}\n", name(), sync->stream);
            default:
                return fmt::format("  application {}: its host waits for everything that it has launched\n",
                                   name());
        }
    }
    return {};
}

KernelWork Application::work() const {
    // Asked after every step: programs may launch a hundred thousand kernels, of which few run.
    KernelWork all = ended_;
    for (const Item& item : items_)
        if (item.run != nullptr && !item.done) all.add(*item.run);
    return all;
}

}  // namespace heddle
