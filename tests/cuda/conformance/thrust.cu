// Thrust and CUB as Debian ships them: a container, algorithms on the device, primitives of a block and a warp.

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <algorithm>
#include <numeric>

#include "check.h"

constexpr int kBlock = 128;

struct Odd {
    __host__ __device__ int operator()(int x) const { return x & 1; }
};

/// A template's shared variables stand beside those of other kernels in clang's PTX; each kernel has its own all the same.
template <int kItems>
__global__ void of_a_block(const int* in, int* scanned, int* sorted, int* sums) {
    using Scan = cub::BlockScan<int, kBlock>;
    using Sort = cub::BlockRadixSort<int, kBlock, kItems>;
    using Warp = cub::WarpReduce<int>;
    __shared__ union {
        typename Scan::TempStorage scan;
        typename Sort::TempStorage sort;
        typename Warp::TempStorage warp[kBlock / 32];
    } shared;
    int items[kItems], sums_before[kItems];
    for (int k = 0; k < kItems; ++k) items[k] = in[threadIdx.x * kItems + k];
    int all;
    Scan(shared.scan).InclusiveSum(items, sums_before, all);
    __syncthreads();
    const int warp = Warp(shared.warp[threadIdx.x / 32]).Sum(items[0]);
    __syncthreads();
    Sort(shared.sort).Sort(items);
    for (int k = 0; k < kItems; ++k) {
        scanned[threadIdx.x * kItems + k] = sums_before[k];
        sorted[threadIdx.x * kItems + k] = items[k];
    }
    if (threadIdx.x == 0) sums[0] = all;
    if (threadIdx.x % 32 == 0) sums[1 + threadIdx.x / 32] = warp;
}

template <int kItems>
int check_block(const std::vector<int>& h) {
    int *in = managed<int>(kBlock * kItems), *out = managed<int>(2 * kBlock * kItems), *sums = managed<int>(1 + kBlock / 32);
    std::copy_n(h.begin(), kBlock * kItems, in);
    of_a_block<kItems><<<1, kBlock>>>(in, out, out + kBlock * kItems, sums);
    CUDA(cudaDeviceSynchronize());
    std::vector<int> part(in, in + kBlock * kItems), sum(part.size());
    std::partial_sum(part.begin(), part.end(), sum.begin());
    CHECK(std::equal(sum.begin(), sum.end(), out));
    CHECK(sums[0] == sum.back());
    for (int w = 0; w < kBlock / 32; ++w) {
        int want = 0;
        for (int k = 0; k < 32; ++k) want += part[(w * 32 + k) * kItems];
        CHECK(sums[1 + w] == want);
    }
    std::sort(part.begin(), part.end());
    CHECK(std::equal(part.begin(), part.end(), out + kBlock * kItems));
    cudaFuncAttributes attributes;
    CUDA(cudaFuncGetAttributes(&attributes, of_a_block<kItems>));
    return static_cast<int>(attributes.sharedSizeBytes);
}

int main() {
    std::vector<int> h(3000);
    for (int& x : h) x = static_cast<int>(random_bits() % 20000) - 10000;
    thrust::device_vector<int> d = h;
    CHECK(thrust::reduce(d.begin(), d.end()) == std::accumulate(h.begin(), h.end(), 0));
    thrust::transform(d.begin(), d.end(), d.begin(), Odd());
    CHECK(thrust::reduce(d.begin(), d.end()) == std::count_if(h.begin(), h.end(), Odd()));
    CHECK(d[17] == (h[17] & 1));

    const int one = check_block<1>(h), four = check_block<4>(h);
    CHECK(one < 8192 && four < 8192 && one + four > 8192, "%d and %d bytes of shared memory", one, four);
    return finished();
}
