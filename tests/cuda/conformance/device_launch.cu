// Kernels that launch kernels: recursion, waiting for them, parameters of every size, streams, tail launches.

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../programs/check.h"

namespace {

struct Big {
    char tag;
    double values[5];
};

/// Sorts [left, right] by itself, its parts by kernels of their own.
__global__ void quicksort(int* data, int left, int right, int depth) {
    if (depth >= 20 || right - left < 8) {
        for (int k = left + 1; k <= right; ++k)
            for (int j = k; j > left && data[j - 1] > data[j]; --j) {
                const int v = data[j];
                data[j] = data[j - 1];
                data[j - 1] = v;
            }
        return;
    }
    const int pivot = data[(left + right) / 2];
    int l = left, r = right;
    while (l <= r) {
        while (data[l] < pivot) ++l;
        while (data[r] > pivot) --r;
        if (l > r) break;
        const int v = data[l];
        data[l++] = data[r];
        data[r--] = v;
    }
    if (left < r) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(data, left, r, depth + 1);
        cudaStreamDestroy(s);
    }
    if (l < right) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(data, l, right, depth + 1);
        cudaStreamDestroy(s);
    }
}

/// out[n] = fib(n), of kernels that wait for kernels.
__global__ void __launch_bounds__(64, 4) fibonacci(int* out, int n) {
    if (n < 2) {
        out[n] = n;
        return;
    }
    if (threadIdx.x == 0) {
        fibonacci<<<1, 2>>>(out, n - 1);
        cudaDeviceSynchronize();
        const volatile int* seen = out;
        out[n] = seen[n - 1] + seen[n - 2];
    }
}

template <class T, int Scale>
__global__ void take(char a, T* to, short b, Big big, double c, const T* from) {
    extern __shared__ T room[];
    room[threadIdx.x] = from[threadIdx.x] * Scale;
    __syncthreads();
    to[threadIdx.x + blockIdx.x * blockDim.x] =
        room[blockDim.x - 1 - threadIdx.x] + static_cast<T>(a + b + c + big.values[4] + big.tag);
}

__device__ void launch_from_function(int* to, const int* from) {
    Big big = {};
    big.tag = 1;
    big.values[4] = 1000;
    ::take<int, 3> << <dim3(2), dim3(32), 32 * sizeof(int) >> > ('\2', to, 10, big, 100.0, from);
}

__global__ void parameters(int* to, const int* from) {
    if (threadIdx.x == 5) launch_from_function(to, from);
}

__global__ void append(int* list, int value) {
    list[++list[0]] = value;
}

/// Tail launches come after all others, whatever the order of the calls.
__global__ void order(int* list) {
    append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 9);
    append<<<1, 1>>>(list, 1);
    append<<<1, 1>>>(list, 2);
    list[++list[0]] = 0;
}

__global__ void spread(int* hits, int depth) {
    atomicAdd(hits + depth, 1);
    if (depth < 3 && threadIdx.x == 0) spread<<<2, 2>>>(hits, depth + 1);
}

/// Launches from wherever it runs.
__host__ __device__ void launch_either(int* list) {
    append<<<1, 1>>>(list, 7);
}
__global__ void either(int* list) {
    launch_either(list);
}

int* managed(int n) {
    int* p = nullptr;
    OK(cudaMallocManaged(&p, static_cast<size_t>(n) * sizeof(int)));
    return p;
}

}  // namespace

int main() {
    constexpr int n = 500;
    int* data = managed(n);
    unsigned state = 12345;
    for (int k = 0; k < n; ++k) data[k] = static_cast<int>((state = state * 1664525 + 1013904223) >> 8);
    std::vector<int> sorted(data, data + n);
    std::sort(sorted.begin(), sorted.end());
    quicksort<<<1, 1>>>(data, 0, n - 1, 0);
    OK(cudaDeviceSynchronize());
    CHECK(std::equal(sorted.begin(), sorted.end(), data));

    int* fib = managed(16);
    fibonacci<<<1, 32>>>(fib, 12);
    OK(cudaDeviceSynchronize());
    CHECK(fib[12] == 144 && fib[11] == 89);

    int *from = managed(32), *to = managed(64);
    for (int k = 0; k < 32; ++k) from[k] = k;
    parameters<<<1, 32>>>(to, from);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < 64; ++k) CHECK(to[k] == (31 - k % 32) * 3 + 1113);

    int* list = managed(8);
    order<<<1, 1>>>(list);
    OK(cudaDeviceSynchronize());
    CHECK(list[0] == 4 && list[1] == 0 && list[2] == 1 && list[3] == 2 && list[4] == 9);

    int* hits = managed(4);
    spread<<<1, 1>>>(hits, 0);
    OK(cudaDeviceSynchronize());
    CHECK(hits[0] == 1 && hits[1] == 4 && hits[2] == 8 && hits[3] == 16);

    list[0] = 0;
    launch_either(list);
    either<<<1, 1>>>(list);
    OK(cudaDeviceSynchronize());
    CHECK(list[0] == 2 && list[1] == 7 && list[2] == 7);
    std::puts("device_launch done");
}
