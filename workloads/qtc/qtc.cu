// qtc: quality threshold clustering (Heyer, Kruglyak, Yooseph 1999; SHOC). Every point is the seed of a candidate cluster,
// which grows by the point that widens it least until no point is left within the threshold; the largest candidate
// becomes a cluster, its points leave, and all begins anew. A CTA grows one candidate after the other; a point's
// neighbours (no farther than the threshold) are a list, distances a whole matrix.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 64;
constexpr u32 kLeft = ~u32{0};  // in no cluster yet

/// All that the kernels read. Row p of `neighbour` holds degree[p] points; its length is `most_degree`.
struct Points {
    const float* distance;  // count x count
    u32* neighbour;
    u32* degree;
    u32* cluster;  // of each point, or kLeft
    u32 count, most_degree;
    float threshold;
};

/// Space of one CTA for a candidate: for each neighbour of the seed its distance to the farthest member (negative: it
/// is a member itself).
__device__ float* my_farthest(float* space, const Points& points) {
    return space + u64{blockIdx.x} * points.most_degree;
}

/// The least of all threads' values. All threads of the CTA call it.
__device__ u64 least_of_all(u64 value) {
    __shared__ u64 best[kThreads];
    const u32 t = threadIdx.x;
    best[t] = value;
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half && best[t + half] < best[t]) best[t] = best[t + half];
    }
    __syncthreads();
    const u64 least = best[0];
    __syncthreads();
    return least;
}

/// Members of the candidate that `seed` begins; negative places of `farthest` tell which neighbours they are.
__device__ u32 grow(const Points& points, u32 seed, float* farthest) {
    const u32* const neighbour = points.neighbour + u64{seed} * points.most_degree;
    const u32 degree = points.degree[seed];
    for (u32 i = threadIdx.x; i < degree; i += kThreads) farthest[i] = 0;
    u32 members = 1, newest = seed;
    while (true) {
        const float* const row = points.distance + u64{newest} * points.count;
        u64 best = ~u64{0};
        for (u32 i = threadIdx.x; i < degree; i += kThreads) {
            if (farthest[i] < 0) continue;
            const float wide = fmaxf(farthest[i], row[neighbour[i]]);
            farthest[i] = wide;
            // Bits of numbers that are not negative are ordered as the numbers are.
            if (wide <= points.threshold) best = min(best, u64{__float_as_uint(wide)} << 32 | i);
        }
        best = least_of_all(best);
        if (best == ~u64{0}) return members;
        const u32 i = static_cast<u32>(best);
        newest = neighbour[i];
        if (i % kThreads == threadIdx.x) farthest[i] = -1;
        ++members;
    }
}

extern "C" __global__ void grow_candidates(Points points, float* space, u32* size) {
    for (u32 seed = blockIdx.x; seed < points.count; seed += gridDim.x) {
        const u32 members =
            points.cluster[seed] == kLeft ? grow(points, seed, my_farthest(space, points)) : 0;
        if (threadIdx.x == 0) size[seed] = members;
    }
}

/// The largest candidate, the one with the lowest seed among equals. One CTA.
extern "C" __global__ void choose_largest(const u32* size, u32 count, u32* seed) {
    u64 best = ~u64{0};
    for (u32 p = threadIdx.x; p < count; p += kThreads) best = min(best, u64{~size[p]} << 32 | p);
    best = least_of_all(best);
    if (threadIdx.x == 0) *seed = static_cast<u32>(best);
}

/// Its points leave. One CTA, which lets the candidate grow once more.
extern "C" __global__ void take_cluster(Points points, float* space, const u32* seed, u32 cluster) {
    float* const farthest = my_farthest(space, points);
    grow(points, *seed, farthest);
    for (u32 i = threadIdx.x; i < points.degree[*seed]; i += kThreads)
        if (farthest[i] < 0) points.cluster[points.neighbour[u64{*seed} * points.most_degree + i]] = cluster;
    if (threadIdx.x == 0) points.cluster[*seed] = cluster;
}

/// Removes points that left from the lists of neighbours. One warp a point.
extern "C" __global__ void trim_neighbours(Points points) {
    const u32 p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (p >= points.count || points.cluster[p] != kLeft) return;
    u32* const neighbour = points.neighbour + u64{p} * points.most_degree;
    const u32 degree = points.degree[p];
    u32 kept = 0;
    for (u32 first = 0; first < degree; first += 32) {
        const u32 i = first + lane, other = i < degree ? neighbour[i] : 0;
        const bool keep = i < degree && points.cluster[other] == kLeft;
        const u32 all = __ballot_sync(~0u, keep);
        if (keep) neighbour[kept + __popc(all & ((1u << lane) - 1))] = other;
        kept += __popc(all);
        __syncwarp();
    }
    if (lane == 0) points.degree[p] = kept;
}

