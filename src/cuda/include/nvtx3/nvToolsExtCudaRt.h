#pragma once
// Names of devices, streams and events for profilers (nvToolsExt.h).

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

static __inline__ void nvtxNameCudaDeviceA(int device, const char* name) {}
static __inline__ void nvtxNameCudaDeviceW(int device, const wchar_t* name) {}
static __inline__ void nvtxNameCudaStreamA(cudaStream_t stream, const char* name) {}
static __inline__ void nvtxNameCudaStreamW(cudaStream_t stream, const wchar_t* name) {}
static __inline__ void nvtxNameCudaEventA(cudaEvent_t event, const char* name) {}
static __inline__ void nvtxNameCudaEventW(cudaEvent_t event, const wchar_t* name) {}

#if defined(UNICODE)
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
