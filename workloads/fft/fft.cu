// fft: one-dimensional Fourier transforms of complex numbers, many at once, in passes of radix 8 and a last one of 2 or
// 4 (Stockham's order, so that no reversal of bits is needed; Govindaraju et al., SC 2008).
// shared: a transform stays with its CTA, eight points a thread in registers, passes exchange them through shared
// memory (Volkov, Kazian 2008; SHOC); up to 4096 points. global: one launch a pass, through global memory; any length.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kRadix = 8;
constexpr u32 kThreads = 64;       // of a CTA, or as many as a transform needs
constexpr u32 kMostShared = 4096;  // points of a transform

struct Complex {
    float re, im;
};

__device__ Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
}
__device__ Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
}
__device__ Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// Times -i.
__device__ Complex turned(Complex a) {
    return {a.im, -a.re};
}

/// Transforms of v[0], v[Stride], ..., in place and in order.
template <u32 Stride>
__device__ void transform2(Complex* v) {
    const Complex a = v[0], b = v[Stride];
    v[0] = a + b;
    v[Stride] = a - b;
}
template <u32 Stride>
__device__ void transform4(Complex* v) {
    transform2<2 * Stride>(v);           // even points
    transform2<2 * Stride>(v + Stride);  // odd points
    const Complex odd1 = turned(v[3 * Stride]), even0 = v[0], even1 = v[2 * Stride], odd0 = v[Stride];
    v[0] = even0 + odd0;
    v[Stride] = even1 + odd1;
    v[2 * Stride] = even0 - odd0;
    v[3 * Stride] = even1 - odd1;
}
__device__ void transform8(Complex* v) {
    constexpr float r = 0.70710678f;
    transform4<2>(v);
    transform4<2>(v + 1);
    const Complex even[4] = {v[0], v[2], v[4], v[6]};
    const Complex odd[4] = {v[1], Complex{r, -r} * v[3], turned(v[5]), Complex{-r, -r} * v[7]};
#pragma unroll
    for (u32 i = 0; i < 4; ++i) {
        v[i] = even[i] + odd[i];
        v[i + 4] = even[i] - odd[i];
    }
}

/// One butterfly of a pass: times the roots of unity, then the transform of `Radix` points. `done` points long are the
/// transforms that the passes before made; j is the butterfly's number.
template <u32 Radix, u32 Stride>
__device__ void butterfly(Complex* v, u32 j, u32 done) {
    const float angle = -6.2831853f / static_cast<float>(done * Radix) * static_cast<float>(j % done);
#pragma unroll
    for (u32 r = 1; r < Radix; ++r) {
        Complex root;
        __sincosf(angle * static_cast<float>(r), &root.im, &root.re);
        v[r * Stride] = root * v[r * Stride];
    }
    if (Radix == 2) transform2<Stride>(v);
    if (Radix == 4) transform4<Stride>(v);
    if (Radix == 8) transform8(v);
}

/// Where the results of butterfly j go: there, and `done` apart.
__device__ u32 destination(u32 j, u32 done, u32 radix) {
    return j / done * done * radix + j % done;
}

/// A thread holds eight points, so a CTA makes 8 blockDim.x / n transforms.
extern "C" __global__ void transform_shared(const Complex* from, Complex* to, u32 n, u32 batch) {
    extern __shared__ float exchanged[];  // real parts of all points of the CTA, then imaginary ones
    float* const re = exchanged;
    float* const im = exchanged + kRadix * blockDim.x;
    const u32 each = n / kRadix;  // threads of a transform; its thread j holds the points j + r * each
    const u32 j = threadIdx.x % each, local = threadIdx.x / each;
    const u32 number = blockIdx.x * (blockDim.x / each) + local;
    const bool active = number < batch;
    const u64 begin = u64{number} * n + j;
    const u32 shared_begin = local * n;
    Complex v[kRadix];
#pragma unroll
    for (u32 r = 0; r < kRadix; ++r) v[r] = active ? from[begin + r * each] : Complex{0, 0};
    u32 done = 1;
    for (; n / done >= kRadix; done *= kRadix) {
        butterfly<kRadix, 1>(v, j, done);
        if (done * kRadix == n) break;  // the results stand where the last pass leaves them
        const u32 out = shared_begin + destination(j, done, kRadix);
#pragma unroll
        for (u32 r = 0; r < kRadix; ++r) {
            re[out + r * done] = v[r].re;
            im[out + r * done] = v[r].im;
        }
        __syncthreads();
#pragma unroll
        for (u32 r = 0; r < kRadix; ++r)
            v[r] = {re[shared_begin + j + r * each], im[shared_begin + j + r * each]};
        __syncthreads();
    }
    // The last pass of a smaller radix: a thread has the points of four butterflies of two or two of four.
    if (n / done == 4) {
#pragma unroll
        for (u32 q = 0; q < 2; ++q) butterfly<4, 2>(v + q, j + q * each, done);
    } else if (n / done == 2) {
#pragma unroll
        for (u32 q = 0; q < 4; ++q) butterfly<2, 4>(v + q, j + q * each, done);
    }
#pragma unroll
    for (u32 r = 0; r < kRadix; ++r)
        if (active) to[begin + r * each] = v[r];
}

