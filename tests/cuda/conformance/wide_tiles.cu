// Cooperative groups: tiles of several warps, against the host's count.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "check.h"

namespace cg = cooperative_groups;
constexpr unsigned kThreads = 512;

struct Pair {
    double value;
    int at;
};

struct Seen {
    unsigned rank, size, meta_rank, meta_size, sum, inclusive, exclusive, most_before, shuffled, any, all;
    unsigned warp_meta_rank, warp_meta_size, half_sum, half_meta_rank;
    Pair least;
};

struct Less {
    __device__ Pair operator()(const Pair& a, const Pair& b) const { return b.value < a.value ? b : a; }
};

/// With the memory that the program provides, or without.
template <unsigned Size, bool Memory>
__global__ void look(const unsigned* values, Seen* seen) {
    const auto block = [] {
        if constexpr (Memory) {
            __shared__ cg::block_tile_memory<kThreads> memory;
            return cg::this_thread_block(memory);
        } else {
            return cg::this_thread_block();
        }
    }();
    const auto tile = cg::tiled_partition<Size>(block);
    const unsigned i = block.thread_rank(), v = values[i];
    Seen& s = seen[i];
    s.rank = tile.thread_rank();
    s.size = tile.size();
    s.meta_rank = tile.meta_group_rank();
    s.meta_size = tile.meta_group_size();
    s.sum = cg::reduce(tile, v, cg::plus<unsigned>());
    // The warps of a tile come to each meeting at different times.
    for (unsigned k = 0; k < i / 32 % 4 * 50; ++k) atomicAdd(&s.sum, 0);
    s.inclusive = cg::inclusive_scan(tile, v);
    s.exclusive = cg::exclusive_scan(tile, v);
    s.most_before = cg::exclusive_scan(tile, v, cg::greater<unsigned>());
    s.shuffled = tile.shfl(v, 37);
    s.any = static_cast<unsigned>(tile.any(v < 10));
    s.all = static_cast<unsigned>(tile.all(v < 990));
    const cg::thread_block_tile<Size> plain = tile;
    s.least = cg::reduce(plain, Pair{1.0 / (1 + v), static_cast<int>(i)}, Less());
    const auto warp = cg::tiled_partition<32>(tile);
    s.warp_meta_rank = warp.meta_group_rank();
    s.warp_meta_size = warp.meta_group_size();
    const auto half = cg::tiled_partition<Size / 2>(tile);
    s.half_sum = cg::reduce(half, v, cg::plus<unsigned>());
    s.half_meta_rank = half.meta_group_rank();
    plain.sync();
}

template <unsigned Size, bool Memory>
void compare(const unsigned* values, Seen* seen) {
    look<Size, Memory><<<1, dim3(kThreads / 8, 8)>>>(values, seen);
    CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < kThreads; ++i) {
        const Seen& s = seen[i];
        const unsigned first = i / Size * Size, half = i / (Size / 2) * (Size / 2);
        unsigned sum = 0, before = 0, most = 0, half_sum = 0, best = first;
        bool any = false, all = true;
        for (unsigned k = first; k < first + Size; ++k) {
            if (k == i) before = sum;
            if (k < i) most = std::max(most, values[k]);
            if (k >= half && k < half + Size / 2) half_sum += values[k];
            if (values[k] > values[best]) best = k;
            sum += values[k];
            any |= values[k] < 10;
            all &= values[k] < 990;
        }
        if (i == first) most = 0;
        CHECK(s.rank == i - first && s.size == Size, "%u: rank %u of %u", i, s.rank, s.size);
        CHECK(s.meta_rank == i / Size && s.meta_size == kThreads / Size, "%u: %u of %u", i, s.meta_rank, s.meta_size);
        CHECK(s.sum == sum, "%u: sum %u, not %u", i, s.sum, sum);
        CHECK(s.inclusive == before + values[i] && s.exclusive == before, "%u: %u %u", i, s.inclusive, s.exclusive);
        CHECK(s.most_before == most, "%u: %u, not %u", i, s.most_before, most);
        CHECK(s.shuffled == values[first + 37], "%u: %u", i, s.shuffled);
        CHECK((s.any != 0) == any && (s.all != 0) == all, "%u: %u %u", i, s.any, s.all);
        CHECK(s.least.value == 1.0 / (1 + values[best]), "%u: least at %d", i, s.least.at);
        CHECK(s.warp_meta_rank == (i - first) / 32 && s.warp_meta_size == Size / 32, "%u", i);
        CHECK(s.half_sum == half_sum && s.half_meta_rank == (i - first) / (Size / 2), "%u: %u", i, s.half_sum);
    }
}

/// Tiles made again while some warps are still in the barrier of the ones before.
__global__ void repeat(unsigned* out) {
    const auto block = cg::this_thread_block();
    unsigned n = 0;
    for (unsigned k = 0; k < 20; ++k) {
        cg::tiled_partition<128>(block).sync();
        // The warps come to each meeting in another order.
        for (unsigned j = 0; j < (threadIdx.x / 32 + k) % 4 * 20; ++j) atomicAdd(out, 0);
        n += cg::reduce(cg::tiled_partition<64>(block), 1u, cg::plus<unsigned>());
    }
    atomicAdd(out, n);
}

int main() {
    unsigned* const values = managed<unsigned>(kThreads);
    Seen* const seen = managed<Seen>(kThreads);
    for (unsigned k = 0; k < kThreads; ++k) values[k] = random_bits() % 1000;
    compare<64, true>(values, seen);
    compare<128, true>(values, seen);
    compare<256, false>(values, seen);
    compare<512, false>(values, seen);
    values[0] = 0;
    repeat<<<1, 256>>>(values);
    CUDA(cudaDeviceSynchronize());
    CHECK(values[0] == 256 * 20 * 64, "%u", values[0]);
    return finished();
}
