#pragma once
// Where page-table entries lie, and the keys that name them.

#include "mem/geometry.h"
#include "vm/page.h"

namespace heddle {

enum class TableLayout : u8 {
    radix,   // 8 bytes each, in the nodes of a tree, each of which has a frame of its own
    packed,  // in the order of first touch, 64 to a frame, a byte apart
    line,    // in the order of first touch, each in a line of its own
};

/// The key of an entry of an application's page table, which is never a page's. Entries are numbered as they lie, without
/// the gaps of their layout, so that they spread over the sets of a page-walk cache.
inline PageKey entry_key(u8 app, PhysAddr entry, TableLayout layout = TableLayout::radix) {
    const u64 number = layout == TableLayout::radix  ? entry.v / 8
                       : layout == TableLayout::line ? entry.v / kLineBytes
                                                     : entry.v >> kFrameShift << 6 | (entry.v & 63);
    PageKey key;
    key.v = static_cast<u64>(layout) << 62 | number << 10 | u64{3} << 8 | app;
    return key;
}
inline PhysAddr entry_address(PageKey key) {
    const u64 number = key.v << 2 >> 12;
    switch (static_cast<TableLayout>(key.v >> 62)) {
        case TableLayout::packed:
            return PhysAddr(number >> 6 << kFrameShift | (number & 63));
        case TableLayout::line:
            return PhysAddr(number * kLineBytes);
        default:
            return PhysAddr(number * 8);
    }
}

}  // namespace heddle
