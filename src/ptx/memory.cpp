#include "ptx/memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

#include "ptx/memory_check.h"
#include "sim/error.h"

namespace heddle::ptx {

std::string hex(u64 v) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string s;
    do s.insert(s.begin(), kDigits[v & 15]);
    while ((v >>= 4) != 0);
    return "0x" + s;
}

namespace {

struct Arena {
    u64 base, bytes;
    std::string_view name;
    u64 before = 0;  // zeros below the base, which nothing is allocated from

    void* begin() const { return reinterpret_cast<void*>(base - before); }
    u64 reserved() const { return bytes + before; }
};

constexpr u64 kTiB = u64{1} << 40;
constexpr std::array<Arena, static_cast<std::size_t>(MemoryKind::count_)> kArenas{{
    // Rodinia's srad reads a row before its image, its first allocation, and works on cards: these must have mapped memory
    // there, probably the driver's.
    {0x2000'0000'0000, 2 * kTiB, "device", kDevicePage},
    {0x2400'0000'0000, 2 * kTiB, "managed"},
    {0x2800'0000'0000, 1 * kTiB, "host"},
    {0x2a00'0000'0000, kTiB / 16, "module"},
    {0x2b00'0000'0000, kTiB / 16, "constant"},
    {0x2c00'0000'0000, kTiB / 4, "heap"},
    {0, 0, "registered host"},
}};

static_assert(std::all_of(kArenas.begin(), kArenas.end(),
                          [](const Arena& a) { return a.base + a.bytes <= kArenasEnd; }));

constexpr u64 kLargeGrain = u64{2} << 20, kLargeFrom = u64{1} << 20;
constexpr u64 kGrain = 512, kHeapGrain = 16, kVariableGrain = 4;
constexpr std::size_t kFreedKept = 1024;

bool reserved = false;

std::size_t index(MemoryKind kind) {
    return static_cast<std::size_t>(kind);
}
u64 round_up(u64 v, u64 grain) {
    return ceil_div(v, grain) * grain;
}

u64 grain_of(MemoryKind kind, u64 bytes) {
    switch (kind) {
        case MemoryKind::heap:
            return kHeapGrain;
        case MemoryKind::module:
        case MemoryKind::constant:
            return kVariableGrain;
        default:
            return bytes >= kLargeFrom ? kLargeGrain : kGrain;
    }
}

std::string with_commas(u64 v) {
    std::string s = std::to_string(v);
    for (std::size_t at = s.size(); at > 3; at -= 3) s.insert(at - 3, ",");
    return s;
}

std::string where(const Allocation& a, u64 address) {
    std::string s;
    if (address < a.address)
        s = with_commas(a.address - address) + " bytes before the ";
    else if (address >= a.end())
        s = with_commas(address - a.end()) + " bytes after the end of the ";
    else
        s = "byte " + with_commas(address - a.address) + " of the ";
    s += with_commas(a.bytes) + "-byte ";
    s += a.name.empty() ? std::string(memory_kind_name(a.kind)) + " allocation" : "variable '" + a.name + "'";
    return s + " at " + hex(a.address);
}

}  // namespace

std::string_view memory_kind_name(MemoryKind kind) {
    return kArenas[index(kind)].name;
}

DeviceMemory::DeviceMemory(u64 device_bytes, u64 heap_bytes) {
    if (reserved) throw InputError("device memory: a process can hold only one at a time");
    for (std::size_t k = 0; k < kArenas.size(); ++k) {
        const Arena& arena = kArenas[k];
        limit_[k] = arena.bytes;
        if (arena.bytes == 0) continue;
        void* want = arena.begin();
        void* got = mmap(want, arena.reserved(), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got != want) {
            for (std::size_t j = 0; j < k; ++j) munmap(kArenas[j].begin(), kArenas[j].reserved());
            throw InputError("device memory: the address range of the " + std::string(arena.name) +
                             " arena (" + hex(arena.base) + ") can't be reserved: " + std::strerror(errno));
        }
        holes_[k].emplace(arena.base, arena.bytes);
    }
    limit_[index(MemoryKind::device)] = device_bytes;
    limit_[index(MemoryKind::heap)] = heap_bytes;
    reserved = true;
}

DeviceMemory::~DeviceMemory() {
    for (const Arena& arena : kArenas)
        if (arena.bytes != 0) munmap(arena.begin(), arena.reserved());
    reserved = false;
}

