// cfd: compressible flow (Euler equations) on an unstructured grid of cells with four faces each, finite volumes with
// artificial viscosity and a three-step Runge-Kutta scheme (Corrigan et al. 2009, the solver of Rodinia). One thread a
// cell; state variables lie one array after the other; a flux gathers the state of the cell's four neighbours.

#include "../common/workload.h"

using namespace workloads;

// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
struct Vector {
    float x, y, z;
};

struct State {
    float density;
    Vector momentum;
    float energy;
};

__constant__ State far_state;

namespace {

constexpr u32 kThreads = 192;
constexpr u32 kFaces = 4;
constexpr u32 kVariables = 5;  // density, momentum in x, y, z, energy
constexpr int kSteps = 3;      // of Runge and Kutta
constexpr i32 kWing = -1, kFar = -2;
constexpr float kGamma = 1.4f;
constexpr float kSmoothing = 0.2f;

/// What a cell's state implies.
struct Flow {
    Vector velocity;
    float pressure, speed, sound;  // speed: of the flow; sound: of sound
};

__device__ State load(const float* variables, u32 n, u32 i) {
    return {
        variables[i], {variables[n + i], variables[2 * n + i], variables[3 * n + i]}, variables[4 * n + i]};
}

__device__ Flow flow_of(const State& s) {
    Flow f;
    f.velocity = {s.momentum.x / s.density, s.momentum.y / s.density, s.momentum.z / s.density};
    const float square =
        f.velocity.x * f.velocity.x + f.velocity.y * f.velocity.y + f.velocity.z * f.velocity.z;
    f.speed = sqrtf(square);
    f.pressure = (kGamma - 1.0f) * (s.energy - 0.5f * s.density * square);
    f.sound = sqrtf(kGamma * f.pressure / s.density);
    return f;
}

/// sum += factor * (flux of s through a plane with normal n).
__device__ void add_flux(State& sum, const State& s, const Flow& f, const Vector& n, float factor) {
    const float through = factor * (f.velocity.x * n.x + f.velocity.y * n.y + f.velocity.z * n.z);
    sum.density += through * s.density;
    sum.momentum.x += through * s.momentum.x + factor * n.x * f.pressure;
    sum.momentum.y += through * s.momentum.y + factor * n.y * f.pressure;
    sum.momentum.z += through * s.momentum.z + factor * n.z * f.pressure;
    sum.energy += through * (s.energy + f.pressure);
}

/// The time that a flow needs through a cell.
extern "C" __global__ void step_factor(const float* variables, const float* area, float* factor, u32 n) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Flow f = flow_of(load(variables, n, i));
    factor[i] = 0.5f / (sqrtf(area[i]) * (f.speed + f.sound));
}

/// Face k of cell i: neighbour[k n + i], normal[(3 k + d) n + i]; its length is the face's area.
extern "C" __global__ void compute_flux(const i32* neighbour, const float* normal, const float* variables,
                                        float* flux, u32 n) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const State mine = load(variables, n, i);
    const Flow my_flow = flow_of(mine);
    State sum = {0, {0, 0, 0}, 0};
    for (u32 k = 0; k < kFaces; ++k) {
        const i32 other = neighbour[k * n + i];
        const Vector area = {normal[(3 * k) * n + i], normal[(3 * k + 1) * n + i],
                             normal[(3 * k + 2) * n + i]};
        if (other == kWing) {
            sum.momentum.x += area.x * my_flow.pressure;
            sum.momentum.y += area.y * my_flow.pressure;
            sum.momentum.z += area.z * my_flow.pressure;
            continue;
        }
        const State theirs = other == kFar ? far_state : load(variables, n, static_cast<u32>(other));
        const Flow their_flow = flow_of(theirs);
        if (other != kFar) {
            const float size = sqrtf(area.x * area.x + area.y * area.y + area.z * area.z);
            const float viscosity = -size * kSmoothing * 0.5f *
                                    (my_flow.speed + their_flow.speed + my_flow.sound + their_flow.sound);
            sum.density += viscosity * (mine.density - theirs.density);
            sum.momentum.x += viscosity * (mine.momentum.x - theirs.momentum.x);
            sum.momentum.y += viscosity * (mine.momentum.y - theirs.momentum.y);
            sum.momentum.z += viscosity * (mine.momentum.z - theirs.momentum.z);
            sum.energy += viscosity * (mine.energy - theirs.energy);
        }
        add_flux(sum, theirs, their_flow, area, 0.5f);
        add_flux(sum, mine, my_flow, area, 0.5f);
    }
    flux[i] = sum.density;
    flux[n + i] = sum.momentum.x;
    flux[2 * n + i] = sum.momentum.y;
    flux[3 * n + i] = sum.momentum.z;
    flux[4 * n + i] = sum.energy;
}

