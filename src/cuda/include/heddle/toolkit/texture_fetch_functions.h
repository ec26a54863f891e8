// Of an installed toolkit (heddle cc --cuda-path): clang 14 includes this header, which CUDA 12 has removed.
#pragma once
#if CUDA_VERSION < 12000
#include_next <texture_fetch_functions.h>
#endif
