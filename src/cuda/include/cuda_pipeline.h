#pragma once
// Asynchronous copies of a thread, and CUDA 11's first form of a pipeline over them.

#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)
namespace nvcuda {
namespace experimental {

class pipeline {
  public:
    __device__ size_t commit() {
        __pipeline_commit();
        return stage_++;
    }
    __device__ void commit_and_wait() { wait(commit()); }
    __device__ void wait(size_t stage) { __pipeline_wait_prior(stage_ - 1 - stage); }
    template <unsigned prior>
    __device__ void wait_prior() {
        __pipeline_wait_prior(prior);
    }

  private:
    size_t stage_ = 0;
};

template <class T>
static __device__ __forceinline__ void memcpy_async(T& to, const T& from, pipeline&) {
    if (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
        __pipeline_memcpy_async(&to, &from, sizeof(T));
    else
        to = from;
}

}  // namespace experimental
}  // namespace nvcuda
#endif
