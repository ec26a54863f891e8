// Uses what relocatable_other.cu defines: a function, a variable, and a kernel. Both files have a kernel `own` and variables
// `place` and `step` that only they see.
#include <cstdio>

extern __device__ int offset;
__device__ int scaled(int x);
__global__ void negate(int* p);
int other_own(int* d);

static __device__ int place = 10;
static __constant__ int step = 1;

static __global__ void own(int* p) {
    *p = place + step;
}

__global__ void fill(int* p) {
    p[threadIdx.x] = scaled(static_cast<int>(threadIdx.x)) + offset;
}

int main() {
    int *d, h[32], seven = 7;
    cudaMalloc(&d, sizeof h);
    cudaMemcpyToSymbol(offset, &seven, sizeof seven);
    fill<<<1, 32>>>(d);
    negate<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i)
        if (h[i] != -(3 * i + 7)) return 1;
    if (other_own(d) != 22) return 2;
    own<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    if (h[0] != 11) return 3;
    cudaMemcpyFromSymbol(h, place, sizeof(int));
    if (h[0] != 10) return 4;
    std::printf("relocatable done\n");
    return 0;
}
