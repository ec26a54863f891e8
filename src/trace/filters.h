#pragma once
// Streams made of streams: some of a program's launches, or its first instructions.

#include <memory>

#include "trace/open.h"
#include "trace/stream.h"

namespace heddle {

/// Drops the launches that are not selected, unread; copies, allocations and the rest stay. At the program's
/// end, a selection that names a launch beyond the last is an InputError.
std::unique_ptr<StreamSource> select_kernels(std::unique_ptr<StreamSource> source, KernelSelection kernels);

/// The first `count` warp instructions, counted over the CTAs in the order in which they are pulled. Exact:
/// of the CTA in which the bound falls, each warp keeps the same number of its first instructions, as near
/// as it has that many, the first warps one more if it does not come out even. CTAs after it are not given
/// (the kernel ends early, with fewer than info().cta_count() CTAs), nor are later launches; other events
/// are. A CTA that comes in chunks is cut where its chunks, in the order asked for, reach the bound.
std::unique_ptr<StreamSource> first_instructions(std::unique_ptr<StreamSource> source, u64 count);

}  // namespace heddle
