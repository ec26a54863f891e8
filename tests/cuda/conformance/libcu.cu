// libcu++ as Debian ships it: atomics of each scope, barriers, pipelines, and parts of the C++ library in kernels.

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include <cooperative_groups.h>

#include "check.h"

__global__ void atomics(cuda::atomic<int>* a, unsigned* plain, double* d) {
    a->fetch_add(1);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(*plain);
    ref.fetch_max(threadIdx.x + blockIdx.x * blockDim.x, cuda::memory_order_relaxed);
    cuda::atomic_ref<double, cuda::thread_scope_device> sum(*d);
    double old = sum.load();
    while (!sum.compare_exchange_weak(old, old + 0.5)) {
    }
}

// Arithmetic of floating-point atomics, and of all orders and scopes.
__device__ cuda::atomic<float, cuda::thread_scope_device> total;

__global__ void floating(float* sums, double* least) {
    cuda::atomic_ref<float, cuda::thread_scope_device> device(sums[0]);
    cuda::atomic_ref<float, cuda::thread_scope_block> block(sums[1 + blockIdx.x]);
    cuda::atomic_ref<float> system(sums[4]);
    device.fetch_add(0.5f, cuda::memory_order_relaxed);
    block += 2;
    system.fetch_sub(1, cuda::memory_order_acq_rel);
    total.fetch_add(0.25f, cuda::memory_order_release);
    cuda::atomic_ref<double, cuda::thread_scope_device>(least[0]).fetch_min(threadIdx.x - 7.5);
    cuda::atomic_ref<double, cuda::thread_scope_device>(least[1]).fetch_max(threadIdx.x + 0.5);
    __shared__ cuda::atomic<double, cuda::thread_scope_block> shared;
    if (threadIdx.x == 0) shared = 1;
    __syncthreads();
    shared += 3;
    __syncthreads();
    if (threadIdx.x == 0) least[2] = shared;
}

__global__ void total_of(float* to) {
    auto twice = cuda::proclaim_return_type<float>([] __device__(float v) { return 2 * v; });
    *to = twice(total.load());
}

__global__ void through_a_barrier(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[128];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    for (int round = 0; round < 3; ++round) {
        values[threadIdx.x] = in[threadIdx.x] + round;
        auto token = barrier.arrive();
        barrier.wait(static_cast<decltype(token)&&>(token));
        out[round * 128 + threadIdx.x] = values[127 - threadIdx.x];
        barrier.arrive_and_wait();
    }
}

/// Every thread fills and reads: a barrier of the block keeps a stage until all have read it.
__global__ void through_a_pipeline(const int* in, int* out, int batches) {
    __shared__ int stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    for (int b = 0, next = 0; b < batches; ++b) {
        for (; next < batches && next < b + 2; ++next) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, stage[next % 2], in + next * 128, sizeof(int) * 128, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        out[b * 128 + threadIdx.x] = 2 * stage[b % 2][127 - threadIdx.x];
        pipeline.consumer_release();
        block.sync();
    }
}

/// The first warp fills, the other four read.
__global__ void through_a_pipeline_with_roles(const int* in, int* out, int batches) {
    __shared__ int stage[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipeline = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int b = 0; b < batches; ++b) {
        if (produces) {
            pipeline.producer_acquire();
            for (unsigned i = threadIdx.x; i < 128; i += 32)
                cuda::memcpy_async(&stage[b % 2][i], in + b * 128 + i, sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            const unsigned reader = threadIdx.x - 32;
            pipeline.consumer_wait();
            out[b * 128 + reader] = 2 * stage[b % 2][127 - reader];
            pipeline.consumer_release();
        }
    }
}

__global__ void library(float* out) {
    cuda::std::array<int, 4> a{1, 2, 3, 4};
    cuda::std::complex<float> z(1, 2);
    z *= cuda::std::complex<float>(3, -1);
    auto t = cuda::std::make_tuple(a[2], z.real());
    static_assert(cuda::std::is_same<decltype(a)::value_type, int>::value, "");
    out[0] = static_cast<float>(cuda::std::get<0>(t)) + cuda::std::get<1>(t);
    out[1] = cuda::std::identity()(z.imag());
    out[2] = cuda::std::numeric_limits<float>::max();
}

int main() {
    cuda::atomic<int>* a = managed<cuda::atomic<int>>(1);
    unsigned* plain = managed<unsigned>(1);
    double* d = managed<double>(1);
    atomics<<<3, 100>>>(a, plain, d);
    CUDA(cudaDeviceSynchronize());
    CHECK(a->load() == 300 && *plain == 299 && *d == 150, "%d %u %f", a->load(), *plain, *d);

    float* const sums = managed<float>(6);
    double* const least = managed<double>(3);
    for (int i = 0; i < 6; ++i) sums[i] = 0;
    least[0] = least[1] = 0;
    floating<<<3, 64>>>(sums, least);
    total_of<<<1, 1>>>(sums + 5);
    CUDA(cudaDeviceSynchronize());
    CHECK(sums[0] == 96 && sums[4] == -192 && sums[5] == 96, "%g %g %g", sums[0], sums[4], sums[5]);
    for (int i = 1; i < 4; ++i) CHECK(sums[i] == 128, "%d: %g", i, sums[i]);
    CHECK(least[0] == -7.5 && least[1] == 63.5 && least[2] == 193, "%g %g %g", least[0], least[1], least[2]);
    cuda::atomic<float> host(1.5f);
    host += 2;
    CHECK(host.fetch_max(9) == 3.5f && host.load() == 9);

    int *in = managed<int>(6 * 128), *out = managed<int>(6 * 128);
    for (int i = 0; i < 6 * 128; ++i) in[i] = static_cast<int>(random_bits());
    through_a_barrier<<<1, 128>>>(in, out);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 3 * 128; ++i) CHECK(out[i] == in[127 - i % 128] + i / 128);
    for (bool roles : {false, true}) {
        if (roles)
            through_a_pipeline_with_roles<<<1, 160>>>(in, out, 6);
        else
            through_a_pipeline<<<1, 128>>>(in, out, 6);
        CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < 6 * 128; ++i) {
            const int want = static_cast<int>(2u * static_cast<unsigned>(in[i / 128 * 128 + 127 - i % 128]));
            CHECK(out[i] == want, "%d: %d, not %d", i, out[i], want);
            out[i] = 0;
        }
    }

    float* f = managed<float>(3);
    library<<<1, 1>>>(f);
    CUDA(cudaDeviceSynchronize());
    CHECK(f[0] == 8 && f[1] == 5 && f[2] == 3.40282347e38f);
    return finished();
}
