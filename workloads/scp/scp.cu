// scp: scalar products of many pairs of vectors (the CUDA SDK's scalarProd). A CTA takes one pair after the other: 1,024
// partial sums, each of elements 1,024 apart, then a tree in shared memory.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kPartials = 1024;

extern "C" __global__ void scalar_products(const float* a, const float* b, float* product, u32 vectors,
                                           u32 elements) {
    __shared__ float partial[kPartials];
    for (u32 v = blockIdx.x; v < vectors; v += gridDim.x) {
        const u64 base = u64{v} * elements;
        for (u32 p = threadIdx.x; p < kPartials; p += kThreads) {
            float sum = 0;
            for (u32 i = p; i < elements; i += kPartials) sum += a[base + i] * b[base + i];
            partial[p] = sum;
        }
        for (u32 half = kPartials / 2; half > 0; half /= 2) {
            __syncthreads();
            for (u32 p = threadIdx.x; p < half; p += kThreads) partial[p] += partial[p + half];
        }
        if (threadIdx.x == 0) product[v] = partial[0];
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("scp", "scalar products of pairs of vectors", argc, argv);
    const u32 vectors = args.count("vectors", "pairs of vectors", Sizes<u32>{64, 512, 16'384});
    const u32 elements = args.count("elements", "elements per vector", Sizes<u32>{1024, 4096, 4096});
    const u32 ctas = args.count("ctas", "CTAs that share the pairs", Sizes<u32>{64, 128, 128});
    args.done();
    if (elements > 0x4000'0000u) args.fail("--elements: at most 1073741824");

    Random random(args.seed());
    const std::size_t n = std::size_t{vectors} * elements;
    std::vector<float> a(n), b(n);
    for (float& x : a) x = random.unit();
    for (float& x : b) x = random.unit();
    DeviceArray<float> d_a(a), d_b(b), product(vectors);
    scalar_products<<<ctas, kThreads>>>(d_a.data(), d_b.data(), product.data(), vectors, elements);
    must(cudaGetLastError());

    std::vector<float> expected(vectors);
    for (u32 v = 0; v < vectors; ++v) {
        double sum = 0;
        for (u32 i = 0; i < elements; ++i) {
            const std::size_t at = std::size_t{v} * elements + i;
            sum += double{a[at]} * double{b[at]};
        }
        expected[v] = static_cast<float>(sum);
    }
    std::printf("scp: %u pairs of %u elements\n", vectors, elements);
    Verdict verdict("scp");
    // All terms are positive: the error stays far below one rounding for each of the additions a term goes through.
    const float roundings = static_cast<float>(elements / kPartials + 12);
    verdict.near("product", product.host(), expected, roundings * 6e-8f, 1e-6f);
    return verdict.exit_code();
}
