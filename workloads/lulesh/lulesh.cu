// lulesh: explicit Lagrangian hydrodynamics on a mesh of hexahedra, the Sedov blast wave (LULESH; the split into kernels
// follows its CUDA version: Karlin et al., "Exploring traditional and emerging parallel programming models using a proxy
// application", IPDPS 2013). A step: forces of each element on its corners; their sums at each node by its list of
// corners; acceleration, planes of symmetry, motion; shape and velocity gradients of each element; artificial viscosity
// from the gradients of six neighbours; equation of state; the longest next step. Arrays of one quantity each, in double
// precision; everything that joins elements, corners and nodes goes through index lists.

#include "mesh.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;

/// Three arrays of a vector's components.
struct Vectors {
    double *x, *y, *z;
    __device__ Vec get(u32 i) const { return {x[i], y[i], z[i]}; }
    __device__ void set(u32 i, Vec v) const {
        x[i] = v.x;
        y[i] = v.y;
        z[i] = v.z;
    }
};

/// Everything on the device, as kernels see it. Names as in Mesh and State.
struct Domain {
    u32 elements, nodes;
    const u32 *corner, *first, *list, *neighbour;
    Vectors place, velocity, acceleration, force;  // of nodes
    Vectors corner_force;                          // as `corner`
    double* node_mass;
    double *energy, *pressure, *viscosity, *sound, *volume, *new_volume, *change, *first_volume, *mass,
        *growth, *length, *linear, *quadratic;  // of elements
    Vectors gradient, gradient_length;          // of elements, one array an axis
    double *courant, *hydro;                    // least of each CTA
};

__device__ u32 my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

extern "C" __global__ void element_forces(Domain d) {
    const u32 e = my_index();
    if (e >= d.elements) return;
    Vec p[8], v[8], force[8];
#pragma unroll
    for (u32 c = 0; c < 8; ++c) {
        const u32 n = d.corner[c * d.elements + e];
        p[c] = d.place.get(n);
        v[c] = d.velocity.get(n);
        force[c] = {0, 0, 0};
    }
    add_pressure_force(p, d.pressure[e] + d.viscosity[e], force);
    add_hourglass_force(p, v, d.first_volume[e] * d.volume[e], d.sound[e], d.mass[e], force);
#pragma unroll
    for (u32 c = 0; c < 8; ++c) d.corner_force.set(c * d.elements + e, force[c]);
}

extern "C" __global__ void sum_forces(Domain d) {
    const u32 n = my_index();
    if (n >= d.nodes) return;
    Vec sum{0, 0, 0};
    const u32 end = d.first[n + 1];
    for (u32 i = d.first[n]; i < end; ++i) sum = sum + d.corner_force.get(d.list[i]);
    d.force.set(n, sum);
}

extern "C" __global__ void accelerate(Domain d) {
    const u32 n = my_index();
    if (n < d.nodes) d.acceleration.set(n, (1 / d.node_mass[n]) * d.force.get(n));
}

/// Nodes of a plane of symmetry stay in it.
extern "C" __global__ void hold_plane(double* acceleration, const u32* node, u32 n) {
    const u32 i = my_index();
    if (i < n) acceleration[node[i]] = 0;
}

extern "C" __global__ void move_nodes(Domain d, double step) {
    const u32 n = my_index();
    if (n >= d.nodes) return;
    Vec v = d.velocity.get(n) + step * d.acceleration.get(n);
    v = {cut(v.x, kVelocityCut), cut(v.y, kVelocityCut), cut(v.z, kVelocityCut)};
    d.velocity.set(n, v);
    d.place.set(n, d.place.get(n) + step * v);
}

extern "C" __global__ void kinematics(Domain d, double step) {
    const u32 e = my_index();
    if (e >= d.elements) return;
    Vec p[8], v[8];
#pragma unroll
    for (u32 c = 0; c < 8; ++c) {
        const u32 n = d.corner[c * d.elements + e];
        p[c] = d.place.get(n);
        v[c] = d.velocity.get(n);
    }
    const double volume = volume_of(p), relative = volume / d.first_volume[e];
    d.new_volume[e] = relative;
    d.change[e] = relative - d.volume[e];
    d.length[e] = characteristic_length(p, volume);
    const Gradients g = gradients_of(p, v, volume);
    d.gradient.set(e, {g.gradient[0], g.gradient[1], g.gradient[2]});
    d.gradient_length.set(e, {g.length[0], g.length[1], g.length[2]});
    // The rate of growth is that of the middle of the step.
#pragma unroll
    for (u32 c = 0; c < 8; ++c) p[c] = p[c] - (0.5 * step) * v[c];
    d.growth[e] = growth_rate(p, v);
}

