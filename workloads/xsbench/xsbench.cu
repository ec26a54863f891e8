// xsbench: macroscopic cross sections, the part of a Monte Carlo neutron transport code that takes most of its time
// (XSBench: Tramm et al., PHYSOR 2014). Each nuclide has a table of five cross sections by energy. A unionized grid joins
// the energies of all tables, and an index grid has each nuclide's place in its table for every joined energy, so that
// one binary search serves all nuclides of a material. One thread per lookup draws an energy and a material.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kMaterials = 12;
constexpr u32 kReactions = 5;  // total, elastic, absorption, fission, neutrons from fission

struct Point {
    double energy, section[kReactions];
};

/// What each material is made of, and how often neutrons are in it: fuel has most nuclides, the moderator most
/// neutrons, structures are in between.
struct Material {
    u32 percent_of_nuclides, percent_of_lookups;
};
constexpr Material kMaterial[kMaterials] = {{50, 14}, {8, 5},  {6, 27}, {6, 14}, {40, 15}, {30, 7},
                                            {30, 6},  {30, 6}, {30, 1}, {30, 2}, {14, 2},  {14, 1}};

/// The tables, as kernels see them.
struct Tables {
    const Point* point;        // gridpoints of the first nuclide, of the second, ...; energies ascend in each
    const double* energy;      // joined, ascending
    const u32* place;          // joined energy * nuclides + nuclide: the last point at or below it
    const u32* first;          // of each material in `nuclide` and `density`, and the end
    const u32* nuclide;        // of all materials
    const double* density;     // of that nuclide in the material
    const u32* last_of_share;  // lookups of a hundred: the material of each
    u32 nuclides, gridpoints, joined;
};

struct Lookup {
    double energy;
    u32 percentile;
};

/// Mixes bits well (a finalizer of the kind that SplitMix64 has): what a lookup draws depends on its number alone.
__host__ __device__ u64 mixed(u64 bits) {
    bits += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return bits ^ (bits >> 31);
}

__host__ __device__ Lookup lookup(u64 seed, u32 number) {
    const u64 bits = mixed(mixed(seed) + number);
    return {static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0),
            static_cast<u32>(mixed(bits) % 100)};
}

/// section[reaction * lookups + lookup]
extern "C" __global__ void look_up(Tables t, u64 seed, u32 lookups, double* section) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lookups) return;
    const Lookup own = lookup(seed, i);
    const u32 material = t.last_of_share[own.percentile];
    // The last joined energy at or below; the first of all is 0.
    u32 low = 0, high = t.joined;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (t.energy[middle] <= own.energy)
            low = middle;
        else
            high = middle;
    }
    const u32* const place = t.place + std::size_t{low} * t.nuclides;
    double sum[kReactions] = {};
    const u32 end = t.first[material + 1];
    for (u32 k = t.first[material]; k < end; ++k) {
        const u32 nuclide = t.nuclide[k];
        const double density = t.density[k];
        const Point* const below = t.point + nuclide * t.gridpoints + place[nuclide];
        const Point* const above = below + 1;
        const double share = (above->energy - own.energy) / (above->energy - below->energy);
#pragma unroll
        for (u32 r = 0; r < kReactions; ++r)
            sum[r] += density * (above->section[r] - share * (above->section[r] - below->section[r]));
    }
#pragma unroll
    for (u32 r = 0; r < kReactions; ++r) section[r * lookups + i] = sum[r];
}

/// The tables on the host.
struct Library {
    u32 nuclides, gridpoints;
    std::vector<Point> point;
    std::vector<double> energy;
    std::vector<u32> place;
    std::vector<u32> first{0}, nuclide, material_of_share;
    std::vector<double> density;

    Library(u32 n, u32 g, Random& random) : nuclides(n), gridpoints(g), point(std::size_t{n} * g) {
        const auto unit = [&] { return static_cast<double>(random.next() >> 11) / 9007199254740992.0; };
        for (u32 k = 0; k < nuclides; ++k) {
            Point* const table = &point[std::size_t{k} * gridpoints];
            for (u32 p = 0; p < gridpoints; ++p) {
                table[p].energy = unit();
                for (double& s : table[p].section) s = unit();
            }
            // Every table covers all energies that lookups draw.
            table[0].energy = 0;
            table[gridpoints - 1].energy = 1;
            std::sort(table, table + gridpoints, [](auto& a, auto& b) { return a.energy < b.energy; });
        }
        join();
        for (u32 m = 0; m < kMaterials; ++m) {
            const std::vector<u32> order = random_permutation(nuclides, random);
            const u32 count = std::max(1u, nuclides * kMaterial[m].percent_of_nuclides / 100);
            std::vector<u32> own(order.begin(), order.begin() + count);
            std::sort(own.begin(), own.end());
            nuclide.insert(nuclide.end(), own.begin(), own.end());
            for (u32 k = 0; k < count; ++k) density.push_back(unit());
            first.push_back(static_cast<u32>(nuclide.size()));
            material_of_share.insert(material_of_share.end(), kMaterial[m].percent_of_lookups, m);
        }
    }

