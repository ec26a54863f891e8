#include "vm/frames.h"

#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

u16& Frames::owner_of(u32 frame) {
    const u32 block = frame / 512;
    if (block >= owner_of_.size()) owner_of_.resize(block + 1);
    if (owner_of_[block] == nullptr) owner_of_[block] = std::make_unique<std::array<u16, 512>>();
    return (*owner_of_[block])[frame % 512];
}

u32 Frames::take(u8 owner, PageSize size) {
    for (u32 m = 0; m + 1 < managers_.size(); ++m) try {
            return take_in(m, owner, size);
        } catch (const OutOfFrames&) {
        }
    return take_in(static_cast<u32>(managers_.size()) - 1, owner, size);
}

void Frames::own(u8 owner, u32 frame, u32 frames) {
    if (frame % frames != 0 || frame >= kFrames - frames)  // the last line's number is none
        throw InvariantError(fmt::format("the memory manager gave frame {:#x} for {} frames", frame, frames));
    for (u32 f = frame; f < frame + frames; ++f) {
        u16& now = owner_of(f);
        if (now != 0 && now != owner + 1)
            throw InputError(fmt::format("protection: {} accesses the frame at {:#x}, which {} owns",
                                         name(owner), u64{f} << kFrameShift, owners_[now - 1u].name));
        if (now != 0)
            throw InvariantError(fmt::format("the memory manager gave {} the frame at {:#x} twice",
                                             name(owner), u64{f} << kFrameShift));
        now = static_cast<u16>(owner + 1);
    }
}

void Frames::give(u8 owner, u32 frame, PageSize size) {
    for (u32 f = frame; f < frame + frames_of(size); ++f) owner_of(f) = 0;
    managers_[memory_of(frame)]->give(owners_[owner].part, frame, size);
}

}  // namespace heddle
