// All that another text of the source makes readable for clang, in one file: brackets apart, launches in device code, and
// assembly with one % before a register's name.

#include "check.h"

__device__ unsigned lane() {
    unsigned l;
    asm("mov.u32 %0, %laneid;" : "=r"(l));
    return l;
}

__global__ void lanes(unsigned* to) {
    to[threadIdx.x] = lane();
}

__global__ void parent(unsigned* to) {
    if (threadIdx.x == 0) lanes << <1, 32 >> >(to);
    unsigned n;
    asm volatile("mov.u32 %0, %nwarpid;" : "=r"(n));
    to[32] = n;
}

int main() {
    unsigned* const p = managed<unsigned>(33);
    for (int kernel = 0; kernel < 2; ++kernel) {
        for (unsigned k = 0; k < 33; ++k) p[k] = 99;
        if (kernel == 0)
            lanes << <1, 32 >> >(p);
        else
            parent << <1, 32 >> > (p);
        CUDA(cudaDeviceSynchronize());
        for (unsigned k = 0; k < 32; ++k) CHECK(p[k] == k, "%u", p[k]);
    }
    CHECK(p[32] != 99);
    return finished();
}
