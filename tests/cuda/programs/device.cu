// The device side: textures, cooperative groups, half precision, mathematics, occupancy, printf.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include "check.h"
#include "other.h"

namespace cg = cooperative_groups;

texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> fractions;

__global__ void fetch_objects(cudaTextureObject_t smooth, cudaTextureObject_t linear, float* out, int w) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * w + x] = tex2D<float>(smooth, x + 1.0f, y + 0.5f) + tex1Dfetch<float>(linear, y * w + x);
}
__global__ void fetch_references(float* out, int w) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * w + x] = tex2D(plane, x + 0.5f, y + 0.5f) + tex1Dfetch(line, x) + tex2D(fractions, x, y);
}

static void textures() {
    constexpr int w = 8, h = 4, n = w * h;
    float a[n], out[n], *d, *l;
    unsigned char b[n];
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i * i);
        b[i] = static_cast<unsigned char>(i * 5);
    }
    OK(cudaMalloc(&d, sizeof a));
    OK(cudaMalloc(&l, sizeof a));
    OK(cudaMemcpy(l, a, sizeof a, cudaMemcpyHostToDevice));
    cudaArray_t array, bytes;
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(),
                                u = cudaCreateChannelDesc<unsigned char>();
    OK(cudaMallocArray(&array, &f, w, h));
    OK(cudaMemcpy2DToArray(array, 0, 0, a, w * 4, w * 4, h, cudaMemcpyHostToDevice));
    OK(cudaMallocArray(&bytes, &u, w, h));
    OK(cudaMemcpyToArray(bytes, 0, 0, b, n, cudaMemcpyHostToDevice));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc t = {};
    t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp;
    t.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t smooth, linear;
    OK(cudaCreateTextureObject(&smooth, &r, &t, nullptr));
    r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = l;
    r.res.linear.desc = f;
    r.res.linear.sizeInBytes = sizeof a;
    OK(cudaCreateTextureObject(&linear, &r, &t, nullptr));
    fetch_objects<<<1, dim3(w, h)>>>(smooth, linear, d, w);
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        // Halfway between two texels; the last one stands for what lies beyond.
        const float between = i % w == w - 1 ? a[i] : (a[i] + a[i + 1]) / 2;
        CHECK(out[i] == between + a[i]);
    }
    OK(cudaDestroyTextureObject(smooth));
    OK(cudaBindTexture(nullptr, line, l, sizeof a));
    OK(cudaBindTextureToArray(plane, array));
    OK(cudaBindTextureToArray(fractions, bytes));
    fetch_references<<<1, dim3(w, h)>>>(d, w);
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) CHECK(out[i] == a[i] + a[i % w] + b[i] / 255.0f);
    OK(cudaUnbindTexture(plane));
}

/// Every round each thread takes its neighbour's number: wrong if a block runs ahead.
__global__ void rotate(int* data, int rounds) {
    const auto grid = cg::this_grid();
    const auto n = grid.size(), i = grid.thread_rank();
    for (int r = 0; r < rounds; ++r) {
        const int v = data[(i + 1) % n];
        grid.sync();
        data[i] = v;
        grid.sync();
    }
}

static void cooperative() {
    int blocks = 0, device = 0, can = 0;
    OK(cudaGetDevice(&device));
    OK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    CHECK(can == 1);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate, 64, 0));
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, device));
    const int most = blocks * p.multiProcessorCount, grid = std::min(most, 24), n = grid * 64;
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    int *d, rounds = 5;
    OK(cudaMalloc(&d, n * sizeof(int)));
    OK(cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    void* args[] = {&d, &rounds};
    OK(cudaLaunchCooperativeKernel(rotate, dim3(grid), dim3(64), args));
    OK(cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) CHECK(h[i] == (i + rounds) % n);
    CHECK(cudaLaunchCooperativeKernel(rotate, dim3(most + 1), dim3(64), args) ==
          cudaErrorCooperativeLaunchTooLarge);
    int best = 0, least = 0;
    OK(cudaOccupancyMaxPotentialBlockSize(&least, &best, rotate));
    CHECK(best % 32 == 0 && best > 0 && least > 0);
}

__global__ void warps(int* out, unsigned* found) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    out[threadIdx.x] =
        cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>()) + 1000 * tile.meta_group_rank();
    if (threadIdx.x % 3 == 0) {
        const auto here = cg::coalesced_threads();
        if (here.thread_rank() == here.size() - 1) atomicAdd(found, here.size());
    }
    found[1 + threadIdx.x] = __match_any_sync(~0u, threadIdx.x % 4) ^ __ballot_sync(~0u, threadIdx.x & 1);
}

/// Some of a group's threads make a thread_group of it apart from the others; its barrier still waits for all.
template <class Group>
static __device__ void tell(const Group& group, bool speaks, volatile unsigned& said, unsigned& heard) {
    if (speaks) {
        said = group.size();
        const cg::thread_group all(group);
        all.sync();
    } else {
        const cg::thread_group all(group);
        all.sync();
        heard += said;
    }
}
__global__ void apart(unsigned* heard) {
    __shared__ volatile unsigned said;
    heard[threadIdx.x] = 0;
    if (threadIdx.x % 2 == 0) {
        const auto even = cg::coalesced_threads();
        for (unsigned speaker : {0u, even.size() - 1}) {
            said = 0;
            even.sync();
            tell(even, even.thread_rank() == speaker, said, heard[threadIdx.x]);
            even.sync();
        }
    }
}

