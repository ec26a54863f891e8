// fwt: fast Walsh transform, and with it a dyadic convolution: transform data and filter, multiply, transform back (the
// CUDA SDK's fastWalshTransform). Butterflies of radix 4: in global memory while their distance is at least 2,048
// elements, one launch a stage; then all remaining stages of 2,048 elements in shared memory, one CTA each.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kLogTile = 11;

/// Two stages at once on four values.
__device__ void butterfly(float& a, float& b, float& c, float& d) {
    const float sum_ac = a + c, sum_bd = b + d, difference_ac = a - c, difference_bd = b - d;
    a = sum_ac + sum_bd;
    b = sum_ac - sum_bd;
    c = difference_ac + difference_bd;
    d = difference_ac - difference_bd;
}

/// The first of the four places of butterfly i; the others follow at `distance`, a power of two.
__device__ u32 place(u32 i, u32 distance) {
    return ((i & ~(distance - 1)) << 2) | (i & (distance - 1));
}

/// One butterfly a thread.
extern "C" __global__ void transform_stage(float* data, u32 distance) {
    float* const d = data + place(blockIdx.x * kThreads + threadIdx.x, distance);
    float v0 = d[0], v1 = d[distance], v2 = d[2 * distance], v3 = d[3 * distance];
    butterfly(v0, v1, v2, v3);
    d[0] = v0;
    d[distance] = v1;
    d[2 * distance] = v2;
    d[3 * distance] = v3;
}

/// All stages of 2^log_size elements, log_size from 2 to kLogTile, by a CTA of a quarter as many threads.
extern "C" __global__ void transform_tile(float* data, u32 log_size) {
    __shared__ float tile[1u << kLogTile];
    const u32 quarter = 1u << (log_size - 2), t = threadIdx.x;
    float* const mine = data + (u64{blockIdx.x} << log_size);
    for (u32 k = 0; k < 4; ++k) tile[t + k * quarter] = mine[t + k * quarter];
    for (u32 distance = quarter; distance > 0; distance /= 4) {
        __syncthreads();
        float* const d = tile + place(t, distance);
        butterfly(d[0], d[distance], d[2 * distance], d[3 * distance]);
    }
    if (log_size % 2 != 0) {  // a stage of radix 2 is left
        __syncthreads();
        for (u32 i = t; i < 2 * quarter; i += quarter) {
            const float a = tile[2 * i], b = tile[2 * i + 1];
            tile[2 * i] = a + b;
            tile[2 * i + 1] = a - b;
        }
    }
    __syncthreads();
    for (u32 k = 0; k < 4; ++k) mine[t + k * quarter] = tile[t + k * quarter];
}

/// The product of the transforms, scaled so that the next transform is the inverse.
extern "C" __global__ void modulate(float* data, const float* filter, u32 n) {
    const float scale = 1.0f / static_cast<float>(n);
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] *= scale * filter[i];
}

void transform(DeviceArray<float>& data, u32 log_n) {
    u32 log_size = log_n;
    for (; log_size > kLogTile; log_size -= 2) {
        transform_stage<<<1u << (log_n - 2 - 8), kThreads>>>(data.data(), 1u << (log_size - 2));
        must(cudaGetLastError());
    }
    transform_tile<<<1u << (log_n - log_size), 1u << (log_size - 2)>>>(data.data(), log_size);
    must(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("fwt", "fast Walsh transform and dyadic convolution", argc, argv);
    const u32 log_n =
        args.count("log-elements", "log2 of the number of data elements", Sizes<u32>{14, 19, 25}, 2u);
    const u32 filter_size = args.count("filter", "elements of the filter", Sizes<u32>{128, 128, 128});
    args.done();
    if (log_n > 28) args.fail("--log-elements: at most 28");
    const u32 n = 1u << log_n;
    if (filter_size > n) args.fail("--filter: there are more elements than in the data");

    Random random(args.seed());
    std::vector<float> data(n), filter(n);  // zeroes follow the filter
    for (float& v : data) v = random.between(-1, 1);
    for (u32 i = 0; i < filter_size; ++i) filter[i] = random.between(-1, 1);
    DeviceArray<float> d_data(data), d_filter(filter);
    transform(d_filter, log_n);
    transform(d_data, log_n);
    modulate<<<std::min(256u, blocks(n, kThreads)), kThreads>>>(d_data.data(), d_filter.data(), n);
    must(cudaGetLastError());
    transform(d_data, log_n);

    // The convolution by its definition.
    std::vector<float> expected(n);
    for (u32 i = 0; i < n; ++i) {
        double sum = 0;
        for (u32 j = 0; j < filter_size; ++j) sum += double{data[i ^ j]} * double{filter[j]};
        expected[i] = static_cast<float>(sum);
    }
    std::printf("fwt: %u elements, filter of %u\n", n, filter_size);
    Verdict verdict("fwt");
    // A value is a sum of `filter_size` products of numbers up to 1; roundings of all stages, as random steps.
    const float tolerance = 1e-6f * static_cast<float>(log_n) * std::sqrt(static_cast<float>(filter_size));
    verdict.near("convolution", d_data.host(), expected, 0, tolerance);
    return verdict.exit_code();
}
