#include "dram/specification.h"

#include <bit>

namespace heddle::dram {

namespace {

std::array<u8, 256> bursts_by_sectors(u32 access_bytes) {
    std::array<u8, 256> table{};
    for (u32 mask = 0; mask < 256; ++mask) {
        if (access_bytes <= 32) {
            table[mask] = static_cast<u8>(static_cast<u32>(std::popcount(mask)) * (32 / access_bytes));
        } else {
            const u32 sectors = access_bytes / 32;
            for (u32 k = 0; k < 8; k += sectors)
                if ((mask >> k & ((1u << sectors) - 1)) != 0) ++table[mask];
        }
        if (table[mask] == 0) table[mask] = 1;
    }
    return table;
}

}  // namespace

Specification::Specification(const MemorySettings& s)
    : settings(s),
      resolved(resolve(settings)),
      map(resolved.geometry, settings.map, settings.bank_hash, settings.line_bytes),
      timing(resolved),
      bursts(bursts_by_sectors(resolved.geometry.access_bytes)) {}

}  // namespace heddle::dram
