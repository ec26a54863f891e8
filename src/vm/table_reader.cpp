#include "vm/table_reader.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

void TableReader::miss(const PageMiss& m, Cycle now) {
    const PhysAddr entry = entry_address(m.key);
    reads_[m.from] = m;
    Request* r = wiring_.pool->take();
    wiring_.router->send_to(*r, PhysAddr(entry.v & ~u64{kLineBytes - 1}));
    if (settings_.route == WalkRoute::data) {
        const Router::Route data = wiring_.router->route(line_address(m.data));
        r->channel = data.channel;
        r->port = data.port;
    }
    r->sectors = static_cast<u8>(1u << (entry.v / kSectorBytes % kSectors));
    r->origin = {Origin::kNoUnit, static_cast<u8>(m.from), wiring_.device};
    r->app = m.key.app();
    r->cls = RequestClass::page_walk;
    r->level = m.level & 7;
    ++counts_.all.level[m.level].reads;
    ++counts_.apps[r->app].reads;
    if (settings_.path == WalkWay::sm) {
        const Cycle at = std::max(m.at, now + 1);
        ++sent_by_sms_;
        wiring_.sms[m.sm]->walk(r, at);
        agenda_.wake(m.sm, at);
        return;
    }
    const Cycle there = m.at + wiring_.l2_front.v;
    wiring_.slices[r->port]->walk(r, there);
    agenda_.wake(wiring_.first_slice_part + r->port, there);
}

void TableReader::walk_read(Request* r, WalkSource source, Cycle at, Cycle now) {
    const PageMiss m = reads_[r->origin.slot];
    WalkLevelStats& level = counts_.all.level[m.level];
    level.cycles += at - m.at;
    level.l2_hits += source == WalkSource::l2_hit;
    level.l2_merges += source == WalkSource::l2_merge;
    level.dram += source == WalkSource::dram;
    counts_.apps[m.key.app()].reads_in_dram += source == WalkSource::dram;
    wiring_.pool->give(r);
    const u32 frame = static_cast<u32>(entry_address(m.key).v >> kFrameShift);
    reply({m.key, Mapping(frame, PageSize::small), at, {&m, 1}}, now);
}

void TableReader::check() const {
    u64 met = 0;
    for (const WalkLevelStats& s : counts_.all.level) met += s.l2_hits + s.l2_merges + s.dram;
    if (met != asked())
        throw InvariantError(
            fmt::format("conservation: reads of walks sent ({}) differ from those met in L2 and DRAM ({})",
                        asked(), met));
}

}  // namespace heddle
