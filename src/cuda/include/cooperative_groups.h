#pragma once
// Cooperative groups of the CUDA programming guide: blocks, the grid of a cooperative launch, clusters of one block, tiles
// of a warp or of several, coalesced threads and their partitions. Reductions, scans and asynchronous copies have headers
// of their own below cooperative_groups/, as NVIDIA's do.

#include "cuda_runtime.h"

#if defined(__CUDA__)
#define _COOPERATIVE_GROUPS_H_

#include "heddle/cooperative_partition.h"
#endif
