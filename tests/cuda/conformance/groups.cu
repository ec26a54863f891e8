// Cooperative groups: ranks, votes, shuffles, partitions, reductions, scans and copies of every kind of group, against the
// host's count. The block's last warp is half full.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <map>

#include "check.h"

namespace cg = cooperative_groups;
constexpr int kThreads = 80;

struct Seen {
    unsigned rank, size, meta_rank, meta_size, sum, least, inclusive, exclusive, neighbour, ballot, product, votes, match, match_wide, match_all;
};

template <class Group>
__device__ Seen look(const Group& g, unsigned v) {
    Seen s;
    s.rank = g.thread_rank();
    s.size = g.size();
    s.meta_rank = g.meta_group_rank();
    s.meta_size = g.meta_group_size();
    s.sum = cg::reduce(g, v, cg::plus<unsigned>());
    s.least = cg::reduce(g, v, cg::less<unsigned>());
    s.inclusive = cg::inclusive_scan(g, v);
    s.exclusive = cg::exclusive_scan(g, v, cg::greater<unsigned>());
    s.neighbour = g.shfl_down(v, 1);
    s.ballot = g.ballot(v % 2);
    s.product = cg::reduce(g, 2 * v + 1, [](unsigned a, unsigned b) { return a * b; });
    s.votes = (g.any(v < 100) != 0) << 1 | (g.all(v > 50) != 0);
    s.match = g.match_any(v % 3);
    s.match_wide = g.match_any(static_cast<unsigned long long>(v % 3) << 40);
    int all = 0;
    s.match_all = g.match_all(static_cast<long long>(v > 999) << 33, all);
    s.match_all += all;
    g.sync();
    return s;
}

__device__ unsigned by_any_group(cg::thread_group g) {
    g.sync();
    return g.thread_rank() << 16 | g.size();
}
__device__ unsigned by_warp(cg::thread_block_tile<32> t) {
    return t.meta_group_rank() << 16 | t.meta_group_size();
}
__device__ unsigned by_part(const cg::thread_block_tile<4>& t) {
    return t.meta_group_rank() << 16 | t.meta_group_size();
}

enum { kTile16, kTile4, kLabeled, kBinary, kOdd, kCut, kKinds };

__global__ void look_at_all(Seen* seen, unsigned* values, unsigned* any) {
    const cg::thread_block block = cg::this_thread_block();
    const unsigned i = block.thread_rank(), v = values[i];
    const auto warp = cg::tiled_partition<32>(block);
    const auto tile = cg::tiled_partition<16>(block);
    const auto part = cg::tiled_partition<4>(tile);
    seen[kTile16 * kThreads + i] = look(tile, v);
    seen[kTile4 * kThreads + i] = look(part, v);
    seen[kLabeled * kThreads + i] = look(cg::labeled_partition(tile, static_cast<int>(v % 3)), v);
    seen[kBinary * kThreads + i] = look(cg::binary_partition(tile, v % 4 < 2), v);
    if (i % 2 != 0) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        seen[kOdd * kThreads + i] = look(odd, v);
        seen[kCut * kThreads + i] = look(cg::tiled_partition(odd, 8), v);
        any[4 * kThreads + i] = by_any_group(odd);
    }
    any[i] = by_any_group(block);
    any[kThreads + i] = by_any_group(part);
    any[2 * kThreads + i] = by_any_group(cg::tiled_partition(block, 8));
    any[3 * kThreads + i] = by_any_group(cg::tiled_partition(cg::tiled_partition(block, 16), 2));
    any[5 * kThreads + i] = by_warp(warp);
    any[6 * kThreads + i] = by_part(part);
    any[7 * kThreads + i] = static_cast<unsigned>(cg::thread_rank(block)) << 16 | static_cast<unsigned>(cg::group_size(tile));
}

/// What a thread of the lanes (ranks in the block, in order) sees.
Seen expected(const std::vector<unsigned>& lanes, unsigned me, const unsigned* values, unsigned meta_rank, unsigned meta_size) {
    Seen s{};
    s.size = static_cast<unsigned>(lanes.size());
    s.meta_rank = meta_rank;
    s.meta_size = meta_size;
    s.least = ~0u;
    s.product = 1;
    unsigned before = 0;
    s.votes = 1;
    for (unsigned k = 0; k < lanes.size(); ++k) {
        const unsigned v = values[lanes[k]];
        s.sum += v;
        s.least = std::min(s.least, v);
        s.product *= 2 * v + 1;
        s.ballot |= (v & 1) << k;
        s.votes = (s.votes | (v < 100) << 1) & (v > 50 ? 3 : 2);
        s.match |= static_cast<unsigned>(v % 3 == values[me] % 3) << k;
        if (lanes[k] < me) before = std::max(before, v);
        if (lanes[k] <= me) s.inclusive += v;
        if (lanes[k] == me) {
            s.rank = k;
            s.neighbour = values[k + 1 < lanes.size() ? lanes[k + 1] : me];
        }
    }
    s.exclusive = before;
    return s;
}

