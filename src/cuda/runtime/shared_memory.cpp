#include "cuda/runtime/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;
using heddle::AllocEvent;
using heddle::FreeEvent;
using heddle::u64;
using heddle::ptx::MemoryKind;

namespace {

constexpr u64 kPage = 4096;
constexpr char kMemoryMagic[8] = "heddleM", kEventMagic[8] = "heddleE";

/// The pages that are in the process's file; of each the offset there is its address less that of the device's first.
struct SharedPages {
    int file = -1, process = 0;
    std::map<u64, u64> ranges;  // begin -> end, apart from one another
};
SharedPages shared_pages;

struct OpenedMemory {
    u64 begin, bytes;  // of the pages
};
std::map<u64, OpenedMemory> opened;  // by the address that the program has

u64 page_down(u64 v) {
    return v / kPage * kPage;
}
u64 page_up(u64 v) {
    return page_down(v + kPage - 1);
}

/// The process's file. One that the program forked has its parent's pages as its own, and gives away none of them.
int shared_file() {
    if (shared_pages.file >= 0 && shared_pages.process == getpid()) return shared_pages.file;
    shared_pages = {memfd_create("heddle-device", MFD_CLOEXEC), getpid(), {}};
    require(shared_pages.file >= 0, cudaErrorOperatingSystem);
    return shared_pages.file;
}

void map_file(u64 at, u64 bytes, int file, u64 offset) {
    require(mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                 static_cast<off_t>(offset)) != MAP_FAILED,
            cudaErrorMapBufferObjectFailed);
}
void map_own(u64 at, u64 bytes) {
    require(mmap(reinterpret_cast<void*>(at), bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED,
            cudaErrorMapBufferObjectFailed);
}

bool is_shared(u64 page) {
    const auto after = shared_pages.ranges.upper_bound(page);
    return after != shared_pages.ranges.begin() && std::prev(after)->second > page;
}

/// Moves pages that are the process's own to its file. Those that hold zeros take no room there.
void move_to_file(u64 begin, u64 end, int file) {
    static constexpr std::array<char, kPage> kZeros{};
    require(ftruncate(file, static_cast<off_t>(heddle::ptx::kArenasEnd - heddle::ptx::kSharedWindow)) == 0,
            cudaErrorOperatingSystem);
    for (u64 page = begin; page < end; page += kPage) {
        const void* const data = reinterpret_cast<const void*>(page);
        if (std::memcmp(data, kZeros.data(), kPage) == 0) continue;
        require(pwrite(file, data, kPage, static_cast<off_t>(page - heddle::ptx::kSharedWindow)) ==
                    static_cast<ssize_t>(kPage),
                cudaErrorMemoryAllocation);
    }
    map_file(begin, end - begin, file, begin - heddle::ptx::kSharedWindow);
    shared_pages.ranges[begin] = end;
}

void check_own(bool own) {
    // As on a card: a process has its own memory already.
    require(!own, cudaErrorDeviceUninitialized);
}

struct EventHandle {
    char magic[8];
    int process;
    u64 event;
};

template <class Handle, class Out>
void give_handle(const Handle& handle, Out* out) {
    static_assert(sizeof(Handle) <= sizeof(Out));
    require(out != nullptr);
    std::memset(static_cast<void*>(out), 0, sizeof *out);
    std::memcpy(static_cast<void*>(out), &handle, sizeof handle);
}

}  // namespace

