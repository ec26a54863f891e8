// Frames in the order of their addresses from one list, so that applications that run at once interleave: the baseline
// of Mosaic (Ausavarungnirun, CMU 2017, ch. 7). Among free frames the one with the lowest address is next.

#include <array>
#include <functional>
#include <queue>

#include "vm/memory_manager.h"

namespace heddle {
namespace {

class InOrder final : public MemoryManager {
  public:
    explicit InOrder(const MemoryManagerContext& c) : blocks_(*c.blocks), free_(c.blocks->parts()) {}

    u32 take(u32 part, PageSize size) override {
        Heap& heap = free_[part][static_cast<u32>(size)];
        if (heap.empty()) {
            if (size == PageSize::large) return blocks_.next(part);
            // A larger piece is cut up.
            const PageSize larger = static_cast<PageSize>(static_cast<u32>(size) + 1);
            const u32 piece = take(part, larger);
            for (u32 f = 0; f < frames_of(larger); f += frames_of(size)) heap.push(piece + f);
        }
        const u32 frame = heap.top();
        heap.pop();
        return frame;
    }
    void give(u32 part, u32 frame, PageSize size) override {
        free_[part][static_cast<u32>(size)].push(frame);
    }

  private:
    using Heap = std::priority_queue<u32, std::vector<u32>, std::greater<>>;
    FrameBlocks& blocks_;
    std::vector<std::array<Heap, 3>> free_;  // by part and size
};

const bool registered =
    memory_managers().add<InOrder>("in-order", "in address order, from one list for all applications",
                                   "Ausavarungnirun, CMU 2017, ch. 7: GPU-MMU");

}  // namespace
}  // namespace heddle
