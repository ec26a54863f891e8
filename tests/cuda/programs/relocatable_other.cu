__device__ int offset = 1;
static __device__ int factor = 3;

__device__ int scaled(int x) {
    return factor * x;
}

__global__ void negate(int* p) {
    p[threadIdx.x] = -p[threadIdx.x];
}
