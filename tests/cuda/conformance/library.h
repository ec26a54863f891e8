#pragma once
// What the programs that compare NVIDIA's libraries with plain loops share: checks that end the program, and values.

#include <complex>
#include <cstdio>
#include <cstdlib>

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
