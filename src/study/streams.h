#pragma once
// Records what a study's workloads do, for the hashes of their streams.

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "study/inputs.h"
#include "study/matrix.h"

namespace heddle::study {

/// The hash of each workload's stream, on the baseline's machine of `spec`. Every application is recorded once, by workers;
/// what the store has is not recorded again. `progress` gets the number of recordings that are done and of all. Nothing if
/// interrupted. Throws InputError if an application fails.
std::optional<Streams> streams_of(const MatrixSpec& spec, Store& store, Keys& keys,
                                  const BatchOptions& options,
                                  const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace heddle::study
