// sad: sums of absolute differences for motion estimation in H.264 (Parboil): every 4 x 4 block of a frame against
// every position of a search window in the frame before; the sums of larger blocks (8x4 up to 16x16) are made of them.
// Frames are 4:2:0 luma planes of 16-bit values; sums have 16 bits.

#include <deque>

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kMacroblock = 16;        // pixels across a macroblock
constexpr u32 kSmall = 16;             // smallest blocks in a macroblock
constexpr int kRange = 16;             // of the search window, in pixels, each way
constexpr u32 kSide = 2 * kRange + 1;  // of the window
constexpr u32 kPositions = kSide * kSide;
constexpr u32 kStride = (kPositions + 7) / 8 * 8;  // of one block's sums
constexpr u32 kThreads = 128;

/// Pixels outside the frame are those of its border.
__host__ __device__ inline int clamped(int v, int size) {
    return v < 0 ? 0 : v >= size ? size - 1 : v;
}

/// One CTA a smallest block: blockIdx.x = macroblock, blockIdx.y = block in it (row-major).
extern "C" __global__ void smallest(const u16* frame, const u16* before, u16* sums, int width, int height) {
    const int across = width / static_cast<int>(kMacroblock);
    const int mb = static_cast<int>(blockIdx.x), block = static_cast<int>(blockIdx.y);
    const int x0 = (mb % across) * 16 + (block % 4) * 4, y0 = (mb / across) * 16 + (block / 4) * 4;
    u16* out = sums + (u64{blockIdx.x} * kSmall + blockIdx.y) * kStride;
    for (u32 p = threadIdx.x; p < kPositions; p += kThreads) {
        const int dx = static_cast<int>(p % kSide) - kRange, dy = static_cast<int>(p / kSide) - kRange;
        int sum = 0;
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) {
                const int here = __ldg(&frame[(y0 + y) * width + x0 + x]);
                const int there =
                    __ldg(&before[clamped(y0 + dy + y, height) * width + clamped(x0 + dx + x, width)]);
                const int difference = here - there;
                sum += difference < 0 ? -difference : difference;
            }
        out[p] = static_cast<u16>(sum);
    }
}

/// out[mb][i] = from[mb][first[i]] + from[mb][second[i]], `outs` blocks a macroblock out of `ins`.
extern "C" __global__ void combine(const u16* from, u16* out, const u8* first, const u8* second, u32 ins,
                                   u32 outs) {
    const u16* a = from + (u64{blockIdx.x} * ins + first[blockIdx.y]) * kStride;
    const u16* b = from + (u64{blockIdx.x} * ins + second[blockIdx.y]) * kStride;
    u16* to = out + (u64{blockIdx.x} * outs + blockIdx.y) * kStride;
    for (u32 p = threadIdx.x; p < kPositions; p += kThreads) to[p] = static_cast<u16>(a[p] + b[p]);
}

/// Which two blocks make each larger one.
struct Pairing {
    const char* name;
    u32 from;  // index of the level that they come from
    std::vector<u8> first, second;
};

/// Level 0 is 4x4 in rows of four; then 8x4, 4x8, 8x8, 16x8, 8x16, 16x16 (width x height).
std::vector<Pairing> pairings() {
    Pairing wide{"8x4", 0, {}, {}}, tall{"4x8", 0, {}, {}};
    for (u8 y = 0; y < 4; ++y)
        for (u8 x = 0; x < 4; x = static_cast<u8>(x + 2)) {
            wide.first.push_back(static_cast<u8>(y * 4 + x));
            wide.second.push_back(static_cast<u8>(y * 4 + x + 1));
        }
    for (u8 y = 0; y < 4; y = static_cast<u8>(y + 2))
        for (u8 x = 0; x < 4; ++x) {
            tall.first.push_back(static_cast<u8>(y * 4 + x));
            tall.second.push_back(static_cast<u8>(y * 4 + 4 + x));
        }
    // 8x4 blocks lie in rows of two, 8x8 blocks too.
    return {wide,
            tall,
            {"8x8", 1, {0, 1, 4, 5}, {2, 3, 6, 7}},
            {"16x8", 3, {0, 2}, {1, 3}},
            {"8x16", 3, {0, 1}, {2, 3}},
            {"16x16", 4, {0}, {1}}};
}

