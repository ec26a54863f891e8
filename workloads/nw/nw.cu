// nw: the best global alignment of two sequences (Needleman, Wunsch 1970), the matrix of scores filled in wavefronts:
// one launch an antidiagonal of tiles of 16 x 16, one CTA a tile, in which 16 threads walk the antidiagonals in shared
// memory (the blocked form of Rodinia). Substitution scores are laid out as a matrix of the same shape beforehand.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kTile = 16;
constexpr u32 kLetters = 24;  // of a substitution matrix of amino acids

/// Tile i of the antidiagonal lies at tile column first + i and tile row diagonal - first - i. Matrices have
/// `width` columns; row 0 and column 0 of `score` are given.
extern "C" __global__ void fill_tiles(i32* score, const i32* similarity, u32 width, u32 diagonal, u32 first,
                                      i32 gap) {
    __shared__ i32 tile[kTile + 1][kTile + 1];
    __shared__ i32 similar[kTile][kTile];
    const u32 t = threadIdx.x;
    const u32 tile_column = first + blockIdx.x;
    const u32 tile_row = diagonal - tile_column;
    const u64 corner =
        u64{tile_row} * kTile * width + u64{tile_column} * kTile;  // above and left of the tile

    for (u32 r = 0; r < kTile; ++r) similar[r][t] = similarity[corner + u64{r + 1} * width + t + 1];
    tile[t + 1][0] = score[corner + u64{t + 1} * width];
    tile[0][t + 1] = score[corner + t + 1];
    if (t == 0) tile[0][0] = score[corner];
    __syncthreads();
    for (u32 d = 0; d < 2 * kTile - 1; ++d) {
        // Thread t owns column t + 1; its cell of this antidiagonal is in row d - t + 1.
        if (t <= d && d - t < kTile) {
            const u32 x = t + 1, y = d - t + 1;
            const i32 match = tile[y - 1][x - 1] + similar[y - 1][x - 1];
            tile[y][x] = max(match, max(tile[y][x - 1], tile[y - 1][x]) - gap);
        }
        __syncthreads();
    }
    for (u32 r = 0; r < kTile; ++r) score[corner + u64{r + 1} * width + t + 1] = tile[r + 1][t + 1];
}

void reference(std::vector<i32>& score, const std::vector<i32>& similarity, u32 width, i32 gap) {
    for (u32 y = 1; y < width; ++y)
        for (u32 x = 1; x < width; ++x) {
            const std::size_t at = std::size_t{y} * width + x;
            score[at] = std::max(score[at - width - 1] + similarity[at],
                                 std::max(score[at - 1], score[at - width]) - gap);
        }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("nw", "Needleman-Wunsch sequence alignment", argc, argv);
    const u32 length =
        args.count("length", "length of both sequences, a multiple of 16", Sizes<u32>{256, 1024, 6144});
    const u32 penalty = args.count("gap", "penalty of a gap", Sizes<u32>{10, 10, 10}, 0u);
    args.done();
    if (length % kTile != 0) args.fail("--length must be a multiple of 16");
    if (length > 65'536) args.fail("--length: at most 65536");
    // Scores have 32 bits.
    if (u64{length} * penalty > 1'000'000'000) args.fail("--length times --gap: at most 1000000000");

    // Random sequences and a symmetric substitution matrix that favours equal letters.
    Random random(args.seed());
    i32 substitution[kLetters][kLetters];
    for (u32 a = 0; a < kLetters; ++a)
        for (u32 b = 0; b <= a; ++b)
            substitution[a][b] = substitution[b][a] =
                a == b ? 4 + static_cast<i32>(random.below(6)) : static_cast<i32>(random.below(6)) - 4;
    const i32 gap = static_cast<i32>(penalty);
    const u32 width = length + 1;
    std::vector<u8> down(width), across(width);
    for (u8& letter : down) letter = static_cast<u8>(random.below(kLetters));
    for (u8& letter : across) letter = static_cast<u8>(random.below(kLetters));
    std::vector<i32> score(std::size_t{width} * width), similarity(score.size());
    for (u32 y = 1; y < width; ++y)
        for (u32 x = 1; x < width; ++x)
            similarity[std::size_t{y} * width + x] = substitution[down[y]][across[x]];
    for (u32 i = 0; i < width; ++i) score[i] = score[std::size_t{i} * width] = -static_cast<i32>(i) * gap;

    DeviceArray<i32> d_score(score), d_similarity(similarity);
    const u32 tiles = length / kTile;
    for (u32 diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
        const u32 first = diagonal < tiles ? 0 : diagonal - tiles + 1;
        const u32 last = std::min(diagonal, tiles - 1);
        fill_tiles<<<last - first + 1, kTile>>>(d_score.data(), d_similarity.data(), width, diagonal, first,
                                                gap);
        must(cudaGetLastError());
    }

    reference(score, similarity, width, gap);
    std::printf("nw: length %u, best score %d\n", length, score.back());
    Verdict verdict("nw");
    verdict.equal("score", d_score.host(), score);
    return verdict.exit_code();
}
