// Each mathematical function against the same in 128 bits, with the bounds of the programming guide.

#include <cmath>
#include <cstring>

#include "check.h"
#include "mathematics_reference.h"

namespace {

constexpr int kSamples = 512;

/// Arguments of one kind: the close range, or any magnitude and sign.
double uniform(double from, double to) {
    return from + (to - from) * (random_bits() * 0x1p-32 + random_bits() * 0x1p-64);
}
template <class T>
T any_magnitude() {
    const double bits = sizeof(T) == 4 ? 149 : 1074, top = sizeof(T) == 4 ? 128 : 1024;
    const double v = std::ldexp(uniform(0.5, 1), static_cast<int>(uniform(-bits, top)));
    return static_cast<T>(random_bits() % 2 != 0 ? -v : v);
}
template <class T>
T fill(T from, T to, bool close) {
    return close ? static_cast<T>(uniform(from, to)) : any_magnitude<T>();
}

/// CUDA gives an absolute bound for Bessel functions from 8 on, and excludes an interval of lgamma.
bool has_bound(Function f, double x, bool single) {
    if (f == of_lgamma) return single ? !(x > -10.001 && x < -2.264) : !(x > -23.0001 && x < -2.2637);
    return !(f == of_j0 || f == of_j1 || f == of_y0 || f == of_y1) || std::fabs(x) < 8;
}

template <class T>
void look(const char* name, Function f, T* x, T* y, T* z, T* result, int bound) {
    constexpr bool single = sizeof(T) == 4;
    double worst = 0, units = 0;
    for (int k = 0; k < kSamples; ++k) {
        const double arguments[] = {x[k], y[k], z[k]};
        const Distance d = distance(f, arguments, result[k], single);
        if (!has_bound(f, x[k], single)) {
            if (f != of_lgamma)
                CHECK(d.absolute < (single ? 2.2e-6 : 5e-12), "%s of %.17g: off by %g", name, arguments[0],
                      d.absolute);
            continue;
        }
        CHECK(d.places <= bound, "%s of %.17g, %.17g, %.17g: %.17g, off by %.2f units of the last place",
              name, arguments[0], arguments[1], arguments[2], static_cast<double>(result[k]), d.units);
        if (d.places > worst) worst = d.places;
        if (d.units > units) units = d.units;
    }
    if (std::getenv("MATHEMATICS_SHOW") != nullptr)
        std::printf("%-8s %-14s %.0f places (%d), %.3f units\n", single ? "single" : "double", name, worst,
                    bound, units);
}

#define KERNELS(name, call, call_single)                                                               \
    __global__ void name##_kernel(const double* x, const double* y, const double* z, double* result) { \
        const unsigned k = threadIdx.x;                                                                \
        result[k] = call;                                                                              \
    }                                                                                                  \
    __global__ void name##_kernel(const float* x, const float* y, const float* z, float* result) {     \
        const unsigned k = threadIdx.x;                                                                \
        result[k] = call_single;                                                                       \
    }
#define ONE(name, ...) KERNELS(name, name(x[k]), name##f(x[k]))
#define TWO(name, ...) KERNELS(name, name(x[k], y[k]), name##f(x[k], y[k]))
#define THREE(name, ...) ARGUMENTS_OF_##name(name)
#define ARGUMENTS_OF_fma(name) KERNELS(name, name(x[k], y[k], z[k]), name##f(x[k], y[k], z[k]))
#define ARGUMENTS_OF_norm3d ARGUMENTS_OF_fma
#define ARGUMENTS_OF_rnorm3d ARGUMENTS_OF_fma
#define ARGUMENTS_OF_norm4d(name) KERNELS(name, name(x[k], y[k], z[k], z[k]), name##f(x[k], y[k], z[k], z[k]))
#define ARGUMENTS_OF_rnorm4d ARGUMENTS_OF_norm4d
#include "mathematics_table.h"
#undef ONE
#undef TWO
#undef THREE

template <class T>
struct Table {
    T *x = managed<T>(kSamples), *y = managed<T>(kSamples), *z = managed<T>(kSamples),
      *result = managed<T>(kSamples);

    template <class Kernel>
    void row(const char* name, Function f, Kernel kernel, int bound, T from, T to, T from2, T to2) {
        for (bool close : {true, false}) {
            for (int k = 0; k < kSamples; ++k) {
                x[k] = fill(from, to, close);
                y[k] = fill(from2, to2, close);
                z[k] = fill(from2, to2, close);
            }
            kernel<<<1, kSamples>>>(x, y, z, result);
            CUDA(cudaDeviceSynchronize());
            look<T>(name, f, x, y, z, result, bound);
        }
    }
};

