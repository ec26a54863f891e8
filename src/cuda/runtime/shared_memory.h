#pragma once
// Device memory that several processes have. The pages of an allocation that is given away move to a file in memory, at the place
// that they have in the device's range of addresses; who has the handle maps the same pages. A call executes when it is made, so
// what one process has called is done when another looks.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// What stands in cudaIpcMemHandle_t and cudaMemPoolPtrExportData: the process, its file, and where the bytes are in it.
struct SharedHandle {
    char magic[8];
    int process, file;
    u64 offset, bytes;
};
static_assert(sizeof(SharedHandle) <= 64);

/// Gives away the allocation that begins at the address. Throws.
SharedHandle share_memory(Runtime& r, u64 address);
/// The address at which the process has it from now on.
u64 open_shared(Runtime& r, const SharedHandle& handle);
/// False: the address is not one that open_shared gave.
bool close_shared(Runtime& r, u64 address);
/// Before memory is freed: its pages are the process's own again.
void unshare(u64 begin, u64 end);

}  // namespace heddle::cuda
