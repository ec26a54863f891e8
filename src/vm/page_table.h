#pragma once
// The page tables of all applications: radix trees of four levels, 512 entries of 8 bytes a node, whose nodes lie in
// frames of simulated memory, so that a walk reads real addresses. Pages of 4 KiB and 64 KiB (16 equal entries) end in
// level 4, pages of 2 MiB in level 3.
//
// A page is mapped when it is first needed, which takes no time. Every frame has one owner; to map one that another
// address space owns is an InputError which names both.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vm/memory_manager.h"

namespace heddle {

/// What a walk reads, level by level, and what it finds.
struct WalkPath {
    static constexpr u32 kMost = 4;
    std::array<PhysAddr, kMost> entry;  // addresses of the page-table entries, the root's first
    u32 levels = 0;
    u32 frame = 0;  // the page's first
};

class PageTables {
  public:
    static constexpr u32 kAddressBits = 48;

    /// `part_of`: by application, whose blocks it takes its frames from. `names`: by application, for messages.
    PageTables(PageSize size, MemoryManager& manager, std::vector<u32> part_of,
               std::vector<std::string> names);

    PageSize page_size() const { return size_; }
    PageKey key(u8 app, VirtAddr address) const { return {app, address, size_}; }

    /// Where the address lies; maps its page if it is not. InputError if the tables do not reach it.
    PhysAddr translate(u8 app, VirtAddr address) {
        const PageKey k = key(app, address);
        if (k != last_key_) {
            last_frame_ = path(app, address).frame;
            last_key_ = k;
        }
        return in_frame(last_frame_, address, size_);
    }
    /// The same as a walk goes.
    WalkPath path(u8 app, VirtAddr address);

    /// Maps a page to a frame that the application owns or nobody does. InputError otherwise.
    void map(u8 app, VirtAddr address, PageSize size, u32 frame);
    /// Unmaps the page at the address and gives its frame back; false if it is not mapped.
    bool unmap(u8 app, VirtAddr address);

    /// Pages mapped, and frames of 4 KiB that table nodes take.
    u64 pages() const { return pages_; }
    u64 table_frames() const { return nodes_.size(); }

  private:
    static constexpr u32 kEntries = 512, kLevelBits = 9, kNone = 0;
    struct Node {
        u32 frame = 0;
        // Of an upper level 1 + the node below; at the end 1 + the page's first frame. 0: nothing.
        std::array<u32, kEntries> entry{};
    };
    static u32 index(VirtAddr address, u32 level) {
        return static_cast<u32>(address.v >> (kAddressBits - kLevelBits * level)) & (kEntries - 1);
    }
    static u32 levels(PageSize size) { return size == PageSize::large ? 3 : 4; }
    u32 new_node(u8 app);
    u32 leaf_node(u8 app, VirtAddr address, u32 levels);
    void own(u8 app, u32 frame, u32 frames);
    void disown(u32 frame, u32 frames);
    u16& owner(u32 frame);

    PageSize size_;
    MemoryManager& manager_;
    std::vector<u32> part_of_;
    std::vector<std::string> names_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<u32> roots_;  // by application
    // Owners of frames, 1 + application, by block of 2 MiB.
    std::vector<std::unique_ptr<std::array<u16, 512>>> owners_;
    u64 pages_ = 0;
    PageKey last_key_;
    u32 last_frame_ = 0;
};

}  // namespace heddle