extern "C" __global__ void monotonic_viscosity(Domain d) {
    const u32 e = my_index();
    if (e >= d.elements) return;
    const auto limit = [&](const double* gradient, u32 face) {
        const u32 before = d.neighbour[face * d.elements + e],
                  after = d.neighbour[(face + 1) * d.elements + e];
        return limiter(gradient[e], before == kBeyond ? 0 : gradient[before],
                       after == kBeyond ? 0 : gradient[after]);
    };
    const double phi[3] = {limit(d.gradient.x, 0), limit(d.gradient.y, 2), limit(d.gradient.z, 4)};
    const Vec gradient = d.gradient.get(e), length = d.gradient_length.get(e);
    const Gradients g{{length.x, length.y, length.z}, {gradient.x, gradient.y, gradient.z}};
    const Viscosity q = viscosity_of(g, phi, d.mass[e] / (d.first_volume[e] * d.new_volume[e]), d.growth[e]);
    d.linear[e] = q.linear;
    d.quadratic[e] = q.quadratic;
}

extern "C" __global__ void equation_of_state(Domain d) {
    const u32 e = my_index();
    if (e >= d.elements) return;
    const double volume = d.new_volume[e];
    const Material next = next_material({d.energy[e], d.pressure[e], d.viscosity[e], d.sound[e]},
                                        {d.linear[e], d.quadratic[e]}, volume, d.change[e]);
    d.energy[e] = next.energy;
    d.pressure[e] = next.pressure;
    d.viscosity[e] = next.viscosity;
    d.sound[e] = next.sound;
    d.volume[e] = fabs(volume - 1) < kVolumeCut ? 1 : volume;
}

extern "C" __global__ void next_limits(Domain d) {
    __shared__ double courant[kThreads], hydro[kThreads];
    const u32 e = my_index(), t = threadIdx.x;
    StepLimits own{1e20, 1e20};
    if (e < d.elements) own = step_limits(d.growth[e], d.length[e], d.sound[e]);
    courant[t] = own.courant;
    hydro[t] = own.hydro;
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t >= half) continue;
        courant[t] = fmin(courant[t], courant[t + half]);
        hydro[t] = fmin(hydro[t], hydro[t + half]);
    }
    if (t == 0) {
        d.courant[blockIdx.x] = courant[0];
        d.hydro[blockIdx.x] = hydro[0];
    }
}

/// The device's arrays.
class Device {
  public:
    explicit Device(const Mesh& mesh, const State& s)
        : elements_(mesh.elements),
          nodes_(mesh.nodes),
          corner_(mesh.corner),
          first_(mesh.first),
          list_(mesh.list),
          neighbour_(mesh.neighbour),
          plane_x_(mesh.plane[0]),
          plane_y_(mesh.plane[1]),
          plane_z_(mesh.plane[2]) {
        const auto node = [&](auto value) { return array(nodes_, [&](u32 i) { return value(s.node[i]); }); };
        const auto element = [&](auto value) {
            return array(elements_, [&](u32 i) { return value(s.element[i]); });
        };
        const auto zero = [](const auto&) { return 0.0; };
        const auto zeroes = [&](auto of) { return Vectors{of(zero), of(zero), of(zero)}; };
        const auto corners = [&](auto) { return array(8 * elements_, [](u32) { return 0.0; }); };
        const auto ctas = [&](auto) { return array(blocks(elements_, kThreads), [](u32) { return 0.0; }); };
        using Node = State::Node;
        using Element = State::Element;
        d_ = {elements_,
              nodes_,
              corner_.data(),
              first_.data(),
              list_.data(),
              neighbour_.data(),
              {node([](const Node& n) { return n.place.x; }), node([](const Node& n) { return n.place.y; }),
               node([](const Node& n) { return n.place.z; })},
              {node([](const Node& n) { return n.velocity.x; }),
               node([](const Node& n) { return n.velocity.y; }),
               node([](const Node& n) { return n.velocity.z; })},
              zeroes(node),
              zeroes(node),
              zeroes(corners),
              node([](const Node& n) { return n.mass; }),
              element([](const Element& e) { return e.material.energy; }),
              element([](const Element& e) { return e.material.pressure; }),
              element([](const Element& e) { return e.material.viscosity; }),
              element([](const Element& e) { return e.material.sound; }),
              element([](const Element& e) { return e.volume; }),
              element(zero),
              element(zero),
              element([](const Element& e) { return e.first_volume; }),
              element([](const Element& e) { return e.mass; }),
              element(zero),
              element(zero),
              element(zero),
              element(zero),
              zeroes(element),
              zeroes(element),
              ctas(0),
              ctas(0)};
    }

    StepLimits step(double seconds) {
        const u32 by_element = blocks(elements_, kThreads), by_node = blocks(nodes_, kThreads);
        element_forces<<<by_element, kThreads>>>(d_);
        must(cudaGetLastError());
        sum_forces<<<by_node, kThreads>>>(d_);
        must(cudaGetLastError());
        accelerate<<<by_node, kThreads>>>(d_);
        must(cudaGetLastError());
        hold(d_.acceleration.x, plane_x_);
        hold(d_.acceleration.y, plane_y_);
        hold(d_.acceleration.z, plane_z_);
        move_nodes<<<by_node, kThreads>>>(d_, seconds);
        must(cudaGetLastError());
        kinematics<<<by_element, kThreads>>>(d_, seconds);
        must(cudaGetLastError());
        monotonic_viscosity<<<by_element, kThreads>>>(d_);
        must(cudaGetLastError());
        equation_of_state<<<by_element, kThreads>>>(d_);
        must(cudaGetLastError());
        next_limits<<<by_element, kThreads>>>(d_);
        must(cudaGetLastError());
        const std::vector<double> courant = host(d_.courant, by_element), hydro = host(d_.hydro, by_element);
        return {*std::min_element(courant.begin(), courant.end()),
                *std::min_element(hydro.begin(), hydro.end())};
    }

