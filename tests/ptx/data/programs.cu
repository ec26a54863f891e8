// Small kernels for tests/ptx/programs_test.cpp. programs.ptx is made from this file:
//   nvcc -ptx -arch=compute_75 -O3 -o programs.ptx programs.cu
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void grid_barrier(int* data, int* out, int rounds) {
  cg::grid_group g = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    int v = data[(i + 1) % n];
    g.sync();
    data[i] = v + 1;
    g.sync();
  }
  out[i] = data[i];
}
__global__ void spin_lock(int* lock, int* counter, int per_thread) {
  for (int k = 0; k < per_thread; ++k) {
    bool done = false;
    while (!done) {
      if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        *(volatile int*)counter = *(volatile int*)counter + 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}
__global__ void naive_lock(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  *(volatile int*)counter = *(volatile int*)counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}
// block b waits for block b+1: the opposite of launch order
__global__ void chain(volatile int* flag, int* value, int n) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    if (b + 1 < (int)gridDim.x) while (flag[b + 1] == 0) {}
    __threadfence();
    value[b] = b + 1 < (int)gridDim.x ? *(volatile int*)&value[b + 1] + 1 : 1;
    __threadfence();
    flag[b] = 1;
  }
}
__global__ void backoff(int* flag, int* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) { unsigned ns = 8; while (atomicAdd(flag, 0) == 0) { __nanosleep(ns); if (ns < 256) ns *= 2; } out[0] = 42; }
  } else if (threadIdx.x == 0) { long long t = clock64(); while (clock64() - t < 1000) {} atomicExch(flag, 1); }
}
__global__ void forever(volatile int* flag) { while (*flag == 0) {} }
__global__ void too_many(int* counter, int* out) {
  if (threadIdx.x == 0) { atomicAdd(counter, 1); while (*(volatile int*)counter < (int)gridDim.x) {} out[blockIdx.x] = 1; }
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void recursive(int* out) { out[threadIdx.x] = fib(threadIdx.x % 12); }
typedef int (*op)(int, int);
__device__ int f_add(int a, int b) { return a + b; }
__device__ int f_sub(int a, int b) { return a - b; }
__device__ int f_mul(int a, int b) { return a * b; }
__device__ op table[3] = {f_add, f_sub, f_mul};
__global__ void indirect(int* out) { int t = threadIdx.x; out[t] = table[t % 3](t, 7); }
__global__ void hello(int n) { if (threadIdx.x < n) printf("thread %d of %u: %s %5.2f %lld %c%%\n", threadIdx.x, blockDim.x, "text", threadIdx.x * 0.5, -1ll << 40, 'x'); }
#include <cassert>
__global__ void asserts(int n) { assert(threadIdx.x < n && "small"); }
__global__ void heap(int** out) { int* p = (int*)malloc(16); p[1] = threadIdx.x; out[threadIdx.x] = p; if (threadIdx.x & 1) free(p); }
struct Big { int a[40]; };
__global__ void by_value(Big b, int i, int* out) { out[threadIdx.x] = b.a[(i + threadIdx.x) % 40]; }
__constant__ float coeff[4] = {1, 2, 3, 4};
extern __shared__ int dyn[];
__global__ void dynamic(float* out) { __shared__ int s[32]; dyn[threadIdx.x] = threadIdx.x * 2; s[31 - threadIdx.x] = threadIdx.x; __syncthreads(); out[threadIdx.x] = coeff[threadIdx.x % 4] * dyn[31 - threadIdx.x] + s[threadIdx.x]; }
__global__ void local_array(int* out, int k) { int a[16]; for (int i = 0; i < 16; ++i) a[(i * k) % 16] = i; int s = 0; for (int i = 0; i < 16; ++i) s = s * 3 + a[(i + threadIdx.x) % 16]; out[threadIdx.x] = s; }
