// cns: compressible Navier-Stokes equations in a periodic cube, after CNS_NoSpec, a proxy application of ExaCT: central
// differences of eighth order, three Runge-Kutta stages. A stage: ghost cells; velocities, pressure and temperature;
// slopes of the velocities; diffusion of momentum and heat, with second derivatives and slopes of slopes; divergence of
// what flows; the new state. One thread per point; one array per quantity, in double precision.

#include "reference.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr u32 kGhosts = 4;  // on each side of the cube

/// Points of the cube and of the cube with ghosts; x runs fastest.
struct Grid {
    u32 side;
    double inverse;  // of the spacing

    __host__ __device__ u32 row() const { return side + 2 * kGhosts; }
    __host__ __device__ u32 layer() const { return row() * row(); }
    __host__ __device__ u32 all() const { return layer() * row(); }
    __host__ __device__ u32 inner() const { return side * side * side; }
    /// A point of the cube among all.
    __host__ __device__ u32 place(u32 point) const {
        const u32 x = point % side, y = point / side % side, z = point / (side * side);
        return (z + kGhosts) * layer() + (y + kGhosts) * row() + x + kGhosts;
    }
    __device__ u32 stride(u32 axis) const { return axis == 0 ? 1 : axis == 1 ? row() : layer(); }
};

/// With ghosts.
struct Conserved {
    double* of[kConserved];
};
struct Primitive {
    double *velocity[3], *pressure, *temperature;
};
struct Slopes {
    double* of[3][3];  // of a velocity, along an axis; no ghosts along that axis
};
/// Without ghosts: of diffusion (density has none), and of what flows.
struct Rates {
    double *diffusion[kConserved - 1], *flow[kConserved];
};

__device__ u32 my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Weights of points k = 1 to 4 away in the first derivative, and of the point itself and k away in the second.
__device__ constexpr double first_weight(u32 k) {
    return k == 1 ? 4.0 / 5 : k == 2 ? -1.0 / 5 : k == 3 ? 4.0 / 105 : -1.0 / 280;
}
__device__ constexpr double second_weight(u32 k) {
    return k == 0 ? -205.0 / 72 : k == 1 ? 8.0 / 5 : k == 2 ? -1.0 / 5 : k == 3 ? 8.0 / 315 : -1.0 / 560;
}

/// Times the spacing.
__device__ double first_derivative(const double* of, u32 at, u32 stride) {
    double sum = 0;
#pragma unroll
    for (u32 k = 1; k <= 4; ++k) sum += first_weight(k) * (of[at + k * stride] - of[at - k * stride]);
    return sum;
}

/// Times the square of the spacing.
__device__ double second_derivative(const double* of, u32 at, u32 stride) {
    double sum = second_weight(0) * of[at];
#pragma unroll
    for (u32 k = 1; k <= 4; ++k) sum += second_weight(k) * (of[at + k * stride] + of[at - k * stride]);
    return sum;
}

/// A coordinate among all, moved into the cube.
__device__ u32 wrapped(u32 at, u32 side) {
    return at < kGhosts ? at + side : at >= side + kGhosts ? at - side : at;
}

extern "C" __global__ void fill_ghosts(Grid grid, Conserved state) {
    const u32 i = my_index(), row = grid.row();
    if (i >= grid.all()) return;
    const u32 x = wrapped(i % row, grid.side), y = wrapped(i / row % row, grid.side);
    const u32 z = wrapped(i / grid.layer(), grid.side);
    const u32 from = z * grid.layer() + y * row + x;
    if (from == i) return;
#pragma unroll
    for (u32 c = 0; c < kConserved; ++c) state.of[c][i] = state.of[c][from];
}

extern "C" __global__ void find_primitives(Grid grid, Conserved state, Primitive flow) {
    const u32 i = my_index();
    if (i >= grid.all()) return;
    const double volume = 1 / state.of[kDensity][i];
    double square = 0;
#pragma unroll
    for (u32 a = 0; a < 3; ++a) {
        const double v = state.of[kMomentum + a][i] * volume;
        flow.velocity[a][i] = v;
        square += v * v;
    }
    const double inner = state.of[kEnergy][i] * volume - 0.5 * square;
    const double temperature = (kGamma - 1) * inner;
    flow.temperature[i] = temperature;
    flow.pressure[i] = temperature * state.of[kDensity][i];
}

