// The runtime's functions that Heddle does not have, by what they need. They exist so that programs load; a call says its name and
// what it needs, and fails with cudaErrorNotSupported. docs/cuda-functions.md is made from this list.

#include "cuda/runtime/unsupported.h"

#define HEDDLE_UNSUPPORTED(name)                               \
    cudaError_t name() {                                       \
        return heddle::cuda::unsupported(#name, HEDDLE_NEEDS); \
    }

extern "C" {

#define HEDDLE_NEEDS "EGL"
HEDDLE_UNSUPPORTED(cudaEGLStreamConsumerAcquireFrame)
HEDDLE_UNSUPPORTED(cudaEGLStreamConsumerConnect)
HEDDLE_UNSUPPORTED(cudaEGLStreamConsumerConnectWithFlags)
HEDDLE_UNSUPPORTED(cudaEGLStreamConsumerDisconnect)
HEDDLE_UNSUPPORTED(cudaEGLStreamConsumerReleaseFrame)
HEDDLE_UNSUPPORTED(cudaEGLStreamProducerConnect)
HEDDLE_UNSUPPORTED(cudaEGLStreamProducerDisconnect)
HEDDLE_UNSUPPORTED(cudaEGLStreamProducerPresentFrame)
HEDDLE_UNSUPPORTED(cudaEGLStreamProducerReturnFrame)
HEDDLE_UNSUPPORTED(cudaEventCreateFromEGLSync)
HEDDLE_UNSUPPORTED(cudaGraphicsEGLRegisterImage)
HEDDLE_UNSUPPORTED(cudaGraphicsResourceGetMappedEglFrame)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "NvSci"
HEDDLE_UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "OpenGL"
HEDDLE_UNSUPPORTED(cudaGLGetDevices)
HEDDLE_UNSUPPORTED(cudaGLMapBufferObject)
HEDDLE_UNSUPPORTED(cudaGLMapBufferObjectAsync)
HEDDLE_UNSUPPORTED(cudaGLRegisterBufferObject)
HEDDLE_UNSUPPORTED(cudaGLSetBufferObjectMapFlags)
HEDDLE_UNSUPPORTED(cudaGLSetGLDevice)
HEDDLE_UNSUPPORTED(cudaGLUnmapBufferObject)
HEDDLE_UNSUPPORTED(cudaGLUnmapBufferObjectAsync)
HEDDLE_UNSUPPORTED(cudaGLUnregisterBufferObject)
HEDDLE_UNSUPPORTED(cudaGraphicsGLRegisterBuffer)
HEDDLE_UNSUPPORTED(cudaGraphicsGLRegisterImage)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "VDPAU"
HEDDLE_UNSUPPORTED(cudaGraphicsVDPAURegisterOutputSurface)
HEDDLE_UNSUPPORTED(cudaGraphicsVDPAURegisterVideoSurface)
HEDDLE_UNSUPPORTED(cudaVDPAUGetDevice)
HEDDLE_UNSUPPORTED(cudaVDPAUSetVDPAUDevice)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "a graphics interface"
HEDDLE_UNSUPPORTED(cudaGraphicsMapResources)
HEDDLE_UNSUPPORTED(cudaGraphicsResourceGetMappedMipmappedArray)
HEDDLE_UNSUPPORTED(cudaGraphicsResourceGetMappedPointer)
HEDDLE_UNSUPPORTED(cudaGraphicsResourceSetMapFlags)
HEDDLE_UNSUPPORTED(cudaGraphicsSubResourceGetMappedArray)
HEDDLE_UNSUPPORTED(cudaGraphicsUnmapResources)
HEDDLE_UNSUPPORTED(cudaGraphicsUnregisterResource)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "graphs that are captured again"
HEDDLE_UNSUPPORTED(cudaStreamBeginRecaptureToGraph)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "memory or semaphores of a graphics interface"
HEDDLE_UNSUPPORTED(cudaDestroyExternalMemory)
HEDDLE_UNSUPPORTED(cudaDestroyExternalSemaphore)
HEDDLE_UNSUPPORTED(cudaExternalMemoryGetMappedBuffer)
HEDDLE_UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray)
HEDDLE_UNSUPPORTED(cudaGraphAddExternalSemaphoresSignalNode)
HEDDLE_UNSUPPORTED(cudaGraphAddExternalSemaphoresWaitNode)
HEDDLE_UNSUPPORTED(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
HEDDLE_UNSUPPORTED(cudaGraphExecExternalSemaphoresWaitNodeSetParams)
HEDDLE_UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeGetParams)
HEDDLE_UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeSetParams)
HEDDLE_UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeGetParams)
HEDDLE_UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeSetParams)
HEDDLE_UNSUPPORTED(cudaImportExternalMemory)
HEDDLE_UNSUPPORTED(cudaImportExternalSemaphore)
HEDDLE_UNSUPPORTED(cudaSignalExternalSemaphoresAsync)
HEDDLE_UNSUPPORTED(cudaWaitExternalSemaphoresAsync)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "parts of a device"
HEDDLE_UNSUPPORTED(cudaDevResourceGenerateDesc)
HEDDLE_UNSUPPORTED(cudaDevSmResourceSplit)
HEDDLE_UNSUPPORTED(cudaDevSmResourceSplitByCount)
HEDDLE_UNSUPPORTED(cudaDeviceGetDevResource)
HEDDLE_UNSUPPORTED(cudaDeviceGetExecutionCtx)
HEDDLE_UNSUPPORTED(cudaExecutionCtxDestroy)
HEDDLE_UNSUPPORTED(cudaExecutionCtxGetDevResource)
HEDDLE_UNSUPPORTED(cudaExecutionCtxGetDevice)
HEDDLE_UNSUPPORTED(cudaExecutionCtxGetId)
HEDDLE_UNSUPPORTED(cudaExecutionCtxRecordEvent)
HEDDLE_UNSUPPORTED(cudaExecutionCtxStreamCreate)
HEDDLE_UNSUPPORTED(cudaExecutionCtxSynchronize)
HEDDLE_UNSUPPORTED(cudaExecutionCtxWaitEvent)
HEDDLE_UNSUPPORTED(cudaGreenCtxCreate)
HEDDLE_UNSUPPORTED(cudaStreamGetDevResource)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "surface references; there are surface objects"
HEDDLE_UNSUPPORTED(cudaBindSurfaceToArray)
HEDDLE_UNSUPPORTED(cudaGetSurfaceReference)
#undef HEDDLE_NEEDS

#define HEDDLE_NEEDS "what only NVIDIA's own libraries ask for"
HEDDLE_UNSUPPORTED(__cudaGetProcAddress)
HEDDLE_UNSUPPORTED(__cudaRegisterHostVar)
HEDDLE_UNSUPPORTED(__cudaRegisterUnifiedTable)
HEDDLE_UNSUPPORTED(cudaGetExportTable)
#undef HEDDLE_NEEDS
}