  private:
    /// Goes through all energies once; every nuclide's place rises with its own.
    void join() {
        std::vector<u32> from(point.size());
        for (u32 i = 0; i < from.size(); ++i) from[i] = i;
        std::sort(from.begin(), from.end(), [&](u32 a, u32 b) {
            return point[a].energy < point[b].energy || (point[a].energy == point[b].energy && a < b);
        });
        std::vector<u32> now(nuclides, 0);
        energy.reserve(from.size());
        place.reserve(from.size() * nuclides);
        for (const u32 i : from) {
            energy.push_back(point[i].energy);
            now[i / gridpoints] = i % gridpoints;
            place.insert(place.end(), now.begin(), now.end());
        }
    }
};

/// Without the joined grid: a search in each nuclide's own table. All of one reaction, then of the next.
std::vector<double> reference(const Library& library, u64 seed, u32 lookups) {
    std::vector<double> section(std::size_t{kReactions} * lookups, 0.0);
    for (u32 i = 0; i < lookups; ++i) {
        const auto [energy, percentile] = lookup(seed, i);
        const u32 material = library.material_of_share[percentile];
        for (u32 k = library.first[material]; k < library.first[material + 1]; ++k) {
            const Point* const begin = &library.point[std::size_t{library.nuclide[k]} * library.gridpoints];
            const Point* const end = begin + library.gridpoints - 1;
            const Point* const above = std::upper_bound(
                begin + 1, end, energy, [](double e, const Point& p) { return e < p.energy; });
            const Point& below = above[-1];
            const double step = (energy - below.energy) / (above->energy - below.energy);
            for (u32 r = 0; r < kReactions; ++r)
                section[std::size_t{r} * lookups + i] +=
                    library.density[k] * ((1 - step) * below.section[r] + step * above->section[r]);
        }
    }
    return section;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("xsbench", "macroscopic cross sections", argc, argv);
    const u32 nuclides = args.count("nuclides", "nuclides with a table each", Sizes<u32>{32, 64, 128});
    const u32 gridpoints =
        args.count("gridpoints", "energies in the table of a nuclide", Sizes<u32>{64, 640, 3600}, 2u);
    const u32 lookups = args.count("lookups", "cross sections looked up", Sizes<u32>{3072, 65'536, 524'288});
    args.done();
    constexpr u64 kMost = u64{1} << 31;
    if (u64{nuclides} * gridpoints > kMost || u64{nuclides} * gridpoints * nuclides > kMost)
        args.fail("--nuclides squared times --gridpoints: at most 2147483648");
    if (lookups > 1u << 29) args.fail("--lookups: at most 536870912");

    Random random(args.seed());
    const Library library(nuclides, gridpoints, random);
    DeviceArray<Point> point(library.point);
    DeviceArray<double> energy(library.energy), density(library.density);
    DeviceArray<u32> place(library.place), first(library.first), nuclide(library.nuclide),
        material(library.material_of_share);
    DeviceArray<double> section(std::size_t{kReactions} * lookups);
    const Tables tables{
        point.data(),   energy.data(),   place.data(), first.data(), nuclide.data(),
        density.data(), material.data(), nuclides,     gridpoints,   static_cast<u32>(library.energy.size())};
    look_up<<<blocks(lookups, kThreads), kThreads>>>(tables, args.seed(), lookups, section.data());
    must(cudaGetLastError());

    std::printf("xsbench: %u nuclides, %u joined energies, %u lookups\n", nuclides, tables.joined, lookups);
    Verdict verdict("xsbench");
    // Sums of positive terms; between two near energies a share loses digits.
    verdict.near("cross section", section.host(), reference(library, args.seed(), lookups), 1e-10, 1e-10);
    return verdict.exit_code();
}
