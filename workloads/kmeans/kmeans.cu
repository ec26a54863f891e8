// kmeans: Lloyd's algorithm. One thread a point finds the nearest centre; centres lie in constant memory; the host
// makes the new centres, as in Rodinia.
// records: a point's features lie together (the form of the data file), so the lanes of a warp read 32 distant places;
// arrays: a kernel first turns them round, one array a feature.

#include "../common/workload.h"

using namespace workloads;

// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
constexpr u32 kMostCentreValues = 8192;
__constant__ float centres[kMostCentreValues];  // clusters x features

namespace {

constexpr u32 kThreads = 256;

extern "C" __global__ void turn(const float* records, float* arrays, u32 points, u32 features) {
    const u32 p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points) return;
    for (u32 f = 0; f < features; ++f) arrays[u64{f} * points + p] = records[u64{p} * features + f];
}

/// Feature f of point p is feature[p * point_stride + f * feature_stride].
extern "C" __global__ void assign(const float* feature, u32* member, u32 points, u32 features, u32 clusters,
                                  u32 point_stride, u32 feature_stride) {
    const u32 p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points) return;
    u32 nearest = 0;
    float least = 3.4e38f;
    for (u32 c = 0; c < clusters; ++c) {
        float distance = 0;
        for (u32 f = 0; f < features; ++f) {
            const float d =
                feature[u64{p} * point_stride + u64{f} * feature_stride] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    member[p] = nearest;
}

double distance(const float* point, const float* centre, u32 features) {
    double sum = 0;
    for (u32 f = 0; f < features; ++f) sum += (double{point[f]} - centre[f]) * (double{point[f]} - centre[f]);
    return sum;
}

/// Is every point with a centre than which, but for rounding, none is nearer?
void check_members(Verdict& verdict, const std::vector<float>& points, const std::vector<float>& centre,
                   const std::vector<u32>& member, u32 features, u32 clusters) {
    for (std::size_t p = 0; p < member.size(); ++p) {
        double least = 1e300;
        for (u32 c = 0; c < clusters; ++c)
            least = std::min(least,
                             distance(&points[p * features], &centre[std::size_t{c} * features], features));
        const bool valid = member[p] < clusters;
        verdict.holds("member[" + std::to_string(p) + "] is nearest",
                      valid && distance(&points[p * features], &centre[std::size_t{member[p]} * features],
                                        features) <= least * (1 + 1e-5) + 1e-6);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("kmeans", "Lloyd's clustering algorithm", argc, argv);
    const bool records = args.choice("layout", "layout of the points", {"records", "arrays"}) == "records";
    const u32 points = args.count("points", "points to cluster", Sizes<u32>{4096, 32'768, 2'097'152});
    const u32 features = args.count("features", "features per point", Sizes<u32>{16, 32, 32});
    const u32 clusters = args.count("clusters", "clusters to find", Sizes<u32>{5, 5, 5});
    const u32 rounds = args.count("rounds", "rounds of assignment and new centers", Sizes<u32>{2, 3, 3});
    args.done();
    if (u64{clusters} * features > kMostCentreValues) args.fail("the centers have more than 8192 values");
    if (clusters > points) args.fail("there are more clusters than points");

    // Points around `clusters` true centres.
    Random random(args.seed());
    std::vector<float> truth(std::size_t{clusters} * features), point(std::size_t{points} * features);
    for (float& v : truth) v = random.unit();
    for (u32 p = 0; p < points; ++p) {
        const u32 c = random.below(clusters);
        for (u32 f = 0; f < features; ++f)
            point[std::size_t{p} * features + f] =
                truth[std::size_t{c} * features + f] + random.between(-0.4f, 0.4f);
    }
    std::vector<float> centre(point.begin(), point.begin() + clusters * features);  // the first points

    DeviceArray<float> d_point(point), turned(records ? 0 : point.size());
    DeviceArray<u32> d_member(points);
    if (!records) {
        turn<<<blocks(points, kThreads), kThreads>>>(d_point.data(), turned.data(), points, features);
        must(cudaGetLastError());
    }
    Verdict verdict("kmeans");
    for (u32 round = 0; round < rounds; ++round) {
        must(cudaMemcpyToSymbol(centres, centre.data(), centre.size() * sizeof(float)));
        assign<<<blocks(points, kThreads), kThreads>>>(records ? d_point.data() : turned.data(),
                                                       d_member.data(), points, features, clusters,
                                                       records ? features : 1, records ? 1 : points);
        must(cudaGetLastError());
        const std::vector<u32> member = d_member.host();
        check_members(verdict, point, centre, member, features, clusters);
        std::vector<double> sum(centre.size());
        std::vector<u32> size(clusters);
        for (u32 p = 0; p < points; ++p) {
            const u32 c = std::min(member[p], clusters - 1);
            ++size[c];
            for (u32 f = 0; f < features; ++f)
                sum[std::size_t{c} * features + f] += point[std::size_t{p} * features + f];
        }
        for (u32 c = 0; c < clusters; ++c)
            for (u32 f = 0; f < features && size[c] > 0; ++f)
                centre[std::size_t{c} * features + f] =
                    static_cast<float>(sum[std::size_t{c} * features + f] / size[c]);
    }
    std::printf("kmeans: %u points, %u features, %u clusters, %u rounds\n", points, features, clusters,
                rounds);
    return verdict.exit_code();
}
