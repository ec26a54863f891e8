#pragma once
// Copies and fills as rows of bytes: what every form of cudaMemcpy and cudaMemset comes down to.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// `slices` of `rows` of `width` bytes.
struct Rows {
    u64 address = 0;
    u64 pitch = 0, slice = 0;  // bytes from row to row and from slice to slice
};
struct Box {
    u64 width = 0, rows = 1, slices = 1;
    bool empty() const { return width == 0 || rows == 0 || slices == 0; }
};

/// Is it memory that a kernel may touch (device, managed, pinned or registered)?
bool known(Runtime& r, u64 address);
/// Is it on the device's side of a copy?
bool on_device(Runtime& r, u64 address);
/// Every byte that device memory contributes must be allocated. Throws cudaErrorInvalidValue.
void check(Runtime& r, const Rows& rows, const Box& box);
/// Copies, records it, and (unless asynchronous) has the host wait.
void copy(Runtime& r, Rows to, Rows from, Box box, cudaMemcpyKind kind, cudaStream_t stream, bool async);
void fill(Runtime& r, Rows to, Box box, u32 value, u32 element, cudaStream_t stream, bool async);
/// Where element (x bytes, y, z) of an array stands.
Rows array_rows(const Array& array, u64 x, u64 y, u64 z);
void copy_3d(Runtime& r, const cudaMemcpy3DParms& p, cudaStream_t stream, bool async);

}  // namespace heddle::cuda