/// Along each axis wherever there are enough points, ghosts of the other two included.
extern "C" __global__ void find_slopes(Grid grid, Primitive flow, Slopes slopes) {
    const u32 i = my_index(), row = grid.row();
    if (i >= grid.all()) return;
    const u32 at[3] = {i % row, i / row % row, i / grid.layer()};
#pragma unroll
    for (u32 axis = 0; axis < 3; ++axis) {
        if (at[axis] < kGhosts || at[axis] >= grid.side + kGhosts) continue;
#pragma unroll
        for (u32 v = 0; v < 3; ++v)
            slopes.of[v][axis][i] = grid.inverse * first_derivative(flow.velocity[v], i, grid.stride(axis));
    }
}

extern "C" __global__ void diffuse(Grid grid, Primitive flow, Slopes slopes, Rates rates) {
    const u32 point = my_index();
    if (point >= grid.inner()) return;
    const u32 i = grid.place(point);
    const double inverse = grid.inverse, inverse2 = inverse * inverse;
    double slope[3][3], divergence = 0, heat = 0, work = 0, conducted = 0;
#pragma unroll
    for (u32 v = 0; v < 3; ++v) {
#pragma unroll
        for (u32 axis = 0; axis < 3; ++axis) slope[v][axis] = slopes.of[v][axis][i];
        divergence += slope[v][v];
    }
#pragma unroll
    for (u32 v = 0; v < 3; ++v) {
        double straight = 0, across = 0;
#pragma unroll
        for (u32 axis = 0; axis < 3; ++axis) {
            straight += (v == axis ? 4.0 / 3 : 1) * second_derivative(flow.velocity[v], i, grid.stride(axis));
            // The other velocities' slopes along v, along their own axes.
            if (v != axis) across += first_derivative(slopes.of[axis][v], i, grid.stride(axis));
        }
        const double force = kViscosity * (inverse2 * straight + inverse * (1.0 / 3) * across);
        rates.diffusion[v][point] = force;
        work += force * flow.velocity[v][i];
        conducted += second_derivative(flow.temperature, i, grid.stride(v));
        heat += 2 * slope[v][v] * slope[v][v];
#pragma unroll
        for (u32 axis = 0; axis < v; ++axis) {
            const double shear = slope[v][axis] + slope[axis][v];
            heat += shear * shear;
        }
    }
    heat -= 2.0 / 3 * divergence * divergence;
    rates.diffusion[3][point] = kConductivity * inverse2 * conducted + work + kViscosity * heat;
}

extern "C" __global__ void flow_through(Grid grid, Conserved state, Primitive flow, Rates rates) {
    const u32 point = my_index();
    if (point >= grid.inner()) return;
    const u32 i = grid.place(point);
    double sum[kConserved] = {};
#pragma unroll
    for (u32 axis = 0; axis < 3; ++axis) {
        const u32 stride = grid.stride(axis);
#pragma unroll
        for (u32 k = 1; k <= 4; ++k) {
            const u32 after = i + k * stride, before = i - k * stride;
            const double w = first_weight(k);
            const double va = flow.velocity[axis][after], vb = flow.velocity[axis][before];
            const double pa = flow.pressure[after], pb = flow.pressure[before];
            sum[kDensity] += w * (state.of[kMomentum + axis][after] - state.of[kMomentum + axis][before]);
#pragma unroll
            for (u32 m = kMomentum; m < kMomentum + 3; ++m)
                sum[m] += w * (state.of[m][after] * va - state.of[m][before] * vb);
            sum[kMomentum + axis] += w * (pa - pb);
            sum[kEnergy] +=
                w * ((state.of[kEnergy][after] + pa) * va - (state.of[kEnergy][before] + pb) * vb);
        }
    }
#pragma unroll
    for (u32 c = 0; c < kConserved; ++c) rates.flow[c][point] = -grid.inverse * sum[c];
}

extern "C" __global__ void advance(Grid grid, Stage stage, double dt, Conserved old, Conserved now,
                                   Rates rates, Conserved to) {
    const u32 point = my_index();
    if (point >= grid.inner()) return;
    const u32 i = grid.place(point);
#pragma unroll
    for (u32 c = 0; c < kConserved; ++c) {
        double rate = rates.flow[c][point];
        if (c != kDensity) rate += rates.diffusion[c - 1][point];
        to.of[c][i] = stage.old * old.of[c][i] + stage.now * (now.of[c][i] + dt * rate);
    }
}

