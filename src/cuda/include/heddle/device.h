#pragma once
// The device side of the language: built-in variables, mathematics, atomics, warp functions. Most of it is in headers that
// come with clang and expect NVIDIA's toolkit around them; this file is the order in which they want to be read.

#if defined(__CUDA__) && defined(__clang__)

// The order matters.
// clang-format off
#include "host_defines.h"

// The C names, whose using declarations must stand before the device's functions of the same names: a program that
// includes <stdlib.h> or <math.h> after this finds them read.
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver_types.h"

#include <__clang_cuda_builtin_vars.h>

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
#include "heddle/library.h"
#include "heddle/ordered.h"

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "heddle/mixed.h"
// clang-format on

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const {
    return {x, y, z};
}

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void free(void*) __attribute((nothrow));
__device__ void* malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t char_bytes);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char*, ...);
}
namespace std {
__device__ static inline void free(void* p) {
    ::free(p);
}
__device__ static inline void* malloc(size_t bytes) {
    return ::malloc(bytes);
}
}  // namespace std

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>

#include "heddle/atomics.h"
#include "heddle/device_runtime.h"
#include "heddle/dot_products.h"
#include "heddle/dpx.h"
#include "heddle/memory.h"
#pragma pop_macro("__CUDA_ARCH__")

// libstdc++'s headers were read before the device words existed.
#include <algorithm>
#include <new>

#endif
