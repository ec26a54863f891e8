#include "sim/heap.h"

#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle {

void use_large_pages() {
    constexpr int kStep = 64 << 20;
    constexpr std::uintptr_t kPage = 2 << 20;
    constexpr std::size_t kProbe = 192 << 10, kLead = 256 << 10;
    mallopt(M_TOP_PAD, kStep);
    mallopt(M_TRIM_THRESHOLD, kStep * 2);
    mallopt(M_MMAP_THRESHOLD, kStep);
    // The heap goes on just before a boundary of large pages. The allocator writes its marks there when it grows: a single
    // small page in use behind the boundary would keep its large page away.
    const auto top = reinterpret_cast<std::uintptr_t>(sbrk(0));
    sbrk(static_cast<std::intptr_t>((std::uintptr_t{0} - kLead - top) & (kPage - 1)));
    void* probe = std::malloc(kProbe);  // more than there is: makes the heap grow by a step
    const auto begin = (reinterpret_cast<std::uintptr_t>(probe) + kPage - 1) & ~(kPage - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) & ~(kPage - 1);
    if (probe != nullptr && begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    std::free(probe);
}

}  // namespace heddle
