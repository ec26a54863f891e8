// bh: forces among n bodies by the method of Barnes and Hut (1986), all on the device (Burtscher, Pingali 2011;
// LonestarGPU): bounding box, octree with locks, centres of mass from the leaves up, bodies in the order of the tree,
// forces by walking the tree, one step in time. Cells wait for their children, and children for their parents, with
// volatile loads. The lanes of a warp walk the tree together and open a cell if one of them has to.

#include <algorithm>
#include <array>

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kForceThreads = 128;
constexpr u32 kWarps = kForceThreads / 32;
constexpr u32 kDeepest = 48;  // levels of the tree
constexpr i32 kEmpty = -1, kLocked = -2;
constexpr float kSoftening = 0.0025f;  // squared length
constexpr float kStep = 0.0125f;

/// Nodes 0 to bodies - 1 are bodies, the others cells; node `bodies` is the root. A cell's children have larger numbers.
struct Tree {
    float *x, *y, *z, *mass;  // of every node; a cell's mass is negative until it is known
    i32* child;               // eight of each cell, at 8 (cell - bodies)
    i32* count;               // bodies below a cell
    i32* start;               // where a cell's bodies begin in `order`; -1 until known
    i32* order;               // bodies in the order of the tree
    i32* next_cell;
    u32* failed;  // the tree is too deep or too large
    i32 bodies, nodes;
};

extern "C" __global__ void bounds(const float* x, const float* y, const float* z, u32 n, float* least,
                                  float* most) {
    __shared__ float low[3][kThreads], high[3][kThreads];
    const u32 t = threadIdx.x;
    const float* const axis[3] = {x, y, z};
    for (u32 d = 0; d < 3; ++d) {
        float a = 3.4e38f, b = -3.4e38f;
        for (u32 i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) {
            const float v = axis[d][i];
            a = fminf(a, v);
            b = fmaxf(b, v);
        }
        low[d][t] = a;
        high[d][t] = b;
    }
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        for (u32 d = 0; d < 3 && t < half; ++d) {
            low[d][t] = fminf(low[d][t], low[d][t + half]);
            high[d][t] = fmaxf(high[d][t], high[d][t + half]);
        }
    }
    if (t < 3) {
        least[blockIdx.x * 3 + t] = low[t][0];
        most[blockIdx.x * 3 + t] = high[t][0];
    }
}

/// The octant of a point, and the centre moved into it.
__device__ u32 descend(float px, float py, float pz, float& cx, float& cy, float& cz, float half) {
    const float quarter = 0.5f * half;
    const bool right = px >= cx, up = py >= cy, back = pz >= cz;
    const u32 octant = (right ? 1u : 0u) | (up ? 2u : 0u) | (back ? 4u : 0u);
    cx += right ? quarter : -quarter;
    cy += up ? quarter : -quarter;
    cz += back ? quarter : -quarter;
    return octant;
}

