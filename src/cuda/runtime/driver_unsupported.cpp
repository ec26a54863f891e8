// The driver API's functions that Heddle does not have, by what they need. They exist so that programs load, and find what they look
// up by name; a call says its name and what it needs, and fails with CUDA_ERROR_NOT_SUPPORTED. docs/cuda-functions.md is made from
// this list.

#include "cuda/runtime/unsupported.h"

#define HEDDLE_UNSUPPORTED(name)                                         \
    int name() {                                                         \
        return heddle::cuda::unsupported_in_driver(#name, HEDDLE_NEEDS); \
    }

extern "C" {

#define HEDDLE_NEEDS "EGL"
HEDDLE_UNSUPPORTED(cuEGLStreamConsumerAcquireFrame)
HEDDLE_UNSUPPORTED(cuEGLStreamConsumerConnect)
HEDDLE_UNSUPPORTED(cuEGLStreamConsumerConnectWithFlags)
HEDDLE_UNSUPPORTED(cuEGLStreamConsumerDisconnect)
HEDDLE_UNSUPPORTED(cuEGLStreamConsumerReleaseFrame)
HEDDLE_UNSUPPORTED(cuEGLStreamProducerConnect)
HEDDLE_UNSUPPORTED(cuEGLStreamProducerDisconnect)
HEDDLE_UNSUPPORTED(cuEGLStreamProducerPresentFrame)
HEDDLE_UNSUPPORTED(cuEGLStreamProducerReturnFrame)
HEDDLE_UNSUPPORTED(cuEventCreateFromEGLSync)
HEDDLE_UNSUPPORTED(cuGraphicsEGLRegisterImage)
HEDDLE_UNSUPPORTED(cuGraphicsResourceGetMappedEglFrame)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "NvSci"
HEDDLE_UNSUPPORTED(cuDeviceGetNvSciSyncAttributes)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "OpenGL"
HEDDLE_UNSUPPORTED(cuGLCtxCreate_v2)
HEDDLE_UNSUPPORTED(cuGLGetDevices_v2)
HEDDLE_UNSUPPORTED(cuGLInit)
HEDDLE_UNSUPPORTED(cuGraphicsGLRegisterBuffer)
HEDDLE_UNSUPPORTED(cuGraphicsGLRegisterImage)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "VDPAU"
HEDDLE_UNSUPPORTED(cuGraphicsVDPAURegisterOutputSurface)
HEDDLE_UNSUPPORTED(cuGraphicsVDPAURegisterVideoSurface)
HEDDLE_UNSUPPORTED(cuVDPAUCtxCreate_v2)
HEDDLE_UNSUPPORTED(cuVDPAUGetDevice)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "Windows"
HEDDLE_UNSUPPORTED(cuDeviceGetLuid)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "a driver that stops processes"
HEDDLE_UNSUPPORTED(cuCheckpointProcessCheckpoint)
HEDDLE_UNSUPPORTED(cuCheckpointProcessGetRestoreThreadId)
HEDDLE_UNSUPPORTED(cuCheckpointProcessGetState)
HEDDLE_UNSUPPORTED(cuCheckpointProcessLock)
HEDDLE_UNSUPPORTED(cuCheckpointProcessRestore)
HEDDLE_UNSUPPORTED(cuCheckpointProcessUnlock)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "a graphics interface"
HEDDLE_UNSUPPORTED(cuGraphicsMapResources)
HEDDLE_UNSUPPORTED(cuGraphicsResourceGetMappedMipmappedArray)
HEDDLE_UNSUPPORTED(cuGraphicsResourceGetMappedPointer)
HEDDLE_UNSUPPORTED(cuGraphicsResourceGetMappedPointer_v2)
HEDDLE_UNSUPPORTED(cuGraphicsResourceSetMapFlags)
HEDDLE_UNSUPPORTED(cuGraphicsResourceSetMapFlags_v2)
HEDDLE_UNSUPPORTED(cuGraphicsSubResourceGetMappedArray)
HEDDLE_UNSUPPORTED(cuGraphicsUnmapResources)
HEDDLE_UNSUPPORTED(cuGraphicsUnregisterResource)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "core dumps of a device"
HEDDLE_UNSUPPORTED(cuCoredumpGetAttribute)
HEDDLE_UNSUPPORTED(cuCoredumpGetAttributeGlobal)
HEDDLE_UNSUPPORTED(cuCoredumpSetAttribute)
HEDDLE_UNSUPPORTED(cuCoredumpSetAttributeGlobal)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "decompression in hardware"
HEDDLE_UNSUPPORTED(cuMemBatchDecompressAsync)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "devices of other makers"
HEDDLE_UNSUPPORTED(cuMemGetHandleForAddressRange)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "memory mapped by hand in other processes"
HEDDLE_UNSUPPORTED(cuMemExportToShareableHandle)
HEDDLE_UNSUPPORTED(cuMemImportFromShareableHandle)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "memory or semaphores of a graphics interface"
HEDDLE_UNSUPPORTED(cuDestroyExternalMemory)
HEDDLE_UNSUPPORTED(cuDestroyExternalSemaphore)
HEDDLE_UNSUPPORTED(cuExternalMemoryGetMappedBuffer)
HEDDLE_UNSUPPORTED(cuExternalMemoryGetMappedMipmappedArray)
HEDDLE_UNSUPPORTED(cuGraphAddExternalSemaphoresSignalNode)
HEDDLE_UNSUPPORTED(cuGraphAddExternalSemaphoresWaitNode)
HEDDLE_UNSUPPORTED(cuGraphExecExternalSemaphoresSignalNodeSetParams)
HEDDLE_UNSUPPORTED(cuGraphExecExternalSemaphoresWaitNodeSetParams)
HEDDLE_UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeGetParams)
HEDDLE_UNSUPPORTED(cuGraphExternalSemaphoresSignalNodeSetParams)
HEDDLE_UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeGetParams)
HEDDLE_UNSUPPORTED(cuGraphExternalSemaphoresWaitNodeSetParams)
HEDDLE_UNSUPPORTED(cuImportExternalMemory)
HEDDLE_UNSUPPORTED(cuImportExternalSemaphore)
HEDDLE_UNSUPPORTED(cuSignalExternalSemaphoresAsync)
HEDDLE_UNSUPPORTED(cuWaitExternalSemaphoresAsync)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "parts of a device"
HEDDLE_UNSUPPORTED(cuCtxFromGreenCtx)
HEDDLE_UNSUPPORTED(cuCtxGetDevResource)
HEDDLE_UNSUPPORTED(cuDevResourceGenerateDesc)
HEDDLE_UNSUPPORTED(cuDevSmResourceSplitByCount)
HEDDLE_UNSUPPORTED(cuDeviceGetDevResource)
HEDDLE_UNSUPPORTED(cuGreenCtxCreate)
HEDDLE_UNSUPPORTED(cuGreenCtxDestroy)
HEDDLE_UNSUPPORTED(cuGreenCtxGetDevResource)
HEDDLE_UNSUPPORTED(cuGreenCtxGetId)
HEDDLE_UNSUPPORTED(cuGreenCtxRecordEvent)
HEDDLE_UNSUPPORTED(cuGreenCtxStreamCreate)
HEDDLE_UNSUPPORTED(cuGreenCtxWaitEvent)
HEDDLE_UNSUPPORTED(cuStreamGetGreenCtx)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "several devices"
HEDDLE_UNSUPPORTED(cuMulticastAddDevice)
HEDDLE_UNSUPPORTED(cuMulticastBindAddr)
HEDDLE_UNSUPPORTED(cuMulticastBindMem)
HEDDLE_UNSUPPORTED(cuMulticastCreate)
HEDDLE_UNSUPPORTED(cuMulticastGetGranularity)
HEDDLE_UNSUPPORTED(cuMulticastUnbind)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "sparse arrays"
HEDDLE_UNSUPPORTED(cuMemMapArrayAsync)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "surface references; there are surface objects"
HEDDLE_UNSUPPORTED(cuModuleGetSurfRef)
HEDDLE_UNSUPPORTED(cuSurfRefGetArray)
HEDDLE_UNSUPPORTED(cuSurfRefSetArray)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "tensor copies of sm_90"
HEDDLE_UNSUPPORTED(cuTensorMapEncodeIm2col)
HEDDLE_UNSUPPORTED(cuTensorMapEncodeIm2colWide)
HEDDLE_UNSUPPORTED(cuTensorMapEncodeTiled)
HEDDLE_UNSUPPORTED(cuTensorMapReplaceAddress)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "texture references of modules; there are texture objects"
HEDDLE_UNSUPPORTED(cuModuleGetTexRef)
HEDDLE_UNSUPPORTED(cuParamSetTexRef)
HEDDLE_UNSUPPORTED(cuTexRefCreate)
HEDDLE_UNSUPPORTED(cuTexRefDestroy)
HEDDLE_UNSUPPORTED(cuTexRefGetAddress)
HEDDLE_UNSUPPORTED(cuTexRefGetAddressMode)
HEDDLE_UNSUPPORTED(cuTexRefGetAddress_v2)
HEDDLE_UNSUPPORTED(cuTexRefGetArray)
HEDDLE_UNSUPPORTED(cuTexRefGetBorderColor)
HEDDLE_UNSUPPORTED(cuTexRefGetFilterMode)
HEDDLE_UNSUPPORTED(cuTexRefGetFlags)
HEDDLE_UNSUPPORTED(cuTexRefGetFormat)
HEDDLE_UNSUPPORTED(cuTexRefGetMaxAnisotropy)
HEDDLE_UNSUPPORTED(cuTexRefGetMipmapFilterMode)
HEDDLE_UNSUPPORTED(cuTexRefGetMipmapLevelBias)
HEDDLE_UNSUPPORTED(cuTexRefGetMipmapLevelClamp)
HEDDLE_UNSUPPORTED(cuTexRefGetMipmappedArray)
HEDDLE_UNSUPPORTED(cuTexRefSetAddress)
HEDDLE_UNSUPPORTED(cuTexRefSetAddress2D)
HEDDLE_UNSUPPORTED(cuTexRefSetAddress2D_v2)
HEDDLE_UNSUPPORTED(cuTexRefSetAddress2D_v3)
HEDDLE_UNSUPPORTED(cuTexRefSetAddressMode)
HEDDLE_UNSUPPORTED(cuTexRefSetAddress_v2)
HEDDLE_UNSUPPORTED(cuTexRefSetArray)
HEDDLE_UNSUPPORTED(cuTexRefSetBorderColor)
HEDDLE_UNSUPPORTED(cuTexRefSetFilterMode)
HEDDLE_UNSUPPORTED(cuTexRefSetFlags)
HEDDLE_UNSUPPORTED(cuTexRefSetFormat)
HEDDLE_UNSUPPORTED(cuTexRefSetMaxAnisotropy)
HEDDLE_UNSUPPORTED(cuTexRefSetMipmapFilterMode)
HEDDLE_UNSUPPORTED(cuTexRefSetMipmapLevelBias)
HEDDLE_UNSUPPORTED(cuTexRefSetMipmapLevelClamp)
HEDDLE_UNSUPPORTED(cuTexRefSetMipmappedArray)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "what only NVIDIA's own libraries ask for"
HEDDLE_UNSUPPORTED(cuGetExportTable)
#undef HEDDLE_NEEDS
}