extern "C" __global__ void time_step(const float* old_variables, const float* factor, const float* flux,
                                     float* variables, u32 n, u32 step) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float by = factor[i] / static_cast<float>(kSteps + 1 - static_cast<int>(step));
    for (u32 v = 0; v < kVariables; ++v)
        variables[v * n + i] = old_variables[v * n + i] + by * flux[v * n + i];
}

/// The grid: columns x rows cells, wing below, the far field elsewhere. Numbers are shuffled among `window` cells that
/// follow each other, as a grid generator leaves them: neighbours are near, but in no order.
struct Grid {
    u32 n = 0;
    std::vector<i32> neighbour;
    std::vector<float> normal, area;
};

Grid make_grid(u32 columns, u32 rows, u32 window, Random& random) {
    Grid g;
    g.n = columns * rows;
    g.neighbour.resize(std::size_t{kFaces} * g.n);
    g.normal.resize(std::size_t{kFaces} * 3 * g.n);
    g.area.resize(g.n);
    std::vector<u32> label(g.n);
    for (u32 i = 0; i < g.n; ++i) label[i] = i;
    for (u32 first = 0; first < g.n; first += window) {
        const std::vector<u32> order = random_permutation(std::min(window, g.n - first), random);
        for (u32 i = 0; i < order.size(); ++i) label[first + i] = first + order[i];
    }
    const float side = 1.0f / static_cast<float>(columns);
    for (u32 r = 0; r < rows; ++r)
        for (u32 c = 0; c < columns; ++c) {
            const u32 i = r * columns + c, at = label[i];
            const i32 next[kFaces] = {c == 0 ? kFar : static_cast<i32>(label[i - 1]),
                                      c + 1 == columns ? kFar : static_cast<i32>(label[i + 1]),
                                      r == 0 ? kWing : static_cast<i32>(label[i - columns]),
                                      r + 1 == rows ? kFar : static_cast<i32>(label[i + columns])};
            const float direction[kFaces][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
            for (u32 k = 0; k < kFaces; ++k) {
                g.neighbour[k * g.n + at] = next[k];
                // Outward normals; the factor of -1 makes what leaves a loss.
                g.normal[(3 * k) * g.n + at] = -direction[k][0] * side;
                g.normal[(3 * k + 1) * g.n + at] = -direction[k][1] * side;
                g.normal[(3 * k + 2) * g.n + at] = 0.02f * direction[k][0] * side;
            }
            g.area[at] = side * side;
        }
    return g;
}

/// The same solver in double precision, on vectors of five.
class Reference {
  public:
    Reference(const Grid& grid, const std::vector<float>& start, const double* far) : g_(grid) {
        for (u32 i = 0; i < g_.n; ++i)
            for (u32 v = 0; v < kVariables; ++v) u_.push_back(start[v * g_.n + i]);
        std::copy(far, far + kVariables, far_);
    }

    void iterate() {
        const std::vector<double> old = u_;
        std::vector<double> factor(g_.n);
        for (u32 i = 0; i < g_.n; ++i) {
            const double* u = &u_[kVariables * i];
            factor[i] = 0.5 / (std::sqrt(double{g_.area[i]}) * (speed(u) + sound(u)));
        }
        for (int step = 1; step <= kSteps; ++step) {
            std::vector<double> flux(u_.size(), 0.0);
            for (u32 i = 0; i < g_.n; ++i)
                for (u32 k = 0; k < kFaces; ++k) add_face(i, k, &flux[kVariables * i]);
            for (std::size_t j = 0; j < u_.size(); ++j)
                u_[j] = old[j] + factor[j / kVariables] / (kSteps + 1 - step) * flux[j];
        }
    }
    std::vector<float> variables() const {
        std::vector<float> out(u_.size());
        for (std::size_t j = 0; j < u_.size(); ++j)
            out[j % kVariables * g_.n + j / kVariables] = static_cast<float>(u_[j]);
        return out;
    }

  private:
    static double speed(const double* u) { return std::sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]; }
    static double pressure(const double* u) { return 0.4 * (u[4] - 0.5 * u[0] * speed(u) * speed(u)); }
    static double sound(const double* u) { return std::sqrt(1.4 * pressure(u) / u[0]); }

    void add_face(u32 i, u32 k, double* flux) const {
        const i32 other = g_.neighbour[k * g_.n + i];
        double normal[3];
        for (u32 d = 0; d < 3; ++d) normal[d] = g_.normal[(3 * k + d) * g_.n + i];
        const double* mine = &u_[kVariables * i];
        if (other == kWing) {
            for (u32 d = 0; d < 3; ++d) flux[1 + d] += normal[d] * pressure(mine);
            return;
        }
        const double* theirs = other == kFar ? far_ : &u_[kVariables * static_cast<u32>(other)];
        const double size = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (u32 v = 0; v < kVariables && other != kFar; ++v)
            flux[v] -= 0.1 * size * (speed(mine) + speed(theirs) + sound(mine) + sound(theirs)) *
                       (mine[v] - theirs[v]);
        for (const double* u : {mine, theirs})
            for (u32 d = 0; d < 3; ++d) {
                const double through = 0.5 * normal[d] * u[1 + d] / u[0];
                for (u32 v = 0; v < kVariables; ++v) flux[v] += through * (u[v] + (v == 4 ? pressure(u) : 0));
                flux[1 + d] += 0.5 * normal[d] * pressure(u);
            }
    }

    const Grid& g_;
    std::vector<double> u_;
    double far_[kVariables] = {};
};

}  // namespace

