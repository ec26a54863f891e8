// comd: classical molecular dynamics with Lennard-Jones forces and link cells (CoMD, the proxy application of ExMatEx). The
// box is cut into cells no smaller than the cutoff; each has 64 places, in order of the atoms' numbers. A step of
// velocity Verlet: half a push, motion, and a place in the new cell (an atomic increment); order in each cell; forces,
// one thread per place, which goes through the 27 cells around; the other half of the push. Double precision.

#include "crystal.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr u32 kPlaces = 64;  // of a cell: its atoms come first

struct Vectors {
    double *x, *y, *z;
};

/// Atoms in cells: place k of cell c is at c * kPlaces + k.
struct Atoms {
    u32 *count, *number;  // of cells, of places
    Vectors place, velocity;
};

struct Cells {
    u32 side;              // cells along the edge
    double edge, inverse;  // of the box; of the edge of a cell
};

__device__ u32 my_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

__host__ __device__ u32 cell_along(const Cells& cells, double x) {
    const u32 cell = static_cast<u32>(x * cells.inverse);
    return cell < cells.side ? cell : cells.side - 1;
}

__host__ __device__ u32 cell_at(const Cells& cells, double x, double y, double z) {
    return (cell_along(cells, z) * cells.side + cell_along(cells, y)) * cells.side + cell_along(cells, x);
}

__device__ double wrapped(double x, double edge) {
    x = x < 0 ? x + edge : x;
    return x >= edge ? x - edge : x;
}

struct Pair {
    double energy, force;  // of both atoms; per distance, positive if they repel each other
};

/// square: of the distance.
__device__ Pair pair_at(double square) {
    const double inverse = 1 / square, ratio = kSigma * kSigma * inverse;
    const double attraction = ratio * ratio * ratio;
    return {4 * kEpsilon * (attraction * (attraction - 1) - kShift),
            24 * kEpsilon * inverse * attraction * (2 * attraction - 1)};
}

/// From cells in order to cells in any order, whose counts are zero at first. `lost` counts atoms without a place.
extern "C" __global__ void move_atoms(Cells cells, Atoms from, Vectors force, Atoms to, u32* lost) {
    const u32 i = my_index(), cell = i / kPlaces;
    if (cell >= cells.side * cells.side * cells.side || i % kPlaces >= from.count[cell]) return;
    const double push = 0.5 * kStep / kMass;
    const double vx = from.velocity.x[i] + push * force.x[i];
    const double vy = from.velocity.y[i] + push * force.y[i];
    const double vz = from.velocity.z[i] + push * force.z[i];
    const double x = wrapped(from.place.x[i] + kStep * vx, cells.edge);
    const double y = wrapped(from.place.y[i] + kStep * vy, cells.edge);
    const double z = wrapped(from.place.z[i] + kStep * vz, cells.edge);
    const u32 next = cell_at(cells, x, y, z);
    const u32 rank = atomicAdd(&to.count[next], 1);
    if (rank >= kPlaces) {
        atomicAdd(lost, 1);
        return;
    }
    const u32 at = next * kPlaces + rank;
    to.number[at] = from.number[i];
    to.place.x[at] = x;
    to.place.y[at] = y;
    to.place.z[at] = z;
    to.velocity.x[at] = vx;
    to.velocity.y[at] = vy;
    to.velocity.z[at] = vz;
}

/// Each atom to the place that its number has among those of its cell.
extern "C" __global__ void sort_cells(Cells cells, Atoms from, Atoms to) {
    const u32 i = my_index(), cell = i / kPlaces;
    if (cell >= cells.side * cells.side * cells.side) return;
    const u32 count = min(from.count[cell], kPlaces);
    if (i % kPlaces == 0) to.count[cell] = count;
    if (i % kPlaces >= count) return;
    const u32 own = from.number[i], first = cell * kPlaces;
    u32 at = first;
    for (u32 k = 0; k < count; ++k) at += from.number[first + k] < own ? 1 : 0;
    to.number[at] = own;
    to.place.x[at] = from.place.x[i];
    to.place.y[at] = from.place.y[i];
    to.place.z[at] = from.place.z[i];
    to.velocity.x[at] = from.velocity.x[i];
    to.velocity.y[at] = from.velocity.y[i];
    to.velocity.z[at] = from.velocity.z[i];
}

/// The cell beside another along an axis, and how far the box is away that its atoms are in.
struct Beside {
    u32 cell;
    double shift;
};

