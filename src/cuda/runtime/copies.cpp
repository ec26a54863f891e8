// cudaMemcpy and cudaMemset in all their forms.

#include "cuda/runtime/copy.h"

using namespace heddle::cuda;
using heddle::u32;
using heddle::u64;

namespace {

u64 at(const void* p) {
    return reinterpret_cast<u64>(p);
}

cudaError_t linear(const char* name, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                   cudaStream_t stream, bool async) {
    return call(name, [&](Runtime& r) {
        copy(r, {at(to), bytes, bytes}, {at(from), bytes, bytes}, {bytes, 1, 1}, kind, stream, async);
    });
}

cudaError_t pitched(const char* name, void* to, size_t to_pitch, const void* from, size_t from_pitch,
                    size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    return call(name, [&](Runtime& r) {
        copy(r, {at(to), to_pitch, 0}, {at(from), from_pitch, 0}, {width, height, 1}, kind, stream, async);
    });
}

cudaError_t symbol(const char* name, const void* host, void* other, size_t bytes, size_t offset,
                   cudaMemcpyKind kind, cudaStream_t stream, bool async, bool to_symbol) {
    return call(name, [&](Runtime& r) {
        const heddle::ptx::Symbol& s = r.symbol(host);
        require(offset + bytes <= s.decl.bytes);
        const u64 there = s.address + offset;
        const u64 to = to_symbol ? there : at(other), from = to_symbol ? at(other) : there;
        copy(r, {to, bytes, bytes}, {from, bytes, bytes}, {bytes, 1, 1}, kind, stream, async);
    });
}

/// Bytes of an array from (x, y) on, row by row, as cudaMemcpyToArray counts them.
void array_linear(Runtime& r, const Array& a, size_t x, size_t y, void* other, size_t bytes,
                  cudaMemcpyKind kind, cudaStream_t stream, bool async, bool to_array) {
    const u64 row = a.extent.width * a.texel_bytes();
    u64 done = 0;
    while (done < bytes) {
        require(y < a.rows() && x < row);
        const u64 n = std::min<u64>(row - x, bytes - done);
        const Rows there = array_rows(a, x, y, 0), here{at(other) + done, n, n};
        copy(r, to_array ? there : here, to_array ? here : there, {n, 1, 1}, kind, stream, async);
        done += n;
        x = 0;
        ++y;
    }
}

void array_rectangle(Runtime& r, cudaArray_const_t handle, size_t x, size_t y, void* other, size_t pitch,
                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool async,
                     bool to_array) {
    const Array& a = r.array(handle);
    require(x + width <= a.extent.width * a.texel_bytes() && y + height <= a.rows());
    const Rows there = array_rows(a, x, y, 0), here{at(other), pitch, 0};
    copy(r, to_array ? there : here, to_array ? here : there, {width, height, 1}, kind, stream, async);
}

cudaError_t fill_call(const char* name, u64 address, u64 pitch, u64 slice, Box box, int value,
                      cudaStream_t stream, bool async) {
    return call(name, [&](Runtime& r) {
        fill(r, {address, pitch, slice}, box, static_cast<u32>(value), 1, stream, async);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return linear("cudaMemcpy", to, from, bytes, kind, nullptr, false);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return linear("cudaMemcpyAsync", to, from, bytes, kind, stream, true);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return linear("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice, nullptr, false);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
    return linear("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream, true);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
    return pitched("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return pitched("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream, true);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    return call("cudaMemcpy3D", [&](Runtime& r) { copy_3d(r, *p, nullptr, false); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    return call("cudaMemcpy3DAsync", [&](Runtime& r) { copy_3d(r, *p, stream, true); });
}
cudaError_t cudaMemcpyToSymbol(const void* host, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    return symbol("cudaMemcpyToSymbol", host, const_cast<void*>(from), bytes, offset, kind, nullptr, false,
                  true);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* host, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return symbol("cudaMemcpyToSymbolAsync", host, const_cast<void*>(from), bytes, offset, kind, stream, true,
                  true);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* host, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    return symbol("cudaMemcpyFromSymbol", host, to, bytes, offset, kind, nullptr, false, false);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* host, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return symbol("cudaMemcpyFromSymbolAsync", host, to, bytes, offset, kind, stream, true, false);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
    return call("cudaMemcpyToArray", [&](Runtime& r) {
        array_linear(r, r.array(to), x, y, const_cast<void*>(from), bytes, kind, nullptr, false, true);
    });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyToArrayAsync", [&](Runtime& r) {
        array_linear(r, r.array(to), x, y, const_cast<void*>(from), bytes, kind, stream, true, true);
    });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    return call("cudaMemcpyFromArray", [&](Runtime& r) {
        array_linear(r, r.array(from), x, y, to, bytes, kind, nullptr, false, false);
    });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyFromArrayAsync", [&](Runtime& r) {
        array_linear(r, r.array(from), x, y, to, bytes, kind, stream, true, false);
    });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2DToArray", [&](Runtime& r) {
        array_rectangle(r, to, x, y, const_cast<void*>(from), pitch, width, height, kind, nullptr, false,
                        true);
    });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpy2DToArrayAsync", [&](Runtime& r) {
        array_rectangle(r, to, x, y, const_cast<void*>(from), pitch, width, height, kind, stream, true, true);
    });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2DFromArray", [&](Runtime& r) {
        array_rectangle(r, from, x, y, to, pitch, width, height, kind, nullptr, false, false);
    });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return call("cudaMemcpy2DFromArrayAsync", [&](Runtime& r) {
        array_rectangle(r, from, x, y, to, pitch, width, height, kind, stream, true, false);
    });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from, size_t fx,
                                     size_t fy, size_t width, size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2DArrayToArray", [&](Runtime& r) {
        const Array &t = r.array(to), &f = r.array(from);
        require(tx + width <= t.extent.width * t.texel_bytes() && ty + height <= t.rows());
        require(fx + width <= f.extent.width * f.texel_bytes() && fy + height <= f.rows());
        copy(r, array_rows(t, tx, ty, 0), array_rows(f, fx, fy, 0), {width, height, 1}, kind, nullptr, false);
    });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t tx, size_t ty, cudaArray_const_t from, size_t fx,
                                   size_t fy, size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpy2DArrayToArray(to, tx, ty, from, fx, fy, bytes, 1, kind);
}

cudaError_t cudaMemset(void* p, int value, size_t bytes) {
    return fill_call("cudaMemset", at(p), bytes, bytes, {bytes, 1, 1}, value, nullptr, false);
}
cudaError_t cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream) {
    return fill_call("cudaMemsetAsync", at(p), bytes, bytes, {bytes, 1, 1}, value, stream, true);
}
cudaError_t cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
    return fill_call("cudaMemset2D", at(p), pitch, 0, {width, height, 1}, value, nullptr, false);
}
cudaError_t cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return fill_call("cudaMemset2DAsync", at(p), pitch, 0, {width, height, 1}, value, stream, true);
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
    return fill_call("cudaMemset3D", at(p.ptr), p.pitch, p.pitch * p.ysize, {e.width, e.height, e.depth},
                     value, nullptr, false);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream) {
    return fill_call("cudaMemset3DAsync", at(p.ptr), p.pitch, p.pitch * p.ysize, {e.width, e.height, e.depth},
                     value, stream, true);
}

}  // extern "C"
