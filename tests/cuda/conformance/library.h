#pragma once
// What the programs that compare NVIDIA's libraries with plain loops share: checks that end the program, results that are off,
// and values.

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cuComplex.h>
#include <cuda_runtime.h>

#define EXPECT(...)                                                       \
    do {                                                                  \
        if (!(__VA_ARGS__)) {                                             \
            std::printf("line %d: not so: %s\n", __LINE__, #__VA_ARGS__); \
            std::exit(1);                                                 \
        }                                                                 \
    } while (0)

/// A call whose status has to be 0.
#define OK(...)                                                                     \
    do {                                                                            \
        const int result_ = static_cast<int>(__VA_ARGS__);                          \
        if (result_ != 0) {                                                         \
            std::printf("line %d: %s gives %d\n", __LINE__, #__VA_ARGS__, result_); \
            std::exit(1);                                                           \
        }                                                                           \
    } while (0)

static int failures = 0;

/// The larger one, or what is no number, which std::fmax would leave out.
static double larger(double a, double b) {
    return a != a || a >= b ? a : b;
}

/// Counts and names a result that is off by more than the tolerance, or is no number; where given, of an m by n matrix.
static void report(const char* what, double worst, double tolerance, int m = 0, int n = 0) {
    if (worst <= tolerance) return;
    std::printf("%s", what);
    if (m > 0) std::printf(" of %d by %d", m, n);
    std::printf(": off by %g\n", worst);
    ++failures;
}
/// The program's last line if nothing was off, and what main returns.
static int finished(const char* program) {
    if (failures == 0) std::printf("%s done\n", program);
    return failures == 0 ? 0 : 1;
}

/// Memory that the host reads and writes; a place of its own also for no element.
template <typename T>
static T* managed(size_t n) {
    T* p = nullptr;
    OK(cudaMallocManaged(&p, (n + 1) * sizeof(T)));
    return p;
}

/// The host's type for an element.
template <typename T>
struct Host {
    using Type = T;
};
template <>
struct Host<cuComplex> {
    using Type = std::complex<float>;
};
template <>
struct Host<cuDoubleComplex> {
    using Type = std::complex<double>;
};
/// Whether a number, or a complex number's parts, are of single precision.
template <typename T>
constexpr bool is_single = sizeof(decltype(std::abs(T()))) == 4;

/// From -0.5 to 0.5, the same in every run.
static double random_value() {
    static unsigned seed = 1;
    seed = seed * 1664525u + 1013904223u;
    return static_cast<double>(seed >> 8) / (1 << 24) - 0.5;
}
template <typename R>
static void randomise(R& v) {
    v = static_cast<R>(random_value());
}
template <typename R>
static void randomise(std::complex<R>& v) {
    v = {static_cast<R>(random_value()), static_cast<R>(random_value())};
}

template <typename R>
static R conjugate(R v) {
    return v;
}
template <typename R>
static std::complex<R> conjugate(std::complex<R> v) {
    return std::conj(v);
}
