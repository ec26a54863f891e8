// pathfinder: the cheapest way through a grid from its first row to each place in the last, where every step goes to the
// next row, straight or one column aside: dynamic programming, row by row. A CTA of 256 threads makes several rows in
// shared memory; it starts from a wider piece of a row than it ends with, one column a row on either side (the pyramids
// of Rodinia's form).

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr int kThreads = 256;

/// `from` has the costs of row `first`; `to` gets those of row first + rows.
extern "C" __global__ void descend(const i32* grid, const i32* from, i32* to, int columns, int first,
                                   int rows) {
    __shared__ i32 above[kThreads], here[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    const int inner = kThreads - 2 * rows;
    const int column = static_cast<int>(blockIdx.x) * inner - rows + t;
    const bool inside = column >= 0 && column < columns;
    const int left = column > 0 ? t - 1 : t, right = column < columns - 1 ? t + 1 : t;
    if (inside) above[t] = from[column];
    __syncthreads();
    for (int s = 1; s <= rows; ++s) {
        // What is right after s rows: all but a rim of s columns, and the grid's own border.
        const bool valid = inside && t >= s && t < kThreads - s;
        if (valid) {
            const i32 cost = grid[static_cast<std::size_t>(first + s) * static_cast<std::size_t>(columns) +
                                  static_cast<std::size_t>(column)];
            here[t] = cost + min(above[t], min(above[left], above[right]));
        }
        __syncthreads();
        if (valid) above[t] = here[t];
        __syncthreads();
    }
    if (inside && t >= rows && t < kThreads - rows) to[column] = above[t];
}

/// Each row in turn. A double holds every whole number that a path can cost.
std::vector<i32> reference(const std::vector<i32>& grid, u32 columns, u32 rows) {
    std::vector<double> cost(grid.begin(), grid.begin() + columns), next(columns);
    for (u32 r = 1; r < rows; ++r) {
        for (u32 c = 0; c < columns; ++c) {
            double least = cost[c];
            if (c > 0) least = std::min(least, cost[c - 1]);
            if (c + 1 < columns) least = std::min(least, cost[c + 1]);
            next[c] = least + grid[std::size_t{r} * columns + c];
        }
        cost.swap(next);
    }
    return {cost.begin(), cost.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("pathfinder", "cheapest ways down a grid", argc, argv);
    const u32 columns = args.count("columns", "columns of the grid", Sizes<u32>{8192, 65'536, 1'048'576});
    const u32 rows = args.count("rows", "rows of the grid", Sizes<u32>{17, 49, 61}, 2u);
    const u32 together = args.count("together", "rows per launch, at most 127", Sizes<u32>{8, 16, 20});
    args.done();
    if (together > (kThreads - 2) / 2) args.fail("--together: at most 127");
    if (columns > 1u << 27) args.fail("--columns: at most 134217728");
    if (rows > 1u << 24) args.fail("--rows: at most 16777216");

    Random random(args.seed());
    std::vector<i32> grid(std::size_t{columns} * rows);
    for (i32& cost : grid) cost = static_cast<i32>(random.below(10));
    DeviceArray<i32> d_grid(grid), from(std::vector<i32>(grid.begin(), grid.begin() + columns)), to(columns);
    for (u32 row = 0; row + 1 < rows;) {
        const u32 now = std::min(together, rows - 1 - row);
        descend<<<blocks(columns, kThreads - 2 * now), kThreads>>>(
            d_grid.data(), from.data(), to.data(), static_cast<int>(columns), static_cast<int>(row),
            static_cast<int>(now));
        must(cudaGetLastError());
        from.swap(to);
        row += now;
    }

    const std::vector<i32> cost = from.host();
    std::printf("pathfinder: %u columns, %u rows, cheapest way %d\n", columns, rows,
                *std::min_element(cost.begin(), cost.end()));
    Verdict verdict("pathfinder");
    verdict.equal("cost", cost, reference(grid, columns, rows));
    return verdict.exit_code();
}
