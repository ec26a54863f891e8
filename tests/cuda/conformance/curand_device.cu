// cuRAND's device API against known answers: Philox4x32-10's published vectors, L'Ecuyer's recurrences, the ten numbers that NVIDIA's
// manual prints for XORWOW with seed 1234; skipping ahead against drawing; moments of the distributions.

#include <cmath>
#include <cstdlib>
#include <curand_kernel.h>
#include <vector>

#include "library.h"

__global__ void rounds(const uint4* counters, const uint2* keys, uint4* out) {
    out[threadIdx.x] = curand_Philox4x32_10(counters[threadIdx.x], keys[threadIdx.x]);
}

/// The generator's authors' known-answer vectors.
static void philox_vectors() {
    auto* c = managed<uint4>(3);
    auto* k = managed<uint2>(3);
    auto* out = managed<uint4>(3);
    c[0] = make_uint4(0, 0, 0, 0), k[0] = make_uint2(0, 0);
    c[1] = make_uint4(~0u, ~0u, ~0u, ~0u), k[1] = make_uint2(~0u, ~0u);
    c[2] = make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
    k[2] = make_uint2(0xa4093822, 0x299f31d0);
    rounds<<<1, 3>>>(c, k, out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const uint4 want[3] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                           {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                           {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; ++i)
        EXPECT(out[i].x == want[i].x && out[i].y == want[i].y && out[i].z == want[i].z &&
               out[i].w == want[i].w);
}

template <typename State>
__global__ void first_uniform(float* out, unsigned long long seed) {
    State s;
    curand_init(seed, threadIdx.x, 0, &s);
    out[threadIdx.x] = curand_uniform(&s);
}

static void manual() {
    auto* out = managed<float>(10);
    first_uniform<curandState><<<1, 10>>>(out, 1234);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const double want[10] = {0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855};
    for (int i = 0; i < 10; ++i) EXPECT(std::fabs(out[i] - want[i]) < 1.01e-4);
}

__global__ void mrg(double* out) {
    curandStateMRG32k3a s;
    curand_init(0, 0, 0, &s);
    for (int i = 0; i < 4; ++i) out[i] = curand_uniform_double(&s);
}

/// The recurrences as L'Ecuyer states them, from 12345 six times.
static void lecuyer() {
    auto* out = managed<double>(4);
    mrg<<<1, 1>>>(out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const long long m1 = 4294967087, m2 = 4294944443;
    long long x[3] = {12345, 12345, 12345}, y[3] = {12345, 12345, 12345};
    for (int i = 0; i < 4; ++i) {
        const long long p = ((1403580 * x[1] - 810728 * x[0]) % m1 + m1) % m1,
                        q = ((527612 * y[2] - 1370589 * y[0]) % m2 + m2) % m2;
        x[0] = x[1], x[1] = x[2], x[2] = p;
        y[0] = y[1], y[1] = y[2], y[2] = q;
        EXPECT(std::fabs(out[i] - static_cast<double>(p > q ? p - q : p - q + m1) * 2.328306549295728e-10) <
               1e-15);
    }
}

/// Offsets, subsequences and calls that are split must agree with drawing one by one.
template <typename State>
__global__ void skips(int* wrong) {
    State one, two;
    for (unsigned long long n : {0ull, 1ull, 2ull, 3ull, 4ull, 5ull, 17ull, 300ull}) {
        curand_init(77, 5, 0, &one);
        for (unsigned long long i = 0; i < n; ++i) curand(&one);
        curand_init(77, 5, n, &two);
        for (int i = 0; i < 6; ++i) *wrong += curand(&one) != curand(&two);
    }
    curand_init(0x123456789abcdefull, 3, 1000000007ull, &one);
    curand_init(0x123456789abcdefull, 1, 1000000000ull, &two);
    skipahead(7ull, &two);
    if constexpr (std::is_same_v<State, curandStateMRG32k3a>)
        skipahead_subsequence(2ull, &two);
    else
        skipahead_sequence(2ull, &two);
    for (int i = 0; i < 6; ++i) *wrong += curand(&one) != curand(&two);
}

__global__ void fours(int* wrong) {
    for (int first = 0; first < 4; ++first) {
        curandStatePhilox4_32_10_t one, two;
        curand_init(9, 1, first, &one);
        two = one;
        for (int k = 0; k < 3; ++k) {
            const uint4 four = curand4(&one);
            *wrong += four.x != curand(&two) || four.y != curand(&two) || four.z != curand(&two) ||
                      four.w != curand(&two);
        }
    }
}

template <typename State>
static void skipping() {
    auto* wrong = managed<int>(1);
    skips<State><<<1, 1>>>(wrong);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(*wrong == 0);
}

constexpr int kThreads = 128, kEach = 40, kNumbers = kThreads * kEach;

template <typename State>
__global__ void draw(double (*out)[kNumbers]) {
    State s;
    curand_init(42, threadIdx.x, 0, &s);
    for (int i = 0; i < kEach; ++i) {
        const int at = i * kThreads + threadIdx.x;
        out[0][at] = curand_uniform(&s);
        out[1][at] = curand_uniform_double(&s);
        out[2][at] = curand_normal(&s);
        out[3][at] = curand_normal_double(&s);
        out[4][at] = std::log(static_cast<double>(curand_log_normal(&s, 1.0f, 0.5f)));
        out[5][at] = curand_poisson(&s, 3.5);
        out[6][at] = curand_poisson(&s, 60);
    }
}

/// Mean and variance, within five standard errors of what they should be.
template <typename State>
static void moments() {
    auto* out = reinterpret_cast<double(*)[kNumbers]>(managed<double>(7 * kNumbers));
    draw<State><<<1, kThreads>>>(out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const struct {
        double mean, variance, fourth;  // central moments
    } want[7] = {
        {0.5, 1.0 / 12, 1.0 / 80},       {0.5, 1.0 / 12, 1.0 / 80}, {0, 1, 3}, {0, 1, 3}, {1, 0.25, 3 / 16.0},
        {3.5, 3.5, 3.5 + 3 * 3.5 * 3.5}, {60, 60, 60 + 3 * 3600.0}};
    for (int d = 0; d < 7; ++d) {
        double sum = 0, squares = 0;
        for (int i = 0; i < kNumbers; ++i) {
            const double x = out[d][i];
            if (d < 2) EXPECT(x > 0 && x <= 1);
            sum += x;
            squares += (x - want[d].mean) * (x - want[d].mean);
        }
        const double mean_error = std::sqrt(want[d].variance / kNumbers);
        const double variance_error =
            std::sqrt((want[d].fourth - want[d].variance * want[d].variance) / kNumbers);
        if (std::fabs(sum / kNumbers - want[d].mean) > 5 * mean_error ||
            std::fabs(squares / kNumbers - want[d].variance) > 5 * variance_error) {
            std::printf("distribution %d: mean %g, variance %g\n", d, sum / kNumbers, squares / kNumbers);
            std::exit(1);
        }
    }
}

int main() {
    philox_vectors();
    manual();
    lecuyer();
    skipping<curandState>();
    skipping<curandStatePhilox4_32_10_t>();
    skipping<curandStateMRG32k3a>();
    auto* wrong = managed<int>(1);
    fours<<<1, 1>>>(wrong);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *wrong == 0);
    moments<curandState>();
    moments<curandStatePhilox4_32_10_t>();
    moments<curandStateMRG32k3a>();
    std::printf("curand_device done\n");
}
