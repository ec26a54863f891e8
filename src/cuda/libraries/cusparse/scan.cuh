#pragma once
// From how many elements each line has to where it begins.

#include "descriptors.cuh"

namespace heddle_sparse {

/// counts[0..n) to offsets[0..n], by one block. They may be the same array, of n + 1 elements.
static __global__ void scan_kernel(const int* counts, int n, int* offsets, int base) {
    __shared__ int sums[kThreads];
    const int t = static_cast<int>(threadIdx.x), each = (n + kThreads - 1) / kThreads;
    const int begin = t * each < n ? t * each : n, end = begin + each < n ? begin + each : n;
    int mine = 0;
    for (int i = begin; i < end; ++i) mine += counts[i];
    sums[t] = mine;
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
        const int before = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    int running = sums[t] - mine + base;
    for (int i = begin; i < end; ++i) {
        const int count = counts[i];
        offsets[i] = running;
        running += count;
    }
    if (t == kThreads - 1) offsets[n] = running;
}

}  // namespace heddle_sparse
