#pragma once
// What the conformance programs share: checks that count, and name what failed. A program ends with finished().

#include <cstdio>
#include <cstdlib>
#include <vector>

static int checks = 0, failures = 0;

/// The message is printed for the first 20 failures.
#define CHECK(condition, ...)                                   \
    do {                                                        \
        ++checks;                                               \
        if (!(condition) && ++failures <= 20) {                 \
            std::printf("line %d: %s: ", __LINE__, #condition); \
            std::printf("" __VA_ARGS__);                        \
            std::printf("\n");                                  \
        }                                                       \
    } while (false)

#define CUDA(call)                                                               \
    do {                                                                         \
        const cudaError_t error = call;                                          \
        CHECK(error == cudaSuccess, "%s: %s", #call, cudaGetErrorString(error)); \
    } while (false)

/// The program's last line, and what main returns.
static int finished() {
    CUDA(cudaDeviceSynchronize());
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}

/// Device memory that the host reads and writes.
template <class T>
T* managed(std::size_t n) {
    T* p = nullptr;
    CUDA(cudaMallocManaged(&p, n * sizeof(T)));
    return p;
}

/// The same numbers in every run.
static unsigned random_bits() {
    static unsigned long long state = 0x9e3779b97f4a7c15ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<unsigned>(state >> 24);
}