template <u32 Radix>
__device__ void pass(const Complex* from, Complex* to, u32 n, u32 batch, u32 done) {
    const u64 thread = u64{blockIdx.x} * blockDim.x + threadIdx.x;
    const u32 each = n / Radix;
    if (thread >= u64{batch} * each) return;
    const u32 j = static_cast<u32>(thread % each);
    const u64 begin = thread / each * n;
    Complex v[Radix];
#pragma unroll
    for (u32 r = 0; r < Radix; ++r) v[r] = from[begin + j + r * each];
    butterfly<Radix, 1>(v, j, done);
    const u64 out = begin + destination(j, done, Radix);
#pragma unroll
    for (u32 r = 0; r < Radix; ++r) to[out + r * done] = v[r];
}

extern "C" __global__ void pass8(const Complex* from, Complex* to, u32 n, u32 batch, u32 done) {
    pass<8>(from, to, n, batch, done);
}
extern "C" __global__ void pass4(const Complex* from, Complex* to, u32 n, u32 batch, u32 done) {
    pass<4>(from, to, n, batch, done);
}
extern "C" __global__ void pass2(const Complex* from, Complex* to, u32 n, u32 batch, u32 done) {
    pass<2>(from, to, n, batch, done);
}

using Points = std::vector<std::pair<double, double>>;

/// The definition by halves, in double precision: even points, odd points, and both put together.
Points reference(const Points& x) {
    const std::size_t n = x.size();
    if (n == 1) return x;
    Points even(n / 2), odd(n / 2), out(n);
    for (std::size_t i = 0; i < n / 2; ++i) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    even = reference(even);
    odd = reference(odd);
    for (std::size_t k = 0; k < n / 2; ++k) {
        const double angle = -2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n);
        const double c = std::cos(angle), s = std::sin(angle);
        const double re = c * odd[k].first - s * odd[k].second, im = c * odd[k].second + s * odd[k].first;
        out[k] = {even[k].first + re, even[k].second + im};
        out[k + n / 2] = {even[k].first - re, even[k].second - im};
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("fft", "one-dimensional Fourier transforms", argc, argv);
    const bool shared =
        args.choice("variant", "where passes exchange data", {"shared", "global"}) == "shared";
    const u32 n =
        args.count("points", "points per transform, a power of two", Sizes<u32>{512, 512, 512}, kRadix);
    const u32 batch = args.count("batch", "number of transforms", Sizes<u32>{64, 1024, 32'768});
    args.done();
    if ((n & (n - 1)) != 0) args.fail("--points must be a power of two");
    if (shared && n > kMostShared) args.fail("--points: at most 4096, or --variant global");
    // Angles are single precision; so are the whole numbers that they are made of.
    if (n > 1u << 24) args.fail("--points: at most 16777216");
    if (u64{n} * batch > u64{1} << 32) args.fail("--points times --batch: at most 4294967296");

    Random random(args.seed());
    std::vector<Complex> start(u64{n} * batch);
    for (Complex& x : start) {
        x.re = random.between(-1, 1);
        x.im = random.between(-1, 1);
    }
    DeviceArray<Complex> from(start), to(start.size());
    if (shared) {
        const u32 threads = std::max(kThreads, n / kRadix), each = threads * kRadix / n;
        const std::size_t bytes = threads * kRadix * sizeof(Complex);
        transform_shared<<<blocks(batch, each), threads, bytes>>>(from.data(), to.data(), n, batch);
        must(cudaGetLastError());
    } else {
        for (u32 done = 1; done < n;) {
            const u32 radix = std::min(kRadix, n / done);
            const auto kernel = radix == 8 ? pass8 : radix == 4 ? pass4 : pass2;
            kernel<<<blocks(u64{n / radix} * batch, 2 * kThreads), 2 * kThreads>>>(from.data(), to.data(), n,
                                                                                   batch, done);
            must(cudaGetLastError());
            done *= radix;
            from.swap(to);
        }
        from.swap(to);
    }

    std::printf("fft: %u transforms of %u points\n", batch, n);
    Verdict verdict("fft");
    const std::vector<Complex> got = to.host();
    // Results are of the order of sqrt(n); each doubling of the length adds a rounding or two.
    const auto length = static_cast<float>(n);
    const float tolerance = 1e-6f * std::sqrt(length) * std::log2(length);
    for (u32 b = 0; b < batch; ++b) {
        Points x(n);
        for (u32 i = 0; i < n; ++i) x[i] = {start[u64{b} * n + i].re, start[u64{b} * n + i].im};
        const Points expected = reference(x);
        for (u32 i = 0; i < n; ++i) {
            const u64 at = u64{b} * n + i;
            verdict.near("real part", at, got[at].re, static_cast<float>(expected[i].first), tolerance);
            verdict.near("imaginary part", at, got[at].im, static_cast<float>(expected[i].second), tolerance);
        }
    }
    return verdict.exit_code();
}