    const Domain& domain() const { return d_; }
    static std::vector<double> host(const double* from, u32 n) {
        std::vector<double> values(n);
        must(cudaMemcpy(values.data(), from, n * sizeof(double), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    template <class Value>
    double* array(u32 n, Value value) {
        std::vector<double> values(n);
        for (u32 i = 0; i < n; ++i) values[i] = value(i);
        arrays_.push_back(std::make_unique<DeviceArray<double>>(values));
        return arrays_.back()->data();
    }
    void hold(double* acceleration, DeviceArray<u32>& plane) {
        const u32 n = static_cast<u32>(plane.size());
        hold_plane<<<blocks(n, kThreads), kThreads>>>(acceleration, plane.data(), n);
        must(cudaGetLastError());
    }

    u32 elements_, nodes_;
    DeviceArray<u32> corner_, first_, list_, neighbour_, plane_x_, plane_y_, plane_z_;
    std::vector<std::unique_ptr<DeviceArray<double>>> arrays_;
    Domain d_;
};

/// Compares an array with the same quantity of the reference's records.
template <class Value>
void compare(Verdict& verdict, const char* what, const double* got, u32 n, Value expected) {
    const std::vector<double> device = Device::host(got, n);
    std::vector<float> mine(n), other(n);
    float largest = 0;
    for (u32 i = 0; i < n; ++i) {
        mine[i] = static_cast<float>(device[i]);
        other[i] = static_cast<float>(expected(i));
        largest = std::max(largest, std::fabs(other[i]));
    }
    verdict.near(what, mine, other, 1e-6f, 1e-9f * largest);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("lulesh", "Lagrangian hydrodynamics, Sedov blast wave", argc, argv);
    const u32 side = args.count("side", "elements along an edge of the cube", Sizes<u32>{8, 20, 80}, 2u);
    const u32 start = args.count("start", "steps that the host makes first", Sizes<u32>{60, 100, 20}, 0u);
    const u32 steps =
        args.count("steps", "most steps on the device; the problem ends at 0.01 s", Sizes<u32>{2, 2, 1});
    args.done();
    if (side > 512) args.fail("--side: at most 512");

    const Mesh mesh(side);
    State state(mesh);
    Clock clock(state);
    StepLimits limits{1e20, 1e20};
    while (clock.steps() < start && !clock.at_end()) limits = reference_step(mesh, state, clock.next(limits));
    if (clock.at_end())
        args.fail("--start: the problem ends after " + std::to_string(clock.steps()) + " steps");

    Device device(mesh, state);
    Clock reference_clock = clock;
    StepLimits reference_limits = limits;
    for (u32 i = 0; i < steps && !clock.at_end(); ++i) {
        limits = device.step(clock.next(limits));
        reference_limits = reference_step(mesh, state, reference_clock.next(reference_limits));
    }

    const Domain& d = device.domain();
    Verdict verdict("lulesh");
    const auto node = [&](const char* what, const double* got, auto value) {
        compare(verdict, what, got, d.nodes, [&](u32 i) { return value(state.node[i]); });
    };
    const auto element = [&](const char* what, const double* got, auto value) {
        compare(verdict, what, got, d.elements, [&](u32 i) { return value(state.element[i]); });
    };
    using Node = State::Node;
    using Element = State::Element;
    node("x", d.place.x, [](const Node& n) { return n.place.x; });
    node("y", d.place.y, [](const Node& n) { return n.place.y; });
    node("z", d.place.z, [](const Node& n) { return n.place.z; });
    node("velocity x", d.velocity.x, [](const Node& n) { return n.velocity.x; });
    node("velocity y", d.velocity.y, [](const Node& n) { return n.velocity.y; });
    node("velocity z", d.velocity.z, [](const Node& n) { return n.velocity.z; });
    element("energy", d.energy, [](const Element& e) { return e.material.energy; });
    element("pressure", d.pressure, [](const Element& e) { return e.material.pressure; });
    element("viscosity", d.viscosity, [](const Element& e) { return e.material.viscosity; });
    element("speed of sound", d.sound, [](const Element& e) { return e.material.sound; });
    element("volume", d.volume, [](const Element& e) { return e.volume; });
    std::printf("lulesh: %u elements, %u steps, energy at the origin %.6e\n", mesh.elements, clock.steps(),
                Device::host(d.energy, 1)[0]);
    return verdict.exit_code();
}
