// ss: similarity score of every pair of documents, the cosine of their feature vectors, as a MapReduce program of two
// passes (Mars, PACT 2008): the first maps a document to its length, the second a pair of documents to a record of
// both keys and the score. One thread a pair; the lanes of a warp read neighbouring documents, not neighbouring values.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

/// What the second pass emits.
struct Score {
    u32 first, second;
    float cosine;
};

extern "C" __global__ void map_length(const float* feature, float* length, u32 documents, u32 features) {
    const u32 d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= documents) return;
    float sum = 0;
    for (u32 f = 0; f < features; ++f) {
        const float v = feature[u64{d} * features + f];
        sum += v * v;
    }
    length[d] = sqrtf(sum);
}

extern "C" __global__ void map_pair(const float* feature, const float* length, Score* score, u32 documents,
                                    u32 features) {
    const u64 pair = u64{blockIdx.x} * blockDim.x + threadIdx.x;
    if (pair >= u64{documents} * documents) return;
    const u32 a = static_cast<u32>(pair / documents), b = static_cast<u32>(pair % documents);
    const float* left = feature + u64{a} * features;
    const float* right = feature + u64{b} * features;
    float sum = 0;
    for (u32 f = 0; f < features; ++f) sum += left[f] * right[f];
    score[pair].first = a;
    score[pair].second = b;
    score[pair].cosine = sum / (length[a] * length[b]);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("ss", "similarity of all pairs of documents", argc, argv);
    const u32 documents = args.count("documents", "documents to compare", Sizes<u32>{128, 768, 5120});
    const u32 features = args.count("features", "features per document", Sizes<u32>{32, 32, 32});
    args.done();
    if (documents > 1u << 15) args.fail("--documents: at most 32768");

    Random random(args.seed());
    std::vector<float> feature(std::size_t{documents} * features);
    for (float& v : feature) v = random.below(4) == 0 ? random.unit() : 0.01f;
    const std::size_t pairs = std::size_t{documents} * documents;
    DeviceArray<float> d_feature(feature), length(documents);
    DeviceArray<Score> d_score(pairs);
    map_length<<<blocks(documents, kThreads), kThreads>>>(d_feature.data(), length.data(), documents,
                                                          features);
    must(cudaGetLastError());
    map_pair<<<blocks(pairs, kThreads), kThreads>>>(d_feature.data(), length.data(), d_score.data(),
                                                    documents, features);
    must(cudaGetLastError());

    std::vector<float> lengths(documents);
    const auto dot = [&](u32 a, u32 b) {
        float sum = 0;
        for (u32 f = 0; f < features; ++f)
            sum += feature[std::size_t{a} * features + f] * feature[std::size_t{b} * features + f];
        return sum;
    };
    for (u32 d = 0; d < documents; ++d) lengths[d] = std::sqrt(dot(d, d));
    std::printf("ss: %u documents, %u features, %zu pairs\n", documents, features, pairs);
    Verdict verdict("ss");
    const std::vector<Score> score = d_score.host();
    for (u32 a = 0; a < documents; ++a)
        for (u32 b = 0; b < documents; ++b) {
            const Score& s = score[std::size_t{a} * documents + b];
            verdict.equal("first key", s.first, a);
            verdict.equal("second key", s.second, b);
            verdict.near("cosine", std::size_t{a} * documents + b, s.cosine,
                         dot(a, b) / (lengths[a] * lengths[b]), 2e-5f);
        }
    return verdict.exit_code();
}