__device__ Beside beside(const Cells& cells, u32 cell, u32 step) {
    if (cell + step == 0) return {cells.side - 1, -cells.edge};
    if (cell + step > cells.side) return {0, cells.edge};
    return {cell + step - 1, 0};
}

extern "C" __global__ void find_forces(Cells cells, Atoms atoms, Vectors force, double* energy) {
    const u32 i = my_index(), cell = i / kPlaces;
    if (cell >= cells.side * cells.side * cells.side || i % kPlaces >= atoms.count[cell]) return;
    const u32 cell_x = cell % cells.side, cell_y = cell / cells.side % cells.side;
    const u32 cell_z = cell / (cells.side * cells.side);
    const double x = atoms.place.x[i], y = atoms.place.y[i], z = atoms.place.z[i];
    double fx = 0, fy = 0, fz = 0, sum = 0;
    for (u32 step = 0; step < 27; ++step) {
        const Beside bx = beside(cells, cell_x, step % 3);
        const Beside by = beside(cells, cell_y, step / 3 % 3);
        const Beside bz = beside(cells, cell_z, step / 9);
        const u32 other = (bz.cell * cells.side + by.cell) * cells.side + bx.cell;
        const u32 first = other * kPlaces, end = first + atoms.count[other];
        const double x0 = x - bx.shift, y0 = y - by.shift, z0 = z - bz.shift;
#pragma unroll 1
        for (u32 k = first; k < end; ++k) {
            const double dx = x0 - atoms.place.x[k], dy = y0 - atoms.place.y[k], dz = z0 - atoms.place.z[k];
            const double square = dx * dx + dy * dy + dz * dz;
            if (square > kCutoff * kCutoff || k == i) continue;
            const Pair pair = pair_at(square);
            sum += pair.energy;
            fx += pair.force * dx;
            fy += pair.force * dy;
            fz += pair.force * dz;
        }
    }
    force.x[i] = fx;
    force.y[i] = fy;
    force.z[i] = fz;
    energy[i] = 0.5 * sum;
}

extern "C" __global__ void push_atoms(u32 cells, Atoms atoms, Vectors force) {
    const u32 i = my_index(), cell = i / kPlaces;
    if (cell >= cells || i % kPlaces >= atoms.count[cell]) return;
    const double push = 0.5 * kStep / kMass;
    atoms.velocity.x[i] += push * force.x[i];
    atoms.velocity.y[i] += push * force.y[i];
    atoms.velocity.z[i] += push * force.z[i];
}

/// Three arrays of a vector's components at all places.
struct VectorArrays {
    DeviceArray<double> x, y, z;
    explicit VectorArrays(std::size_t n) : x(n), y(n), z(n) {}
    Vectors view() { return {x.data(), y.data(), z.data()}; }
};

struct AtomArrays {
    DeviceArray<u32> count, number;
    VectorArrays place, velocity;
    explicit AtomArrays(u32 cells)
        : count(cells), number(cells * kPlaces), place(cells * kPlaces), velocity(cells * kPlaces) {}
    Atoms view() { return {count.data(), number.data(), place.view(), velocity.view()}; }
};

class Device {
  public:
    Device(const Cells& cells, const Crystal& crystal)
        : cells_(cells),
          count_(cells.side * cells.side * cells.side),
          sorted_(count_),
          loose_(count_),
          force_(count_ * kPlaces),
          energy_(count_ * kPlaces),
          lost_(1) {
        std::vector<u32> count(count_, 0), number(count_ * kPlaces, 0);
        at_.resize(crystal.atoms);
        for (u32 i = 0; i < crystal.atoms; ++i) {
            const u32 cell = cell_at(cells, crystal.place[0][i], crystal.place[1][i], crystal.place[2][i]);
            if (count[cell] == kPlaces) reject("comd: there are more than 64 atoms in a cell");
            at_[i] = cell * kPlaces + count[cell]++;
            number[at_[i]] = i;
        }
        sorted_.count.set(count);
        sorted_.number.set(number);
        const auto fill = [&](VectorArrays& to, const std::vector<double>(&from)[3]) {
            DeviceArray<double>* const axis[3] = {&to.x, &to.y, &to.z};
            for (u32 a = 0; a < 3; ++a) {
                std::vector<double> values(count_ * kPlaces, 0.0);
                for (u32 i = 0; i < crystal.atoms; ++i) values[at_[i]] = from[a][i];
                axis[a]->set(values);
            }
        };
        fill(sorted_.place, crystal.place);
        fill(sorted_.velocity, crystal.velocity);
        fill(force_, crystal.force);
        lost_.clear();
    }

