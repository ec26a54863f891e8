#pragma once
// Surfaces that CUDA shares with VDPAU: functions with which programs compile. A call fails with cudaErrorNotSupported.

#include "cuda_runtime_api.h"
#include "heddle/vdpau_types.h"

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaVDPAUGetDevice(int* device, VdpDevice vdp_device, VdpGetProcAddress* get_address);
cudaError_t cudaVDPAUSetVDPAUDevice(int device, VdpDevice vdp_device, VdpGetProcAddress* get_address);
cudaError_t cudaGraphicsVDPAURegisterVideoSurface(cudaGraphicsResource_t* resource, VdpVideoSurface surface,
                                                  unsigned int flags);
cudaError_t cudaGraphicsVDPAURegisterOutputSurface(cudaGraphicsResource_t* resource, VdpOutputSurface surface,
                                                   unsigned int flags);
#if defined(__cplusplus)
}
#endif
