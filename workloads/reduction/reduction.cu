// reduction: the sum of an array, in passes that leave one partial sum a CTA (Harris, "Optimizing parallel reduction in
// CUDA"; the CUDA SDK's sample).
// strided: a fixed number of CTAs walks the array, each thread adds up two elements at a time, then a tree in shared
// memory whose last steps are shuffles (the sample's last kernel); sequential: a thread loads one element, then a tree
// of halves; interleaved: a tree whose distances grow, so that warps diverge (its first kernel).

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

/// The sum of the 32 lanes, in lane 0.
__device__ u32 warp_sum(u32 value) {
    for (u32 distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
    return value;
}

extern "C" __global__ void reduce_strided(const u32* in, u32* out, u32 n) {
    __shared__ u32 partial[kThreads];
    const u32 t = threadIdx.x;
    u32 sum = 0;
    for (u64 i = u64{blockIdx.x} * 2 * kThreads + t; i < n; i += u64{gridDim.x} * 2 * kThreads) {
        sum += in[i];
        if (i + kThreads < n) sum += in[i + kThreads];
    }
    partial[t] = sum;
    __syncthreads();
    for (u32 half = kThreads / 2; half >= 64; half /= 2) {
        if (t < half) partial[t] = sum = sum + partial[t + half];
        __syncthreads();
    }
    if (t >= 32) return;
    sum = warp_sum(sum + partial[t + 32]);
    if (t == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void reduce_sequential(const u32* in, u32* out, u32 n) {
    __shared__ u32 partial[kThreads];
    const u32 t = threadIdx.x, i = blockIdx.x * kThreads + t;
    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void reduce_interleaved(const u32* in, u32* out, u32 n) {
    __shared__ u32 partial[kThreads];
    const u32 t = threadIdx.x, i = blockIdx.x * kThreads + t;
    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (u32 distance = 1; distance < kThreads; distance *= 2) {
        if (t % (2 * distance) == 0) partial[t] += partial[t + distance];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("reduction", "sum of an array", argc, argv);
    const std::string variant =
        args.choice("variant", "kernel to run", {"strided", "sequential", "interleaved"});
    const u32 n = args.count("elements", "elements to add up", Sizes<u32>{65'536, 4'194'304, 67'108'864});
    const u32 ctas = args.count("ctas", "most CTAs of the strided kernel", Sizes<u32>{64, 256, 1024});
    const u32 repeats = args.count("repeats", "sums of the same array", Sizes<u32>{1, 1, 2});
    args.done();

    Random random(args.seed());
    std::vector<u32> values(n);
    for (u32& v : values) v = static_cast<u32>(random.next() >> 32);
    const bool strided = variant == "strided";
    const auto ctas_for = [&](u32 elements) {
        return strided ? std::min(ctas, blocks(elements, 2 * kThreads)) : blocks(elements, kThreads);
    };

    // The input stays; partial sums go to and fro between two smaller arrays.
    DeviceArray<u32> d_values(values), sums(ctas_for(n)), more_sums(ctas_for(ctas_for(n)));
    u32 passes = 0;
    Verdict verdict("reduction");
    u32 expected = 0;  // modulo 2^32, which is independent of the order
    for (const u32 v : values) expected += v;
    for (u32 repeat = 0; repeat < repeats; ++repeat) {
        const u32* from = d_values.data();
        u32 *to = sums.data(), *other = more_sums.data(), left = n;
        for (passes = 0; passes == 0 || left > 1; ++passes) {
            const u32 grid = ctas_for(left);
            if (variant == "strided")
                reduce_strided<<<grid, kThreads>>>(from, to, left);
            else if (variant == "sequential")
                reduce_sequential<<<grid, kThreads>>>(from, to, left);
            else
                reduce_interleaved<<<grid, kThreads>>>(from, to, left);
            must(cudaGetLastError());
            from = to;
            std::swap(to, other);
            left = grid;
        }
        u32 sum = 0;
        must(cudaMemcpy(&sum, from, sizeof sum, cudaMemcpyDeviceToHost));
        verdict.equal("sum", sum, expected);
    }
    std::printf("reduction: %u elements, %u passes\n", n, passes);
    return verdict.exit_code();
}