u64 DeviceMemory::allocate(MemoryKind kind, u64 bytes, u32 align, std::string_view name) {
    const std::size_t k = index(kind);
    if (bytes == 0 || bytes > limit_[k] || used_[k] > limit_[k] - bytes) return 0;
    const u64 grain = grain_of(kind, bytes);
    const u64 step = align > grain ? align : grain;
    // Small allocations keep a gap, so that running past the end is not a neighbor's first byte.
    const u64 need = round_up(grain == kLargeGrain ? bytes : bytes + 1, grain);
    for (auto hole = holes_[k].begin(); hole != holes_[k].end(); ++hole) {
        const auto [start, size] = *hole;
        const u64 at = round_up(start, step);
        if (at - start + need > size) continue;
        holes_[k].erase(hole);
        if (at > start) holes_[k].emplace(start, at - start);
        if (at + need < start + size) holes_[k].emplace(at + need, start + size - at - need);
        for (auto f = freed_.lower_bound(at); f != freed_.end() && f->first < at + need;) f = freed_.erase(f);
        live_.emplace(at, Allocation{at, bytes, kind, std::string(name)});
        used_[k] += bytes;
        ++generation_;
        return at;
    }
    return 0;
}

bool DeviceMemory::free(MemoryKind kind, u64 address) {
    const auto at = live_.find(address);
    if (at == live_.end() || at->second.kind != kind || kind == MemoryKind::registered) return false;
    const Allocation gone = at->second;
    live_.erase(at);
    const std::size_t k = index(kind);
    used_[k] -= gone.bytes;
    ++generation_;
    const u64 grain = grain_of(kind, gone.bytes);
    u64 start = address, size = round_up(grain == kLargeGrain ? gone.bytes : gone.bytes + 1, grain);
    // The next owner of these addresses must see zeros; whole pages go back to the system.
    constexpr u64 kPage = 4096;
    const u64 first_page = round_up(start, kPage), last_page = (start + size) / kPage * kPage;
    if (first_page < last_page) {
        std::memset(reinterpret_cast<void*>(start), 0, first_page - start);
        madvise(reinterpret_cast<void*>(first_page), last_page - first_page, MADV_DONTNEED);
        std::memset(reinterpret_cast<void*>(last_page), 0, start + size - last_page);
    } else {
        std::memset(reinterpret_cast<void*>(start), 0, size);
    }
    auto& holes = holes_[k];
    auto next = holes.lower_bound(start);
    if (next != holes.end() && next->first == start + size) {
        size += next->second;
        next = holes.erase(next);
    }
    if (next != holes.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == start) {
            start = before->first;
            size += before->second;
            holes.erase(before);
        }
    }
    holes.emplace(start, size);
    if (freed_.size() >= kFreedKept) freed_.erase(freed_.begin());
    freed_.insert_or_assign(address, gone);
    return true;
}

bool DeviceMemory::register_host(void* address, u64 bytes, MemoryKind kind) {
    const u64 at = reinterpret_cast<u64>(address);
    if (bytes == 0) return false;
    const auto next = live_.lower_bound(at);
    if (next != live_.end() && next->first < at + bytes) return false;
    if (next != live_.begin() && std::prev(next)->second.end() > at) return false;
    live_.emplace(at, Allocation{at, bytes, kind, {}});
    ++generation_;
    return true;
}

bool DeviceMemory::unregister_host(void* address) {
    const auto at = live_.find(reinterpret_cast<u64>(address));
    if (at == live_.end() || at->second.kind != MemoryKind::registered) return false;
    live_.erase(at);
    ++generation_;
    return true;
}

const Allocation* DeviceMemory::find(u64 address) const {
    const auto next = live_.upper_bound(address);
    if (next == live_.begin()) return nullptr;
    const Allocation& a = std::prev(next)->second;
    return address < a.end() ? &a : nullptr;
}

const Allocation* DeviceMemory::nearest(u64 address) const {
    const auto next = live_.upper_bound(address);
    const Allocation* above = next == live_.end() ? nullptr : &next->second;
    if (next == live_.begin()) return above;
    const Allocation* below = &std::prev(next)->second;
    if (above == nullptr || address < below->end()) return below;
    return address - below->end() <= above->address - address ? below : above;
}

std::string DeviceMemory::describe(u64 address) const {
    const auto f = freed_.upper_bound(address);
    if (find(address) == nullptr && f != freed_.begin() && address < std::prev(f)->second.end())
        return where(std::prev(f)->second, address) + ", which was freed";
    const Allocation* a = nearest(address);
    return a == nullptr ? "there are no allocations" : where(*a, address);
}

bool DeviceMemory::in_used_page(u64 address, u64 bytes) const {
    const u64 page = address / kDevicePage * kDevicePage;
    if (address + bytes > page + kDevicePage) return false;
    // Registered memory is the program's own: what lies beside it need not be there.
    const auto arena = std::find_if(kArenas.begin(), kArenas.end(), [&](const Arena& a) {
        return page - (a.base - a.before) < a.reserved();
    });
    if (arena == kArenas.end()) return false;
    const u64 used = std::max(page, arena->base);  // what is below the base counts with the first page
    const auto next = live_.lower_bound(used + kDevicePage);
    return next != live_.begin() && std::prev(next)->second.end() > used;
}

bool DeviceMemory::accessible(u64 address, u64 bytes) const {
    const Allocation* a = find(address);
    return a != nullptr && bytes <= a->end() - address;
}

}  // namespace heddle::ptx
