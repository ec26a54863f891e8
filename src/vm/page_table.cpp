#include "vm/page_table.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

PageTables::PageTables(PageSize size, MemoryManager& manager, std::vector<u32> part_of,
                       std::vector<std::string> names)
    : size_(size), manager_(manager), part_of_(std::move(part_of)), names_(std::move(names)) {
    for (std::size_t a = 0; a < part_of_.size(); ++a) roots_.push_back(new_node(static_cast<u8>(a)));
}

u32 PageTables::new_node(u8 app) {
    const u32 frame = manager_.take(part_of_[app], PageSize::small);
    own(app, frame, 1);
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->frame = frame;
    return static_cast<u32>(nodes_.size() - 1);
}

/// The node that ends the way to the address, made with all above it where they are missing.
u32 PageTables::leaf_node(u8 app, VirtAddr address, u32 levels) {
    if (address.v >> kAddressBits != 0)
        throw InputError(fmt::format("{} accesses address {:#x}; four-level page tables cover {} bits",
                                     names_[app], address.v, kAddressBits));
    u32 node = roots_[app];
    for (u32 level = 1; level < levels; ++level) {
        const u32 at = index(address, level);
        if (nodes_[node]->entry[at] == kNone) nodes_[node]->entry[at] = new_node(app) + 1;
        node = nodes_[node]->entry[at] - 1;
    }
    return node;
}

WalkPath PageTables::path(u8 app, VirtAddr address) {
    WalkPath path;
    path.levels = levels(size_);
    const u32 leaf = leaf_node(app, address, path.levels);
    const u32 at = index(address, path.levels);
    if (nodes_[leaf]->entry[at] == kNone) map(app, address, size_, manager_.take(part_of_[app], size_));
    u32 node = roots_[app];
    for (u32 level = 1; level <= path.levels; ++level) {
        const u32 k = index(address, level);
        path.entry[level - 1] = PhysAddr((u64{nodes_[node]->frame} << kFrameShift) + k * 8);
        if (level < path.levels) node = nodes_[node]->entry[k] - 1;
    }
    path.frame = nodes_[leaf]->entry[at] - 1;
    return path;
}

void PageTables::map(u8 app, VirtAddr address, PageSize size, u32 frame) {
    own(app, frame, frames_of(size));
    Node& leaf = *nodes_[leaf_node(app, address, levels(size))];
    const u32 entries = size == PageSize::medium ? frames_of(size) : 1;
    const u32 at = index(address, levels(size)) / entries * entries;
    if (leaf.entry[at] != kNone)
        throw InvariantError(fmt::format("page tables: {:#x} of {} is mapped twice", address.v, names_[app]));
    std::fill_n(leaf.entry.begin() + at, entries, frame + 1);
    ++pages_;
}

bool PageTables::unmap(u8 app, VirtAddr address) {
    if (address.v >> kAddressBits != 0) return false;
    u32 node = roots_[app];
    for (u32 level = 1; level < levels(size_); ++level) {
        const u32 below = nodes_[node]->entry[index(address, level)];
        if (below == kNone) return false;
        node = below - 1;
    }
    const u32 entries = size_ == PageSize::medium ? frames_of(size_) : 1;
    const u32 at = index(address, levels(size_)) / entries * entries;
    Node& leaf = *nodes_[node];
    if (leaf.entry[at] == kNone) return false;
    const u32 frame = leaf.entry[at] - 1;
    std::fill_n(leaf.entry.begin() + at, entries, kNone);
    disown(frame, frames_of(size_));
    manager_.give(part_of_[app], frame, size_);
    --pages_;
    last_key_ = PageKey();
    return true;
}

u16& PageTables::owner(u32 frame) {
    const u32 block = frame / 512;
    if (block >= owners_.size()) owners_.resize(block + 1);
    if (owners_[block] == nullptr) owners_[block] = std::make_unique<std::array<u16, 512>>();
    return (*owners_[block])[frame % 512];
}

void PageTables::own(u8 app, u32 frame, u32 frames) {
    if (frame % frames != 0 || frame >= kFrames - frames)  // the last line's number is none
        throw InvariantError(fmt::format("the memory manager gave frame {:#x} for {} frames", frame, frames));
    for (u32 f = frame; f < frame + frames; ++f) {
        u16& now = owner(f);
        if (now != 0 && now != app + 1)
            throw InputError(fmt::format("protection: {} accesses the frame at {:#x}, which {} owns",
                                         names_[app], u64{f} << kFrameShift, names_[now - 1u]));
        if (now != 0)
            throw InvariantError(fmt::format("the memory manager gave {} the frame at {:#x} twice",
                                             names_[app], u64{f} << kFrameShift));
        now = static_cast<u16>(app + 1);
    }
}

void PageTables::disown(u32 frame, u32 frames) {
    for (u32 f = frame; f < frame + frames; ++f) owner(f) = 0;
}

}  // namespace heddle
