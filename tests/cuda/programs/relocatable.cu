// Uses what relocatable_other.cu defines: a function, a variable, and a kernel.
#include <cstdio>

extern __device__ int offset;
__device__ int scaled(int x);
__global__ void negate(int* p);

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
    std::printf("relocatable done\n");
    return 0;
}
