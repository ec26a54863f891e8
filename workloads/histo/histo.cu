// histo: a histogram of very many bins that saturate at 255 (Parboil). Most of the input falls into few bins around the
// middle of a plane: a first kernel samples where; then each CTA counts what falls into that window in shared memory
// and the rest by atomics in global memory; the last kernel makes bytes of the counts.
// window: as described; global: no window, every count is an atomic in global memory.

#include "../common/workload.h"

using namespace workloads;

namespace {

using i64 = std::int64_t;

constexpr u32 kThreads = 512;
constexpr u32 kMost = 255;        // where a bin saturates
constexpr u32 kWindow = 12'288;   // bins that a CTA keeps, 16 bits each, or what its shared memory holds
constexpr u32 kSampleEvery = 16;  // of the input, for the window's place

/// Adds the rows of the samples; a CTA adds up its own first.
extern "C" __global__ void sample(const u32* input, u32 n, unsigned long long* sum) {
    __shared__ unsigned long long part[kThreads];
    unsigned long long mine = 0;
    for (u64 i = (u64{blockIdx.x} * blockDim.x + threadIdx.x) * kSampleEvery; i < n;
         i += u64{gridDim.x} * blockDim.x * kSampleEvery)
        mine += input[i];
    part[threadIdx.x] = mine;
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

/// Counts in global memory; a bin that is full is only read. (A count of before, that a cache still has, does no harm.)
__device__ void add(u32* count, u32 bin, u32 by) {
    if (count[bin] < kMost) atomicAdd(&count[bin], by);
}

/// Bins [first, first + window) are counted in shared memory. A count passes 255 by less than the threads of a CTA, so
/// two of them share a word.
extern "C" __global__ void count_input(const u32* input, u32 n, u32* count, u32 first, u32 window) {
    extern __shared__ u32 kept[];
    for (u32 i = threadIdx.x; i < (window + 1) / 2; i += blockDim.x) kept[i] = 0;
    __syncthreads();
    for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += u64{gridDim.x} * blockDim.x) {
        const u32 bin = input[i];
        const u32 at = bin - first;  // huge if below the window
        if (at < window) {
            const u32 shift = at % 2 * 16;
            if ((kept[at / 2] >> shift & 0xFFFF) < kMost) atomicAdd(&kept[at / 2], 1u << shift);
        } else {
            add(count, bin, 1);
        }
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < window; i += blockDim.x) {
        const u32 by = kept[i / 2] >> (i % 2 * 16) & 0xFFFF;
        if (by > 0) add(count, first + i, by);
    }
}

extern "C" __global__ void saturate(const u32* count, u8* histogram, u32 bins) {
    const u32 bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin < bins) histogram[bin] = static_cast<u8>(count[bin] < kMost ? count[bin] : kMost);
}

/// Somewhere in [0, n), the likelier the nearer to the middle: the square of a deviation that is about normal.
u32 around_the_middle(u32 n, Random& random) {
    i64 deviation = -2 * i64{n};
    for (int i = 0; i < 4; ++i) deviation += random.below(n);
    return static_cast<u32>(i64{n / 2} + deviation * std::abs(deviation) / (8 * i64{n}));
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("histo", "saturating histogram", argc, argv);
    const bool windowed =
        args.choice("variant", "where the most frequent bins are counted", {"window", "global"}) == "window";
    const u32 n = args.count("inputs", "inputs to count", Sizes<u32>{65'536, 1'048'576, 62'914'560});
    const u32 height = args.count("rows", "rows of the plane of bins", Sizes<u32>{256, 996, 996});
    const u32 width = args.count("columns", "columns of the plane of bins", Sizes<u32>{256, 1040, 1040});
    const u32 spread =
        args.count("spread", "percentage of the rows that inputs fall into", Sizes<u32>{75, 10, 10});
    const u32 ctas = args.count("ctas", "CTAs that count", Sizes<u32>{30, 30, 30});
    args.done();
    if (u64{height} * width > 1u << 30) args.fail("--rows times --columns: at most 1073741824 bins");
    if (ctas > 65'535) args.fail("--ctas: at most 65535");
    if (spread > 100) args.fail("--spread: at most 100");

    Random random(args.seed());
    const u32 bins = height * width;
    const u32 occupied = std::max(1u, static_cast<u32>(u64{height} * spread / 100));
    std::vector<u32> input(n);
    // Columns are half as wide as the plane.
    for (u32& bin : input) {
        const u32 row = (height - occupied) / 2 + around_the_middle(occupied, random);
        bin = row * width + width / 4 + around_the_middle((width + 1) / 2, random);
    }

    DeviceArray<u32> d_input(input), count(bins);
    DeviceArray<u8> histogram(bins);
    count.clear();
    u32 first = 0, window = 0;
    if (windowed) {
        DeviceArray<unsigned long long> sum(1);
        sum.clear();
        sample<<<ctas, kThreads>>>(d_input.data(), n, sum.data());
        must(cudaGetLastError());
        const u64 mean = sum.host(0) / blocks(n, kSampleEvery);
        cudaDeviceProp device;
        must(cudaGetDeviceProperties(&device, 0));
        window = std::min({kWindow, bins, static_cast<u32>(device.sharedMemPerBlock / sizeof(u32) * 2)});
        first = static_cast<u32>(std::min<u64>(mean < window / 2 ? 0 : mean - window / 2, bins - window));
    }
    count_input<<<ctas, kThreads, (window + 1) / 2 * sizeof(u32)>>>(d_input.data(), n, count.data(), first,
                                                                    window);
    must(cudaGetLastError());
    saturate<<<blocks(bins, kThreads), kThreads>>>(count.data(), histogram.data(), bins);
    must(cudaGetLastError());

    std::vector<u8> expected(bins, 0);
    u32 inside = 0;
    for (u32 bin : input) {
        if (expected[bin] < kMost) ++expected[bin];
        inside += bin - first < window ? 1 : 0;
    }
    const auto full = std::count(expected.begin(), expected.end(), static_cast<u8>(kMost));
    std::printf("histo: %u inputs, %u bins, %u inputs in the window, %llu full bins\n", n, bins, inside,
                static_cast<unsigned long long>(full));
    Verdict verdict("histo");
    verdict.equal("bin", histogram.host(), expected);
    return verdict.exit_code();
}
