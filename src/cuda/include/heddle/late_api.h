// Part of cuda_runtime_api.h (which sets HEDDLE_DEFAULT): what the runtime got from CUDA 11.3 on.

// Libraries: PTX text, fat binaries that carry PTX. A kernel of one is launched as any other.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* options,
                                void** values, unsigned int count, enum cudaLibraryOption* library_options,
                                void** library_values, unsigned int library_count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, enum cudaJitOption* options,
                                    void** values, unsigned int count,
                                    enum cudaLibraryOption* library_options, void** library_values,
                                    unsigned int library_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count, cudaLibrary_t library);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                            int device);
cudaError_t cudaFuncGetParamInfo(const void* func, size_t index, size_t* offset, size_t* bytes);
cudaError_t cudaFuncGetParamCount(const void* func, size_t* count);
/// One entry: there is one device.
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams* list, unsigned int count,
                                                   unsigned int flags HEDDLE_DEFAULT(0));
/// `sync_mode` says how the device's thread waits, and changes nothing.
cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t fn, void* data, unsigned int sync_mode);

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);

// Copies. `failed`: the number of the copy that is wrong, ~0 if that is none in particular.
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* params);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* params,
                                  cudaStream_t stream HEDDLE_DEFAULT(0));
cudaError_t cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes, size_t count,
                                 struct cudaMemcpyAttributes* attributes, size_t* first,
                                 size_t attribute_count, size_t* failed, cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp* list, size_t* failed,
                                   unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemcpyWithAttributesAsync(void* to, const void* from, size_t bytes,
                                          struct cudaMemcpyAttributes* attributes, cudaStream_t stream);
cudaError_t cudaMemcpy3DWithAttributesAsync(struct cudaMemcpy3DBatchOp* copy, unsigned long long flags,
                                            cudaStream_t stream);

// Managed memory. Advice and prefetches move nothing, and are remembered.
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                      struct cudaMemLocation* locations, size_t* first, size_t location_count,
                                      unsigned long long flags, cudaStream_t stream);
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                struct cudaMemLocation* locations, size_t* first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream);
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, enum cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* bytes, enum cudaMemRangeAttribute* attributes,
                                      size_t attribute_count, const void* pointer, size_t count);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                                     enum cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* location,
                              enum cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool);

// Arrays. There are none that are sparse, mapped later or of several planes.
cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned int index);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties* properties, cudaArray_t array);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties* properties,
                                                  cudaMipmappedArray_t array);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements,
                                           cudaArray_t array, int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements,
                                                    cudaMipmappedArray_t array, int device);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference* texture,
                                            cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc* desc);

// The device.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const struct cudaChannelFormatDesc* desc,
                                                 int device);
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                const enum cudaAtomicOperation* operations,
                                                unsigned int count, int device);
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                               const enum cudaAtomicOperation* operations, unsigned int count,
                                               int from, int to);
/// Never called: no memory is taken away from a program.
cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback, void* data,
                                                cudaAsyncCallbackHandle_t* handle);
cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t handle);

// Logs: failed calls and Heddle's notes, a line each.
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callback, void* data, cudaLogsCallbackHandle* handle);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle);
cudaError_t cudaLogsCurrent(cudaLogIterator* iterator, unsigned int flags);
cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* path, unsigned int flags);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags);

// Graphs.
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count HEDDLE_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count HEDDLE_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count HEDDLE_DEFAULT(1),
                                      unsigned int flags HEDDLE_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count HEDDLE_DEFAULT(1));
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   size_t bytes, size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, size_t bytes,
                                                     size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       enum cudaMemcpyKind kind);
cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams* params);
cudaError_t cudaGraphNodeGetContainingGraph(cudaGraphNode_t node, cudaGraph_t* graph);
cudaError_t cudaGraphNodeGetLocalId(cudaGraphNode_t node, unsigned int* id);
cudaError_t cudaGraphNodeGetToolsId(cudaGraphNode_t node, unsigned long long* id);
cudaError_t cudaGraphGetId(cudaGraph_t graph, unsigned int* id);
cudaError_t cudaGraphExecGetId(cudaGraphExec_t exec, unsigned int* id);
