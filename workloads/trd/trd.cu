// trd: stream triad, c = a + scalar * b (McCalpin's STREAM; SHOC's Triad). Each byte of three arrays is touched once.
// scalar: one element a thread; vector: four neighbouring ones, by loads of 16 bytes.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr u32 kVector = 4;

extern "C" __global__ void triad_scalar(const float* a, const float* b, float* c, float scalar, u32 n) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + scalar * b[i];
}

extern "C" __global__ void triad_vector(const float* a, const float* b, float* c, float scalar, u32 n) {
    const u32 i = (blockIdx.x * blockDim.x + threadIdx.x) * kVector;
    if (i + kVector <= n) {
        const float4 left = *reinterpret_cast<const float4*>(&a[i]);
        const float4 right = *reinterpret_cast<const float4*>(&b[i]);
        *reinterpret_cast<float4*>(&c[i]) = make_float4(left.x + scalar * right.x, left.y + scalar * right.y,
                                                        left.z + scalar * right.z, left.w + scalar * right.w);
    } else {
        for (u32 rest = i; rest < n; ++rest) c[rest] = a[rest] + scalar * b[rest];
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("trd", "stream triad", argc, argv);
    const bool vector =
        args.choice("variant", "elements per thread, 1 or 4", {"scalar", "vector"}) == "vector";
    const u32 n = args.count("elements", "elements per array", Sizes<u32>{65'536, 2'097'152, 25'165'824});
    const u32 repeats = args.count("repeats", "passes over the arrays", Sizes<u32>{1, 1, 2});
    args.done();

    Random random(args.seed());
    const float scalar = 1.75f;
    std::vector<float> a(n), b(n), expected(n);
    for (float& v : a) v = random.between(-1, 1);
    for (float& v : b) v = random.between(-1, 1);
    DeviceArray<float> d_a(a), d_b(b), c(n);
    for (u32 i = 0; i < repeats; ++i) {
        if (vector)
            triad_vector<<<blocks(n, kThreads * kVector), kThreads>>>(d_a.data(), d_b.data(), c.data(),
                                                                      scalar, n);
        else
            triad_scalar<<<blocks(n, kThreads), kThreads>>>(d_a.data(), d_b.data(), c.data(), scalar, n);
        must(cudaGetLastError());
    }

    for (u32 i = 0; i < n; ++i)
        expected[i] = static_cast<float>(double{a[i]} + double{scalar} * double{b[i]});
    std::printf("trd: %u elements, %u %s\n", n, repeats, repeats == 1 ? "pass" : "passes");
    Verdict verdict("trd");
    // One rounding of the product (at most 1.75) and one of the sum.
    verdict.near("c", c.host(), expected, 1e-7f, 2e-7f);
    return verdict.exit_code();
}
