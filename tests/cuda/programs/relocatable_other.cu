__device__ int offset = 1;
static __device__ int factor = 3;
static __device__ int place = 0;
static __constant__ int step = 2;

namespace {

__global__ void hidden() {
    place = 20;
}

}  // namespace

static __global__ void own(int* p) {
    *p = place + step;
}

int other_own(int* d) {
    int h = 0;
    hidden<<<1, 1>>>();
    own<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    int there = 0;
    cudaMemcpyFromSymbol(&there, place, sizeof there);
    return there == 20 ? h : -1;
}

__device__ int scaled(int x) {
    return factor * x;
}

__global__ void negate(int* p) {
    p[threadIdx.x] = -p[threadIdx.x];
}
