// hotspot: temperature of a chip from the power of its parts: an explicit five-point stencil on a grid. A CTA of
// 16 x 16 threads makes several steps on its tile in shared memory; a rim of one cell a step is computed twice (the
// ghost zones of Rodinia's form).

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr int kTile = 16;

/// One step: t + capacity * (power + vertical, horizontal and upward flow).
struct Chip {
    float capacity, vertical, horizontal, upward, ambient;
};

__device__ float next_temperature(const Chip& chip, float centre, float north, float south, float west,
                                  float east, float power) {
    return centre + chip.capacity * (power + (south + north - 2.0f * centre) * chip.vertical +
                                     (east + west - 2.0f * centre) * chip.horizontal +
                                     (chip.ambient - centre) * chip.upward);
}

extern "C" __global__ void advance(const float* from, float* to, const float* power, int width, int height,
                                   int steps, Chip chip) {
    __shared__ float old_tile[kTile][kTile], new_tile[kTile][kTile], power_tile[kTile][kTile];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int inner = kTile - 2 * steps;
    const int x = static_cast<int>(blockIdx.x) * inner - steps + tx;
    const int y = static_cast<int>(blockIdx.y) * inner - steps + ty;
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    if (inside) {
        old_tile[ty][tx] = from[y * width + x];
        power_tile[ty][tx] = power[y * width + x];
    }
    __syncthreads();
    for (int s = 1; s <= steps; ++s) {
        // What is still right after s steps: all but a rim of s cells, and the chip's own border.
        const bool valid = inside && tx >= s && tx < kTile - s && ty >= s && ty < kTile - s;
        if (valid) {
            const float centre = old_tile[ty][tx];
            new_tile[ty][tx] = next_temperature(
                chip, centre, y > 0 ? old_tile[ty - 1][tx] : centre,
                y < height - 1 ? old_tile[ty + 1][tx] : centre, x > 0 ? old_tile[ty][tx - 1] : centre,
                x < width - 1 ? old_tile[ty][tx + 1] : centre, power_tile[ty][tx]);
        }
        __syncthreads();
        if (valid) old_tile[ty][tx] = new_tile[ty][tx];
        __syncthreads();
    }
    if (inside && tx >= steps && tx < kTile - steps && ty >= steps && ty < kTile - steps)
        to[y * width + x] = old_tile[ty][tx];
}

/// The same in double precision.
std::vector<float> reference(const std::vector<float>& start, const std::vector<float>& power, int width,
                             int height, u32 steps, const Chip& chip) {
    std::vector<double> t(start.begin(), start.end()), next(t.size());
    const double capacity = chip.capacity, vertical = chip.vertical, horizontal = chip.horizontal;
    for (u32 s = 0; s < steps; ++s) {
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const auto at = [&](int yy, int xx) {
                    const bool in = yy >= 0 && yy < height && xx >= 0 && xx < width;
                    return t[static_cast<std::size_t>(in ? yy * width + xx : y * width + x)];
                };
                const auto i = static_cast<std::size_t>(y * width + x);
                const double along_y = vertical * (at(y - 1, x) - 2 * t[i] + at(y + 1, x));
                const double along_x = horizontal * (at(y, x - 1) - 2 * t[i] + at(y, x + 1));
                const double cooling = double{chip.upward} * (t[i] - double{chip.ambient});
                next[i] = t[i] + capacity * (double{power[i]} + along_y + along_x - cooling);
            }
        t.swap(next);
    }
    return {t.begin(), t.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("hotspot", "temperature of a chip", argc, argv);
    const u32 side = args.count("side", "side of the square grid", Sizes<u32>{128, 512, 4608});
    const u32 steps = args.count("steps", "time steps", Sizes<u32>{4, 4, 4});
    const u32 together = args.count("together", "steps per launch, at most 7", Sizes<u32>{2, 2, 2});
    args.done();
    if (together > 7) args.fail("--together: at most 7");
    if (side > 32'768) args.fail("--side: at most 32768");

    // Material constants of the HotSpot model (silicon, 0.5 mm thick). A cell has 31 um whatever the grid, so that the
    // explicit scheme stays stable; 512 x 512 cells are a chip of 16 x 16 mm.
    const double cell = 0.016 / 512, thickness = 0.0005, conductivity = 100.0, heat = 1.75e6;
    const double capacity = 0.5 * heat * thickness * cell * cell;
    const double across = cell / (2.0 * conductivity * thickness * cell);
    const double up = thickness / (conductivity * cell * cell);
    const double slope = 3.0e6 / (0.5 * thickness * heat);
    const double step = 0.001 / slope;
    const Chip chip{static_cast<float>(step / capacity), static_cast<float>(1 / across),
                    static_cast<float>(1 / across), static_cast<float>(1 / up), 80.0f};

    Random random(args.seed());
    std::vector<float> temperature(std::size_t{side} * side), power(temperature.size());
    for (float& t : temperature) t = random.between(320, 345);
    for (float& p : power) p = random.between(0, 0.1f);
    DeviceArray<float> from(temperature), to(temperature.size()), d_power(power);
    const int width = static_cast<int>(side);
    for (u32 done = 0; done < steps;) {
        const u32 now = std::min(together, steps - done);
        const u32 inner = kTile - 2 * now;
        const dim3 grid(blocks(side, inner), blocks(side, inner));
        advance<<<grid, dim3(kTile, kTile)>>>(from.data(), to.data(), d_power.data(), width, width,
                                              static_cast<int>(now), chip);
        must(cudaGetLastError());
        from.swap(to);
        done += now;
    }

    std::printf("hotspot: %u x %u, %u steps\n", side, side, steps);
    Verdict verdict("hotspot");
    // Far less than the power of one step adds (up to 0.03), and some units in the last place of a temperature.
    verdict.near("temperature", from.host(), reference(temperature, power, width, width, steps, chip), 0,
                 2e-4f);
    return verdict.exit_code();
}
