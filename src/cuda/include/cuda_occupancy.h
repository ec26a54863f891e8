#pragma once
// NVIDIA's header of this name computes occupancy without a device. Heddle's runtime answers for the machine instead:
// cudaOccupancyMaxActiveBlocksPerMultiprocessor and its kin.

#include "cuda_runtime.h"
