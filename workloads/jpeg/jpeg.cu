// jpeg: the lossy part of JPEG on a grey image: 8 x 8 cosine transform, quantisation, and back to pixels. Eight threads
// transform a block, each a row and then a column through shared memory (the CUDA SDK's dct8x8, second kernel, with the
// factorisation of Arai, Agui and Nakajima); quantisation takes one thread a coefficient and writes them in zigzag
// order, as the entropy coder wants them. Tables of ITU-T T.81 lie in constant memory.

#include "../common/workload.h"

using namespace workloads;

// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
__constant__ float step[64];       // of quantisation, by row and column
__constant__ u8 zigzag_place[64];  // of a coefficient in the order of the entropy coder, by row and column

namespace {

constexpr u32 kAcross = 4, kDown = 4;  // blocks of a CTA
constexpr u32 kThreads = 8 * kAcross * kDown;
constexpr u32 kPitch = 8 * kAcross + 1;  // of the tile, odd: a column's values lie in different banks

/// T.81, table K.1: luminance, quality 50.
constexpr u8 kLuminance[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                               14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                               18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                               49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

/// Orthonormal transform of eight values `stride` apart, in place.
__device__ void forward_eight(float* v, u32 stride) {
    const float s07 = v[0] + v[7 * stride], d07 = v[0] - v[7 * stride];
    const float s16 = v[stride] + v[6 * stride], d16 = v[stride] - v[6 * stride];
    const float s25 = v[2 * stride] + v[5 * stride], d25 = v[2 * stride] - v[5 * stride];
    const float s34 = v[3 * stride] + v[4 * stride], d34 = v[3 * stride] - v[4 * stride];
    const float a = s07 + s34, b = s16 + s25, c = s07 - s34, d = s16 - s25;
    constexpr float c0 = 0.353553391f, c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f,
                    c5 = 0.277785117f, c6 = 0.191341716f, c7 = 0.097545161f;  // cos(k pi / 16) / 2
    v[0] = c0 * (a + b);
    v[4 * stride] = c0 * (a - b);
    v[2 * stride] = c2 * c + c6 * d;
    v[6 * stride] = c6 * c - c2 * d;
    v[stride] = c1 * d07 + c3 * d16 + c5 * d25 + c7 * d34;
    v[3 * stride] = c3 * d07 - c7 * d16 - c1 * d25 - c5 * d34;
    v[5 * stride] = c5 * d07 - c1 * d16 + c7 * d25 + c3 * d34;
    v[7 * stride] = c7 * d07 - c5 * d16 + c3 * d25 - c1 * d34;
}

__device__ void inverse_eight(float* v, u32 stride) {
    constexpr float c0 = 0.353553391f, c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f,
                    c5 = 0.277785117f, c6 = 0.191341716f, c7 = 0.097545161f;
    const float v1 = v[stride], v2 = v[2 * stride], v3 = v[3 * stride], v5 = v[5 * stride],
                v6 = v[6 * stride], v7 = v[7 * stride];
    const float a = c0 * (v[0] + v[4 * stride]), b = c0 * (v[0] - v[4 * stride]);
    const float c = c2 * v2 + c6 * v6, d = c6 * v2 - c2 * v6;
    const float s07 = a + c, s34 = a - c, s16 = b + d, s25 = b - d;
    const float d07 = c1 * v1 + c3 * v3 + c5 * v5 + c7 * v7, d16 = c3 * v1 - c7 * v3 - c1 * v5 - c5 * v7;
    const float d25 = c5 * v1 - c1 * v3 + c7 * v5 + c3 * v7, d34 = c7 * v1 - c5 * v3 + c3 * v5 - c1 * v7;
    v[0] = s07 + d07;
    v[7 * stride] = s07 - d07;
    v[stride] = s16 + d16;
    v[6 * stride] = s16 - d16;
    v[2 * stride] = s25 + d25;
    v[5 * stride] = s25 - d25;
    v[3 * stride] = s34 + d34;
    v[4 * stride] = s34 - d34;
}

/// Transforms the CTA's tile, a row and a column a thread.
template <bool kForward>
__device__ void transform_tile(float* tile) {
    const auto eight = [](float* v, u32 stride) {
        if (kForward)
            forward_eight(v, stride);
        else
            inverse_eight(v, stride);
    };
    const u32 line = threadIdx.x, x = line % (8 * kAcross), y = line / (8 * kAcross);
    const u32 row = line % (8 * kDown), part = line / (8 * kDown);
    __syncthreads();
    eight(tile + row * kPitch + 8 * part, 1);
    __syncthreads();
    eight(tile + 8 * y * kPitch + x, kPitch);
}

/// Each thread its column of eight rows: the place in the image, and in the tile.
struct Column {
    u64 image;
    u32 tile;
    bool inside;
};

__device__ Column my_column(u32 width, u32 height) {
    const u32 x = threadIdx.x % (8 * kAcross), y = 8 * (threadIdx.x / (8 * kAcross));
    const u32 column = blockIdx.x * 8 * kAcross + x, row = blockIdx.y * 8 * kDown + y;
    return {u64{row} * width + column, y * kPitch + x, column < width && row < height};
}

extern "C" __global__ void forward(const u8* pixel, float* coefficient, u32 width, u32 height) {
    __shared__ float tile[8 * kDown * kPitch];
    const Column mine = my_column(width, height);
    if (mine.inside)
        for (u32 k = 0; k < 8; ++k)
            tile[mine.tile + k * kPitch] = static_cast<float>(pixel[mine.image + u64{k} * width]) - 128.0f;
    transform_tile<true>(tile);
    if (mine.inside)
        for (u32 k = 0; k < 8; ++k) coefficient[mine.image + u64{k} * width] = tile[mine.tile + k * kPitch];
}

/// Where coefficient (x, y) goes: block by block, in a block in zigzag order.
__host__ __device__ u64 block_start(u32 x, u32 y, u32 width) {
    return (u64{y / 8} * (width / 8) + x / 8) * 64;
}

extern "C" __global__ void quantise(const float* coefficient, short* code, u32 width, u32 height) {
    const u32 x = blockIdx.x * 32 + threadIdx.x % 32, y = blockIdx.y * 8 + threadIdx.x / 32;
    if (x >= width) return;
    const u32 place = y % 8 * 8 + x % 8;
    const float steps = coefficient[u64{y} * width + x] / step[place];
    code[block_start(x, y, width) + zigzag_place[place]] = static_cast<short>(rintf(steps));
}

extern "C" __global__ void inverse(const short* code, u8* pixel, u32 width, u32 height) {
    __shared__ float tile[8 * kDown * kPitch];
    const Column mine = my_column(width, height);
    if (mine.inside) {
        const u32 x = static_cast<u32>(mine.image % width), y = static_cast<u32>(mine.image / width);
        const u64 block = block_start(x, y, width);
        for (u32 k = 0; k < 8; ++k) {
            const u32 place = 8 * k + x % 8;
            tile[mine.tile + k * kPitch] =
                static_cast<float>(code[block + zigzag_place[place]]) * step[place];
        }
    }
    transform_tile<false>(tile);
    if (mine.inside)
        for (u32 k = 0; k < 8; ++k) {
            const float v = rintf(tile[mine.tile + k * kPitch] + 128.0f);
            pixel[mine.image + u64{k} * width] = static_cast<u8>(fminf(fmaxf(v, 0.0f), 255.0f));
        }
}

/// T.81, figure 5: along antidiagonals, to and fro.
std::vector<u8> zigzag() {
    std::vector<u8> place(64);
    u8 next = 0;
    for (u32 diagonal = 0; diagonal < 15; ++diagonal)
        for (u32 k = 0; k <= diagonal; ++k) {
            const u32 y = diagonal % 2 == 0 ? diagonal - k : k, x = diagonal - y;
            if (x < 8 && y < 8) place[8 * y + x] = next++;
        }
    return place;
}

/// The steps that the Independent JPEG Group derives from table K.1.
std::vector<float> steps_of(u32 quality) {
    const u32 percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    std::vector<float> steps(64);
    for (u32 i = 0; i < 64; ++i)
        steps[i] = static_cast<float>(std::clamp((kLuminance[i] * percent + 50) / 100, 1u, 255u));
    return steps;
}

/// The transforms by their definition.
class Cosines {
  public:
    Cosines() {
        for (u32 u = 0; u < 8; ++u)
            for (u32 x = 0; x < 8; ++x)
                c_[u][x] =
                    (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
    }
    void forward(const double* in, double* out) const {
        double half[64];
        for (u32 y = 0; y < 8; ++y)
            for (u32 u = 0; u < 8; ++u) half[8 * y + u] = dot(in + 8 * y, 1, c_[u], 1);
        for (u32 v = 0; v < 8; ++v)
            for (u32 u = 0; u < 8; ++u) out[8 * v + u] = dot(half + u, 8, c_[v], 1);
    }
    void inverse(const double* in, double* out) const {
        double half[64];
        for (u32 v = 0; v < 8; ++v)
            for (u32 x = 0; x < 8; ++x) half[8 * v + x] = dot(in + 8 * v, 1, &c_[0][x], 8);
        for (u32 y = 0; y < 8; ++y)
            for (u32 x = 0; x < 8; ++x) out[8 * y + x] = dot(half + x, 8, &c_[0][y], 8);
    }

  private:
    static double dot(const double* a, u32 a_stride, const double* b, u32 b_stride) {
        double sum = 0;
        for (u32 i = 0; i < 8; ++i) sum += a[i * a_stride] * b[i * b_stride];
        return sum;
    }
    double c_[8][8];
};

/// `got` is `exact`, rounded; or the other neighbour if rounding errors may have decided.
bool is_rounded(double got, double exact) {
    return std::fabs(got - exact) <= 0.5 + 1e-3;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("jpeg", "8 x 8 cosine transform and quantization of an image", argc, argv);
    const u32 width =
        args.count("width", "width in pixels, a multiple of 8", Sizes<u32>{256, 1024, 5632}, 8u);
    const u32 height =
        args.count("height", "height in pixels, a multiple of 8", Sizes<u32>{128, 1024, 5632}, 8u);
    const u32 quality = args.count("quality", "1 to 100", Sizes<u32>{75, 75, 75});
    args.done();
    if (width % 8 != 0) args.fail("--width must be a multiple of 8");
    if (height % 8 != 0) args.fail("--height must be a multiple of 8");
    if (height > 8 * 65'535u) args.fail("--height: at most " + std::to_string(8 * 65'535u));
    if (quality > 100) args.fail("--quality: at most 100");

    // Waves of several lengths and some noise.
    Random random(args.seed());
    const std::size_t n = std::size_t{width} * height;
    std::vector<u8> image(n);
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x) {
            const float fx = static_cast<float>(x), fy = static_cast<float>(y);
            const float wave = 50 * std::sin(fx / 37 + fy / 91) + 40 * std::sin(fy / 11) * std::cos(fx / 7);
            image[std::size_t{y} * width + x] =
                static_cast<u8>(std::clamp(128 + wave + random.between(-40, 40), 0.0f, 255.0f));
        }
    const std::vector<u8> order = zigzag();
    const std::vector<float> steps = steps_of(quality);
    must(cudaMemcpyToSymbol(step, steps.data(), 64 * sizeof(float)));
    must(cudaMemcpyToSymbol(zigzag_place, order.data(), 64));

    DeviceArray<u8> d_image(image), decoded(n);
    DeviceArray<float> coefficient(n);
    DeviceArray<short> code(n);
    const dim3 tiles(blocks(width, 8 * kAcross), blocks(height, 8 * kDown));
    forward<<<tiles, kThreads>>>(d_image.data(), coefficient.data(), width, height);
    must(cudaGetLastError());
    quantise<<<dim3(blocks(width, 32), height / 8), 256>>>(coefficient.data(), code.data(), width, height);
    must(cudaGetLastError());
    inverse<<<tiles, kThreads>>>(code.data(), decoded.data(), width, height);
    must(cudaGetLastError());

    const std::vector<short> codes = code.host();
    const std::vector<u8> result = decoded.host();
    const Cosines cosines;
    Verdict verdict("jpeg");
    u64 zeroes = 0;
    for (u32 by = 0; by < height; by += 8)
        for (u32 bx = 0; bx < width; bx += 8) {
            const u64 start = block_start(bx, by, width);
            const auto name = [&](const char* what, u32 i) {
                return std::string(what) + "[" + std::to_string(start + i) + "] is rounded";
            };
            double in[64], out[64];
            for (u32 i = 0; i < 64; ++i) in[i] = image[std::size_t{by + i / 8} * width + bx + i % 8] - 128.0;
            cosines.forward(in, out);
            for (u32 i = 0; i < 64; ++i) {
                const short got = codes[start + order[i]];
                if (got == 0) ++zeroes;
                if (!is_rounded(got, out[i] / steps[i])) verdict.holds(name("code", order[i]), false);
                in[i] = double{steps[i]} * got;
            }
            cosines.inverse(in, out);
            for (u32 i = 0; i < 64; ++i) {
                const double exact = std::clamp(out[i] + 128, 0.0, 255.0);
                const u8 got = result[std::size_t{by + i / 8} * width + bx + i % 8];
                if (!is_rounded(got, exact)) verdict.holds(name("pixel", i), false);
            }
            verdict.holds("block", true);
        }
    std::printf("jpeg: %u x %u pixels, quality %u, %.1f %% of the codes are 0\n", width, height, quality,
                100.0 * static_cast<double>(zeroes) / static_cast<double>(n));
    return verdict.exit_code();
}
