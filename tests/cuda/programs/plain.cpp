#include <cuda_runtime.h>

#include "other.h"

int doubled(int v) {
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess && n == 1 ? 2 * v : -1;
}
