#pragma once
// The runtime's functions that libraries name for kernels that start kernels. They are declared for the host too, since the
// libraries name them in functions of both.

extern "C" {
__host__ __device__ void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
__host__ __device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                                 unsigned shared, cudaStream_t stream);
}

static __inline__ __host__ __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void) {
#if defined(__CUDA_ARCH__)
    return cudaErrorNotSupported;
#else
    return cudaDeviceSynchronize();
#endif
}
