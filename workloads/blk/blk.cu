// blk: prices of European options by the formula of Black and Scholes, one thread an option at a time, structure of
// arrays. The cumulative normal distribution is the polynomial of Abramowitz and Stegun, 26.2.17.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr float kRate = 0.02f;
constexpr float kVolatility = 0.30f;

__device__ float normal_cdf(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float tail =
        0.39894228040f * expf(-0.5f * d * d) *
        (k *
         (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void price(const float* stock, const float* strike, const float* years, float* call,
                                 float* put, u32 n) {
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float s = stock[i], x = strike[i], t = years[i];
        const float spread = kVolatility * sqrtf(t);
        const float d1 = (logf(s / x) + (kRate + 0.5f * kVolatility * kVolatility) * t) / spread;
        const float c1 = normal_cdf(d1), c2 = normal_cdf(d1 - spread);
        const float discounted = x * expf(-kRate * t);
        call[i] = s * c1 - discounted * c2;
        put[i] = discounted * (1.0f - c2) - s * (1.0f - c1);
    }
}

/// The distribution itself, in double precision.
double exact_cdf(double d) {
    return 0.5 * std::erfc(-d / std::sqrt(2.0));
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("blk", "Black-Scholes option prices", argc, argv);
    const u32 n = args.count("options", "options to price", Sizes<u32>{16'384, 524'288, 16'777'216});
    const u32 each = args.count("each", "options per thread", Sizes<u32>{2, 4, 4});
    args.done();
    if (each > 1024) args.fail("--each: at most 1024");

    Random random(args.seed());
    std::vector<float> stock(n), strike(n), years(n);
    for (u32 i = 0; i < n; ++i) {
        stock[i] = random.between(5, 30);
        strike[i] = random.between(1, 100);
        years[i] = random.between(0.25f, 10);
    }
    DeviceArray<float> d_stock(stock), d_strike(strike), d_years(years), call(n), put(n);
    price<<<blocks(n, kThreads * each), kThreads>>>(d_stock.data(), d_strike.data(), d_years.data(),
                                                    call.data(), put.data(), n);
    must(cudaGetLastError());

    std::vector<float> expected_call(n), expected_put(n);
    for (u32 i = 0; i < n; ++i) {
        const double s = stock[i], x = strike[i], t = years[i], r = kRate, v = kVolatility;
        const double d1 = (std::log(s / x) + (r + 0.5 * v * v) * t) / (v * std::sqrt(t)),
                     d2 = d1 - v * std::sqrt(t);
        const double discounted = x * std::exp(-r * t);
        expected_call[i] = static_cast<float>(s * exact_cdf(d1) - discounted * exact_cdf(d2));
        expected_put[i] = static_cast<float>(discounted * exact_cdf(-d2) - s * exact_cdf(-d1));
    }
    std::printf("blk: %u options\n", n);
    Verdict verdict("blk");
    // The polynomial is good to 7.5e-8 of prices up to 100.
    verdict.near("call", call.host(), expected_call, 1e-5f, 5e-5f);
    verdict.near("put", put.host(), expected_put, 1e-5f, 5e-5f);
    return verdict.exit_code();
}
