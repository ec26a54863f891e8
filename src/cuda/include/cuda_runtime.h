#pragma once
// What nvcc includes in every .cu file: the runtime's functions, the device side of the language, and the templates over
// both. In a plain C++ file: the runtime's functions and the templates; in a C file: the functions.

#include "cuda_runtime_api.h"
#include "heddle/device.h"
#include "heddle/guards.h"
#include "library_types.h"

#if defined(__cplusplus)
#include "heddle/templates.h"
#endif

#if defined(__CUDA__)
#include "heddle/device_launch.h"
#include "heddle/managed.h"
#include "heddle/surfaces.h"
#include "heddle/textures.h"
#endif
