// srad: speckle-reducing anisotropic diffusion of an image (Yu, Acton 2002), an iteration a reduction and two stencils,
// each thread one pixel; neighbours are found through index arrays, as in Rodinia's first form.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

/// Sums of values and of squares, one pair a CTA.
extern "C" __global__ void sums(const float* image, u32 n, float* sum, float* square) {
    __shared__ float s[kThreads], q[kThreads];
    const u32 t = threadIdx.x, i = blockIdx.x * kThreads + t;
    const float v = i < n ? image[i] : 0.0f;
    s[t] = v;
    q[t] = v * v;
    for (u32 half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            s[t] += s[t + half];
            q[t] += q[t + half];
        }
    }
    if (t == 0) {
        sum[blockIdx.x] = s[0];
        square[blockIdx.x] = q[0];
    }
}

/// Derivatives in four directions and the coefficient of diffusion.
extern "C" __global__ void derive(const float* image, const u32* north, const u32* south, const u32* west,
                                  const u32* east, float* dn, float* ds, float* dw, float* de,
                                  float* coefficient, u32 rows, u32 columns, float q0) {
    const u32 i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= rows * columns) return;
    const u32 r = i / columns, c = i % columns;
    const float j = image[i];
    const float n = image[north[r] * columns + c] - j, s = image[south[r] * columns + c] - j;
    const float w = image[r * columns + west[c]] - j, e = image[r * columns + east[c]] - j;
    const float gradient = (n * n + s * s + w * w + e * e) / (j * j);
    const float laplace = (n + s + w + e) / j;
    const float numerator = 0.5f * gradient - (1.0f / 16.0f) * (laplace * laplace);
    const float denominator = 1 + 0.25f * laplace;
    const float q = numerator / (denominator * denominator);
    const float value = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    dn[i] = n;
    ds[i] = s;
    dw[i] = w;
    de[i] = e;
    coefficient[i] = fminf(fmaxf(value, 0.0f), 1.0f);
}

extern "C" __global__ void diffuse(float* image, const u32* south, const u32* east, const float* dn,
                                   const float* ds, const float* dw, const float* de,
                                   const float* coefficient, u32 rows, u32 columns, float lambda) {
    const u32 i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= rows * columns) return;
    const u32 r = i / columns, c = i % columns;
    const float here = coefficient[i];
    const float below = coefficient[south[r] * columns + c], right = coefficient[r * columns + east[c]];
    const float divergence = here * dn[i] + below * ds[i] + here * dw[i] + right * de[i];
    image[i] += 0.25f * lambda * divergence;
}

float scale_of_speckle(double sum, double square, double n) {
    const double mean = sum / n, variance = square / n - mean * mean;
    return static_cast<float>(variance / (mean * mean));
}

void reference(std::vector<float>& image, u32 rows, u32 columns, u32 iterations, float lambda) {
    std::vector<double> j(image.begin(), image.end()), c(j.size());
    const auto at = [&](u32 r, u32 col) { return std::size_t{r} * columns + col; };
    const auto up = [](u32 i) { return i == 0 ? 0 : i - 1; };
    const auto down = [](u32 i, u32 n) { return i + 1 == n ? i : i + 1; };
    for (u32 it = 0; it < iterations; ++it) {
        double sum = 0, square = 0;
        for (const double v : j) {
            sum += v;
            square += v * v;
        }
        const double q0 = scale_of_speckle(sum, square, static_cast<double>(j.size()));
        for (u32 r = 0; r < rows; ++r)
            for (u32 k = 0; k < columns; ++k) {
                const double v = j[at(r, k)];
                const double n = j[at(up(r), k)] - v, s = j[at(down(r, rows), k)] - v;
                const double w = j[at(r, up(k))] - v, e = j[at(r, down(k, columns))] - v;
                const double g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
                const double q = (0.5 * g - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
                c[at(r, k)] = std::min(1.0, std::max(0.0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
            }
        std::vector<double> next(j);
        for (u32 r = 0; r < rows; ++r)
            for (u32 k = 0; k < columns; ++k) {
                const double v = j[at(r, k)], here = c[at(r, k)];
                next[at(r, k)] +=
                    0.25 * lambda *
                    (here * (j[at(up(r), k)] - v) + c[at(down(r, rows), k)] * (j[at(down(r, rows), k)] - v) +
                     here * (j[at(r, up(k))] - v) +
                     c[at(r, down(k, columns))] * (j[at(r, down(k, columns))] - v));
            }
        j.swap(next);
    }
    image.assign(j.begin(), j.end());
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("srad", "speckle-reducing anisotropic diffusion", argc, argv);
    const u32 rows = args.count("rows", "rows of the image", Sizes<u32>{128, 512, 3328});
    const u32 columns = args.count("columns", "columns of the image", Sizes<u32>{128, 512, 3328});
    const u32 iterations = args.count("iterations", "iterations of the diffusion", Sizes<u32>{1, 2, 2});
    args.done();
    if (u64{rows} * columns > 1u << 30) args.fail("the image is too large");
    const float lambda = 0.5f;

    // A smooth image under multiplicative noise; exp, as the method works on logarithms.
    Random random(args.seed());
    const u32 n = rows * columns;
    std::vector<float> image(n);
    for (u32 i = 0; i < n; ++i) {
        const float r = static_cast<float>(i / columns) / static_cast<float>(rows);
        const float c = static_cast<float>(i % columns) / static_cast<float>(columns);
        image[i] = std::exp(r * (1 - c) + random.between(-0.25f, 0.25f));
    }
    std::vector<u32> north(rows), south(rows), west(columns), east(columns);
    for (u32 r = 0; r < rows; ++r) {
        north[r] = r == 0 ? 0 : r - 1;
        south[r] = std::min(r + 1, rows - 1);
    }
    for (u32 c = 0; c < columns; ++c) {
        west[c] = c == 0 ? 0 : c - 1;
        east[c] = std::min(c + 1, columns - 1);
    }

    const u32 ctas = blocks(n, kThreads);
    DeviceArray<float> d_image(image), dn(n), ds(n), dw(n), de(n), coefficient(n), sum(ctas), square(ctas);
    DeviceArray<u32> d_north(north), d_south(south), d_west(west), d_east(east);
    for (u32 it = 0; it < iterations; ++it) {
        sums<<<ctas, kThreads>>>(d_image.data(), n, sum.data(), square.data());
        must(cudaGetLastError());
        double total = 0, squares = 0;
        for (const float v : sum.host()) total += v;
        for (const float v : square.host()) squares += v;
        derive<<<ctas, kThreads>>>(d_image.data(), d_north.data(), d_south.data(), d_west.data(),
                                   d_east.data(), dn.data(), ds.data(), dw.data(), de.data(),
                                   coefficient.data(), rows, columns, scale_of_speckle(total, squares, n));
        must(cudaGetLastError());
        diffuse<<<ctas, kThreads>>>(d_image.data(), d_south.data(), d_east.data(), dn.data(), ds.data(),
                                    dw.data(), de.data(), coefficient.data(), rows, columns, lambda);
        must(cudaGetLastError());
    }

    reference(image, rows, columns, iterations, lambda);
    std::printf("srad: %u x %u, %u iterations\n", rows, columns, iterations);
    Verdict verdict("srad");
    verdict.near("image", d_image.host(), image, 1e-4f, 1e-5f);
    return verdict.exit_code();
}
