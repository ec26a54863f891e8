#pragma once
// A kernel executed as its CTAs are read, each given whole: what a recorder wants.
//
// CTAs run in windows and end in any order; what has ended waits in memory for its turn. A CTA that holds more than
// `most_words` when its turn comes is given in pieces.

#include <memory>

#include "ptx/launch.h"

namespace heddle::cuda {

inline constexpr u64 kMostWords = u64{16} << 20;

/// The launch and the context must outlive it, and nothing else may execute in the context until its last CTA is read. Its
/// constructor throws ptx::DeviceFault for a bad launch, reading it for any other.
std::unique_ptr<KernelStream> feed_kernel(ptx::Context& context, const ptx::Launch& launch,
                                          u64 most_words = kMostWords);

}  // namespace heddle::cuda
