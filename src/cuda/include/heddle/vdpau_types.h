#pragma once
// VDPAU's header, or its few types where it (libvdpau-dev) is not installed.

#if defined(__has_include)
#if __has_include(<vdpau/vdpau.h>)
#include <vdpau/vdpau.h>
#define HEDDLE_VDPAU
#endif
#endif
#if !defined(HEDDLE_VDPAU)
typedef unsigned int VdpDevice, VdpVideoSurface, VdpOutputSurface, VdpFuncId;
typedef int VdpStatus;
typedef VdpStatus VdpGetProcAddress(VdpDevice device, VdpFuncId function, void** pointer);
#endif
