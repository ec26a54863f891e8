#include "core/coalescer.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

namespace {

/// Bits first..last of a 128-bit mask, first <= last < 128.
std::array<u64, 2> byte_range(u32 first, u32 last) {
    auto upto = [](u32 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; };  // bits below n
    std::array<u64, 2> mask;
    mask[0] = upto(last + 1) & ~upto(first);
    mask[1] = last < 64 ? 0 : upto(last - 63) & ~(first < 64 ? 0 : upto(first - 64));
    return mask;
}

u8 sector_range(u32 first_byte, u32 last_byte) {
    const u32 a = first_byte / kSectorBytes, b = last_byte / kSectorBytes;
    return static_cast<u8>((2u << b) - (1u << a));
}

[[noreturn]] void beyond_the_end(u64 address) {
    throw InputError(fmt::format("an access at {:#x} reaches past the end of the address space", address));
}

}  // namespace

u32 Coalescer::at(u64 line) {
    // Neighbouring lanes mostly touch the line of the lane before.
    if (count_ != 0 && lines_[count_ - 1].line == line) return count_ - 1;
    u32 k = static_cast<u32>(line * 0x9e3779b97f4a7c15u >> 56);
    while (slots_[k].stamp == stamp_) {
        if (lines_[slots_[k].index].line == line) return slots_[k].index;
        k = (k + 1) & 255;
    }
    slots_[k] = {stamp_, count_};
    lines_[count_] = LineAccess{line, 0, 0, 0};
    bytes_[count_] = {0, 0};
    return count_++;
}

std::span<const LineAccess> Coalescer::coalesce(const DynInst& inst, u32 access_bytes, bool want_partial) {
    count_ = 0;
    if (++stamp_ == 0) {
        slots_.fill({});
        stamp_ = 1;
    }
    if (inst.form == AddressForm::strided) {
        const u64 base = u64{inst.payload[0]} | u64{inst.payload[1]} << 32;
        const i32 stride = static_cast<i32>(inst.payload[2]);
        const u32 lanes = static_cast<u32>(std::popcount(inst.mask));
        if (stride == static_cast<i32>(access_bytes) && base % access_bytes == 0 &&
            base + u64{lanes} * access_bytes - 1 >= base) {
            run(base, base + u64{lanes} * access_bytes - 1);
            for (u32 k = 0; k < count_; ++k) {
                LineAccess& l = lines_[k];
                const u64 first = l.line == base >> kLineShift ? base : l.line << kLineShift;
                const u64 end = base + u64{lanes} * access_bytes;
                const u64 stop = end < (l.line + 1) << kLineShift ? end : (l.line + 1) << kLineShift;
                l.lanes = static_cast<u8>((stop - first) / access_bytes);
            }
            if (want_partial) mark_partial();
            return {lines_.data(), count_};
        }
    }
    for_each_address(inst, [&](int, u64 address) {
        const u64 last = address + access_bytes - 1;
        if (last < address) beyond_the_end(address);
        const u32 k = at(address >> kLineShift);
        ++lines_[k].lanes;
        if (last >> kLineShift == address >> kLineShift) {
            const u32 a = static_cast<u32>(address % kLineBytes), b = static_cast<u32>(last % kLineBytes);
            lines_[k].sectors |= sector_range(a, b);
            if (want_partial) {
                const Bytes mask = byte_range(a, b);
                bytes_[k][0] |= mask[0];
                bytes_[k][1] |= mask[1];
            }
        } else {
            run(address, last);
        }
    });
    if (want_partial) mark_partial();
    return {lines_.data(), count_};
}

void Coalescer::find_busiest_words(const DynInst& inst) {
    std::array<std::array<u8, kLineBytes / 4>, kMost> lanes;
    std::fill_n(lanes.begin(), count_, std::array<u8, kLineBytes / 4>{});
    for_each_address(inst,
                     [&](int, u64 address) { ++lanes[at(address >> kLineShift)][address % kLineBytes / 4]; });
    for (u32 k = 0; k < count_; ++k) {
        const auto busiest = std::max_element(lanes[k].begin(), lanes[k].end());
        lines_[k].busiest_word = static_cast<u8>(busiest - lanes[k].begin());
        lines_[k].busiest_lanes = *busiest;
    }
}

/// Touches the bytes first..last.
void Coalescer::run(u64 first, u64 last) {
    for (u64 line = first >> kLineShift; line <= last >> kLineShift; ++line) {
        const u32 a = line == first >> kLineShift ? static_cast<u32>(first % kLineBytes) : 0;
        const u32 b = line == last >> kLineShift ? static_cast<u32>(last % kLineBytes) : kLineBytes - 1;
        const u32 k = at(line);
        lines_[k].sectors |= sector_range(a, b);
        const Bytes mask = byte_range(a, b);
        bytes_[k][0] |= mask[0];
        bytes_[k][1] |= mask[1];
    }
}

void Coalescer::mark_partial() {
    for (u32 k = 0; k < count_; ++k)
        for (u32 s = 0; s < kSectors; ++s) {
            const u32 bytes = static_cast<u32>(bytes_[k][s / 2] >> (32 * (s % 2)));
            if ((lines_[k].sectors >> s & 1) != 0 && bytes != ~u32{0})
                lines_[k].partial |= static_cast<u8>(1u << s);
        }
}

u32 bank_passes(const DynInst& inst, u32 access_bytes, u32 banks, bool atomic) {
    if (inst.mask == 0) return 0;
    // Wide accesses are served in groups of lanes whose data fill the banks once.
    const u32 words = access_bytes <= 4 ? 1 : access_bytes / 4;
    const int group_lanes = static_cast<int>(banks / words == 0 ? 1 : banks / words);
    if (inst.form == AddressForm::strided && access_bytes == 4 && banks == 32 && !atomic &&
        inst.payload[2] == 4)
        return ((inst.mask & 0xffffffff) != 0) + (inst.mask >> 32 != 0);  // consecutive words never conflict
    std::array<u64, kMaxLanes> lane_word;
    std::array<int, kMaxLanes> lane_of;
    u32 n = 0;
    for_each_address(inst, [&](int lane, u64 address) {
        lane_word[n] = address / 4;
        lane_of[n++] = lane;
    });
    u32 passes = 0;
    for (u32 k = 0; k < n;) {
        const int group = lane_of[k] / group_lanes;
        // Words of the group, a list for each bank threaded through `next`.
        std::array<u8, 64> head, degree{};
        head.fill(0xff);
        std::array<u64, 2 * kMaxLanes> seen;
        std::array<u8, 2 * kMaxLanes> next;
        u32 used = 0, most = 0;
        for (; k < n && lane_of[k] / group_lanes == group; ++k)
            for (u32 w = 0; w < words; ++w) {
                const u64 word = lane_word[k] + w;
                const u32 bank = static_cast<u32>(word % banks);
                bool shared = false;
                for (u32 j = head[bank]; j != 0xff && !shared && !atomic; j = next[j])
                    shared = seen[j] == word;
                if (shared) continue;
                seen[used] = word;
                next[used] = head[bank];
                head[bank] = static_cast<u8>(used++);
                if (++degree[bank] > most) most = degree[bank];
            }
        passes += most;
    }
    return passes;
}

}  // namespace heddle
