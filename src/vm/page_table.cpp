#include "vm/page_table.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

PageTable::PageTable(Frames& frames, u8 owner, TableLayout layout, u32 level_bits)
    : frames_(frames), owner_(owner) {
    if (layout != TableLayout::radix) places_.emplace(frames, owner, layout, level_bits);
    new_node();
}

u32 PageTable::new_node() {
    nodes_.push_back(std::make_unique<Node>());
    if (!places_) {
        nodes_.back()->frame = frames_.take(owner_, PageSize::small);
        frames_.own(owner_, nodes_.back()->frame, 1);
    }
    return static_cast<u32>(nodes_.size() - 1);
}

void PageTable::mapped_twice(VirtAddr address) const {
    throw InvariantError(
        fmt::format("page tables: {:#x} of {} is mapped twice", address.v, frames_.name(owner_)));
}

void PageTable::check_reach(VirtAddr address) const {
    if (address.v >> kAddressBits != 0) [[unlikely]]
        throw InputError(fmt::format("{} accesses address {:#x}; four-level page tables cover {} bits",
                                     frames_.name(owner_), address.v, kAddressBits));
}

/// A new node below an entry.
u32 PageTable::below(u32 node, u32 at) {
    const u32 made = new_node();
    nodes_[node]->entry[at].below = made;
    return made;
}

/// The node that ends the way to the page, made with all above it where they are missing.
PageTable::Node& PageTable::leaf_node(VirtAddr address, PageSize size) {
    check_reach(address);
    u32 node = kRoot;
    for (u32 level = 1; level < levels(size); ++level) {
        const u32 at = index(address, level);
        const Entry e = nodes_[node]->entry[at];
        if (e.page.any()) mapped_twice(address);
        node = e.below != kRoot ? e.below : below(node, at);
    }
    return *nodes_[node];
}

Mapping PageTable::find_or_reach(VirtAddr address, PageSize size) {
    check_reach(address);
    u32 node = kRoot;
    for (u32 level = 1;; ++level) {
        const u32 at = index(address, level);
        const Entry e = nodes_[node]->entry[at];
        if (e.page.any() || (e.below == kRoot && level == levels(size))) return e.page;
        node = e.below != kRoot ? e.below : below(node, at);
    }
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
    if (places_) {
        path.layout = places_->layout();
        path.mapping = find(address);
        const PageSize size = path.mapping.size();
        for (; path.levels < levels(size); ++path.levels)
            path.entry[path.levels] = places_->entry(address, size, path.levels + 1);
        return path;
    }
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

Mapping PageTable::map(VirtAddr address, PageSize size, u32 frame) {
    frames_.own(owner_, frame, frames_of(size));
    Node& leaf = leaf_node(address, size);
    const u32 count = entries(size), at = index(address, levels(size)) / count * count;
    const auto first = leaf.entry.begin() + at;
    if (std::any_of(first, first + count, [](const Entry& e) { return !e.none(); })) mapped_twice(address);
    const Mapping mapping(frame, size);
    std::fill_n(first, count, Entry{mapping, kRoot});
    if (places_) places_->place(address, size);
    ++pages_;
    return mapping;
}

Mapping PageTable::remap(VirtAddr address, u32 frame) {
    const PageSize size = find(address).size();
    frames_.own(owner_, frame, frames_of(size));
    const u32 count = entries(size), at = index(address, levels(size)) / count * count;
    const Mapping mapping(frame, size);
    std::fill_n(leaf_node(address, size).entry.begin() + at, count, Entry{mapping, kRoot});
    return mapping;
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