/// Each thread inserts its bodies one by one. To change a child pointer it is locked.
extern "C" __global__ void build(Tree tree, float root_x, float root_y, float root_z, float root_half) {
    const i32 stride = static_cast<i32>(gridDim.x * blockDim.x);
    volatile i32* const child = tree.child;
    for (i32 body = static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x); body < tree.bodies;) {
        const float px = tree.x[body], py = tree.y[body], pz = tree.z[body];
        // Down to what is no cell.
        float cx = root_x, cy = root_y, cz = root_z, half = root_half;
        i32 at = static_cast<i32>(descend(px, py, pz, cx, cy, cz, half));
        half *= 0.5f;
        i32 found = child[at];
        u32 level = 1;
        for (; found >= tree.bodies; ++level) {
            at = 8 * (found - tree.bodies) + static_cast<i32>(descend(px, py, pz, cx, cy, cz, half));
            half *= 0.5f;
            found = child[at];
        }
        if (found == kLocked || atomicCAS(&tree.child[at], found, kLocked) != found)
            continue;  // again, from the root
        if (found == kEmpty) {
            child[at] = body;
            body += stride;
            continue;
        }
        // A body is there: cells until the two lie in different octants. The lock hides them until they are complete.
        const float qx = tree.x[found], qy = tree.y[found], qz = tree.z[found];
        i32 first = kEmpty, from = kEmpty;
        for (;; ++level) {
            const i32 cell = atomicAdd(tree.next_cell, 1);
            if (cell >= tree.nodes || level >= kDeepest - 1) {
                *tree.failed = 1;
                first = found;  // as it was
                break;
            }
            tree.mass[cell] = -1.0f;
            tree.start[cell - tree.bodies] = -1;
            if (first == kEmpty)
                first = cell;
            else
                child[from] = cell;
            float bx = cx, by = cy, bz = cz;
            const i32 theirs = static_cast<i32>(descend(qx, qy, qz, bx, by, bz, half));
            const i32 mine = static_cast<i32>(descend(px, py, pz, cx, cy, cz, half));
            half *= 0.5f;
            from = 8 * (cell - tree.bodies) + mine;
            if (theirs != mine) {
                child[8 * (cell - tree.bodies) + theirs] = found;
                child[from] = body;
                break;
            }
        }
        __threadfence();
        child[at] = first;
        body += stride;
    }
}

/// Centres of mass, from the last cell to the root: children are done before. Each thread waits for its cell's children.
extern "C" __global__ void summarise(Tree tree, i32 last) {
    const i32 stride = static_cast<i32>(gridDim.x * blockDim.x);
    const volatile float* const mass = tree.mass;
    for (i32 cell = last - static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x); cell >= tree.bodies;) {
        float m = 0, mx = 0, my = 0, mz = 0;
        i32 count = 0;
        bool ready = true;
        for (i32 k = 0; k < 8 && ready; ++k) {
            const i32 c = tree.child[8 * (cell - tree.bodies) + k];
            if (c == kEmpty) continue;
            const float w = mass[c];
            ready = w >= 0;
            if (!ready) continue;
            if (c >= tree.bodies) __threadfence();  // what was written before the mass
            m += w;
            mx += w * static_cast<volatile float*>(tree.x)[c];
            my += w * static_cast<volatile float*>(tree.y)[c];
            mz += w * static_cast<volatile float*>(tree.z)[c];
            count += c < tree.bodies ? 1 : static_cast<volatile i32*>(tree.count)[c - tree.bodies];
        }
        if (!ready) continue;
        tree.x[cell] = mx / m;
        tree.y[cell] = my / m;
        tree.z[cell] = mz / m;
        tree.count[cell - tree.bodies] = count;
        __threadfence();
        static_cast<volatile float*>(tree.mass)[cell] = m;
        cell -= stride;
    }
}

/// Bodies in the order of the tree, from the root on. Each thread waits until its cell knows where it begins.
extern "C" __global__ void sort_bodies(Tree tree, i32 last) {
    const i32 stride = static_cast<i32>(gridDim.x * blockDim.x);
    volatile i32* const start = tree.start;
    for (i32 cell = tree.bodies + static_cast<i32>(blockIdx.x * blockDim.x + threadIdx.x); cell <= last;) {
        i32 place = start[cell - tree.bodies];
        if (place < 0) continue;
        for (i32 k = 0; k < 8; ++k) {
            const i32 c = tree.child[8 * (cell - tree.bodies) + k];
            if (c == kEmpty) continue;
            if (c < tree.bodies) {
                tree.order[place++] = c;
            } else {
                start[c - tree.bodies] = place;
                place += tree.count[c - tree.bodies];
            }
        }
        cell += stride;
    }
}

