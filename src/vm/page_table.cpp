#include "vm/page_table.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

PageTable::PageTable(Frames& frames, u8 owner) : frames_(frames), owner_(owner) {
    new_node();
}

u32 PageTable::new_node() {
    const u32 frame = frames_.take(owner_, PageSize::small);
    frames_.own(owner_, frame, 1);
    nodes_.push_back(std::make_unique<Node>());
    nodes_.back()->frame = frame;
    return static_cast<u32>(nodes_.size() - 1);
}

void PageTable::mapped_twice(VirtAddr address) const {
    throw InvariantError(
        fmt::format("page tables: {:#x} of {} is mapped twice", address.v, frames_.name(owner_)));
}

/// The node that ends the way to the page, made with all above it where they are missing.
PageTable::Node& PageTable::leaf_node(VirtAddr address, PageSize size) {
    if (address.v >> kAddressBits != 0)
        throw InputError(fmt::format("{} accesses address {:#x}; four-level page tables cover {} bits",
                                     frames_.name(owner_), address.v, kAddressBits));
    u32 node = kRoot;
    for (u32 level = 1; level < levels(size); ++level) {
        const u32 at = index(address, level);
        if (nodes_[node]->entry[at].page.any()) mapped_twice(address);
        if (nodes_[node]->entry[at].below == kRoot) {
            const u32 made = new_node();
            nodes_[node]->entry[at].below = made;
        }
        node = nodes_[node]->entry[at].below;
    }
    return *nodes_[node];
}

Mapping PageTable::find(VirtAddr address) const {
    if (address.v >> kAddressBits != 0) return {};
    u32 node = kRoot;
    for (u32 level = 1;; ++level) {
        const Entry& e = nodes_[node]->entry[index(address, level)];
        if (e.below == kRoot) return e.page;
        node = e.below;
    }
}

WalkPath PageTable::path(VirtAddr address) const {
    WalkPath path;
    u32 node = kRoot;
    for (;;) {
        const u32 k = index(address, path.levels + 1);
        path.entry[path.levels++] = PhysAddr((u64{nodes_[node]->frame} << kFrameShift) + k * 8);
        const Entry& e = nodes_[node]->entry[k];
        if (e.below == kRoot) {
            path.mapping = e.page;
            return path;
        }
        node = e.below;
    }
}

void PageTable::map(VirtAddr address, PageSize size, u32 frame) {
    frames_.own(owner_, frame, frames_of(size));
    Node& leaf = leaf_node(address, size);
    const u32 count = entries(size), at = index(address, levels(size)) / count * count;
    const auto first = leaf.entry.begin() + at;
    if (std::any_of(first, first + count, [](const Entry& e) { return !e.none(); })) mapped_twice(address);
    std::fill_n(first, count, Entry{Mapping(frame, size), kRoot});
    ++pages_;
}

Mapping PageTable::unmap(VirtAddr address) {
    const Mapping was = find(address);
    if (!was.any()) return was;
    const u32 count = entries(was.size()), at = index(address, levels(was.size())) / count * count;
    std::fill_n(leaf_node(address, was.size()).entry.begin() + at, count, Entry{});
    frames_.give(owner_, was.frame(), was.size());
    --pages_;
    return was;
}

}  // namespace heddle
