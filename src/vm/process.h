#pragma once
// Processes: the address spaces of the applications, each with its page table, and the physical memory that all of them
// take frames from. They belong to no device: whatever translates for an application asks here.
//
// A page is mapped when it is first needed, which takes no time. Every page has the size that `translation.page_size`
// says unless somebody maps one of another size; a leaf of a page table knows its own.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vm/allocations.h"
#include "vm/page_table.h"
#include "vm/placement_policy.h"
#include "vm/settings.h"

namespace heddle {

struct Process {
    PageTable table;
};

/// Where pages begin on a machine of several memories.
struct Placement {
    config::Choice policy;
    PlacementContext context;
};

class Processes {
  public:
    /// Process k is application k. `parts`: of how many applications each has frames of its own; 1: all share. With a
    /// placement, which outlives this, each of the memories has a memory manager of its own; without, one manager has all.
    Processes(const TranslationSettings& settings, std::vector<FrameOwner> applications, u32 parts,
              u32 memories = 1, const Placement* placement = nullptr);
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    u32 count() const { return static_cast<u32>(processes_.size()); }
    const Process& process(u8 app) const { return processes_[app]; }

    /// The page of an address; one that is not mapped has the size that it would get.
    PageKey key(u8 app, VirtAddr address) const {
        return several_sizes_ ? key_of_leaf(app, address) : PageKey(app, address, size_);
    }
    /// Maps the page if it is not. InputError if the tables do not reach it.
    Mapping mapping(u8 app, VirtAddr address, Toucher by = Toucher::gpu) {
        const PageKey k = key(app, address);
        if (k != last_key_) {
            last_mapping_ = find_or_map(app, address, by);
            last_key_ = k;
        }
        return last_mapping_;
    }
    /// The same as a walk goes.
    WalkPath path(u8 app, VirtAddr address) {
        mapping(app, address);
        return processes_[app].table.path(address);
    }
    /// Where the address lies; maps its page if it is not.
    PhysAddr translate(u8 app, VirtAddr address, Toucher by = Toucher::gpu) {
        return mapping(app, address, by).physical(address);
    }

    /// See PageTable.
    void map(u8 app, VirtAddr address, PageSize size, u32 frame);
    /// In which of the memories that have a manager a page lies.
    u32 memory_of(Mapping m) const { return frames_.memory_of(m.frame()); }
    /// The first frame of room for a page in a memory. OutOfFrames if there is none.
    u32 take_in(u32 memory, PageKey page) { return frames_.take_in(memory, page.app(), page.size()); }
    /// See PageTable.
    Mapping remap(PageKey page, u32 frame) {
        last_key_ = PageKey();
        return processes_[page.app()].table.remap(page.address(), frame);
    }
    /// A frame that take_in() gave is not used.
    void give_back(PageKey page, u32 frame) { frames_.give(page.app(), frame, page.size()); }
    Allocations& allocations() { return allocations_; }
    const Allocations& allocations() const { return allocations_; }

    /// Unmaps every whole page within [first, first + bytes); how many were mapped.
    u64 unmap(u8 app, VirtAddr first, u64 bytes);

    /// Of all processes: pages mapped, and frames of 4 KiB that nodes of page tables take.
    u64 pages() const;
    u64 table_frames() const;

  private:
    PageKey key_of_leaf(u8 app, VirtAddr address) const;
    Mapping find_or_map(u8 app, VirtAddr address, Toucher by);
    u32 place(PageKey page, Toucher by);

    PageSize size_;
    bool several_sizes_ = false;
    std::vector<std::unique_ptr<FrameBlocks>> blocks_;  // of all memories, or of each
    std::unique_ptr<PlacementPolicy> placement_;
    const Placement* places_;  // null, as placement_: the one manager has all memories
    Allocations allocations_;
    Frames frames_;
    std::vector<Process> processes_;
    // Most translations are of the page of the one before.
    PageKey last_key_;
    Mapping last_mapping_;
};

}  // namespace heddle
