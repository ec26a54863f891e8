#pragma once
// The page table of one process: a radix tree of four levels, 512 entries of 8 bytes a node, whose nodes lie in frames of
// simulated memory, so that a walk reads real addresses. A leaf knows the size of its page: pages of 4 KiB and 64 KiB
// (16 equal entries) end in level 4, pages of 2 MiB in level 3, and one table may hold pages of every size. Where its
// entries lie elsewhere (vm/entry_places.h), the tree is only what finds them.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "vm/entry_places.h"
#include "vm/frames.h"
#include "vm/mapping.h"

namespace heddle {

/// What a walk reads, level by level, and what it finds.
struct WalkPath {
    static constexpr u32 kMost = 4;
    std::array<PhysAddr, kMost> entry;  // addresses of the page-table entries, the root's first
    u32 levels = 0;
    TableLayout layout = TableLayout::radix;
    Mapping mapping;
};

class PageTable {
  public:
    static constexpr u32 kAddressBits = 48;

    /// `level_bits`: see EntryPlaces; nothing to a radix tree, whose levels have 9.
    PageTable(Frames& frames, u8 owner, TableLayout layout = TableLayout::radix, u32 level_bits = 9);

    /// None if the address is not mapped.
    Mapping find(VirtAddr address) const;
    /// As a walk goes to an address that is mapped.
    WalkPath path(VirtAddr address) const;

    /// What is mapped at the address. If nothing is, makes the nodes above a page there, which so get their frames
    /// before it. InputError if the tables do not reach it.
    Mapping find_or_reach(VirtAddr address, PageSize size);
    /// Maps a page to a frame that its process owns or nobody does. InputError otherwise, or if the tables do not reach
    /// it; InvariantError if something is mapped there, or nodes are in its place.
    Mapping map(VirtAddr address, PageSize size, u32 frame);
    /// Another frame for the page at the address, which is mapped. Its old frames stay owned: caches may still hold lines of
    /// them. As map().
    Mapping remap(VirtAddr address, u32 frame);
    /// Unmaps the page at the address and gives its frames back; what was mapped.
    Mapping unmap(VirtAddr address);

    /// Pages mapped, and frames of 4 KiB that nodes take.
    u64 pages() const { return pages_; }
    u64 table_frames() const { return places_ ? places_->frames() : nodes_.size(); }

  private:
    static constexpr u32 kEntries = 512, kLevelBits = 9, kRoot = 0;  // the root is below nothing
    /// A page, or a node below; neither: nothing.
    struct Entry {
        Mapping page;
        u32 below = kRoot;
        bool none() const { return !page.any() && below == kRoot; }
    };
    struct Node {
        u32 frame = 0;
        std::array<Entry, kEntries> entry{};
    };
    static u32 index(VirtAddr address, u32 level) {
        return static_cast<u32>(address.v >> (kAddressBits - kLevelBits * level)) & (kEntries - 1);
    }
    static u32 levels(PageSize size) { return size == PageSize::large ? 3 : 4; }
    /// Equal entries of a page.
    static u32 entries(PageSize size) { return size == PageSize::medium ? frames_of(size) : 1; }
    u32 new_node();
    u32 below(u32 node, u32 at);
    Node& leaf_node(VirtAddr address, PageSize size);
    void check_reach(VirtAddr address) const;
    [[noreturn]] void mapped_twice(VirtAddr address) const;

    Frames& frames_;
    u8 owner_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::optional<EntryPlaces> places_;  // none: entries lie in the nodes
    u64 pages_ = 0;
};

}  // namespace heddle
