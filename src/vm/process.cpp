#include "vm/process.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace heddle {

namespace {

using Blocks = std::vector<std::unique_ptr<FrameBlocks>>;

Blocks blocks_of(u32 parts, u32 memories, const Placement* placement) {
    Blocks all;
    if (placement == nullptr)
        all.push_back(std::make_unique<FrameBlocks>(parts, memories));
    else
        for (u32 m = 0; m < memories; ++m)
            all.push_back(
                std::make_unique<FrameBlocks>(parts, memories, m, placement->context.memories[m].bytes));
    return all;
}

std::vector<std::unique_ptr<MemoryManager>> managers_of(const config::Choice& choice, const Blocks& blocks) {
    std::vector<std::unique_ptr<MemoryManager>> all;
    for (const auto& b : blocks) {
        MemoryManagerContext context;
        context.blocks = b.get();
        all.push_back(memory_managers().make(choice, context));
    }
    return all;
}

std::vector<FrameOwner> owners_in(std::vector<FrameOwner> owners, u32 parts) {
    if (parts == 1)
        for (FrameOwner& o : owners) o.part = 0;
    return owners;
}

}  // namespace

Processes::Processes(const TranslationSettings& settings, std::vector<FrameOwner> applications, u32 parts,
                     u32 memories, const Placement* placement)
    : size_(settings.page_size),
      blocks_(blocks_of(parts, memories, placement)),
      placement_(placement == nullptr ? nullptr
                                      : placement_policies().make(placement->policy, placement->context)),
      places_(placement),
      frames_(managers_of(settings.memory_manager, blocks_), owners_in(std::move(applications), parts)) {
    for (u32 a = 0; a < frames_.owners(); ++a)
        processes_.push_back(
            {PageTable(frames_, static_cast<u8>(a), settings.table_layout, settings.level_bits)});
}

PageKey Processes::key_of_leaf(u8 app, VirtAddr address) const {
    const Mapping leaf = processes_[app].table.find(address);
    return {app, address, leaf.any() ? leaf.size() : size_};
}

Mapping Processes::find_or_map(u8 app, VirtAddr address, Toucher by) {
    PageTable& table = processes_[app].table;
    if (const Mapping found = table.find_or_reach(address, size_); found.any()) return found;
    const u32 frame = placement_ == nullptr ? frames_.take(app, size_) : place({app, address, size_}, by);
    return table.map(address, size_, frame);
}

/// A frame for a new page.
u32 Processes::place(PageKey page, Toucher by) {
    const auto range = allocations_.find(page.app(), page.address());
    const AllocEvent::Kind kind = range ? range->kind : AllocEvent::Kind::device;
    const PlacementContext& places = places_->context;
    const u32 count = static_cast<u32>(places.memories.size());
    // What a program has asked of the host's memory lies there, and what it prefers to lie somewhere there.
    const auto wish = allocations_.prefers_host(page.app(), page.address());
    const u32 first = kind == AllocEvent::Kind::host ? places.first(true)
                      : wish                         ? places.first(*wish)
                                                     : placement_->memory_of({page, kind, by});
    if (first >= count)
        throw InvariantError(fmt::format("a page is placed in memory {} of {}", first, count));
    u64 bytes = 0;
    for (u32 k = 0; k < count; ++k) try {
            return take_in((first + k) % count, page);
        } catch (const OutOfFrames&) {
            bytes += places.memories[(first + k) % count].bytes;
        }
    throw OutOfFrames(fmt::format(
        "out of memory: {} needs another page, but all {} MiB of the machine's {} memories are in use",
        frames_.name(page.app()), bytes >> 20, count));
}

void Processes::map(u8 app, VirtAddr address, PageSize size, u32 frame) {
    processes_[app].table.map(address, size, frame);
    several_sizes_ = several_sizes_ || size != size_;
}

u64 Processes::unmap(u8 app, VirtAddr first, u64 bytes) {
    PageTable& table = processes_[app].table;
    const VirtAddr end = std::min(first + bytes, VirtAddr(u64{1} << PageTable::kAddressBits));
    u64 pages = 0;
    auto begin_of = [](VirtAddr at, PageSize size) {
        return VirtAddr(at.v >> page_shift(size) << page_shift(size));
    };
    VirtAddr at = begin_of(first, size_);
    while (at < end) {
        const Mapping m = table.find(at);
        const PageSize size = m.any() ? m.size() : size_;
        const VirtAddr page = begin_of(at, size), behind = page + (u64{1} << page_shift(size));
        if (m.any() && page >= first && behind <= end) {
            table.unmap(page);
            ++pages;
        }
        at = behind;
    }
    last_key_ = PageKey();
    return pages;
}

u64 Processes::pages() const {
    return std::accumulate(processes_.begin(), processes_.end(), u64{0},
                           [](u64 n, const Process& p) { return n + p.table.pages(); });
}

u64 Processes::table_frames() const {
    return std::accumulate(processes_.begin(), processes_.end(), u64{0},
                           [](u64 n, const Process& p) { return n + p.table.table_frames(); });
}

}  // namespace heddle
