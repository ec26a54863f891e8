#include "other.h"

#include "check.h"

__global__ void triple(int* p) {
    *p = scaled(*p);
}

__global__ void stray(int* p) {
    p[1 << 20] = 1;
}

void fault_in_other_file() {
    stray<<<1, 1>>>(nullptr);
}

int from_other_file(int v) {
    int* p;
    OK(cudaMallocManaged(&p, sizeof v));
    *p = doubled(v) / 2;
    triple<<<1, 1>>>(p);
    OK(cudaDeviceSynchronize());
    return *p;
}
