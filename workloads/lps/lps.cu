// lps: Laplace's equation in three dimensions by Jacobi's iteration: every inner point becomes the mean of its six
// neighbours, the border stays (Giles's solver, ISPASS 2009). A CTA of 32 x 4 threads marches upwards through its
// column of the grid with three planes of it in shared memory.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr int kWidth = 32, kHeight = 4;  // of a tile
constexpr int kRim = 2 * (kWidth + kHeight);
static_assert(kRim <= kWidth * kHeight, "a thread loads at most one point of the rim");

/// The grid is width x height x depth, x runs fastest.
extern "C" __global__ void relax(const float* from, float* to, int width, int height, int depth) {
    __shared__ float plane[3][kHeight + 2][kWidth + 2];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x0 = static_cast<int>(blockIdx.x) * kWidth, y0 = static_cast<int>(blockIdx.y) * kHeight;
    const int x = x0 + tx, y = y0 + ty;
    const bool inside = x < width && y < height;

    // The first threads also load the rim: two rows, then two columns; its corners are nobody's neighbours.
    const int rank = ty * kWidth + tx;
    int rim_x, rim_y;
    if (rank < 2 * kWidth) {
        rim_x = rank % kWidth;
        rim_y = rank < kWidth ? -1 : kHeight;
    } else {
        rim_x = rank < 2 * kWidth + kHeight ? -1 : kWidth;
        rim_y = rank % kHeight;
    }
    const bool rim =
        rank < kRim && x0 + rim_x >= 0 && x0 + rim_x < width && y0 + rim_y >= 0 && y0 + rim_y < height;
    const int area = width * height;
    int at = y * width + x, rim_at = (y0 + rim_y) * width + x0 + rim_x;
    const auto load = [&](float(&tile)[kHeight + 2][kWidth + 2], int above) {
        if (inside) tile[ty + 1][tx + 1] = from[at + above];
        if (rim) tile[rim_y + 1][rim_x + 1] = from[rim_at + above];
    };

    const bool inner = inside && x > 0 && x < width - 1 && y > 0 && y < height - 1;
    int below = 2, here = 0, above = 1;
    load(plane[here], 0);
    for (int z = 0; z < depth; ++z) {
        if (z + 1 < depth) load(plane[above], area);
        __syncthreads();
        if (inside) {
            const float(&tile)[kHeight + 2][kWidth + 2] = plane[here];
            float value = tile[ty + 1][tx + 1];
            if (inner && z > 0 && z < depth - 1)
                value = (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] + tile[ty + 2][tx + 1] +
                         plane[below][ty + 1][tx + 1] + plane[above][ty + 1][tx + 1]) *
                        (1.0f / 6.0f);
            to[at] = value;
        }
        __syncthreads();
        const int oldest = below;
        below = here;
        here = above;
        above = oldest;
        at += area;
        rim_at += area;
    }
}

std::vector<float> reference(const std::vector<float>& start, u32 width, u32 height, u32 depth,
                             u32 iterations) {
    std::vector<double> u(start.begin(), start.end()), next(u);
    const std::size_t row = width, area = std::size_t{width} * height;
    for (u32 i = 0; i < iterations; ++i) {
        for (u32 z = 1; z + 1 < depth; ++z)
            for (u32 y = 1; y + 1 < height; ++y)
                for (u32 x = 1; x + 1 < width; ++x) {
                    const std::size_t at = z * area + y * row + x;
                    next[at] =
                        (u[at - 1] + u[at + 1] + u[at - row] + u[at + row] + u[at - area] + u[at + area]) / 6;
                }
        u.swap(next);
    }
    return {u.begin(), u.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("lps", "Laplace's equation in three dimensions", argc, argv);
    const u32 width = args.count("width", "width of the grid", Sizes<u32>{64, 100, 320});
    const u32 height = args.count("height", "height of the grid", Sizes<u32>{64, 100, 320});
    const u32 depth = args.count("depth", "depth of the grid", Sizes<u32>{24, 100, 320});
    const u32 iterations = args.count("iterations", "iterations of Jacobi's method", Sizes<u32>{1, 1, 1});
    args.done();
    constexpr u64 kMostPoints = u64{1} << 30;
    if (u64{width} * height > kMostPoints || u64{width} * height * depth > kMostPoints)
        args.fail("--width times --height times --depth: at most 1073741824 points");
    if (height > 4 * 65'535u) args.fail("--height: at most 262140");

    Random random(args.seed());
    std::vector<float> start(std::size_t{width} * height * depth);
    for (float& v : start) v = random.unit();
    DeviceArray<float> from(start), to(start.size());
    for (u32 i = 0; i < iterations; ++i) {
        relax<<<dim3(blocks(width, kWidth), blocks(height, kHeight)), dim3(kWidth, kHeight)>>>(
            from.data(), to.data(), static_cast<int>(width), static_cast<int>(height),
            static_cast<int>(depth));
        must(cudaGetLastError());
        from.swap(to);
    }

    std::printf("lps: %u x %u x %u, %u %s\n", width, height, depth, iterations,
                iterations == 1 ? "iteration" : "iterations");
    Verdict verdict("lps");
    // Six roundings of sums below 6, a sixth of which stays; errors do not grow from one iteration to the next.
    verdict.near("u", from.host(), reference(start, width, height, depth, iterations), 0, 1e-6f);
    return verdict.exit_code();
}
