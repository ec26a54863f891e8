/* The runtime's functions from C. */
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stdio.h>

int main(void) {
    struct cudaDeviceProp properties;
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
    float4 value = make_float4(1, 2, 3, 4), back = make_float4(0, 0, 0, 0);
    dim3 grid = {1, 2, 3};
    cudaDataType type = CUDA_R_32F;
    void* p = NULL;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32) return 1;
    if (cudaMalloc(&p, sizeof value) != cudaSuccess) return 1;
    if (cudaMemcpyAsync(p, &value, sizeof value, kind, 0) != cudaSuccess) return 1;
    if (cudaMemcpy(&back, p, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    if (back.w != 4 || grid.z != 3 || type != 0) return 1;
    cudaFree(p);
    puts("runtime_in_c done");
    return 0;
}
