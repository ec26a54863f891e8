#include "cuda/runtime/copy.h"

#include <cstring>

namespace heddle::cuda {
namespace {

bool rows_are_one(const Rows& r, const Box& b) {
    return (b.rows == 1 || r.pitch == b.width) && (b.slices == 1 || r.slice == b.width * b.rows);
}

/// Calls act(to, from, bytes) for each contiguous run.
template <class Act>
void for_each_run(const Rows& to, const Rows& from, const Box& box, Act act) {
    if (box.empty()) return;
    if (rows_are_one(to, box) && rows_are_one(from, box))
        return act(to.address, from.address, box.width * box.rows * box.slices);
    for (u64 z = 0; z < box.slices; ++z)
        for (u64 y = 0; y < box.rows; ++y)
            act(to.address + z * to.slice + y * to.pitch, from.address + z * from.slice + y * from.pitch,
                box.width);
}

CopyKind direction(bool to_device, bool from_device) {
    return !to_device    ? CopyKind::device_to_host
           : from_device ? CopyKind::device_to_device
                         : CopyKind::host_to_device;
}

}  // namespace

bool known(Runtime& r, u64 address) {
    return r.memory().find(address) != nullptr;
}

bool on_device(Runtime& r, u64 address) {
    const ptx::Allocation* a = r.memory().find(address);
    return a != nullptr && a->kind != ptx::MemoryKind::host && a->kind != ptx::MemoryKind::registered;
}

void check(Runtime& r, const Rows& rows, const Box& box) {
    if (box.empty()) return;
    require(rows.address != 0);
    // Host memory of the program's own can't be checked; everything in the arenas can.
    const bool arena = rows.address >= ptx::kSharedWindow && rows.address < ptx::kArenasEnd;
    if (!arena && !known(r, rows.address)) return;
    const u64 bytes = (box.slices - 1) * rows.slice + (box.rows - 1) * rows.pitch + box.width;
    if (r.memory().accessible(rows.address, bytes)) return;
    r.note("a copy or fill of " + std::to_string(bytes) +
           " bytes leaves its allocation: " + r.memory().describe(rows.address));
    throw CudaError{cudaErrorInvalidValue};
}

void copy(Runtime& r, Rows to, Rows from, Box box, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
    require(box.rows <= 1 || (box.width <= to.pitch && box.width <= from.pitch), cudaErrorInvalidPitchValue);
    check(r, to, box);
    check(r, from, box);
    const bool to_device = on_device(r, to.address), from_device = on_device(r, from.address);
    // A device address that is given as the host's, or the other way round, is an error of the program.
    const bool says_to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool says_from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind != cudaMemcpyDefault && !box.empty())
        require((!says_to_device || known(r, to.address)) && (!says_from_device || known(r, from.address)));
    r.submit(stream, cudaGraphNodeTypeMemcpy, [&r, to, from, box, to_device, from_device](Stream& s) {
        u64 bytes = 0;
        for_each_run(to, from, box, [&](u64 t, u64 f, u64 n) {
            std::memmove(reinterpret_cast<void*>(t), reinterpret_cast<const void*>(f), n);
            bytes += n;
            // The program's own memory lies elsewhere in each run; its place means nothing to timing.
            if (to_device || from_device)
                r.record(CopyEvent{direction(to_device, from_device), known(r, t) ? t : 0,
                                   known(r, f) ? f : 0, n, s.number});
        });
        r.add_copy_time(bytes);
    });
    if (!async) r.host_waits(stream);
}

void fill(Runtime& r, Rows to, Box box, u32 value, u32 element, cudaStream_t stream, bool async) {
    check(r, to, box);
    require(box.empty() || known(r, to.address));
    require(box.rows <= 1 || box.width <= to.pitch, cudaErrorInvalidPitchValue);
    r.submit(stream, cudaGraphNodeTypeMemset, [&r, to, box, value, element](Stream& s) {
        u64 bytes = 0;
        for_each_run(to, to, box, [&](u64 t, u64, u64 n) {
            auto* p = reinterpret_cast<unsigned char*>(t);
            if (element == 1)
                std::memset(p, static_cast<int>(value & 0xff), n);
            else
                for (u64 k = 0; k < n; k += element) std::memcpy(p + k, &value, element);
            bytes += n;
            r.record(CopyEvent{CopyKind::set, t, 0, n, s.number});
        });
        r.add_copy_time(bytes);
    });
    if (!async) r.host_waits(stream);
}

Rows array_rows(const Array& array, u64 x, u64 y, u64 z) {
    return {array.address + z * array.slice + y * array.pitch + x, array.pitch, array.slice};
}

void copy_3d(Runtime& r, const cudaMemcpy3DParms& p, cudaStream_t stream, bool async) {
    const auto* from_array = p.srcArray ? &r.array(p.srcArray) : nullptr;
    const auto* to_array = p.dstArray ? &r.array(p.dstArray) : nullptr;
    // With an array at either end, widths and x are counted in its elements, else in bytes.
    const u64 element = from_array ? from_array->texel_bytes() : to_array ? to_array->texel_bytes() : 1;
    auto rows = [&](const Array* array, const cudaPitchedPtr& pitched, const cudaPos& at) {
        if (array != nullptr) return array_rows(*array, at.x * array->texel_bytes(), at.y, at.z);
        const u64 slice = pitched.pitch * pitched.ysize;
        // x of a pointer is in bytes, but in elements if an array takes part.
        return Rows{reinterpret_cast<u64>(pitched.ptr) + at.z * slice + at.y * pitched.pitch + at.x * element,
                    pitched.pitch, slice};
    };
    const Box box{p.extent.width * element, p.extent.height, p.extent.depth};
    auto inside = [&](const Array* a, const cudaPos& at) {
        return a == nullptr || (at.x + p.extent.width <= a->extent.width &&
                                at.y + p.extent.height <= a->rows() && at.z + p.extent.depth <= a->slices());
    };
    require(inside(from_array, p.srcPos) && inside(to_array, p.dstPos));
    copy(r, rows(to_array, p.dstPtr, p.dstPos), rows(from_array, p.srcPtr, p.srcPos), box, p.kind, stream,
         async);
}

}  // namespace heddle::cuda
