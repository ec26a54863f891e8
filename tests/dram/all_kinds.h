#pragma once
// Memories of every standard, refresh mode and page policy, and traffic that reaches odd corners.

#include <string>
#include <vector>

#include "dram/alone.h"
#include "dram/parts.h"
#include "dram/standard.h"

namespace heddle::dram {

struct Xorshift {
    u64 s;
    u64 operator()() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return s;
    }
};

/// A mixture of runs, hot banks and random places, bursts of arrivals and idle stretches, of four applications.
inline std::vector<StreamEntry> mixture(u64 n, u64 span, u64 grain, u64 seed) {
    Xorshift next{seed};
    std::vector<StreamEntry> stream;
    u64 run = 0, time = 0;
    while (stream.size() < n) {
        const u64 what = next() % 8;
        const u64 length = what < 3 ? 1 + next() % 30 : 1;
        u64 at = what == 7 ? run : next() % (span / grain) * grain;
        const bool write = next() % 10 < 3;
        if (next() % 64 == 0) time += next() % 3000;
        for (u64 k = 0; k < length && stream.size() < n; ++k, at += grain)
            stream.push_back({at % span, write, Cycle(time), static_cast<u8>(what / 2)});
        run = at;
    }
    return stream;
}

inline MemorySettings of_part(std::string_view standard) {
    MemorySettings s;
    s.standard = std::string(standard);
    for (const Part& p : parts())
        if (p.standard == standard) s.part = std::string(p.name);  // the last is the largest
    for (const SpeedBin& b : speed_bins())
        if (b.standard == standard) s.speed = std::string(b.name);
    s.line_bytes = 64;
    return s;
}

inline std::vector<MemorySettings> all_kinds() {
    std::vector<MemorySettings> all;
    for (const Standard& standard : standards()) {
        for (RefreshMode mode :
             {RefreshMode::off, RefreshMode::all_bank, RefreshMode::same_bank, RefreshMode::per_bank}) {
            if (mode == RefreshMode::same_bank && !standard.refreshes.has(CommandKind::refresh_same))
                continue;
            if (mode == RefreshMode::per_bank && !standard.refreshes.has(CommandKind::refresh_bank)) continue;
            MemorySettings s = of_part(standard.name);
            s.refresh = mode;
            if (standard.name.starts_with("ddr") || standard.name == "lpddr5") s.ranks = 2;
            all.push_back(s);
            s.page_policy = PagePolicyKind::closed;
            all.push_back(s);
            s.page_policy = PagePolicyKind::adaptive;
            s.page_cap = 4;
            s.page_timeout = 60;
            s.refresh_postpone = 3;
            all.push_back(s);
        }
    }
    return all;
}

inline std::string name_of(const MemorySettings& s) {
    return s.standard + " refresh " + std::to_string(static_cast<int>(s.refresh)) + " page " +
           std::to_string(static_cast<int>(s.page_policy));
}

}  // namespace heddle::dram