/// `key`: threads are together if it is the same; groups of one parent are numbered in the order of their first threads.
template <class Key, class Parent, class Member>
void compare(const char* name, const Seen* seen, const unsigned* values, Member member, Parent parent, Key key) {
    for (unsigned me = 0; me < kThreads; ++me) {
        if (!member(me)) continue;
        std::vector<unsigned> lanes;
        std::map<unsigned, unsigned> first;  // of each group of this parent
        for (unsigned k = 0; k < kThreads; ++k) {
            if (!member(k) || parent(k) != parent(me)) continue;
            first.emplace(key(k), k);
            if (key(k) == key(me)) lanes.push_back(k);
        }
        unsigned meta = 0;
        for (const auto& [label, at] : first) meta += at < lanes[0];
        const Seen want = expected(lanes, me, values, meta, static_cast<unsigned>(first.size()));
        const Seen& s = seen[me];
        CHECK(s.rank == want.rank && s.size == want.size, "%s thread %u: rank %u of %u", name, me, s.rank, s.size);
        CHECK(s.meta_rank == want.meta_rank && s.meta_size == want.meta_size, "%s thread %u: group %u of %u, not %u of %u", name, me, s.meta_rank, s.meta_size, want.meta_rank, want.meta_size);
        CHECK(s.sum == want.sum && s.least == want.least && s.product == want.product, "%s thread %u: %u %u %u", name, me, s.sum, s.least, s.product);
        CHECK(s.inclusive == want.inclusive && s.exclusive == want.exclusive, "%s thread %u: %u %u", name, me, s.inclusive, s.exclusive);
        CHECK(s.neighbour == want.neighbour && s.ballot == want.ballot, "%s thread %u: %u %x", name, me, s.neighbour, s.ballot);
        CHECK(s.votes == want.votes && s.match == want.match, "%s thread %u: %x %x", name, me, s.votes, s.match);
        // The values differ in no bit of the second: all lanes match, and say so.
        CHECK(s.match_wide == want.match && s.match_all == static_cast<unsigned>((1ull << s.size) - 1) + 1u, "%s thread %u: %x %x",
              name, me, s.match_wide, s.match_all);
    }
}

