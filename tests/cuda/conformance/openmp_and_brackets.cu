// Host threads by OpenMP that launch kernels, and launches whose brackets are written apart.

#include <cstdio>
#include <omp.h>

#include "../programs/check.h"
#include "split_launch.h"

__global__ void fill(int* p, int n, int value) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < n) p[k] = value;
}
template <class T, int N>
__global__ void set(T* p) {
    p[threadIdx.x] = N;
}

#define LAUNCH(p, n, value) \
    fill << <(n + 31) / 32, \
             32 >> > (p, n, value)

/// The operator's own brackets stay apart.
struct Log;
template <class T>
Log& operator<<(Log& log, T);
struct Log {
    friend Log& operator<< <int>(Log&, int);

  private:
    int count = 0;
};
template <>
Log& operator<< <int>(Log& log, int) {
    ++log.count;
    return log;
}

int main() {
    int* p = nullptr;
    OK(cudaMallocManaged(&p, 64 * sizeof(int)));
    fill << <dim3(2), dim3(32) >> > (p, 64, 1 << 3);
    OK(cudaDeviceSynchronize());
    CHECK(p[63] == 8);
    set<int, (16 >> 2)> << <1, 1 >> >(p);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 4);
    LAUNCH(p, 64, 5);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 5 && p[63] == 5);
    launch_in_header(p);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 42);
    const char* const text = "k << <1, 1 >> > (p)";  // k << <1, 1 >> > (p)
    CHECK(text[4] == ' ');
    Log log;
    log << 1;

    int threads = 0, sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int* own = nullptr;
        OK(cudaMalloc(&own, 32 * sizeof(int)));
        fill<<<1, 32>>>(own, 32, omp_get_thread_num() + 1);
        int got = 0;
        OK(cudaMemcpy(&got, own + 31, sizeof got, cudaMemcpyDeviceToHost));
        OK(cudaFree(own));
        sum += got;
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK(threads == 4 && sum == 10);
    std::puts("openmp_and_brackets done");
}
