#pragma once
// The last commands of each kind to each node: all that the constraints between commands look back at.

#include <array>
#include <vector>

#include "dram/audit/topology.h"

namespace heddle::dram::audit {

class History {
  public:
    explicit History(const Topology& topology) : topology_(topology) {}

    /// Asks to keep `window` commands of the kind for each node of the level. Before the first record().
    void keep(Level level, CommandKind kind, u8 window);
    /// Makes room for what was asked.
    void build();

    /// The window-th most recent command (1 = the last), null if there have not been so many.
    const Command* find(Level level, CommandKind kind, u32 node, u8 window) const {
        const Track& track = tracks_[index(level, kind)];
        const u64 seen = seen_[track.seen + node];
        if (seen < window) return nullptr;
        return &entries_[track.entries + node * track.depth + ((seen - window) & (track.depth - 1))];
    }

    void record(const Command& command);

  private:
    struct Track {
        u32 depth = 0;  // a power of two; 0: not kept
        u32 entries = 0;
        u32 seen = 0;
    };

    static constexpr std::size_t kLevels = static_cast<std::size_t>(Level::count_);
    static std::size_t index(Level level, CommandKind kind) {
        return static_cast<std::size_t>(level) * kKinds + static_cast<std::size_t>(kind);
    }

    Topology topology_;
    std::array<Track, kLevels * kKinds> tracks_{};
    std::vector<Command> entries_;
    std::vector<u64> seen_;  // commands so far, for each node of each track
};

}  // namespace heddle::dram::audit
