// cuRAND's host API: the ten numbers that NVIDIA's manual prints; the order of XORWOW's numbers; calls that are split, offsets,
// generators for the host; moments.

#include <cmath>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

#include "library.h"

static std::vector<float> device_uniform(curandRngType_t type, unsigned long long offset,
                                         std::vector<size_t> parts) {
    curandGenerator_t g;
    OK(curandCreateGenerator(&g, type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandSetGeneratorOffset(g, offset));
    std::vector<float> all;
    for (size_t n : parts) {
        float* p = nullptr;
        OK(cudaMalloc(&p, n * sizeof(float)));
        OK(curandGenerateUniform(g, p, n));
        all.resize(all.size() + n);
        OK(cudaMemcpy(all.data() + all.size() - n, p, n * sizeof(float), cudaMemcpyDeviceToHost));
        cudaFree(p);
    }
    OK(curandDestroyGenerator(g));
    return all;
}

/// Number n of the sequence is number n / turns of subsequence n mod turns.
template <typename State>
__global__ void numbers(float* out, unsigned long long turns) {
    const unsigned long long n = blockIdx.x * blockDim.x + threadIdx.x;
    State s;
    curand_init(1234, n % turns, n / turns, &s);
    out[n] = curand_uniform(&s);
}

template <typename State>
static void test_order(curandRngType_t type, unsigned long long turns) {
    float* want = nullptr;
    OK(cudaMallocManaged(&want, 9000 * sizeof(float)));
    numbers<State><<<90, 100>>>(want, turns);
    OK(cudaDeviceSynchronize());
    EXPECT(device_uniform(type, 0, {9000}) == std::vector<float>(want, want + 9000));
    cudaFree(want);
}

int main() {
    test_order<curandStateXORWOW>(CURAND_RNG_PSEUDO_XORWOW, 4096);
    test_order<curandStateMRG32k3a>(CURAND_RNG_PSEUDO_MRG32K3A, 4096);
    test_order<curandStatePhilox4_32_10_t>(CURAND_RNG_PSEUDO_PHILOX4_32_10, 1);
    const double printed[10] = {0.1455, 0.8202, 0.5504, 0.2948, 0.9147,
                                0.8690, 0.3219, 0.7829, 0.0113, 0.2855};
    const std::vector<float> first = device_uniform(CURAND_RNG_PSEUDO_DEFAULT, 0, {10});
    for (int i = 0; i < 10; ++i) EXPECT(std::fabs(first[i] - printed[i]) < 1.01e-4);

    for (curandRngType_t type :
         {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
        const std::vector<float> whole = device_uniform(type, 0, {9000});
        EXPECT(device_uniform(type, 0, {1, 4999, 4000}) == whole);
        const std::vector<float> later = device_uniform(type, 5001, {3999});
        for (size_t i = 0; i < later.size(); ++i) EXPECT(later[i] == whole[5001 + i]);
        curandGenerator_t g;
        OK(curandCreateGeneratorHost(&g, type));
        OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
        std::vector<float> host(9000);
        OK(curandGenerateUniform(g, host.data(), host.size()));
        EXPECT(host == whole);
        EXPECT(curandGenerateNormal(g, host.data(), 7, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
        OK(curandGenerateNormal(g, host.data(), host.size(), 10, 2));
        std::vector<double> wide(9000);
        OK(curandGenerateLogNormalDouble(g, wide.data(), wide.size(), 1, 0.5));
        std::vector<unsigned> counts(9000);
        OK(curandGeneratePoisson(g, counts.data(), counts.size(), 20));
        double sum[3] = {}, squares[3] = {};
        for (int i = 0; i < 9000; ++i) {
            const double x[3] = {(host[i] - 10) / 2, (std::log(wide[i]) - 1) / 0.5,
                                 (static_cast<double>(counts[i]) - 20) / std::sqrt(20.0)};
            for (int k = 0; k < 3; ++k) sum[k] += x[k], squares[k] += x[k] * x[k];
        }
        for (int k = 0; k < 3; ++k) {
            EXPECT(std::fabs(sum[k] / 9000) < 5 / std::sqrt(9000.0));
            EXPECT(std::fabs(squares[k] / 9000 - 1) < 5 * std::sqrt(2.1 / 9000));
        }
        OK(curandDestroyGenerator(g));
    }
    curandGenerator_t g;
    EXPECT(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
    std::printf("curand_host done\n");
}
