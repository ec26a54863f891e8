// streamcluster: clustering by facility location (PARSEC, Rodinia). A local search proposes one point after the other
// as a centre; the device computes for every point what changing to it would save, the host decides.
// Coordinates lie dimension by dimension; each point has a row of savings, one for each centre, that the host adds up.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

/// What lies with a point: one structure, as in the original.
struct Point {
    u32 centre;  // a point
    float cost;  // squared distance to it, times the weight
    float weight;
    u32 index;  // of its centre among the open ones
};

/// Costs of assigning to `candidate`. Points that gain change; the others' losses if their own centre were closed go
/// to that centre's column of their row. Rows of `saving` have `centres` + 1 values; the last one is the gain.
extern "C" __global__ void price(const float* coordinate, const Point* point, u8* changes, float* saving,
                                 u32 points, u32 dimensions, u32 candidate, u32 centres) {
    extern __shared__ float there[];
    for (u32 d = threadIdx.x; d < dimensions; d += blockDim.x)
        there[d] = coordinate[u64{d} * points + candidate];
    __syncthreads();
    const u32 p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points) return;
    float distance = 0;
    for (u32 d = 0; d < dimensions; ++d) {
        const float t = coordinate[u64{d} * points + p] - there[d];
        distance += t * t;
    }
    const Point mine = point[p];
    const float cost = distance * mine.weight;
    float* row = saving + u64{p} * (centres + 1);
    if (cost < mine.cost) {
        changes[p] = 1;
        row[centres] += cost - mine.cost;
    } else {
        row[mine.index] += mine.cost - cost;
    }
}

/// Between points a and b.
float squared_distance(const std::vector<float>& coordinate, u32 points, u32 dimensions, u32 a, u32 b) {
    double sum = 0;
    for (u32 d = 0; d < dimensions; ++d) {
        const double t =
            double{coordinate[std::size_t{d} * points + a]} - double{coordinate[std::size_t{d} * points + b]};
        sum += t * t;
    }
    return static_cast<float>(sum);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("streamcluster", "clustering by facility location", argc, argv);
    const u32 points = args.count("points", "points to cluster", Sizes<u32>{4096, 65'536, 1'048'576});
    const u32 dimensions = args.count("dimensions", "dimensions per point", Sizes<u32>{16, 16, 64});
    const u32 proposals = args.count("proposals", "proposals of new centers", Sizes<u32>{4, 10, 4});
    args.done();

    Random random(args.seed());
    std::vector<float> coordinate(std::size_t{points} * dimensions);
    for (float& v : coordinate) v = random.unit();
    std::vector<Point> point(points);
    std::vector<u32> open{random.below(points)};
    for (u32 p = 0; p < points; ++p)
        point[p] = {open[0], squared_distance(coordinate, points, dimensions, p, open[0]), 1.0f, 0};
    const double opening = 0.02 * points;  // what a centre costs

    DeviceArray<float> d_coordinate(coordinate);
    DeviceArray<Point> d_point(points);
    DeviceArray<u8> d_changes(points);
    Verdict verdict("streamcluster");
    u32 accepted = 0;
    for (u32 i = 0; i < proposals; ++i) {
        const u32 candidate = random.below(points);
        const u32 centres = static_cast<u32>(open.size());
        DeviceArray<float> saving(std::size_t{points} * (centres + 1));
        saving.clear();
        d_changes.clear();
        d_point.set(point);
        price<<<blocks(points, kThreads), kThreads, dimensions * sizeof(float)>>>(
            d_coordinate.data(), d_point.data(), d_changes.data(), saving.data(), points, dimensions,
            candidate, centres);
        must(cudaGetLastError());

        const std::vector<float> rows = saving.host();
        const std::vector<u8> changes = d_changes.host();
        // Every row against the host's own.
        std::vector<double> closing(centres, 0);
        double gain = 0;
        for (u32 p = 0; p < points; ++p) {
            const float cost =
                squared_distance(coordinate, points, dimensions, p, candidate) * point[p].weight;
            const float difference = cost - point[p].cost;
            const float* row = &rows[std::size_t{p} * (centres + 1)];
            const float tolerance = 1e-4f * (cost + point[p].cost) + 1e-6f;
            if (std::fabs(difference) > tolerance) verdict.equal("changes", changes[p] != 0, difference < 0);
            const u32 column = changes[p] != 0 ? centres : point[p].index;
            for (u32 c = 0; c <= centres; ++c)
                verdict.near("saving of point", p, row[c],
                             c != column       ? 0.0f
                             : changes[p] != 0 ? difference
                                               : -difference,
                             c == column ? tolerance : 0);
            gain += row[centres];
            for (u32 c = 0; c < centres; ++c) closing[c] += row[c];
        }
        // A centre is closed if moving its other points to the candidate costs less than keeping it open.
        std::vector<bool> closed(centres);
        double total = gain + opening;
        for (u32 c = 0; c < centres; ++c) {
            closed[c] = -closing[c] < opening;
            if (closed[c]) total += -closing[c] - opening;
        }
        if (total >= 0) continue;
        ++accepted;
        std::vector<u32> new_index(centres), still;
        for (u32 c = 0; c < centres; ++c) {
            if (closed[c]) continue;
            new_index[c] = static_cast<u32>(still.size());
            still.push_back(open[c]);
        }
        still.push_back(candidate);
        for (u32 p = 0; p < points; ++p) {
            if (changes[p] != 0 || closed[point[p].index])
                point[p] = {candidate,
                            squared_distance(coordinate, points, dimensions, p, candidate) * point[p].weight,
                            point[p].weight, static_cast<u32>(still.size() - 1)};
            else
                point[p].index = new_index[point[p].index];
        }
        open.swap(still);
    }
    std::printf("streamcluster: %u points, %u dimensions, %u of %u proposals accepted, %zu centers\n", points,
                dimensions, accepted, proposals, open.size());
    return verdict.exit_code();
}
