// Of an installed toolkit (heddle cc --cuda-path): clang 14 includes this header of CUDA's last before it names the template of
// texture references, which CUDA 12 has removed. Cooperative groups name the cluster functions of sm_90 for every host.
#pragma once
#include_next <sm_61_intrinsics.hpp>
#if CUDA_VERSION >= 12000
template <class T, int Type, enum cudaTextureReadMode Mode>
struct texture;
#endif
#if CUDA_VERSION >= 11080
#include <crt/sm_90_rt.h>
#endif
// A constant of an unnamed namespace that no kernel writes would be taken for zeros, whatever the host copies to it.
#undef __constant__
#define __constant__ __attribute__((constant)) __attribute__((used))
