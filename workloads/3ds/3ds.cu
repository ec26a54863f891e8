// 3ds: a three-dimensional 25-point stencil (four neighbours in each of six directions), as finite differences of
// eighth order in space have (Micikevicius, GPGPU 2009; the CUDA SDK's FDTD3d). A border of four points stays.
// marching: a CTA of 32 x 8 threads goes up through its column of the volume; the plane lies in shared memory, what is
// above and below in registers, so that a value is loaded once, but for rims. plain: one thread a point, 25 loads.

#include "../common/workload.h"

using namespace workloads;

constexpr int kRadius = 4;
// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
__constant__ float coefficients[kRadius + 1];  // by distance

namespace {

constexpr int kWidth = 32, kHeight = 8;  // of a tile

/// Inner points of the volume, and where they lie: point (0, 0, 0) at `origin`, neighbours `row` and `area` apart.
struct Volume {
    int width, height, depth;
    int origin, row, area;
};

extern "C" __global__ void march(const float* from, float* to, Volume volume) {
    __shared__ float tile[kHeight + 2 * kRadius][kWidth + 2 * kRadius];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * kWidth + tx, y = static_cast<int>(blockIdx.y) * kHeight + ty;
    // A thread beyond the inner points may still load a point of the border.
    const bool loads = x < volume.width + kRadius && y < volume.height + kRadius;
    const bool stores = x < volume.width && y < volume.height;
    const bool rows = ty < kRadius && x < volume.width + kRadius;
    const bool columns = tx < kRadius && y < volume.height + kRadius;
    const bool lower_row = rows && y + kHeight < volume.height + kRadius;
    const bool right_column = columns && x + kWidth < volume.width + kRadius;

    int at = volume.origin + y * volume.row + x;
    // behind[d] is d + 1 planes below the centre, ahead[d] d + 1 above; the first step moves the centre to plane 0.
    float behind[kRadius] = {}, ahead[kRadius] = {}, centre = 0;
    if (loads) {
#pragma unroll
        for (int d = 0; d + 1 < kRadius; ++d) behind[d] = from[at - (d + 2) * volume.area];
        centre = from[at - volume.area];
#pragma unroll
        for (int d = 0; d < kRadius; ++d) ahead[d] = from[at + d * volume.area];
    }

    for (int z = 0; z < volume.depth; ++z) {
#pragma unroll
        for (int d = kRadius - 1; d > 0; --d) behind[d] = behind[d - 1];
        behind[0] = centre;
        centre = ahead[0];
#pragma unroll
        for (int d = 0; d + 1 < kRadius; ++d) ahead[d] = ahead[d + 1];
        if (loads) ahead[kRadius - 1] = from[at + kRadius * volume.area];

        __syncthreads();
        tile[ty + kRadius][tx + kRadius] = centre;
        if (rows) tile[ty][tx + kRadius] = from[at - kRadius * volume.row];
        if (lower_row) tile[ty + kHeight + kRadius][tx + kRadius] = from[at + kHeight * volume.row];
        if (columns) tile[ty + kRadius][tx] = from[at - kRadius];
        if (right_column) tile[ty + kRadius][tx + kWidth + kRadius] = from[at + kWidth];
        __syncthreads();

        float sum = coefficients[0] * centre;
#pragma unroll
        for (int d = 1; d <= kRadius; ++d)
            sum += coefficients[d] *
                   (behind[d - 1] + ahead[d - 1] + tile[ty + kRadius][tx + kRadius - d] +
                    tile[ty + kRadius][tx + kRadius + d] + tile[ty + kRadius - d][tx + kRadius] +
                    tile[ty + kRadius + d][tx + kRadius]);
        if (stores) to[at] = sum;
        at += volume.area;
    }
}

extern "C" __global__ void apply(const float* from, float* to, Volume volume) {
    const int x = static_cast<int>(blockIdx.x * kWidth + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * kHeight + threadIdx.y);
    if (x >= volume.width || y >= volume.height) return;
    const int at = volume.origin + static_cast<int>(blockIdx.z) * volume.area + y * volume.row + x;
    float sum = coefficients[0] * from[at];
#pragma unroll
    for (int d = 1; d <= kRadius; ++d)
        sum += coefficients[d] *
               (from[at - d] + from[at + d] + from[at - d * volume.row] + from[at + d * volume.row] +
                from[at - d * volume.area] + from[at + d * volume.area]);
    to[at] = sum;
}

std::vector<float> reference(const std::vector<float>& start, const Volume& volume,
                             const std::vector<float>& coefficient, u32 steps) {
    std::vector<double> u(start.begin(), start.end()), next(u);
    for (u32 s = 0; s < steps; ++s) {
        for (int z = 0; z < volume.depth; ++z)
            for (int y = 0; y < volume.height; ++y)
                for (int x = 0; x < volume.width; ++x) {
                    const int at = volume.origin + z * volume.area + y * volume.row + x;
                    const auto value = [&](int i) { return u[static_cast<std::size_t>(i)]; };
                    double sum = double{coefficient[0]} * value(at);
                    for (int d = 1; d <= kRadius; ++d)
                        for (const int step : {1, volume.row, volume.area})
                            sum += double{coefficient[static_cast<std::size_t>(d)]} *
                                   (value(at - d * step) + value(at + d * step));
                    next[static_cast<std::size_t>(at)] = sum;
                }
        u.swap(next);
    }
    return {u.begin(), u.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("3ds", "three-dimensional 25-point stencil", argc, argv);
    const bool marching =
        args.choice("variant", "how a value is loaded", {"marching", "plain"}) == "marching";
    const u32 width = args.count("width", "width of the volume", Sizes<u32>{64, 128, 320});
    const u32 height = args.count("height", "height of the volume", Sizes<u32>{32, 128, 320});
    const u32 depth = args.count("depth", "depth of the volume", Sizes<u32>{16, 32, 320});
    const u32 steps = args.count("steps", "time steps", Sizes<u32>{2, 2, 1});
    args.done();
    // As many points lie before a row's first inner point as make it begin a line; the border is among them.
    constexpr u32 kLine = 32, kBorder = kRadius;
    constexpr u64 kMostPoints = u64{1} << 30;
    const u64 row = (u64{width} + 2 * kBorder + kLine - 1) / kLine * kLine;
    const u64 area = row * (u64{height} + 2 * kBorder);
    if (area > kMostPoints || area * (u64{depth} + 2 * kBorder) > kMostPoints)
        args.fail("--width times --height times --depth: at most 1073741824 points with their border");
    if (height > 65'535u || depth > 65'535u) args.fail("--height and --depth: at most 65535");
    const u64 origin = kBorder * area + kBorder * row + kLine;
    const Volume volume{static_cast<int>(width),  static_cast<int>(height), static_cast<int>(depth),
                        static_cast<int>(origin), static_cast<int>(row),    static_cast<int>(area)};

    Random random(args.seed());
    std::vector<float> start(area * (u64{depth} + 2 * kBorder) + kLine);
    for (float& v : start) v = random.unit();
    // They sum up to 1 over the 25 points, so that values stay in [0, 1).
    const std::vector<float> coefficient{0.4f, 0.05f, 0.025f, 0.015f, 0.01f};
    must(cudaMemcpyToSymbol(coefficients, coefficient.data(), coefficient.size() * sizeof(float)));
    DeviceArray<float> from(start), to(start);
    for (u32 s = 0; s < steps; ++s) {
        const dim3 tiles(blocks(width, kWidth), blocks(height, kHeight)), threads(kWidth, kHeight);
        if (marching)
            march<<<tiles, threads>>>(from.data(), to.data(), volume);
        else
            apply<<<dim3(tiles.x, tiles.y, depth), threads>>>(from.data(), to.data(), volume);
        must(cudaGetLastError());
        from.swap(to);
    }

    std::printf("3ds: %u x %u x %u, %u %s\n", width, height, depth, steps, steps == 1 ? "step" : "steps");
    Verdict verdict("3ds");
    // The errors of 25 roundings of sums below 1; the coefficients keep those of former steps from growing.
    verdict.near("u", from.host(), reference(start, volume, coefficient, steps), 0, 2e-6f);
    return verdict.exit_code();
}