/// reach[level]: squared distance from which on a cell of this level counts as one body.
extern "C" __global__ void find_forces(Tree tree, const float* reach, float* ax, float* ay, float* az) {
    __shared__ i32 stack_cell[kWarps][kDeepest];  // of each level, the cell and its next child
    __shared__ i32 stack_child[kWarps][kDeepest];
    __shared__ float far[kDeepest];
    for (u32 l = threadIdx.x; l < kDeepest; l += kForceThreads) far[l] = reach[l];
    __syncthreads();
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const i32 i = static_cast<i32>(blockIdx.x * kForceThreads + threadIdx.x);
    // The lanes behind the last body come along with it: all lanes vote.
    const i32 body = tree.order[i < tree.bodies ? i : tree.bodies - 1];
    const float px = tree.x[body], py = tree.y[body], pz = tree.z[body];
    float fx = 0, fy = 0, fz = 0;
    i32 level = 0;
    if (lane == 0) {
        stack_cell[warp][0] = tree.bodies;
        stack_child[warp][0] = 0;
    }
    __syncwarp();
    while (level >= 0) {
        const i32 cell = stack_cell[warp][level], k = stack_child[warp][level];
        __syncwarp();
        if (k == 8) {
            --level;
            continue;
        }
        if (lane == 0) stack_child[warp][level] = k + 1;
        __syncwarp();
        const i32 c = tree.child[8 * (cell - tree.bodies) + k];
        if (c == kEmpty) continue;
        const float dx = tree.x[c] - px, dy = tree.y[c] - py, dz = tree.z[c] - pz;
        const float square = dx * dx + dy * dy + dz * dz;
        if (c < tree.bodies || __all_sync(~0u, square >= far[level + 1] ? 1 : 0) != 0) {
            const float inverse = rsqrtf(square + kSoftening);
            const float pull = tree.mass[c] * inverse * inverse * inverse;
            fx += dx * pull;
            fy += dy * pull;
            fz += dz * pull;
        } else {
            ++level;
            if (lane == 0) {
                stack_cell[warp][level] = c;
                stack_child[warp][level] = 0;
            }
            __syncwarp();
        }
    }
    if (i < tree.bodies) {
        ax[body] = fx;
        ay[body] = fy;
        az[body] = fz;
    }
}

/// Velocities half a step old become half a step ahead; positions follow.
extern "C" __global__ void integrate(float* x, float* y, float* z, float* vx, float* vy, float* vz,
                                     const float* ax, const float* ay, const float* az, u32 n) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    vx[i] += ax[i] * kStep;
    vy[i] += ay[i] * kStep;
    vz[i] += az[i] * kStep;
    x[i] += vx[i] * kStep;
    y[i] += vy[i] * kStep;
    z[i] += vz[i] * kStep;
}

/// CTAs of a kernel that are resident at once.
template <class Kernel>
u32 resident_ctas(Kernel* kernel) {
    int sms = 0, of_sm = 0;
    must(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_sm, kernel, kThreads, 0));
    return static_cast<u32>(sms * of_sm);
}

struct Bodies {
    std::vector<float> position[3], velocity[3], mass;
};

/// Plummer's model of a star cluster, cut off at ten times its radius.
Bodies plummer(u32 n, Random& random) {
    Bodies b;
    const auto on_sphere = [&](float radius, std::vector<float>* to) {
        float v[3], square = 0;
        do {
            square = 0;
            for (float& c : v) {
                c = random.between(-1, 1);
                square += c * c;
            }
        } while (square > 1 || square < 1e-6f);
        for (u32 d = 0; d < 3; ++d) to[d].push_back(v[d] * radius / std::sqrt(square));
    };
    for (u32 i = 0; i < n; ++i) {
        float radius = 100;
        while (radius > 10)
            radius = 1.0f / std::sqrt(std::pow(random.between(0.001f, 0.999f), -2.0f / 3.0f) - 1.0f);
        on_sphere(radius, b.position);
        on_sphere(0.5f * std::pow(1 + radius * radius, -0.25f), b.velocity);
        b.mass.push_back(1.0f / static_cast<float>(n));
    }
    return b;
}

