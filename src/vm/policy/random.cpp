// Frames in random order within a window of free memory, so that pages which are neighbors in an address space are none
// in memory unless somebody sees to it.

#include "sim/random.h"

#include <array>

#include "config/schema.h"
#include "vm/memory_manager.h"

namespace heddle {
namespace {

struct RandomSettings {
    u64 seed = 1;
    u64 window_bytes = 0;

    static const config::Schema<RandomSettings>& schema() {
        static const auto s =
            config::Schema<RandomSettings>("random", "frames in random order")
                .key("seed", &RandomSettings::seed, {.def = "1", .about = "seed of its random numbers"})
                .key("window", &RandomSettings::window_bytes,
                     {.unit = config::Unit::bytes,
                      .def = "64MiB",
                      .min = "2MiB",
                      .max = "4GiB",
                      .power_of_two = true,
                      .about = "memory from whose free frames each frame is drawn; when all are taken, the "
                               "next window begins"});
        return s;
    }
};

class RandomFrames final : public MemoryManager {
  public:
    using Settings = RandomSettings;
    RandomFrames(const RandomSettings& s, const MemoryManagerContext& c)
        : random_(s.seed, "memory manager"),
          window_blocks_(static_cast<u32>(s.window_bytes >> kBlockShift)),
          blocks_(*c.blocks),
          free_(c.blocks->parts()) {}

    u32 take(u32 part, PageSize size) override {
        std::vector<u32>& pool = free_[part][static_cast<u32>(size)];
        if (pool.empty())
            for (u32 b = 0; b == 0 || (b < window_blocks_ && blocks_.any()); ++b) {
                const u32 block = blocks_.next(part);
                for (u32 f = 0; f < frames_of(PageSize::large); f += frames_of(size))
                    pool.push_back(block + f);
            }
        std::swap(pool[random_.below(pool.size())], pool.back());
        const u32 frame = pool.back();
        pool.pop_back();
        return frame;
    }
    void give(u32 part, u32 frame, PageSize size) override {
        free_[part][static_cast<u32>(size)].push_back(frame);
    }

  private:
    Random random_;
    u32 window_blocks_;
    FrameBlocks& blocks_;
    std::vector<std::array<std::vector<u32>, 3>> free_;  // by part and size
};

const bool registered =
    memory_managers().add<RandomFrames>("random", "in random order, drawn from a window", "");

}  // namespace
}  // namespace heddle