namespace heddle::cuda {

SharedHandle share_memory(Runtime& r, u64 address) {
    const ptx::Allocation* a = r.memory().find(address);
    require(a != nullptr && a->kind == MemoryKind::device);
    // What another process gave is not this one's to give.
    for (const auto& [at, pages] : opened) require(pages.begin != a->address);
    const int file = shared_file();
    const u64 begin = page_down(a->address), end = page_up(a->end());
    for (u64 page = begin; page < end;) {
        u64 next = page + kPage;
        if (is_shared(page)) {
            page = next;
            continue;
        }
        while (next < end && !is_shared(next)) next += kPage;
        move_to_file(page, next, file);
        page = next;
    }
    SharedHandle handle{{}, getpid(), file, a->address - ptx::kSharedWindow, a->bytes};
    std::memcpy(handle.magic, kMemoryMagic, sizeof handle.magic);
    return handle;
}

u64 open_shared(Runtime& r, const SharedHandle& handle) {
    require(std::memcmp(handle.magic, kMemoryMagic, sizeof handle.magic) == 0,
            cudaErrorInvalidResourceHandle);
    const std::string path = "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    require(file >= 0, cudaErrorInvalidResourceHandle);
    const u64 first = page_down(handle.offset), bytes = page_up(handle.offset + handle.bytes) - first;
    const u64 at = r.memory().allocate(MemoryKind::device, bytes, kPage, "memory of another process");
    try {
        require(at != 0, cudaErrorMemoryAllocation);
        map_file(at, bytes, file, first);
    } catch (...) {
        r.memory().free(MemoryKind::device, at);
        close(file);
        throw;
    }
    close(file);
    const u64 address = at + (handle.offset - first);
    opened[address] = {at, bytes};
    r.record(AllocEvent{at, bytes, AllocEvent::Kind::device});
    return address;
}

bool close_shared(Runtime& r, u64 address) {
    const auto at = opened.find(address);
    if (at == opened.end()) return false;
    const OpenedMemory gone = at->second;
    opened.erase(at);
    map_own(gone.begin, gone.bytes);
    r.memory().free(MemoryKind::device, gone.begin);
    r.record(FreeEvent{gone.begin});
    return true;
}

void unshare(u64 begin, u64 end) {
    auto& ranges = shared_pages.ranges;
    if (ranges.empty()) return;
    // Pages that hold something of neighbours stay where they are. Whoever frees them gives no page of a file back: the last one
    // would keep what it holds.
    const u64 last_page = page_down(end);
    if (last_page >= begin && is_shared(last_page))
        std::memset(reinterpret_cast<void*>(last_page), 0, end - last_page);
    begin = page_up(begin);
    end = last_page;
    for (auto at = ranges.begin(); at != ranges.end();) {
        const auto [from, to] = *at;
        const u64 first = std::max(from, begin), last = std::min(to, end);
        if (first >= last) {
            ++at;
            continue;
        }
        map_own(first, last - first);
        at = ranges.erase(at);
        if (from < first) ranges[from] = first;
        if (last < to) ranges[last] = to;
    }
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
    return call("cudaIpcGetMemHandle",
                [&](Runtime& r) { give_handle(share_memory(r, reinterpret_cast<u64>(pointer)), handle); });
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int) {
    return call("cudaIpcOpenMemHandle", [&](Runtime& r) {
        require(pointer != nullptr);
        SharedHandle shared;
        std::memcpy(&shared, &handle, sizeof shared);
        check_own(shared.process == getpid());
        *pointer = reinterpret_cast<void*>(open_shared(r, shared));
    });
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) {
    return call("cudaIpcCloseMemHandle",
                [&](Runtime& r) { require(close_shared(r, reinterpret_cast<u64>(pointer))); });
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
    return call("cudaIpcGetEventHandle", [&](Runtime& r) {
        require(r.event(event).interprocess, cudaErrorInvalidResourceHandle);
        EventHandle e{{}, getpid(), reinterpret_cast<u64>(event)};
        std::memcpy(e.magic, kEventMagic, sizeof e.magic);
        give_handle(e, handle);
    });
}
/// What the other process has recorded is done. The event is one of this process's, which is not recorded.
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
    return call("cudaIpcOpenEventHandle", [&](Runtime& r) {
        require(event != nullptr);
        EventHandle e;
        std::memcpy(&e, &handle, sizeof e);
        require(std::memcmp(e.magic, kEventMagic, sizeof e.magic) == 0, cudaErrorInvalidResourceHandle);
        check_own(e.process == getpid());
        *event = r.add_event(cudaEventDisableTiming);
    });
}

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
    return driver_call([&] {
        return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), pointer_at(pointer));
    });
}
CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
    cudaIpcMemHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    return driver_call([&] { return cudaIpcOpenMemHandle(reinterpret_cast<void**>(pointer), same, flags); });
}
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
    return driver_call([&] { return cudaIpcCloseMemHandle(pointer_at(pointer)); });
}
CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
    return driver_call(
        [&] { return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event); });
}
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
    cudaIpcEventHandle_t same;
    std::memcpy(&same, &handle, sizeof same);
    return driver_call([&] { return cudaIpcOpenEventHandle(event, same); });
}

}  // extern "C"
