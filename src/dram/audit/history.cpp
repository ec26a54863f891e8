#include "dram/audit/history.h"

#include <algorithm>
#include <bit>

namespace heddle::dram::audit {

void History::keep(Level level, CommandKind kind, u8 window) {
    u32& depth = tracks_[index(level, kind)].depth;
    depth = std::max(depth, std::bit_ceil(u32{window}));
}

void History::build() {
    std::size_t entries = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        Track& track = tracks_[i];
        if (track.depth == 0) continue;
        const u32 nodes = topology_.count(static_cast<Level>(i / kKinds));
        track.entries = static_cast<u32>(entries);
        track.seen = static_cast<u32>(seen);
        entries += std::size_t{nodes} * track.depth;
        seen += nodes;
    }
    entries_.resize(entries);
    seen_.resize(seen);
}

void History::record(const Command& command) {
    for (std::size_t l = 0; l < kLevels; ++l) {
        const auto level = static_cast<Level>(l);
        const Track& track = tracks_[index(level, command.kind)];
        if (track.depth == 0) continue;
        const Nodes nodes = topology_.addressed(level, command);
        for (u32 i = 0, node = nodes.first; i < nodes.count; ++i, node += nodes.step) {
            u64& seen = seen_[track.seen + node];
            entries_[track.entries + node * track.depth + (seen & (track.depth - 1))] = command;
            ++seen;
        }
    }
}

}  // namespace heddle::dram::audit
