// lib: Monte Carlo simulation of the LIBOR market model (Giles and Xiaoke; the LIB of ISPASS 2009). One thread a path:
// forward rates evolve over `maturity` steps, then a portfolio of 15 swaptions is valued at that maturity. The first
// kernel also computes by adjoints how the value depends on every initial rate, for which it keeps all rates of all
// steps; the second computes the value alone. A path's rates lie in arrays of the thread, that is in local memory.

#include "../common/workload.h"

using namespace workloads;

constexpr u32 kMostMaturity = 40;
constexpr u32 kMostRates = 2 * kMostMaturity;
constexpr u32 kOptions = 15;

/// The market and the portfolio.
struct Market {
    u32 rates, maturity;     // maturity: steps of a path as well
    u32 swap_end[kOptions];  // of each swaption's swap, in intervals after the maturity, from 1
    float swap_rate[kOptions];
    float volatility[kMostRates];
    float interval;  // years
    float first_rate;
};

// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
__constant__ Market market;

namespace {

constexpr u32 kThreads = 64;

__host__ __device__ u32 mix(u64 x) {
    x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBu;
    return static_cast<u32>((x ^ (x >> 31)) >> 32);
}

/// Uniform in (0, 1): number `i` of a path.
__host__ __device__ float uniform(u64 seed, u32 path, u32 i) {
    return (static_cast<float>(mix(seed * 0x9E37'79B9'7F4A'7C15u + (u64{path} << 8) + i) >> 9) + 0.5f) /
           8'388'608.0f;
}

/// Normal numbers by the method of Box and Muller. `z` holds an even number of them.
__device__ void normals(u64 seed, u32 path, float* z) {
    for (u32 i = 0; i < market.maturity; i += 2) {
        const float radius = sqrtf(-2.0f * logf(uniform(seed, path, i)));
        const float angle = 6.2831853f * uniform(seed, path, i + 1);
        z[i] = radius * cosf(angle);
        z[i + 1] = radius * sinf(angle);
    }
}

/// The rates at the maturity. `history`, if any, gets those of every step, one row of `rates` each.
__device__ void evolve(float* rate, const float* z, float* history) {
    const u32 rates = market.rates;
    const float interval = market.interval, root = sqrtf(interval);
    if (history != nullptr)
        for (u32 i = 0; i < rates; ++i) history[i] = rate[i];
    for (u32 n = 0; n < market.maturity; ++n) {
        float drift = 0;
        for (u32 i = n + 1; i < rates; ++i) {
            const float volatility = market.volatility[i - n - 1], variance = interval * volatility;
            drift += variance * rate[i] / (1.0f + interval * rate[i]);
            rate[i] *= expf(variance * drift + volatility * (root * z[n] - 0.5f * variance));
            if (history != nullptr) history[(n + 1) * rates + i] = rate[i];
        }
    }
}

/// Value of the portfolio, discounted to today. Bonds and annuities at the maturity are kept in `bond` and `annuity`.
__device__ float value_of(const float* rate, float* bond, float* annuity) {
    const u32 maturity = market.maturity;
    float b = 1, s = 0, value = 0;
    for (u32 n = maturity; n < market.rates; ++n) {
        b /= 1.0f + market.interval * rate[n];
        s += market.interval * b;
        bond[n - maturity] = b;
        annuity[n - maturity] = s;
    }
    for (u32 o = 0; o < kOptions; ++o) {
        const u32 end = market.swap_end[o] - 1;
        const float swap = bond[end] + market.swap_rate[o] * annuity[end] - 1.0f;
        if (swap < 0) value -= 100.0f * swap;
    }
    for (u32 n = 0; n < maturity; ++n) value /= 1.0f + market.interval * rate[n];
    return value;
}

/// From rates at the maturity back to d value / d rate of all of them.
__device__ void value_backwards(const float* rate, const float* bond, const float* annuity, float value,
                                float* slope) {
    const u32 maturity = market.maturity;
    const float interval = market.interval;
    float discount = 1;
    for (u32 n = 0; n < maturity; ++n) {
        const float growth = 1.0f + interval * rate[n];
        discount /= growth;
        slope[n] = -value * interval / growth;
    }
    // slope[n] first gathers what the bond that ends with rate n contributes, then, from the last to the first, what
    // rate n does to all later bonds.
    for (u32 n = maturity; n < market.rates; ++n) slope[n] = 0;
    float later_annuity = 0;
    for (u32 o = 0; o < kOptions; ++o) {
        const u32 end = market.swap_end[o] - 1;
        const float swap = bond[end] + market.swap_rate[o] * annuity[end] - 1.0f;
        if (swap >= 0) continue;
        for (u32 k = 0; k < end; ++k)
            slope[maturity + k] -= 100.0f * market.swap_rate[o] * interval * bond[k];
        slope[maturity + end] -= 100.0f * (1.0f + market.swap_rate[o] * interval) * bond[end];
    }
    for (u32 n = market.rates; n-- > maturity;) {
        later_annuity += slope[n];
        slope[n] = -discount * later_annuity * interval / (1.0f + interval * rate[n]);
    }
}

/// The adjoint of evolve: from d value / d rate at the maturity to d value / d rate at the start.
__device__ void evolve_backwards(const float* history, float* slope) {
    const u32 rates = market.rates;
    const float interval = market.interval;
    for (u32 n = market.maturity; n-- > 0;) {
        const float* const before = history + n * rates;
        const float* const after = before + rates;
        float drift_slope = 0;
        for (u32 i = rates; i-- > n + 1;) {
            const float volatility = market.volatility[i - n - 1], variance = interval * volatility;
            // after = before * exp(variance * drift_i + ...), drift_i = sum up to i of variance * before / growth
            const float through = slope[i] * after[i];
            drift_slope += variance * through;
            const float growth = 1.0f + interval * before[i];
            slope[i] = through / before[i] + drift_slope * variance / (growth * growth);
        }
    }
}

extern "C" __global__ void paths_with_sensitivities(float* value, float* sensitivity, u32 paths, u64 seed) {
    const u32 path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= paths) return;
    float z[kMostMaturity], rate[kMostRates], slope[kMostRates], bond[kMostMaturity], annuity[kMostMaturity];
    float history[(kMostMaturity + 1) * kMostRates];
    normals(seed, path, z);
    for (u32 i = 0; i < market.rates; ++i) rate[i] = market.first_rate;
    evolve(rate, z, history);
    const float v = value_of(rate, bond, annuity);
    value_backwards(rate, bond, annuity, v, slope);
    evolve_backwards(history, slope);
    value[path] = v;
    // One number for the result: what a shift of all initial rates does.
    float sum = 0;
    for (u32 i = 0; i < market.rates; ++i) sum += slope[i];
    sensitivity[path] = sum;
}

extern "C" __global__ void paths_alone(float* value, u32 paths, u64 seed) {
    const u32 path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= paths) return;
    float z[kMostMaturity], rate[kMostRates], bond[kMostMaturity], annuity[kMostMaturity];
    normals(seed, path, z);
    for (u32 i = 0; i < market.rates; ++i) rate[i] = market.first_rate;
    evolve(rate, z, nullptr);
    value[path] = value_of(rate, bond, annuity);
}

/// A number and its derivative by a shift of all initial rates.
struct Dual {
    double v, d;
};
Dual operator+(Dual a, Dual b) {
    return {a.v + b.v, a.d + b.d};
}
Dual operator*(Dual a, Dual b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
}
Dual operator/(Dual a, Dual b) {
    return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v};
}
Dual exp(Dual a) {
    return {std::exp(a.v), std::exp(a.v) * a.d};
}
Dual constant(double v) {
    return {v, 0};
}

struct Expected {
    Dual value;
    bool kinked;  // a swap is worth so close to nothing that either derivative is right
};

/// One path by the formulas of the model, forwards, in double precision.
Expected reference(const Market& m, u64 seed, u32 path) {
    const Dual one = constant(1), interval = constant(m.interval);
    std::vector<Dual> rate(m.rates, Dual{m.first_rate, 1});
    for (u32 n = 0; n < m.maturity; ++n) {
        const double radius = std::sqrt(-2 * std::log(double{uniform(seed, path, n & ~1u)}));
        const double angle = 2 * 3.14159265358979 * uniform(seed, path, n | 1u);
        const double z = radius * (n % 2 == 0 ? std::cos(angle) : std::sin(angle));
        Dual drift = constant(0);
        for (u32 i = n + 1; i < m.rates; ++i) {
            const double volatility = m.volatility[i - n - 1], variance = m.interval * volatility;
            drift = drift + constant(variance) * rate[i] / (one + interval * rate[i]);
            rate[i] =
                rate[i] * exp(constant(variance) * drift +
                              constant(volatility * (std::sqrt(double{m.interval}) * z - variance / 2)));
        }
    }
    Expected expected{constant(0), false};
    for (u32 o = 0; o < kOptions; ++o) {
        Dual bond = one, annuity = constant(0);
        for (u32 k = 0; k < m.swap_end[o]; ++k) {
            bond = bond / (one + interval * rate[m.maturity + k]);
            annuity = annuity + interval * bond;
        }
        const Dual swap = bond + constant(m.swap_rate[o]) * annuity + constant(-1);
        if (std::fabs(swap.v) < 2e-6) expected.kinked = true;
        if (swap.v < 0) expected.value = expected.value + constant(-100) * swap;
    }
    for (u32 n = 0; n < m.maturity; ++n) expected.value = expected.value / (one + interval * rate[n]);
    return expected;
}

/// The market of the original: rates of 5 %, volatility 20 %; with a maturity of 40 its swaptions as well.
Market make_market(u32 maturity) {
    static constexpr u32 kEnds[] = {4, 8, 20, 28, 40};
    static constexpr float kRates[] = {0.045f, 0.05f, 0.055f};
    Market m{};
    m.maturity = maturity;
    m.rates = 2 * maturity;
    m.interval = 0.25f;
    m.first_rate = 0.05f;
    for (u32 o = 0; o < kOptions; ++o) {
        m.swap_end[o] = std::max(1u, kEnds[o / 3] * maturity / kMostMaturity);
        m.swap_rate[o] = kRates[o % 3];
    }
    for (u32 i = 0; i < m.rates; ++i) m.volatility[i] = 0.2f;
    return m;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("lib", "Monte Carlo simulation of LIBOR rates", argc, argv);
    const u32 paths = args.count("paths", "paths to simulate", Sizes<u32>{512, 2048, 20'480});
    const u32 maturity = args.count("maturity", "steps per path, an even number; half of the rates",
                                    Sizes<u32>{10, 20, 40}, 2u);
    args.done();
    if (maturity > kMostMaturity || maturity % 2 != 0)
        args.fail("--maturity: an even number, at most " + std::to_string(kMostMaturity));

    const Market m = make_market(maturity);
    must(cudaMemcpyToSymbol(market, &m, sizeof m));
    DeviceArray<float> value(paths), sensitivity(paths), value_alone(paths);
    // The threads' arrays hold memory as well: history, two arrays of rates, three of maturities.
    Footprint::instance().add(u64{paths} * sizeof(float) *
                              ((maturity + 1) * m.rates + 2 * m.rates + 3 * maturity));
    paths_with_sensitivities<<<blocks(paths, kThreads), kThreads>>>(value.data(), sensitivity.data(), paths,
                                                                    args.seed());
    must(cudaGetLastError());
    paths_alone<<<blocks(paths, kThreads), kThreads>>>(value_alone.data(), paths, args.seed());
    must(cudaGetLastError());

    const std::vector<float> values = value.host(), alone = value_alone.host(), slopes = sensitivity.host();
    Verdict verdict("lib");
    double sum = 0;
    for (u32 p = 0; p < paths; ++p) {
        const Expected expected = reference(m, args.seed(), p);
        const float v = static_cast<float>(expected.value.v), d = static_cast<float>(expected.value.d);
        verdict.near("value", p, values[p], v, 1e-4f * v + 1e-3f);
        verdict.near("value alone", p, alone[p], v, 1e-4f * v + 1e-3f);
        if (!expected.kinked) verdict.near("sensitivity", p, slopes[p], d, 1e-4f * std::fabs(d) + 1e-1f);
        sum += values[p];
    }
    std::printf("lib: %u paths, %u rates, mean value %.3f\n", paths, m.rates, sum / paths);
    return verdict.exit_code();
}