using Single = void (*)(const float*, const float*, const float*, float*);
using Double = void (*)(const double*, const double*, const double*, double*);

/// What the table of standard functions says of those with several results or whole arguments.
__global__ void others(double* d, float* f) {
    const double x = 29.375;
    double s, c, whole;
    float sf, cf, wholef;
    int n;
    sincos(x, &s, &c);
    d[0] = s - sin(x);
    d[1] = c - cos(x);
    sincospi(x, &s, &c);
    d[2] = s - sinpi(x);
    d[3] = c - cospi(x);
    sincosf(2.5f, &sf, &cf);
    f[0] = sf - sinf(2.5f);
    f[1] = cf - cosf(2.5f);
    sincospif(2.375f, &sf, &cf);
    f[2] = sf - sinpif(2.375f);
    f[3] = cf - cospif(2.375f);
    d[4] = frexp(-x, &n) + 29.375 / 32 + (n - 5);
    d[5] = modf(-x, &whole) + 0.375 + (whole + 29);
    d[6] = ldexp(x, -1074) - 29 * 0x1p-1074 + scalbn(x, 1) - 58.75 + scalbln(x, -1) - 14.6875;
    d[7] = ilogb(x) - 4 + (ilogb(0x1p-1070) + 1070) + (llrint(x) - 29) + (lround(-29.5) + 30) +
           (llround(2.5) - 3) + (lrint(2.5) - 2);
    d[8] = remquo(-x, 3.0, &n) - 0.625;  // -29.375 = -10 * 3 + 0.625
    d[9] = n + 2;                        // the three lowest bits of 10
    d[10] = remquo(1e300, 0x1p-1000, &n) + n;
    const double vector[] = {1e300, 2e300, -4e300, 10e300, 0, 1e-300};
    d[11] = norm(6, vector) / 11e300 - 1;
    d[12] = rnorm(6, vector) * 11e300 - 1;
    d[13] = nextafter(1.0, 2.0) - (1 + 0x1p-52) + nextafter(0.0, -1.0) + 0x1p-1074;
    f[4] = frexpf(-29.375f, &n) + 29.375f / 32 + static_cast<float>(n - 5);
    f[5] = modff(-29.375f, &wholef) + 0.375f + (wholef + 29);
    f[6] = ldexpf(29.375f, -149) - 29 * 0x1p-149f + scalbnf(29.375f, 1) - 58.75f;
    f[7] = static_cast<float>(ilogbf(29.375f) - 4 + (lrintf(2.5f) - 2) + (lroundf(2.5f) - 3) +
                              (llrintf(3.5f) - 4));
    f[8] = remquof(-29.375f, 3.0f, &n) - 0.625f + static_cast<float>(n + 2);
    const float short_vector[] = {1e30f, 2e30f, -4e30f, 10e30f};
    f[9] = normf(4, short_vector) / 11e30f - 1;
    f[10] = rnormf(4, short_vector) * 11e30f - 1;
    f[11] = nextafterf(1.0f, 2.0f) - (1 + 0x1p-23f);
}

__global__ void orders(double* d, float* f, int n, double x) {
    d[0] = jn(n, x);
    d[1] = yn(n, x);
    f[0] = jnf(n, static_cast<float>(x));
    f[1] = ynf(n, static_cast<float>(x));
}

/// The intrinsics, whose bounds are absolute in some ranges.
__global__ void intrinsics(const float* x, float* r) {
    const unsigned k = threadIdx.x, n = kSamples;
    r[k] = __sinf(x[k]);
    r[n + k] = __cosf(x[k]);
    r[2 * n + k] = __expf(x[k]);
    r[3 * n + k] = __exp10f(x[k]);
    const float positive = exp2f(4 * x[k]);
    r[4 * n + k] = __logf(positive);
    r[5 * n + k] = __log2f(positive);
    r[6 * n + k] = __log10f(positive);
    r[7 * n + k] = __fdividef(x[k], positive);
    r[8 * n + k] = __frsqrt_rn(positive);
    r[9 * n + k] = positive;
    r[10 * n + k] = __frcp_rn(positive);
    r[11 * n + k] = __fsqrt_rn(positive);
}