std::vector<u16> reference(const std::vector<u16>& frame, const std::vector<u16>& before, int width,
                           int height) {
    const int across = width / 16, macroblocks = across * (height / 16);
    std::vector<u16> sums(static_cast<std::size_t>(macroblocks) * kSmall * kStride);
    u16* out = sums.data();
    for (int mb = 0; mb < macroblocks; ++mb)
        for (int block = 0; block < 16; ++block, out += kStride)
            for (u32 p = 0; p < kPositions; ++p) {
                int sum = 0;
                for (int y = 0; y < 4; ++y)
                    for (int x = 0; x < 4; ++x) {
                        const int fx = (mb % across) * 16 + (block % 4) * 4 + x,
                                  fy = (mb / across) * 16 + (block / 4) * 4 + y;
                        const int bx = clamped(fx + static_cast<int>(p % kSide) - kRange, width);
                        const int by = clamped(fy + static_cast<int>(p / kSide) - kRange, height);
                        sum += std::abs(frame[static_cast<std::size_t>(fy * width + fx)] -
                                        before[static_cast<std::size_t>(by * width + bx)]);
                    }
                out[p] = static_cast<u16>(sum);
            }
    return sums;
}

/// Blocks in units of 4 x 4 pixels.
struct Shape {
    u32 width, height;
};

/// Of the larger blocks, in the order of the levels.
constexpr Shape kShapes[] = {{2, 1}, {1, 2}, {2, 2}, {4, 2}, {2, 4}, {4, 4}};

/// Sums of the blocks of a shape, row by row in each macroblock, each from all the smallest blocks that it covers.
std::vector<u16> sums_of(const std::vector<u16>& small, u32 macroblocks, Shape shape) {
    const u32 across = 4 / shape.width, blocks_of_one = across * (4 / shape.height);
    std::vector<u16> sums(std::size_t{macroblocks} * blocks_of_one * kStride);
    u16* out = sums.data();
    for (u32 mb = 0; mb < macroblocks; ++mb)
        for (u32 i = 0; i < blocks_of_one; ++i, out += kStride)
            for (u32 y = i / across * shape.height; y < (i / across + 1) * shape.height; ++y)
                for (u32 x = i % across * shape.width; x < (i % across + 1) * shape.width; ++x)
                    for (u32 s = 0; s < kStride; ++s)
                        out[s] = static_cast<u16>(
                            out[s] + small[(std::size_t{mb} * kSmall + y * 4 + x) * kStride + s]);
    return sums;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("sad", "sums of absolute differences of a video frame", argc, argv);
    const u32 w = args.count("width", "width of the frame, a multiple of 16", Sizes<u32>{32, 112, 1024});
    const u32 h = args.count("height", "height of the frame, a multiple of 16", Sizes<u32>{16, 80, 704});
    args.done();
    if (w % kMacroblock != 0 || h % kMacroblock != 0)
        args.fail("--width and --height must be multiples of 16");
    if (w > 8192 || h > 8192) args.fail("the frame is too large");

    // A moving, noisy pattern.
    Random random(args.seed());
    const int width = static_cast<int>(w), height = static_cast<int>(h);
    std::vector<u16> frame(std::size_t{w} * h), before(frame.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto at = static_cast<std::size_t>(y * width + x);
            before[at] =
                static_cast<u16>((x * 5 + y * 3 + (x * y) / 16) % 224 + static_cast<int>(random.below(32)));
            frame[at] = static_cast<u16>(((x + 3) * 5 + (y - 2) * 3 + ((x + 3) * (y + 6)) / 16) % 224 +
                                         static_cast<int>(random.below(32)));
        }
    const u32 macroblocks = (w / kMacroblock) * (h / kMacroblock);
    const std::vector<Pairing> larger = pairings();
    DeviceArray<u16> d_frame(frame), d_before(before);
    std::deque<DeviceArray<u16>> level;
    level.emplace_back(std::size_t{macroblocks} * kSmall * kStride).clear();
    smallest<<<dim3(macroblocks, kSmall), kThreads>>>(d_frame.data(), d_before.data(), level[0].data(), width,
                                                      height);
    must(cudaGetLastError());
    const auto blocks_in = [&](std::size_t l) {
        return l == 0 ? kSmall : static_cast<u32>(larger[l - 1].first.size());
    };
    for (const Pairing& p : larger) {
        const u32 outs = static_cast<u32>(p.first.size());
        DeviceArray<u8> first(p.first), second(p.second);
        level.emplace_back(std::size_t{macroblocks} * outs * kStride).clear();
        combine<<<dim3(macroblocks, outs), kThreads>>>(level[p.from].data(), level.back().data(),
                                                       first.data(), second.data(), blocks_in(p.from), outs);
        must(cudaGetLastError());
    }

    Verdict verdict("sad");
    const std::vector<u16> expected = reference(frame, before, width, height);
    verdict.equal("sum of 4x4", level[0].host(), expected);
    for (std::size_t l = 0; l < larger.size(); ++l)
        verdict.equal(std::string("sum of ") + larger[l].name, level[l + 1].host(),
                      sums_of(expected, macroblocks, kShapes[l]));
    std::printf("sad: %u x %u, %u macroblocks, %u positions\n", w, h, macroblocks, kPositions);
    return verdict.exit_code();
}
