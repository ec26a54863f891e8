#pragma once
// Policy point: which frames of physical memory a page, or a node of a page table, gets. A manager is one file in
// src/vm/policy; machines select it as `translation.memory_manager`.
//
// Managers carve frames from blocks of 2 MiB, which FrameBlocks hands out one after another. A machine may have several
// memories: whose frames a page gets, its manager says by the memory that it takes blocks of, unless the machine has a
// placement policy (vm/placement_policy.h): then each memory has a manager of its own, which knows no other. If the memory's channels
// are divided among applications (split_channels), every block of an application lies in its own 4 GiB regions
// (mem/address_map.h); otherwise all share one sequence.

#include <memory>
#include <vector>

#include "config/policy.h"
#include "mem/physical_space.h"
#include "sim/error.h"
#include "vm/page.h"

namespace heddle {

/// No frames are left in the memory that was asked for.
class OutOfFrames : public InputError {
  public:
    using InputError::InputError;
};

/// Physical memory in blocks of 2 MiB, in the order of their addresses.
class FrameBlocks {
  public:
    /// `parts`: the number of applications that have regions of their own; 1: all share them.
    explicit FrameBlocks(u32 parts, u32 memories = 1)
        : parts_(parts), memories_(memories), space_(memories), taken_(std::size_t{parts} * memories) {}
    /// Those of one of the memories alone, of which so many bytes can be had.
    FrameBlocks(u32 parts, u32 memories, u32 only, u64 bytes)
        : parts_(parts),
          memories_(1),
          first_(only),
          blocks_(bytes >> kBlockShift),
          space_(memories),
          taken_(parts) {}
    u32 parts() const { return parts_; }
    /// Of the machine, numbered from 0; the first is that of the GPU to which programs launch.
    u32 memories() const { return memories_; }
    /// The first 4 KiB frame of the part's next block of a memory. OutOfFrames if it has no more, or physical addresses
    /// reach none.
    u32 next(u32 part, u32 memory = 0);
    /// Whether there is a next block, of blocks of one memory alone.
    bool any() const { return given_ < blocks_; }

  private:
    u32 parts_, memories_;
    u32 first_ = 0;         // the number of its first memory
    u64 blocks_ = ~u64{0};  // that there are
    u64 given_ = 0;
    PhysicalSpace space_;
    std::vector<u32> taken_;  // by memory and part
};

struct MemoryManagerContext {
    FrameBlocks* blocks = nullptr;
};

class MemoryManager {
  public:
    virtual ~MemoryManager() = default;
    /// The first 4 KiB frame of room for a page, aligned to its size, for an application whose blocks belong to `part`.
    virtual u32 take(u32 part, PageSize size) = 0;
    /// It is free again.
    virtual void give(u32 part, u32 frame, PageSize size) = 0;
};

using MemoryManagerPoint = config::PolicyPoint<MemoryManager, const MemoryManagerContext&>;
MemoryManagerPoint& memory_managers();

}  // namespace heddle