static void groups() {
    int* out;
    unsigned* found;
    OK(cudaMallocManaged(&out, 64 * 4));
    OK(cudaMallocManaged(&found, 65 * 4));
    *found = 0;
    warps<<<1, 64>>>(out, found);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
        CHECK(out[i] == (i / 8 * 8) * 8 + 28 + 1000 * (i / 8));
        CHECK(found[1 + i] == ((0x11111111u << (i % 4)) ^ 0xaaaaaaaau));
    }
    CHECK(*found == 22);
    apart<<<1, 32>>>(found);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) CHECK(found[i] == (i % 2 == 1 ? 0u : i == 0 || i == 30 ? 16u : 32u));
}

__global__ void numbers(const half* h, float* f, double* d, int* k) {
    const int i = threadIdx.x;
    const half a = h[i];
    const half2 p = __hfma2(half2(a, a), half2(a, a), half2(a, a));
    f[i] = __low2float(p) + std::max(2.0f, static_cast<float>(i)) +
           cuCrealf(cuCmulf({0, 1}, {0, static_cast<float>(i)}));
    int e;
    d[i] = pow(1.5, static_cast<double>(i)) + ldexp(0.75, i) + frexp(i + 1.0, &e) * e +
           norm3d(1.0, 2.0, 2.0) + std::fabs(-1.5) + rsqrt(4.0) + CUDART_PI * 0;
    k[i] = __clz(i + 1) + 100 * __ffs(i) + 1000 * __popc(i) + 100000 * (__brev(i) >> 28) +
           10000000 * __float2int_rn(i + 0.5f) +
           static_cast<int>(__byte_perm(0x03020100, 0x07060504, 0x7531) != 0x07050301) + __mul24(i, 0) +
           scaled(0);
    assert(i < 32);
}

static void mathematics() {
    half* h;
    float* f;
    double* d;
    int* k;
    OK(cudaMallocManaged(&h, 32 * sizeof(half)));
    OK(cudaMallocManaged(&f, 32 * sizeof(float)));
    OK(cudaMallocManaged(&d, 32 * sizeof(double)));
    OK(cudaMallocManaged(&k, 32 * sizeof(int)));
    for (int i = 0; i < 32; ++i) h[i] = __float2half(i * 0.25f);
    numbers<<<1, 32>>>(h, f, d, k);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) {
        const float a = i * 0.25f;
        CHECK(f[i] == a * a + a + std::max(2.0f, static_cast<float>(i)) - i);  // exact in half precision
        int e;
        const double fraction = std::frexp(i + 1.0, &e);
        const double want = std::pow(1.5, i) + std::ldexp(0.75, i) + fraction * e + 3 + 1.5 + 0.5;
        CHECK(std::fabs(d[i] - want) <= 1e-15 * want * 4);
        unsigned reversed = 0;
        for (int b = 0; b < 4; ++b) reversed |= (static_cast<unsigned>(i) >> b & 1) << (3 - b);
        const int rounded = (i + 1) / 2 * 2;  // i + 0.5 to the nearest even number
        CHECK(k[i] == __builtin_clz(i + 1) + 100 * __builtin_ffs(i) + 1000 * __builtin_popcount(i) +
                          100000 * static_cast<int>(reversed) + 10000000 * rounded);
    }
}

/// What one thread writes into a shared variable the others read behind a barrier. It is one of the last warp: the others
/// are ahead. Each kind has a kernel of its own, as one that keeps the order hides another that does not; and the names are
/// this file's own, as clang moves loads of no others.
namespace {
template <class Barrier>
__global__ void told(const unsigned* in, unsigned* out) {
    __shared__ unsigned said;
    if (threadIdx.x == blockDim.x - 1) said = *in;
    const unsigned result = Barrier::wait();
    out[threadIdx.x] = said + result;
}
#define BARRIER(name, call)                                \
    struct name {                                          \
        static __device__ unsigned wait() { return call; } \
    }
BARRIER(Block, (::__syncthreads(), 0));  // as libraries write it
BARRIER(BlockAnd, __syncthreads_and(threadIdx.x));
BARRIER(BlockOr, __syncthreads_or(threadIdx.x));
BARRIER(BlockCount, __syncthreads_count(threadIdx.x));
BARRIER(OneWarp, (__syncwarp(), 0));
}  // namespace

static void barriers() {
    unsigned *in, *out;
    OK(cudaMallocManaged(&in, 4));
    OK(cudaMallocManaged(&out, 64 * 4));
    const struct {
        void (*kernel)(const unsigned*, unsigned*);
        unsigned threads, result;
    } cases[] = {{told<Block>, 64, 0},
                 {told<BlockAnd>, 64, 0},
                 {told<BlockOr>, 64, 1},
                 {told<BlockCount>, 64, 63},
                 {told<OneWarp>, 32, 0}};
    *in = 0;
    for (const auto& c : cases) {
        *in += 100;
        c.kernel<<<1, c.threads>>>(in, out);
        OK(cudaDeviceSynchronize());
        for (unsigned t = 0; t < c.threads; ++t) CHECK(out[t] == *in + c.result);
    }
}

__global__ void talk() {
    if (threadIdx.x == 2) printf("thread %d of block %d: %s %.2f\n", threadIdx.x, blockIdx.x, "text", 1.25);
}
static void talking() {
    std::printf("before\n");
    talk<<<2, 32>>>();
    OK(cudaDeviceSynchronize());
    std::printf("after\n");
}

static void two_files() {
    CHECK(from_other_file(20) == 60);
}

int main(int argc, char** argv) {
    const Case cases[] = {{"textures", textures}, {"cooperative", cooperative},
                          {"groups", groups},     {"mathematics", mathematics},
                          {"talking", talking},   {"two_files", two_files},
                          {"barriers", barriers}, {"other_fault", fault_in_other_file}};
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
