#include "vm/process.h"

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

std::unique_ptr<MemoryManager> make_manager(const config::Choice& choice, FrameBlocks& blocks) {
    MemoryManagerContext context;
    context.blocks = &blocks;
    return memory_managers().make(choice, context);
}

std::vector<FrameOwner> owners_in(std::vector<FrameOwner> owners, u32 parts) {
    if (parts == 1)
        for (FrameOwner& o : owners) o.part = 0;
    return owners;
}

}  // namespace

Processes::Processes(const TranslationSettings& settings, std::vector<FrameOwner> applications, u32 parts,
                     u32 memories)
    : size_(settings.page_size),
      blocks_(parts, memories),
      manager_(make_manager(settings.memory_manager, blocks_)),
      frames_(*manager_, owners_in(std::move(applications), parts)) {
    for (u32 a = 0; a < frames_.owners(); ++a)
        processes_.push_back(
            {PageTable(frames_, static_cast<u8>(a), settings.table_layout, settings.level_bits)});
}

PageKey Processes::key_of_leaf(u8 app, VirtAddr address) const {
    const Mapping leaf = processes_[app].table.find(address);
    return {app, address, leaf.any() ? leaf.size() : size_};
}

Mapping Processes::find_or_map(u8 app, VirtAddr address) {
    PageTable& table = processes_[app].table;
    if (const Mapping found = table.find_or_reach(address, size_); found.any()) return found;
    return table.map(address, size_, frames_.take(app, size_));
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
