#pragma once
// Physical memory as page tables take it: frames come from the memory manager, and each has one owner. To take one that
// another address space owns is an InputError which names both.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "vm/memory_manager.h"

namespace heddle {

/// An address space, as far as its frames are concerned.
struct FrameOwner {
    std::string name;  // for messages
    u32 part = 0;      // whose blocks it takes its frames from
};

class Frames {
  public:
    /// One manager for all memories, or one for each.
    Frames(std::vector<std::unique_ptr<MemoryManager>> managers, std::vector<FrameOwner> owners)
        : managers_(std::move(managers)),
          owners_(std::move(owners)),
          space_(static_cast<u32>(managers_.size())) {}

    u32 owners() const { return static_cast<u32>(owners_.size()); }
    const std::string& name(u8 owner) const { return owners_[owner].name; }

    /// The first frame of free room for a page; it is not yet owned. OutOfFrames if there is none. Where each memory has a
    /// manager, the first one's is asked, and the others in turn.
    u32 take(u8 owner, PageSize size);
    /// In one memory.
    u32 take_in(u32 memory, u8 owner, PageSize size) {
        return managers_[memory]->take(owners_[owner].part, size);
    }
    /// In which of the managers' memories a frame is.
    u32 memory_of(u32 frame) const {
        return managers_.size() == 1 ? 0 : space_.memory(PhysAddr(u64{frame} << kFrameShift));
    }
    /// InputError if another owns one of them; InvariantError if this one does, or if they are no frames.
    void own(u8 owner, u32 frame, u32 frames);
    /// The page's frames are free again.
    void give(u8 owner, u32 frame, PageSize size);

  private:
    u16& owner_of(u32 frame);

    std::vector<std::unique_ptr<MemoryManager>> managers_;
    std::vector<FrameOwner> owners_;
    PhysicalSpace space_;
    // 1 + owner, by block of 2 MiB; 0: nobody.
    std::vector<std::unique_ptr<std::array<u16, 512>>> owner_of_;
};

}  // namespace heddle
