#pragma once
// CUDA's words for where a function or variable lives, as attributes of clang. Plain C++ files see nothing of them.

// Programs ask for these guards and versions of NVIDIA's headers and compiler (nvcc 12.0).
#define __HOST_DEFINES_H__
#define CUDART_VERSION 12000
#define CUDA_VERSION 12000

#if defined(__CUDA__)
// clang's declarations of device mathematics must stand before <cmath>, and libstdc++ avoids types that devices lack if it
// sees __CUDACC__.
#include <__clang_cuda_math_forward_declares.h>
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
// libstdc++ writes __attribute__((__noinline__)); what does so must be read before the word becomes a macro.
#include <memory>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant)) __attribute__((used))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
// clang has no managed variables for NVIDIA's devices. Here a device variable whose host shadow lies in this section is in
// the shadow's place (heddle/managed.h).
#define __managed__ __attribute__((device)) __attribute__((section("heddle_managed")))
#else
#define __host__
#define __device__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif

#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
