#pragma once
// What nvcc includes in every .cu file: the runtime's functions, the device side of the language, and the templates over
// both. In a plain C++ file: the runtime's functions and the templates.

#include "cuda_runtime_api.h"
#include "heddle/device.h"
#include "heddle/templates.h"

#if defined(__CUDA__)
#include "heddle/textures.h"
#endif