    void step() {
        const u32 ctas = blocks(u64{count_} * kPlaces, kThreads);
        loose_.count.clear();
        move_atoms<<<ctas, kThreads>>>(cells_, sorted_.view(), force_.view(), loose_.view(), lost_.data());
        must(cudaGetLastError());
        sort_cells<<<ctas, kThreads>>>(cells_, loose_.view(), sorted_.view());
        must(cudaGetLastError());
        find_forces<<<ctas, kThreads>>>(cells_, sorted_.view(), force_.view(), energy_.data());
        must(cudaGetLastError());
        push_atoms<<<ctas, kThreads>>>(count_, sorted_.view(), force_.view());
        must(cudaGetLastError());
    }

    void compare(Verdict& verdict, const Crystal& crystal) {
        verdict.equal("number of atoms without a place", lost_.host(0), 0u);
        const std::vector<u32> count = sorted_.count.host(), number = sorted_.number.host();
        std::vector<u32> numbers, places(crystal.atoms, 0);
        bool ascending = true;
        for (u32 cell = 0; cell < count_; ++cell)
            for (u32 k = 0; k < count[cell]; ++k) {
                const u32 at = cell * kPlaces + k, atom = number[at];
                ascending = ascending && (k == 0 || number[at - 1] < atom);
                numbers.push_back(atom);
                if (atom < crystal.atoms) places[atom] = at;
            }
        std::sort(numbers.begin(), numbers.end());
        std::vector<u32> all(crystal.atoms);
        std::iota(all.begin(), all.end(), 0u);
        verdict.equal("atom", numbers, all);
        verdict.holds("order of the atoms in cells", ascending);
        const auto vectors = [&](const char* what, VectorArrays& got,
                                 const std::vector<double>(&expected)[3]) {
            DeviceArray<double>* const axis[3] = {&got.x, &got.y, &got.z};
            for (u32 a = 0; a < 3; ++a)
                numbers_near(verdict, std::string(what) + ' ' + "xyz"[a], axis[a] -> host(), places,
                             expected[a]);
        };
        vectors("place", sorted_.place, crystal.place);
        vectors("velocity", sorted_.velocity, crystal.velocity);
        vectors("force", force_, crystal.force);
        numbers_near(verdict, "energy", energy_.host(), places, crystal.energy);
    }

  private:
    /// Sums of many terms: errors are relative to the largest of all values.
    static void numbers_near(Verdict& verdict, const std::string& what, const std::vector<double>& got,
                             const std::vector<u32>& places, const std::vector<double>& expected) {
        std::vector<double> ordered(expected.size());
        double largest = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            ordered[i] = got[places[i]];
            largest = std::max(largest, std::fabs(expected[i]));
        }
        verdict.near(what, ordered, expected, 1e-9, 1e-9 * largest);
    }

    Cells cells_;
    u32 count_;
    AtomArrays sorted_, loose_;
    VectorArrays force_;
    DeviceArray<double> energy_;
    DeviceArray<u32> lost_;
    std::vector<u32> at_;  // of each atom at first
};

}  // namespace

int main(int argc, char** argv) {
    Arguments args("comd", "molecular dynamics in link cells", argc, argv);
    // Three cells along an edge, so that all cells around one are different, need five.
    const u32 lattice =
        args.count("lattice", "unit cells of four atoms along an edge", Sizes<u32>{5, 10, 25}, 5u);
    const u32 steps = args.count("steps", "time steps of 1 fs", Sizes<u32>{1, 1, 1});
    args.done();
    if (lattice > 200) args.fail("--lattice: at most 200");

    Random random(args.seed());
    Crystal crystal(lattice, random);
    const u32 side = static_cast<u32>(crystal.edge / kCutoff);
    Device device(Cells{side, crystal.edge, side / crystal.edge}, crystal);
    for (u32 i = 0; i < steps; ++i) device.step();

    for (u32 i = 0; i < steps; ++i) crystal.step();
    std::printf("comd: %u atoms in %u cells, %u %s, %.9f eV per atom\n", crystal.atoms, side * side * side,
                steps, steps == 1 ? "step" : "steps", crystal.mean_energy());
    Verdict verdict("comd");
    device.compare(verdict, crystal);
    return verdict.exit_code();
}