/// Through shared memory, in each of the ways to copy there.
__global__ void copies(const int* from, int* to) {
    __shared__ __align__(16) int s[4][256];
    __shared__ short odd[256];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    cg::memcpy_async(block, s[0], from, sizeof(int) * 256);
    cg::memcpy_async(block, s[1], 200, from, 256);
    cg::wait_prior<1>(block);
    if (warp.meta_group_rank() == 0) {
        cg::memcpy_async(warp, s[2], from + 1, sizeof(int) * 30);
        cg::wait(warp);
    }
    cg::memcpy_async(block, odd, reinterpret_cast<const short*>(from) + 1, sizeof(short) * 255);
    cg::wait(block);
    __pipeline_memcpy_async(&s[3][4 * block.thread_rank() % 256], &from[4 * block.thread_rank() % 256], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    block.sync();
    for (unsigned k = block.thread_rank(); k < 256; k += block.size()) {
        to[k] = s[0][k];
        to[256 + k] = s[1][k < 200 ? k : 0];
        to[512 + k] = s[2][k % 30];
        to[768 + k] = s[3][k];
        to[1024 + k] = odd[k < 255 ? k : 0];
    }
}

/// Each block adds to its neighbour's word between two barriers of the grid.
__global__ void across_the_grid(unsigned* words, unsigned* bad) {
    const cg::grid_group grid = cg::this_grid();
    if (!grid.is_valid() || grid.size() != gridDim.x * blockDim.x || grid.block_rank() != blockIdx.x) *bad = 1;
    for (unsigned round = 0; round < 3; ++round) {
        if (threadIdx.x == 0) words[(blockIdx.x + 1) % gridDim.x] = 10 * round + blockIdx.x;
        grid.sync();
        if (words[blockIdx.x] != 10 * round + (blockIdx.x + gridDim.x - 1) % gridDim.x) *bad = 2;
        cg::sync(grid);
    }
    // The same in two steps, with work of the block's own between them.
    __shared__ unsigned own;
    const cg::thread_block block = cg::this_thread_block();
    for (unsigned round = 0; round < 3; ++round) {
        if (threadIdx.x == 0) words[(blockIdx.x + 1) % gridDim.x] = 100 + 10 * round + blockIdx.x;
        auto grid_token = grid.barrier_arrive();
        if (threadIdx.x == 5) own = round;
        auto block_token = block.barrier_arrive();
        block.barrier_wait(static_cast<decltype(block_token)&&>(block_token));
        if (own != round) *bad = 3;
        grid.barrier_wait(static_cast<decltype(grid_token)&&>(grid_token));
        if (words[blockIdx.x] != 100 + 10 * round + (blockIdx.x + gridDim.x - 1) % gridDim.x) *bad = 4;
        grid.sync();
    }
}

#if defined(CLUSTERS)
/// Names of clusters are there in the host's compilation too, which has no architecture.
__global__ void in_a_cluster(unsigned* out) {
    const cg::cluster_group cluster = cg::this_cluster();
    out[threadIdx.x] = 0;
    cluster.barrier_arrive();
    cluster.barrier_wait();
    atomicAdd(&out[cluster.num_threads() - 1 - cluster.thread_rank()],
              cluster.num_blocks() << 16 | cluster.block_rank() << 8 | threadIdx.x);
}
#endif

int main() {
    unsigned* values = managed<unsigned>(kThreads + 16);
    Seen* seen = managed<Seen>(kKinds * kThreads);
    unsigned* any = managed<unsigned>(8 * kThreads);
    for (int i = 0; i < kThreads; ++i) values[i] = random_bits() % 1000;
    look_at_all<<<1, dim3(20, 4)>>>(seen, values, any);
    CUDA(cudaDeviceSynchronize());
    auto all = [](unsigned) { return true; };
    auto odd = [](unsigned k) { return k % 2 != 0; };
    auto one = [](unsigned) { return 0u; };
    auto warp = [](unsigned k) { return k / 32; };
    auto tile = [](unsigned k) { return k / 16; };
    auto part = [](unsigned k) { return k / 4; };
    compare("tile of 16", seen + kTile16 * kThreads, values, all, one, tile);
    compare("tile of 4", seen + kTile4 * kThreads, values, all, tile, part);
    compare("labeled", seen + kLabeled * kThreads, values, all, tile, [&](unsigned k) { return values[k] % 3; });
    compare("binary", seen + kBinary * kThreads, values, all, tile, [&](unsigned k) { return values[k] % 4 < 2; });
    // The odd threads of each warp on their own.
    compare("coalesced", seen + kOdd * kThreads, values, odd, warp, one);
    compare("cut", seen + kCut * kThreads, values, odd, warp, [](unsigned k) { return k % 32 / 16; });
    for (unsigned i = 0; i < kThreads; ++i) {
        CHECK(any[i] == (i << 16 | kThreads));
        CHECK(any[kThreads + i] == (i % 4 << 16 | 4));
        CHECK(any[2 * kThreads + i] == (i % 8 << 16 | 8), "%u: %x", i, any[2 * kThreads + i]);
        CHECK(any[3 * kThreads + i] == (i % 2 << 16 | 2), "%u: %x", i, any[3 * kThreads + i]);
        if (odd(i)) CHECK(any[4 * kThreads + i] == (i % 32 / 2 << 16 | (i < 64 ? 16u : 8u)), "%u: %x", i, any[4 * kThreads + i]);
        CHECK(any[5 * kThreads + i] == (i / 32 << 16 | 3));
        CHECK(any[6 * kThreads + i] == (i % 16 / 4 << 16 | 4));
        CHECK(any[7 * kThreads + i] == (i << 16 | 16));
    }

    int *from = managed<int>(256), *to = managed<int>(5 * 256);
    for (int i = 0; i < 256; ++i) from[i] = static_cast<int>(random_bits());
    copies<<<1, 64>>>(from, to);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 256; ++i) {
        CHECK(to[i] == from[i]);
        CHECK(to[256 + i] == from[i < 200 ? i : 0]);
        CHECK(to[512 + i] == from[1 + i % 30]);
        CHECK(to[768 + i] == (i % 4 < 2 ? from[i] : 0), "%d: %d", i, to[768 + i]);
        CHECK(to[1024 + i] == reinterpret_cast<short*>(from)[1 + (i < 255 ? i : 0)]);
    }

    unsigned *words = managed<unsigned>(7), *bad = managed<unsigned>(1);
    void* arguments[] = {&words, &bad};
    CUDA(cudaLaunchCooperativeKernel(across_the_grid, 7, 64, arguments));
    CUDA(cudaDeviceSynchronize());
    CHECK(*bad == 0, "%u", *bad);

#if defined(CLUSTERS)
    in_a_cluster<<<1, kThreads>>>(any);
    CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < kThreads; ++i)
        CHECK(any[i] == (1u << 16 | (kThreads - 1 - i)), "%u: %x", i, any[i]);
#endif
    return finished();
}