int main(int argc, char** argv) {
    Arguments args("cfd", "compressible flow on an unstructured grid", argc, argv);
    const u32 columns = args.count("columns", "columns of cells", Sizes<u32>{64, 192, 1408});
    const u32 rows = args.count("rows", "rows of cells", Sizes<u32>{32, 160, 1408});
    const u32 window =
        args.count("window", "cells among which numbers are shuffled", Sizes<u32>{512, 4096, 4096});
    const u32 iterations = args.count("iterations", "time steps", Sizes<u32>{1, 1, 1});
    args.done();
    if (u64{columns} * rows > 1u << 26) args.fail("the grid is too large");

    Random random(args.seed());
    const Grid grid = make_grid(columns, rows, window, random);
    const u32 n = grid.n;
    // The far field at Mach 1.2 and an angle of attack of 0; the start is the far field with disturbances.
    const float pressure = 1.0f, density = kGamma;
    const float velocity = 1.2f * std::sqrt(kGamma * pressure / density);
    const State far = {density,
                       {density * velocity, 0, 0},
                       0.5f * density * velocity * velocity + pressure / (kGamma - 1.0f)};
    std::vector<float> start(std::size_t{kVariables} * n);
    for (u32 i = 0; i < n; ++i) {
        const float a = random.between(0.95f, 1.05f);
        start[i] = far.density * a;
        start[n + i] = far.momentum.x * a;
        start[2 * n + i] = far.momentum.x * random.between(-0.05f, 0.05f);
        start[3 * n + i] = far.momentum.x * random.between(-0.05f, 0.05f);
        start[4 * n + i] = far.energy * a;
    }

    DeviceArray<i32> neighbour(grid.neighbour);
    DeviceArray<float> normal(grid.normal), area(grid.area), variables(start), old(start.size()),
        flux(start.size());
    DeviceArray<float> factor(n);
    must(cudaMemcpyToSymbol(far_state, &far, sizeof far));
    const u32 ctas = blocks(n, kThreads);
    for (u32 i = 0; i < iterations; ++i) {
        must(
            cudaMemcpy(old.data(), variables.data(), start.size() * sizeof(float), cudaMemcpyDeviceToDevice));
        step_factor<<<ctas, kThreads>>>(variables.data(), area.data(), factor.data(), n);
        must(cudaGetLastError());
        for (u32 step = 1; step <= kSteps; ++step) {
            compute_flux<<<ctas, kThreads>>>(neighbour.data(), normal.data(), variables.data(), flux.data(),
                                             n);
            must(cudaGetLastError());
            time_step<<<ctas, kThreads>>>(old.data(), factor.data(), flux.data(), variables.data(), n, step);
            must(cudaGetLastError());
        }
    }

    const double far_values[kVariables] = {far.density, far.momentum.x, far.momentum.y, far.momentum.z,
                                           far.energy};
    Reference reference(grid, start, far_values);
    for (u32 i = 0; i < iterations; ++i) reference.iterate();
    std::printf("cfd: %u x %u cells, %u iterations\n", columns, rows, iterations);
    Verdict verdict("cfd");
    verdict.near("variable", variables.host(), reference.variables(), 1e-4f, 1e-4f);
    return verdict.exit_code();
}
