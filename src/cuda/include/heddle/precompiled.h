#pragma once
// What `heddle cc` has clang parse once and keep (src/cuda/precompiled.h): all that stands before a .cu file.

#include "../cuda_runtime.h"
