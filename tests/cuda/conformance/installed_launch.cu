// Launches in kernels as nvcc compiles them, in each of the streams that a kernel has.

#include <cstdio>
#include <cuda_runtime.h>

#include "../programs/check.h"

namespace {

struct Pair {
    short a;
    double b;
};

__global__ void child(int* p, Pair pair, char c) {
    p[threadIdx.x] += pair.a + static_cast<int>(pair.b) + c;
}

__global__ void parent(int* p) {
    if (threadIdx.x != 0) return;
    child<<<1, 32>>>(p, Pair{1, 2.0}, 2);
    child<<<1, 32, 0, cudaStreamTailLaunch>>>(p, Pair{0, 1.0}, 1);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    child<<<1, 32, 0, stream>>>(p + 32, Pair{3, 4.0}, 0);
    cudaStreamDestroy(stream);
    child<<<1, 32, 0, cudaStreamFireAndForget>>>(p + 64, Pair{9, 0.0}, 0);
}

}  // namespace

int main() {
    int* p = nullptr;
    OK(cudaMallocManaged(&p, 96 * sizeof(int)));
    for (int k = 0; k < 96; ++k) p[k] = 0;
    parent<<<1, 32>>>(p);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < 96; ++k) CHECK(p[k] == (k < 64 ? 7 : 9));
    std::puts("installed_launch done");
}