void look_at_intrinsics() {
    float *x = managed<float>(kSamples), *r = managed<float>(12 * kSamples);
    for (int k = 0; k < kSamples; ++k) x[k] = static_cast<float>(uniform(-3.14159265, 3.14159265));
    intrinsics<<<1, kSamples>>>(x, r);
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < kSamples; ++k) {
        auto far = [&](Function f, float argument, int place) {
            const double arguments[] = {argument, 0, 0};
            return distance(f, arguments, r[place * kSamples + k], true);
        };
        const float p = r[9 * kSamples + k];
        const bool middle = p >= 0.5f && p <= 2;
        CHECK(far(of_sin, x[k], 0).absolute <= std::exp2(-21.41), "__sinf of %g", x[k]);
        CHECK(far(of_cos, x[k], 1).absolute <= std::exp2(-21.19), "__cosf of %g", x[k]);
        CHECK(far(of_exp, x[k], 2).places <= 2 + std::floor(std::fabs(1.16 * x[k])), "__expf of %g", x[k]);
        CHECK(far(of_exp10, x[k], 3).places <= 2 + std::floor(std::fabs(2.95 * x[k])), "__exp10f of %g",
              x[k]);
        const Distance l = far(of_log, p, 4), l2 = far(of_log2, p, 5), l10 = far(of_log10, p, 6);
        CHECK(middle ? l.absolute <= std::exp2(-21.41) : l.places <= 3, "__logf of %g", p);
        CHECK(middle ? l2.absolute <= std::exp2(-22) : l2.places <= 2, "__log2f of %g", p);
        CHECK(middle ? l10.absolute <= std::exp2(-24) : l10.places <= 3, "__log10f of %g", p);
        CHECK(std::fabs(r[7 * kSamples + k] - x[k] / p) <= 2 * std::fabs(x[k] / p) * 0x1p-23f, "__fdividef");
        CHECK(far(of_rsqrt, p, 8).places == 0, "__frsqrt_rn of %g", p);
        CHECK(r[10 * kSamples + k] == 1 / p, "__frcp_rn of %g", p);
        CHECK(r[11 * kSamples + k] == std::sqrt(p), "__fsqrt_rn of %g", p);
    }
}

}  // namespace

int main() {
    Table<float> singles;
    Table<double> doubles;
#define ONE(name, reference, bound_single, bound_double, from_single, to_single, from, to)                  \
    singles.row(#name, of_##name, static_cast<Single>(name##_kernel), bound_single, from_single, to_single, \
                from_single, to_single);                                                                    \
    doubles.row(#name, of_##name, static_cast<Double>(name##_kernel), bound_double, from, to, from, to);
#define TWO(name, reference, bound_single, bound_double, from, to, from2, to2)                             \
    singles.row(#name, of_##name, static_cast<Single>(name##_kernel), bound_single, from, to, from2, to2); \
    doubles.row(#name, of_##name, static_cast<Double>(name##_kernel), bound_double, from, to, from2, to2);
#define THREE(name, reference, bound_single, bound_double)                                         \
    singles.row(#name, of_##name, static_cast<Single>(name##_kernel), bound_single, -5, 5, -5, 5); \
    doubles.row(#name, of_##name, static_cast<Double>(name##_kernel), bound_double, -5, 5, -5, 5);
#include "mathematics_table.h"

    double* d = managed<double>(14);
    float* f = managed<float>(12);
    others<<<1, 1>>>(d, f);
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 14; ++k)
        CHECK(std::fabs(d[k]) <= (k == 11 || k == 12 ? 0x1p-51 : 0), "%d: %g", k, d[k]);
    for (int k = 0; k < 12; ++k)
        CHECK(std::fabs(f[k]) <= (k == 9 || k == 10 ? 0x1p-22f : 0), "%d: %g", k, f[k]);
    for (int n : {0, 1, 2, 3, 7, 30, 128, -1})
        for (double x : {0.5, 3.0, 8.25, 24.75, 30.0, 130.5, 1000.0}) {
            orders<<<1, 1>>>(d, f, n, x);
            CUDA(cudaDeviceSynchronize());
            if (n < 0) {
                CHECK(std::isnan(d[0]) && std::isnan(d[1]) && std::isnan(f[0]), "order %d", n);
                continue;
            }
            const double y = ::yn(n, x);
            CHECK(std::fabs(d[0] - ::jn(n, x)) <= 5e-12, "jn(%d, %g) = %.17g", n, x, d[0]);
            CHECK(std::fabs(f[0] - ::jn(n, x)) <= 2.2e-6, "jnf(%d, %g) = %g", n, x, f[0]);
            CHECK(std::fabs(d[1] - y) <= 5e-12 + 1e-13 * std::fabs(y) || d[1] == y, "yn(%d, %g) = %.17g", n,
                  x, d[1]);
            CHECK(std::fabs(f[1] - y) <= 2.2e-6 + 1e-6 * std::fabs(y) || f[1] == static_cast<float>(y),
                  "ynf(%d, %g) = %g", n, x, f[1]);
        }
    look_at_intrinsics();
    return finished();
}
