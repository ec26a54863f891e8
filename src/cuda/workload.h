#pragma once
// The shipped workloads: CUDA programs in workloads/NAME/NAME.cu (docs/workloads.md), compiled when they are first used
// and again when their sources have changed. Programs lie in the build's folder, under workloads/; if that can't be written, and
// of an installed Heddle, in $XDG_CACHE_HOME/heddle/workloads, ~/.cache/heddle/workloads or $TMPDIR/heddle-UID, the first
// that can, each with a digest of what it was made from in its name.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::cuda {

/// What a workload was measured to do at its default size (workloads/measured.tsv says on which machine and how).
struct WorkloadCharacter {
    u64 warp_instructions = 0;
    u64 footprint_bytes = 0;         // the most device memory that it held at once
    u64 requests_per_load_x100 = 0;  // requests of a global load after coalescing, mean
    u64 l2_mpki_x100 = 0;            // L2 read misses for a thousand thread instructions
};

struct Workload {
    std::string name, about;
    std::optional<WorkloadCharacter> measured;
};

/// In the order of workloads/workloads.tsv; none if there are no workloads on this machine. Throws InputError if the tables
/// are wrong.
const std::vector<Workload>& workloads();
bool is_workload(std::string_view name);
/// What a workload's program exits with where it does not take its options (workloads/common/workload.h).
inline constexpr int kWrongWorkloadOption = 2;

/// The path of the workload's program, compiled first if need be. Throws InputError if it can't be compiled.
std::string workload_program(const std::string& name);

}  // namespace heddle::cuda
