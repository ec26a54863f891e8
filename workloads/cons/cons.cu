// cons: separable convolution of an image with 17 x 17 weights, as 17 along the rows and then 17 along the columns
// (Podlozhnyuk 2007, the CUDA SDK's convolutionSeparable). A CTA brings its piece of the image and a halo into shared
// memory, a thread makes eight results. Outside the image all is zero.

#include "../common/workload.h"

using namespace workloads;

constexpr int kRadius = 8;
// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
__constant__ float weights[2 * kRadius + 1];

namespace {

constexpr int kEach = 8;  // results of a thread
constexpr int kHalo = 1;  // steps of a CTA's width or height before and behind its results

constexpr int kRowsWidth = 16, kRowsHeight = 4;        // of a CTA of `rows`
constexpr int kColumnsWidth = 16, kColumnsHeight = 8;  // of a CTA of `columns`
static_assert(kHalo * kRowsWidth >= kRadius && kHalo * kColumnsHeight >= kRadius, "the halo is wide enough");

extern "C" __global__ void rows(const float* from, float* to, int width, int height) {
    __shared__ float piece[kRowsHeight][(kEach + 2 * kHalo) * kRowsWidth];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x0 = (static_cast<int>(blockIdx.x) * kEach - kHalo) * kRowsWidth + tx;
    const int y = static_cast<int>(blockIdx.y) * kRowsHeight + ty;
#pragma unroll
    for (int step = 0; step < kEach + 2 * kHalo; ++step) {
        const int x = x0 + step * kRowsWidth;
        piece[ty][step * kRowsWidth + tx] = x >= 0 && x < width && y < height ? from[y * width + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int step = kHalo; step < kHalo + kEach; ++step) {
        float sum = 0;
#pragma unroll
        for (int i = -kRadius; i <= kRadius; ++i)
            sum += weights[kRadius - i] * piece[ty][step * kRowsWidth + tx + i];
        const int x = x0 + step * kRowsWidth;
        if (x < width && y < height) to[y * width + x] = sum;
    }
}

extern "C" __global__ void columns(const float* from, float* to, int width, int height) {
    // Column by column; one more against bank conflicts.
    __shared__ float piece[kColumnsWidth][(kEach + 2 * kHalo) * kColumnsHeight + 1];
    const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * kColumnsWidth + tx;
    const int y0 = (static_cast<int>(blockIdx.y) * kEach - kHalo) * kColumnsHeight + ty;
#pragma unroll
    for (int step = 0; step < kEach + 2 * kHalo; ++step) {
        const int y = y0 + step * kColumnsHeight;
        piece[tx][step * kColumnsHeight + ty] =
            y >= 0 && y < height && x < width ? from[y * width + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int step = kHalo; step < kHalo + kEach; ++step) {
        float sum = 0;
#pragma unroll
        for (int i = -kRadius; i <= kRadius; ++i)
            sum += weights[kRadius - i] * piece[tx][step * kColumnsHeight + ty + i];
        const int y = y0 + step * kColumnsHeight;
        if (x < width && y < height) to[y * width + x] = sum;
    }
}

/// The same in double precision.
std::vector<float> reference(const std::vector<float>& image, const std::vector<float>& weight, int width,
                             int height) {
    const auto convolve = [&](const std::vector<double>& from, bool along_x) {
        std::vector<double> to(from.size());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                double sum = 0;
                for (int i = -kRadius; i <= kRadius; ++i) {
                    const int xx = along_x ? x + i : x, yy = along_x ? y : y + i;
                    if (xx >= 0 && xx < width && yy >= 0 && yy < height)
                        sum += double{weight[static_cast<std::size_t>(kRadius - i)]} *
                               from[static_cast<std::size_t>(yy * width + xx)];
                }
                to[static_cast<std::size_t>(y * width + x)] = sum;
            }
        return to;
    };
    const std::vector<double> out = convolve(convolve({image.begin(), image.end()}, true), false);
    return {out.begin(), out.end()};
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("cons", "separable convolution of an image", argc, argv);
    const u32 width = args.count("width", "width of the image", Sizes<u32>{256, 1024, 5120});
    const u32 height = args.count("height", "height of the image", Sizes<u32>{128, 512, 4608});
    args.done();
    constexpr u64 kMostPixels = u64{1} << 30;
    if (u64{width} * height > kMostPixels) args.fail("--width times --height: at most 1073741824 pixels");
    if (height > kRowsHeight * 65'535u) args.fail("--height: at most 262140");

    Random random(args.seed());
    std::vector<float> image(std::size_t{width} * height), weight(2 * kRadius + 1);
    for (float& v : image) v = random.unit();
    for (float& v : weight) v = random.between(-1, 1);
    must(cudaMemcpyToSymbol(weights, weight.data(), weight.size() * sizeof(float)));
    DeviceArray<float> from(image), between(image.size()), to(image.size());
    const int w = static_cast<int>(width), h = static_cast<int>(height);
    rows<<<dim3(blocks(width, kRowsWidth * kEach), blocks(height, kRowsHeight)),
           dim3(kRowsWidth, kRowsHeight)>>>(from.data(), between.data(), w, h);
    must(cudaGetLastError());
    columns<<<dim3(blocks(width, kColumnsWidth), blocks(height, kColumnsHeight * kEach)),
              dim3(kColumnsWidth, kColumnsHeight)>>>(between.data(), to.data(), w, h);
    must(cudaGetLastError());

    std::printf("cons: %u x %u\n", width, height);
    Verdict verdict("cons");
    // Two sums of 17 terms, the terms of the second below 17.
    verdict.near("pixel", to.host(), reference(image, weight, w, h), 1e-6f, 3e-5f);
    return verdict.exit_code();
}
