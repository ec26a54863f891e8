// scan: exclusive prefix sums of an array of any length. Tiles of 1,024 elements are scanned by one CTA each, the sums of
// the tiles are scanned in the same way, level by level, and added to their tiles (the CUDA SDK's sample; Sengupta,
// Harris, Zhang, Owens, "Scan primitives for GPU computing", Graphics Hardware 2007). A thread holds four elements.
// doubling: the sums of the threads are scanned in log2 n steps by all threads (the sample); tree: up and down a binary
// tree, with less additions and padded addresses (Blelloch's scan; the sample's older form, GPU Gems 3, chapter 39).

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kTile = 4 * kThreads;

/// Sums of the values of the threads before this one. All threads of the CTA call it; *all is the sum of all.
__device__ u32 scan_by_doubling(u32 value, u32* all) {
    __shared__ u32 sums[2 * kThreads];  // the first half stays 0, so that no step needs a condition
    const u32 at = threadIdx.x + kThreads;
    sums[threadIdx.x] = 0;
    sums[at] = value;
    for (u32 distance = 1; distance < kThreads; distance *= 2) {
        __syncthreads();
        const u32 sum = sums[at] + sums[at - distance];
        __syncthreads();
        sums[at] = sum;
    }
    __syncthreads();
    *all = sums[2 * kThreads - 1];
    return sums[at] - value;
}

/// Place of element i, with a gap after each 32: elements a power of two apart lie in different banks.
__device__ u32 padded(u32 i) {
    return i + i / 32;
}

__device__ u32 scan_by_tree(u32 value, u32* all) {
    __shared__ u32 sums[kThreads + kThreads / 32];
    const u32 t = threadIdx.x;
    sums[padded(t)] = value;
    u32 distance = 1;
    for (u32 active = kThreads / 2; active > 0; active /= 2, distance *= 2) {
        __syncthreads();
        if (t < active) sums[padded(distance * (2 * t + 2) - 1)] += sums[padded(distance * (2 * t + 1) - 1)];
    }
    __syncthreads();
    *all = sums[padded(kThreads - 1)];
    __syncthreads();
    if (t == 0) sums[padded(kThreads - 1)] = 0;
    for (u32 active = 1; active < kThreads; active *= 2) {
        distance /= 2;
        __syncthreads();
        if (t < active) {
            u32 &left = sums[padded(distance * (2 * t + 1) - 1)],
                &right = sums[padded(distance * (2 * t + 2) - 1)];
            const u32 sum = left;
            left = right;
            right += sum;
        }
    }
    __syncthreads();
    return sums[padded(t)];
}

/// `in` and `out` hold whole tiles. in == out is allowed.
template <bool kTree>
__device__ void scan_tile(const uint4* in, uint4* out, u32* tile_sum) {
    const u32 at = blockIdx.x * kThreads + threadIdx.x;
    const uint4 v = in[at];
    const u32 two = v.x + v.y, three = two + v.z;
    u32 all;
    const u32 before = kTree ? scan_by_tree(three + v.w, &all) : scan_by_doubling(three + v.w, &all);
    out[at] = make_uint4(before, before + v.x, before + two, before + three);
    if (threadIdx.x == 0) tile_sum[blockIdx.x] = all;
}

extern "C" __global__ void scan_tiles_doubling(const uint4* in, uint4* out, u32* tile_sum) {
    scan_tile<false>(in, out, tile_sum);
}

extern "C" __global__ void scan_tiles_tree(const uint4* in, uint4* out, u32* tile_sum) {
    scan_tile<true>(in, out, tile_sum);
}

/// Adds to each tile what all tiles before it hold.
extern "C" __global__ void add_to_tiles(uint4* out, const u32* before) {
    __shared__ u32 sum;
    if (threadIdx.x == 0) sum = before[blockIdx.x];
    __syncthreads();
    uint4& v = out[blockIdx.x * kThreads + threadIdx.x];
    const u32 add = sum;
    v = make_uint4(v.x + add, v.y + add, v.z + add, v.w + add);
}

constexpr u32 whole_tiles(u32 n) {
    return (n + kTile - 1) / kTile * kTile;
}

void scan(const u32* in, u32* out, u32 n, bool tree) {
    const u32 tiles = blocks(n, kTile);
    DeviceArray<u32> sums(whole_tiles(tiles));
    sums.clear();
    (tree ? scan_tiles_tree : scan_tiles_doubling)<<<tiles, kThreads>>>(
        reinterpret_cast<const uint4*>(in), reinterpret_cast<uint4*>(out), sums.data());
    must(cudaGetLastError());
    if (tiles == 1) return;
    scan(sums.data(), sums.data(), tiles, tree);
    add_to_tiles<<<tiles, kThreads>>>(reinterpret_cast<uint4*>(out), sums.data());
    must(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("scan", "prefix sums of an array", argc, argv);
    const bool tree = args.choice("variant", "scan of a tile", {"doubling", "tree"}) == "tree";
    const u32 n = args.count("elements", "elements of the array", Sizes<u32>{65'536, 1'048'576, 33'554'432});
    args.done();
    if (n > 0x4000'0000u) args.fail("--elements: at most 1073741824");

    Random random(args.seed());
    std::vector<u32> values(whole_tiles(n));  // zeroes fill the last tile
    for (u32 i = 0; i < n; ++i) values[i] = random.below(1000);
    DeviceArray<u32> in(values), out(values.size());
    scan(in.data(), out.data(), n, tree);

    std::vector<u32> expected(n), got = out.host();
    got.resize(n);
    u32 sum = 0;
    for (u32 i = 0; i < n; ++i) {
        expected[i] = sum;
        sum += values[i];
    }
    std::printf("scan: %u elements\n", n);
    Verdict verdict("scan");
    verdict.equal("prefix sum", got, expected);
    return verdict.exit_code();
}