/// The clusters, by the algorithm's definition: every point that is left may join.
std::vector<u32> reference(const std::vector<float>& distance, u32 count, float threshold, u32 clusters) {
    std::vector<u32> cluster(count, kLeft);
    for (u32 c = 0; c < clusters; ++c) {
        std::vector<u32> largest;
        for (u32 seed = 0; seed < count; ++seed) {
            if (cluster[seed] != kLeft) continue;
            std::vector<u32> members{seed};
            std::vector<std::pair<float, u32>> outside;  // distance to the farthest member, point
            for (u32 p = 0; p < count; ++p)
                if (p != seed && cluster[p] == kLeft && distance[std::size_t{seed} * count + p] <= threshold)
                    outside.emplace_back(distance[std::size_t{seed} * count + p], p);
            while (!outside.empty()) {
                const auto best = std::min_element(outside.begin(), outside.end());
                const u32 newest = best->second;
                outside.erase(best);
                members.push_back(newest);
                std::vector<std::pair<float, u32>> still;
                for (const auto& [farthest, p] : outside) {
                    const float wide = std::max(farthest, distance[std::size_t{newest} * count + p]);
                    if (wide <= threshold) still.emplace_back(wide, p);
                }
                outside = std::move(still);
            }
            if (members.size() > largest.size()) largest = std::move(members);
        }
        for (const u32 p : largest) cluster[p] = c;
    }
    return cluster;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("qtc", "quality threshold clustering", argc, argv);
    const u32 count = args.count("points", "points to cluster", Sizes<u32>{256, 1024, 8192}, 2u);
    const u32 neighbours =
        args.count("neighbours", "mean neighbors per point within the threshold", Sizes<u32>{24, 32, 64});
    const u32 clusters = args.count("clusters", "most clusters", Sizes<u32>{2, 2, 2});
    const u32 ctas = args.count("ctas", "CTAs that grow candidates", Sizes<u32>{120, 120, 120});
    args.done();
    if (count > 65'535) args.fail("--points: at most 65535");
    if (neighbours >= count) args.fail("--neighbours: fewer than points");

    // Points of a unit square; a disc of the threshold's radius holds `neighbours` of them, or fewer at the rim.
    Random random(args.seed());
    std::vector<float> x(count), y(count);
    for (u32 p = 0; p < count; ++p) {
        x[p] = random.unit();
        y[p] = random.unit();
    }
    const float threshold =
        std::sqrt(static_cast<float>(neighbours) / (3.14159265f * static_cast<float>(count)));
    std::vector<float> distance(std::size_t{count} * count);
    std::vector<u32> degree(count);
    for (u32 p = 0; p < count; ++p)
        for (u32 q = 0; q < count; ++q) {
            const float dx = x[p] - x[q], dy = y[p] - y[q], d = std::sqrt(dx * dx + dy * dy);
            distance[std::size_t{p} * count + q] = d;
            if (p != q && d <= threshold) ++degree[p];
        }
    const u32 most = std::max(1u, *std::max_element(degree.begin(), degree.end()));
    std::vector<u32> neighbour(std::size_t{count} * most);
    for (u32 p = 0; p < count; ++p)
        for (u32 q = 0, next = 0; q < count; ++q)
            if (p != q && distance[std::size_t{p} * count + q] <= threshold)
                neighbour[std::size_t{p} * most + next++] = q;

    DeviceArray<float> d_distance(distance), space(std::size_t{ctas} * most);
    DeviceArray<u32> d_neighbour(neighbour), d_degree(degree), cluster(count), size(count), seed(1);
    cluster.clear(0xFF);
    const Points points{d_distance.data(), d_neighbour.data(), d_degree.data(), cluster.data(), count, most,
                        threshold};
    u32 found = 0;
    for (u32 left = count; found < clusters && left > 0; ++found) {
        grow_candidates<<<ctas, kThreads>>>(points, space.data(), size.data());
        must(cudaGetLastError());
        choose_largest<<<1, kThreads>>>(size.data(), count, seed.data());
        must(cudaGetLastError());
        take_cluster<<<1, kThreads>>>(points, space.data(), seed.data(), found);
        must(cudaGetLastError());
        trim_neighbours<<<blocks(u64{count} * 32, kThreads), kThreads>>>(points);
        must(cudaGetLastError());
        left -= size.host(seed.host(0));
    }

    std::printf("qtc: %u points, at most %u neighbours, %u clusters\n", count, most, found);
    Verdict verdict("qtc");
    verdict.equal("cluster of point", cluster.host(), reference(distance, count, threshold, clusters));
    return verdict.exit_code();
}
