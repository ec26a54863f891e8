// Programs that draw what they compute compile, and hear that there is no graphics.

#include <cstdio>
#include <cuda_gl_interop.h>

#include "../programs/check.h"

namespace {

__global__ void fill(int* p) {
    p[threadIdx.x] = static_cast<int>(threadIdx.x);
}

}  // namespace

int main() {
    unsigned count = 7;
    int device = -1;
    CHECK(cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll) == cudaErrorNotSupported);
    cudaGraphicsResource* resource = nullptr;
    const GLuint buffer = 1;
    const GLenum rectangle = 0x84F5;
    CHECK(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard) ==
          cudaErrorNotSupported);
    CHECK(cudaGraphicsGLRegisterImage(&resource, buffer, rectangle, cudaGraphicsRegisterFlagsNone) ==
          cudaErrorNotSupported);
    CHECK(cudaGLRegisterBufferObject(buffer) == cudaErrorNotSupported);
    void* pointer = nullptr;
    CHECK(cudaGLMapBufferObject(&pointer, buffer) == cudaErrorNotSupported && pointer == nullptr);
    CHECK(cudaGLUnmapBufferObject(buffer) == cudaErrorNotSupported);
    // The rest of the program works on.
    CHECK(cudaGetLastError() == cudaErrorNotSupported && cudaGetLastError() == cudaSuccess);
    int* p = nullptr;
    OK(cudaMallocManaged(&p, 32 * sizeof(int)));
    fill<<<1, 32>>>(p);
    OK(cudaDeviceSynchronize());
    CHECK(p[31] == 31);
    std::puts("graphics done");
}