/// The device's arrays.
class Device {
  public:
    explicit Device(const Flow& flow) : grid_{flow.side, 1.0 * flow.side} {
        for (u32 c = 0; c < kConserved; ++c) {
            state_.of[c] = array(grid_.all());
            next_.of[c] = array(grid_.all());
            rates_.flow[c] = array(grid_.inner());
            if (c > 0) rates_.diffusion[c - 1] = array(grid_.inner());
            Array values(grid_.all(), 0.0);
            for (u32 p = 0; p < grid_.inner(); ++p) values[grid_.place(p)] = flow.state[c][p];
            must(cudaMemcpy(state_.of[c], values.data(), values.size() * sizeof(double),
                            cudaMemcpyHostToDevice));
        }
        for (u32 a = 0; a < 3; ++a) {
            flow_.velocity[a] = array(grid_.all());
            for (double*& slope : slopes_.of[a]) slope = array(grid_.all());
        }
        flow_.pressure = array(grid_.all());
        flow_.temperature = array(grid_.all());
    }

    void step(double dt) {
        make_stage(kStages[0], dt, state_, next_);
        make_stage(kStages[1], dt, next_, next_);
        make_stage(kStages[2], dt, next_, state_);
    }

    /// Without ghosts.
    Array state(u32 quantity) const {
        Array all(grid_.all()), out(grid_.inner());
        must(
            cudaMemcpy(all.data(), state_.of[quantity], all.size() * sizeof(double), cudaMemcpyDeviceToHost));
        for (u32 p = 0; p < grid_.inner(); ++p) out[p] = all[grid_.place(p)];
        return out;
    }

  private:
    double* array(std::size_t n) {
        arrays_.push_back(std::make_unique<DeviceArray<double>>(n));
        return arrays_.back()->data();
    }
    void make_stage(const Stage& stage, double dt, const Conserved& now, const Conserved& to) {
        const u32 with_ghosts = blocks(grid_.all(), kThreads), inner = blocks(grid_.inner(), kThreads);
        fill_ghosts<<<with_ghosts, kThreads>>>(grid_, now);
        must(cudaGetLastError());
        find_primitives<<<with_ghosts, kThreads>>>(grid_, now, flow_);
        must(cudaGetLastError());
        find_slopes<<<with_ghosts, kThreads>>>(grid_, flow_, slopes_);
        must(cudaGetLastError());
        diffuse<<<inner, kThreads>>>(grid_, flow_, slopes_, rates_);
        must(cudaGetLastError());
        flow_through<<<inner, kThreads>>>(grid_, now, flow_, rates_);
        must(cudaGetLastError());
        advance<<<inner, kThreads>>>(grid_, stage, dt, state_, now, rates_, to);
        must(cudaGetLastError());
    }

    Grid grid_;
    std::vector<std::unique_ptr<DeviceArray<double>>> arrays_;
    Conserved state_, next_;
    Primitive flow_;
    Slopes slopes_;
    Rates rates_;
};

}  // namespace

int main(int argc, char** argv) {
    Arguments args("cns", "compressible Navier-Stokes equations", argc, argv);
    const u32 side = args.count("side", "points along an edge of the cube", Sizes<u32>{8, 28, 96}, 4u);
    const u32 steps = args.count("steps", "time steps of three stages each", Sizes<u32>{1, 1, 1});
    args.done();
    if (side > 512) args.fail("--side: at most 512");

    Random random(args.seed());
    Flow flow(side, random);
    const double dt = flow.stable_step();
    Device device(flow);
    for (u32 i = 0; i < steps; ++i) device.step(dt);

    for (u32 i = 0; i < steps; ++i) flow.step(dt);
    std::printf("cns: %u x %u x %u points, %u %s of %.3e\n", side, side, side, steps,
                steps == 1 ? "step" : "steps", dt);
    Verdict verdict("cns");
    const char* const names[kConserved] = {"density", "momentum x", "momentum y", "momentum z", "energy"};
    // All are of the order of 1; a step changes them by a few hundredths.
    for (u32 c = 0; c < kConserved; ++c) verdict.near(names[c], device.state(c), flow.state[c], 1e-11, 1e-11);
    return verdict.exit_code();
}
