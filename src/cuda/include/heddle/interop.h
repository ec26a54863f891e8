#pragma once
// Memory of other processes and of graphics interfaces: types and functions with which programs compile. A call fails with
// cudaErrorNotSupported.

typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t;
#define cudaIpcMemLazyEnablePeerAccess 0x01
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 enum cudaMemAllocationHandleType type, unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* data, void* pointer);
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData* data);

struct cudaGraphicsResource;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8,
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2,
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX = 0,
    cudaGraphicsCubeFaceNegativeX = 1,
    cudaGraphicsCubeFacePositiveY = 2,
    cudaGraphicsCubeFaceNegativeY = 3,
    cudaGraphicsCubeFacePositiveZ = 4,
    cudaGraphicsCubeFaceNegativeZ = 5,
};
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* bytes,
                                                 cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t* array,
                                                        cudaGraphicsResource_t resource);
