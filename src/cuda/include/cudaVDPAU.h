#pragma once
// Surfaces that the driver API shares with VDPAU: functions with which programs compile. A call fails with
// CUDA_ERROR_NOT_SUPPORTED.

#include "cuda.h"
#include "heddle/vdpau_types.h"

#define cuVDPAUCtxCreate cuVDPAUCtxCreate_v2

#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuVDPAUGetDevice(CUdevice* device, VdpDevice vdp_device, VdpGetProcAddress* get_address);
CUresult cuVDPAUCtxCreate(CUcontext* context, unsigned int flags, CUdevice device, VdpDevice vdp_device,
                          VdpGetProcAddress* get_address);
CUresult cuGraphicsVDPAURegisterVideoSurface(CUgraphicsResource* resource, VdpVideoSurface surface,
                                             unsigned int flags);
CUresult cuGraphicsVDPAURegisterOutputSurface(CUgraphicsResource* resource, VdpOutputSurface surface,
                                              unsigned int flags);
#if defined(__cplusplus)
}
#endif