/// How many cells the octree of these bodies has: one for each cube that holds two or more of them.
u32 count_cells(const Bodies& b, std::vector<u32>& members, std::array<float, 3> centre, float half,
                u32 level) {
    if (members.size() < 2 && level > 0) return 0;
    if (level > kDeepest) return 0;
    std::vector<u32> octant[8];
    for (const u32 i : members) {
        u32 o = 0;
        for (u32 d = 0; d < 3; ++d) o |= (b.position[d][i] >= centre[d] ? 1u : 0u) << d;
        octant[o].push_back(i);
    }
    members.clear();
    u32 cells = 1;
    for (u32 o = 0; o < 8; ++o) {
        std::array<float, 3> c = centre;
        for (u32 d = 0; d < 3; ++d) c[d] += ((o >> d) & 1) != 0 ? 0.5f * half : -0.5f * half;
        cells += count_cells(b, octant[o], c, 0.5f * half, level + 1);
    }
    return cells;
}

/// The exact force on a body.
std::array<double, 3> direct(const Bodies& b, u32 i) {
    std::array<double, 3> force{};
    for (std::size_t j = 0; j < b.mass.size(); ++j) {
        double d[3], square = kSoftening;
        for (u32 k = 0; k < 3; ++k) {
            d[k] = double{b.position[k][j]} - double{b.position[k][i]};
            square += d[k] * d[k];
        }
        for (u32 k = 0; k < 3; ++k) force[k] += d[k] * b.mass[j] / (square * std::sqrt(square));
    }
    return force;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("bh", "Barnes-Hut forces among bodies", argc, argv);
    const u32 n = args.count("bodies", "bodies in the cluster", Sizes<u32>{384, 1792, 65'536}, 2u);
    const u32 percent = args.count("opening", "opening angle in percent: a cell's size over its distance",
                                   Sizes<u32>{50, 50, 50});
    args.done();
    if (n > 1u << 24) args.fail("--bodies: at most 16777216");
    if (percent > 100) args.fail("--opening: at most 100");

    Random random(args.seed());
    Bodies bodies = plummer(n, random);
    const u32 most_cells = 2 * n + 64;
    const std::size_t nodes = std::size_t{n} + most_cells;
    const auto with_cells = [&](std::vector<float> v, float fill) {
        v.resize(nodes, fill);
        return v;
    };
    DeviceArray<float> x(with_cells(bodies.position[0], 0)), y(with_cells(bodies.position[1], 0)),
        z(with_cells(bodies.position[2], 0)), mass(with_cells(bodies.mass, -1));
    DeviceArray<float> vx(bodies.velocity[0]), vy(bodies.velocity[1]), vz(bodies.velocity[2]), ax(n), ay(n),
        az(n);
    DeviceArray<i32> child(std::size_t{8} * most_cells), count(most_cells), start(most_cells), order(n),
        next_cell(1);
    DeviceArray<u32> failed(1);
    const Tree tree{x.data(),
                    y.data(),
                    z.data(),
                    mass.data(),
                    child.data(),
                    count.data(),
                    start.data(),
                    order.data(),
                    next_cell.data(),
                    failed.data(),
                    static_cast<i32>(n),
                    static_cast<i32>(nodes)};

    const u32 ctas = std::min(blocks(n, kThreads), 60u);
    // Threads that wait for one another: all of them must be resident.
    const u32 waiting = std::min({ctas, resident_ctas(summarise), resident_ctas(sort_bodies)});
    DeviceArray<float> least(3 * ctas), most(3 * ctas);
    bounds<<<ctas, kThreads>>>(x.data(), y.data(), z.data(), n, least.data(), most.data());
    must(cudaGetLastError());
    const std::vector<float> low = least.host(), high = most.host();
    std::array<float, 3> centre{};
    float half = 0;
    for (u32 d = 0; d < 3; ++d) {
        float a = low[d], b = high[d];
        for (u32 c = 1; c < ctas; ++c) {
            a = std::min(a, low[3 * c + d]);
            b = std::max(b, high[3 * c + d]);
        }
        centre[d] = 0.5f * (a + b);
        half = std::max(half, 0.5f * (b - a));
    }
    half *= 1.0001f;  // the outermost bodies lie inside

    child.clear(0xFF);
    failed.clear();
    next_cell.set(static_cast<i32>(n) + 1, 0);
    build<<<ctas, kThreads>>>(tree, centre[0], centre[1], centre[2], half);
    must(cudaGetLastError());
    if (failed.host(0) != 0) args.fail("bodies lie too close together for this tree");
    const i32 last = next_cell.host(0) - 1;
    summarise<<<waiting, kThreads>>>(tree, last);
    must(cudaGetLastError());
    start.set(std::vector<i32>(most_cells, -1));
    start.set(0, 0);
    sort_bodies<<<waiting, kThreads>>>(tree, last);
    must(cudaGetLastError());
    // A cell of level l has sides of 2 half / 2^l.
    std::vector<float> reach(kDeepest);
    for (u32 l = 0; l < kDeepest; ++l) {
        const float distance =
            2 * half / std::ldexp(1.0f, static_cast<int>(l)) * 100.0f / static_cast<float>(percent);
        reach[l] = distance * distance;
    }
    DeviceArray<float> d_reach(reach);
    find_forces<<<blocks(n, kForceThreads), kForceThreads>>>(tree, d_reach.data(), ax.data(), ay.data(),
                                                             az.data());
    must(cudaGetLastError());
    const std::vector<float> root_mass = mass.host();
    integrate<<<blocks(n, kThreads), kThreads>>>(x.data(), y.data(), z.data(), vx.data(), vy.data(),
                                                 vz.data(), ax.data(), ay.data(), az.data(), n);
    must(cudaGetLastError());

    Verdict verdict("bh");
    std::vector<u32> all(n);
    for (u32 i = 0; i < n; ++i) all[i] = i;
    const u32 cells = static_cast<u32>(last) - n + 1;
    verdict.equal("number of cells", cells, count_cells(bodies, all, centre, half, 0));
    verdict.near("mass of the root", 0, root_mass[n], 1.0f, 1e-4f);
    std::vector<i32> sorted = order.host();
    std::sort(sorted.begin(), sorted.end());
    for (u32 i = 0; i < n; ++i) verdict.equal("bodies in order", sorted[i], static_cast<i32>(i));
    // Forces against direct sums: the method errs by well under the square of the opening angle.
    const std::vector<float> force[3] = {ax.host(), ay.host(), az.host()};
    const std::vector<float> moved[3] = {x.host(), y.host(), z.host()},
                             speed[3] = {vx.host(), vy.host(), vz.host()};
    const double angle = percent / 100.0;
    double error = 0, size = 0;
    for (u32 i = 0; i < n; i += std::max(1u, n / 2048)) {
        const std::array<double, 3> exact = direct(bodies, i);
        double square = 0, off = 0;
        for (u32 d = 0; d < 3; ++d) {
            square += exact[d] * exact[d];
            off += (force[d][i] - exact[d]) * (force[d][i] - exact[d]);
        }
        verdict.holds("force on body " + std::to_string(i),
                      off <= 0.04 * angle * angle * std::max(square, 0.01));
        error += off;
        size += square;
    }
    error = std::sqrt(error / size);
    verdict.holds("root mean square error of forces", error <= 0.04 * angle * angle + 1e-4);
    for (u32 d = 0; d < 3; ++d)
        for (u32 i = 0; i < n; ++i) {
            const float v = bodies.velocity[d][i] + force[d][i] * kStep;
            verdict.near("velocity", i, speed[d][i], v, 1e-5f);
            verdict.near("position", i, moved[d][i], bodies.position[d][i] + v * kStep, 1e-5f);
        }
    std::printf("bh: %u bodies, %u cells, error of forces %.5f\n", n, cells, error);
    return verdict.exit_code();
}
