// __half and __nv_bfloat16, on the device and on the host: conversions in every rounding mode, arithmetic, comparisons and
// elementary functions, against a search in the list of all values of the format.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "check.h"

// Only the host computes with it; devices have no such type.
#if defined(__CUDA_ARCH__)
using Exact = double;
#else
using Exact = __float128;
#endif
constexpr int kInputs = 4096;

enum Mode { rn, rz, rd, ru };

template <class H>
H from_bits(unsigned b) {
    H h;
    const unsigned short bits = static_cast<unsigned short>(b);
    std::memcpy(&h, &bits, 2);
    return h;
}
template <class H>
unsigned bits_of(H h) {
    unsigned short bits;
    std::memcpy(&bits, &h, 2);
    return bits;
}

/// A format of 1 + exponent + mantissa bits.
template <class H>
struct Format;
template <>
struct Format<__half> {
    static constexpr int mantissa = 10, bias = 15;
};
template <>
struct Format<__nv_bfloat16> {
    static constexpr int mantissa = 7, bias = 127;
};

template <class H>
double value(unsigned b) {
    using F = Format<H>;
    const int exponent = (b & 0x7fff) >> F::mantissa, fraction = b & ((1 << F::mantissa) - 1);
    const int top = 0x7fff >> F::mantissa;
    const double magnitude = exponent == top ? (fraction != 0 ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(fraction, 1 - F::bias - F::mantissa)
                                             : std::ldexp(fraction + (1 << F::mantissa), exponent - F::bias - F::mantissa);
    return (b & 0x8000) != 0 ? -magnitude : magnitude;
}
template <class H>
bool is_nan(unsigned b) {
    return std::isnan(value<H>(b));
}

/// The bits of v rounded, found between two neighbours.
template <class H>
unsigned rounded(Exact v, Mode mode) {
    if (v != v) return 0x7fff;
    const unsigned infinity = (0x7fff >> Format<H>::mantissa) << Format<H>::mantissa;
    const unsigned sign = v < 0 || (v == 0 && std::signbit(static_cast<double>(v))) ? 0x8000 : 0;
    const Exact m = v < 0 ? -v : v;
    unsigned low = 0, high = infinity;  // m lies from low to before high
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (m < static_cast<Exact>(value<H>(middle)) ? high : low) = middle;
    }
    if (m > 1e300) low = infinity;
    const bool exact = low == infinity || m == static_cast<Exact>(value<H>(low));
    if (exact) return sign | low;
    // The place of infinity in the row of numbers, for rounding to nearest.
    const Exact above = high == infinity ? static_cast<Exact>(std::ldexp(1.0, Format<H>::bias + 1)) : static_cast<Exact>(value<H>(high));
    const Exact middle = (static_cast<Exact>(value<H>(low)) + above) / 2;
    bool up = false;
    switch (mode) {
        case rn: up = m > middle || (m == middle && (low & 1) != 0); break;
        case rz: break;
        case rd: up = sign != 0; break;
        case ru: up = sign == 0; break;
    }
    return sign | (up ? high : low);
}

// X(name, value of it from x, y, z)
#define ARITHMETIC(X)                       \
    X(__hadd, Exact(x) + y)                 \
    X(__hsub, Exact(x) - y)                 \
    X(__hmul, Exact(x) * y)                 \
    X(__hdiv, Exact(x) / y)
#define COMPARISONS(X) X(eq, ==) X(ne, !=) X(lt, <) X(le, <=) X(gt, >) X(ge, >=)

template <class H>
__host__ __device__ void arithmetic(const H* a, const H* b, const H* c, H* out, unsigned* flags, int i) {
#define ROW(name, exact)     \
    out[i] = name(a[i], b[i]); \
    out += kInputs;
    ARITHMETIC(ROW)
#undef ROW
    out[i] = __hfma(a[i], b[i], c[i]);
    out += kInputs;
    out[i] = __hmin(a[i], b[i]);
    out += kInputs;
    out[i] = __hmax(a[i], b[i]);
    out += kInputs;
    out[i] = __hmax_nan(a[i], b[i]);
    out += kInputs;
    out[i] = __hadd_sat(a[i], b[i]);
    out += kInputs;
    out[i] = __hfma_relu(a[i], b[i], c[i]);
    unsigned f = 0;
#define ROW(name, sign) f = f << 2 | __h##name(a[i], b[i]) << 1 | __h##name##u(a[i], b[i]);
    COMPARISONS(ROW)
#undef ROW
    flags[i] = f;
}
template <class H>
__global__ void arithmetic_on_device(const H* a, const H* b, const H* c, H* out, unsigned* flags) {
    arithmetic(a, b, c, out, flags, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

template <class H>
void check_arithmetic(const char* type, bool on_host) {
    H *a = managed<H>(kInputs), *b = managed<H>(kInputs), *c = managed<H>(kInputs), *out = managed<H>(16 * kInputs);
    unsigned* flags = managed<unsigned>(kInputs);
    for (int i = 0; i < kInputs; ++i) {
        a[i] = from_bits<H>(random_bits());
        // Near each other, so that sums cancel and round.
        b[i] = from_bits<H>(i % 2 == 0 ? random_bits() : bits_of(a[i]) ^ (random_bits() & 0x83ff));
        c[i] = from_bits<H>(i % 4 == 0 ? random_bits() : bits_of(H(static_cast<float>(-value<H>(bits_of(a[i])) * value<H>(bits_of(b[i]))))) ^ (random_bits() & 3));
    }
    if (on_host)
        for (int i = 0; i < kInputs; ++i) arithmetic(a, b, c, out, flags, i);
    else
        arithmetic_on_device<<<kInputs / 128, 128>>>(a, b, c, out, flags);
    CUDA(cudaDeviceSynchronize());
    const H* o = out;
    auto compare = [&](const char* name, int i, unsigned wanted) {
        const unsigned got = bits_of(o[i]);
        CHECK(got == wanted || (is_nan<H>(got) && is_nan<H>(wanted)), "%s %s(%04x, %04x, %04x) is %04x, not %04x",
              type, name, bits_of(a[i]), bits_of(b[i]), bits_of(c[i]), got, wanted);
    };
    for (int i = 0; i < kInputs; ++i) {
        const double x = value<H>(bits_of(a[i])), y = value<H>(bits_of(b[i])), z = value<H>(bits_of(c[i]));
        o = out;
#define ROW(name, exact)                         \
    compare(#name, i, rounded<H>(exact, rn));    \
    o += kInputs;
        ARITHMETIC(ROW)
#undef ROW
        const Exact sum = Exact(x) * y + z;
        compare("__hfma", i, rounded<H>(sum, rn));
        o += kInputs;
        const unsigned ab = bits_of(a[i]), bb = bits_of(b[i]);
        const bool a_less = x < y || (x == y && (ab & 0x8000) != 0);
        compare("__hmin", i, std::isnan(x) ? bb : std::isnan(y) || a_less ? ab : bb);
        o += kInputs;
        compare("__hmax", i, std::isnan(x) ? bb : std::isnan(y) || !a_less ? ab : bb);
        o += kInputs;
        compare("__hmax_nan", i, std::isnan(x) || std::isnan(y) ? 0x7fff : a_less ? bb : ab);
        o += kInputs;
        const Exact plain = Exact(x) + y;
        compare("__hadd_sat", i, rounded<H>(plain > 0 ? std::min(plain, Exact(1)) : Exact(0), rn));
        o += kInputs;
        const unsigned fused = rounded<H>(sum, rn);
        compare("__hfma_relu", i, (fused & 0x8000) != 0 && !is_nan<H>(fused) ? 0 : fused);
        unsigned f = 0;
        const bool unordered = std::isnan(x) || std::isnan(y);
#define ROW(name, sign) f = f << 2 | (!unordered && x sign y) << 1 | (unordered || x sign y);
        COMPARISONS(ROW)
#undef ROW
        CHECK(flags[i] == f, "%s comparisons of %04x and %04x: %03x, not %03x", type, ab, bb, flags[i], f);
    }
}

/// An input of a conversion, in every type that it can come in.
struct Input {
    float f;
    double d;
    long long l;
};
// X(name, type, member)
#define SOURCES(X)                              \
    X(float, float, f)                          \
    X(short, short, l)                          \
    X(ushort, unsigned short, l)                \
    X(int, int, l)                              \
    X(uint, unsigned, l)                        \
    X(ll, long long, l)                         \
    X(ull, unsigned long long, l)
#define MODES(X, ...) X(rn, __VA_ARGS__) X(rz, __VA_ARGS__) X(rd, __VA_ARGS__) X(ru, __VA_ARGS__)
#define TARGETS(X) X(short, short) X(ushort, unsigned short) X(int, int) X(uint, unsigned) X(ll, long long) X(ull, unsigned long long)

template <class H>
struct Convert;
#define FROM(mode, H, letters, name, T, member) \
    out[i] = __##name##2##letters##_##mode(static_cast<T>(in[i].member)); \
    out += kInputs;
#define CONVERSIONS(H, letters, back)                                                                   \
    template <>                                                                                         \
    struct Convert<H> {                                                                                 \
        static __host__ __device__ void all(const Input* in, H* out, long long* whole, int i) {         \
            EACH_SOURCE(H, letters)                                                                     \
            out[i] = __double2##letters(in[i].d);                                                       \
            const H h = __float2##letters(in[i].f);                                                     \
            EACH_TARGET(back)                                                                           \
        }                                                                                               \
    };
#define EACH_SOURCE(H, letters)                              \
    MODES(FROM, H, letters, float, float, f)                 \
    MODES(FROM, H, letters, short, short, l)                 \
    MODES(FROM, H, letters, ushort, unsigned short, l)       \
    MODES(FROM, H, letters, int, int, l)                     \
    MODES(FROM, H, letters, uint, unsigned, l)               \
    MODES(FROM, H, letters, ll, long long, l)                \
    MODES(FROM, H, letters, ull, unsigned long long, l)
#define TO(mode, back, name)                                        \
    whole[i] = static_cast<long long>(__##back##2##name##_##mode(h)); \
    whole += kInputs;
#define EACH_TARGET(back)       \
    MODES(TO, back, short)      \
    MODES(TO, back, ushort)     \
    MODES(TO, back, int)        \
    MODES(TO, back, uint)       \
    MODES(TO, back, ll)         \
    MODES(TO, back, ull)
CONVERSIONS(__half, half, half)
CONVERSIONS(__nv_bfloat16, bfloat16, bfloat16)

template <class H>
__global__ void convert_on_device(const Input* in, H* out, long long* whole) {
    Convert<H>::all(in, out, whole, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

/// Rounded to a whole number, saturated; NaN is 0 or, in 64 bits, the lowest number (unsigned: half the range).
template <class T>
long long whole_number(double v, Mode mode) {
    if (std::isnan(v)) return sizeof(T) < 8 ? 0 : static_cast<long long>(1ull << 63);
    const double w = mode == rn ? std::nearbyint(v) : mode == rz ? std::trunc(v) : mode == rd ? std::floor(v) : std::ceil(v);
    const T least = std::is_signed_v<T> ? static_cast<T>(1ull << (8 * sizeof(T) - 1)) : T(0);
    if (w <= static_cast<double>(least)) return static_cast<long long>(least);
    if (w >= std::ldexp(1.0, 8 * sizeof(T) - std::is_signed_v<T>)) return static_cast<long long>(static_cast<T>(~least));
    return static_cast<long long>(static_cast<T>(w));
}

template <class H>
void check_conversions(const char* type, bool on_host) {
    Input* in = managed<Input>(kInputs);
    H* out = managed<H>(30 * kInputs);
    long long* whole = managed<long long>(30 * kInputs);
    for (int i = 0; i < kInputs; ++i) {
        unsigned bits = random_bits();
        // A value of the format, halfway to its neighbour, and just beside that.
        if (i % 2 == 0) {
            in[i].d = value<H>(bits) + (value<H>(bits + 1) - value<H>(bits)) / 2;
            std::memcpy(&in[i].f, &bits, 4);
            in[i].f = i % 4 == 0 ? static_cast<float>(in[i].d) : in[i].f;
            if (i % 8 == 4) in[i].d = std::nextafter(in[i].d, i % 16 == 4 ? INFINITY : -INFINITY);
        } else {
            std::memcpy(&in[i].f, &bits, 4);
            in[i].d = std::ldexp(static_cast<double>(bits) - 2147483648.0, static_cast<int>(random_bits() % 80) - 70);
        }
        in[i].l = static_cast<long long>((static_cast<unsigned long long>(random_bits()) << 32 | random_bits()) >> random_bits() % 64);
        if (i % 3 == 0) in[i].l = -in[i].l;
    }
    if (on_host)
        for (int i = 0; i < kInputs; ++i) Convert<H>::all(in, out, whole, i);
    else
        convert_on_device<<<kInputs / 128, 128>>>(in, out, whole);
    CUDA(cudaDeviceSynchronize());
    const H* o = out;
    const long long* w = whole;
#define ROW(mode, name, T, member)                                                                          \
    for (int i = 0; i < kInputs; ++i) {                                                                     \
        const unsigned got = bits_of(o[i]), wanted = rounded<H>(static_cast<Exact>(static_cast<T>(in[i].member)), mode); \
        CHECK(got == wanted || (is_nan<H>(got) && is_nan<H>(wanted)), "%s from " #name "_" #mode "(%a, %lld): %04x, not %04x", type,           \
              static_cast<double>(in[i].f), in[i].l, got, wanted);                                          \
    }                                                                                                       \
    o += kInputs;
#define SOURCE(name, T, member) MODES(ROW, name, T, member)
    SOURCES(SOURCE)
#undef ROW
    for (int i = 0; i < kInputs; ++i) {
        const unsigned got = bits_of(o[i]), wanted = rounded<H>(static_cast<Exact>(in[i].d), rn);
        CHECK(got == wanted || (is_nan<H>(got) && is_nan<H>(wanted)), "%s from double %a: %04x, not %04x", type,
              in[i].d, got, wanted);
    }
#define ROW(mode, name, T)                                                                                  \
    for (int i = 0; i < kInputs; ++i) {                                                                     \
        const double v = value<H>(rounded<H>(static_cast<Exact>(in[i].f), rn));                             \
        CHECK(w[i] == whole_number<T>(v, mode), "%s to " #name "_" #mode "(%a): %lld, not %lld", type, v, w[i], \
              whole_number<T>(v, mode));                                                                    \
    }                                                                                                       \
    w += kInputs;
#define TARGET(name, T) MODES(ROW, name, T)
    TARGETS(TARGET)
#undef ROW
}

// Functions: at most one unit in the last place from the exact value.
#define FUNCTIONS(X) X(sqrt, std::sqrt(x)) X(rsqrt, 1 / std::sqrt(x)) X(rcp, 1 / x) X(exp, std::exp(x)) X(exp2, std::exp2(x)) \
    X(exp10, std::pow(10, x)) X(log, std::log(x)) X(log2, std::log2(x)) X(log10, std::log10(x)) X(sin, std::sin(x)) \
    X(cos, std::cos(x)) X(floor, std::floor(x)) X(ceil, std::ceil(x)) X(trunc, std::trunc(x)) X(rint, std::nearbyint(x))

template <class H, class H2>
__global__ void functions(const H* a, H* out, H* pairs, int* differ, H* sums) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    H* o = out;
    const H2 both(a[i], a[kInputs - 1 - i]);
#define ROW(name, exact)                                     \
    o[i] = h##name(a[i]);                                    \
    {                                                        \
        const H2 p = h2##name(both);                         \
        pairs[i] = p.x;                                      \
        pairs[kInputs - 1 - i] = p.y;                        \
        if (!__heq(p.x, o[i]) && !__hisnan(p.x)) *differ = 1; \
    }                                                        \
    o += kInputs;
    FUNCTIONS(ROW)
#undef ROW
    // Pairs are what their parts are.
    const H2 x(a[i], a[i ^ 1]), y(a[i ^ 2], a[i ^ 3]);
    const H2 sum = __hadd2(x, y), product = __hmul2(x, y), fused = __hfma2(x, y, x);
    auto same = [](H p, H q) { return __heq(p, q) || (__hisnan(p) && __hisnan(q)); };
    if (!same(sum.x, __hadd(x.x, y.x)) || !same(sum.y, __hadd(x.y, y.y))) *differ = 2;
    if (!same(product.x, __hmul(x.x, y.x)) || !same(product.y, __hmul(x.y, y.y))) *differ = 3;
    if (!same(fused.x, __hfma(x.x, y.x, x.x)) || !same(fused.y, __hfma(x.y, y.y, x.y))) *differ = 4;
    if (__hbeq2(x, y) != (__heq(x.x, y.x) && __heq(x.y, y.y))) *differ = 5;
    if (__hltu2_mask(x, y) != ((__hltu(x.x, y.x) ? 0xffffu : 0u) | (__hltu(x.y, y.y) ? 0xffff0000u : 0u))) *differ = 6;
    H2 stepped = x;
    ++stepped;
    stepped -= x;
    if (!same(stepped.x, __hsub(__hadd(x.x, H(1.0f)), x.x))) *differ = 7;
    // Shuffles and hinted loads carry the bits.
    const H other = __shfl_xor_sync(~0u, a[i], 1);
    if (!same(other, a[i ^ 1]) || !same(__ldg(a + i), a[i]) || !same(__ldcg(a + i), a[i])) *differ = 8;
    const H2 others = __shfl_down_sync(~0u, x, 2);
    if (threadIdx.x % 32 < 30 && !same(others.y, a[(i + 2) ^ 1])) *differ = 9;
    // Small whole numbers add without rounding.
    atomicAdd(sums, H(1.0f));
    if (i % 2 == 0) atomicAdd(reinterpret_cast<H2*>(sums + 2), H2(H(1.0f), H(2.0f)));
}
template <class H, class H2>
void check_functions(const char* type) {
    H *a = managed<H>(kInputs), *out = managed<H>(20 * kInputs), *pairs = managed<H>(kInputs), *sums = managed<H>(4);
    int* differ = managed<int>(1);
    for (int i = 0; i < kInputs; ++i) a[i] = i % 8 == 0 ? from_bits<H>(random_bits()) : H(static_cast<float>(static_cast<int>(random_bits())) * 1e-9f * (1 << i % 5));
    functions<H, H2><<<1, 128>>>(a, out, pairs, differ, sums);
    CUDA(cudaDeviceSynchronize());
    // Whole numbers up to 2 ** (mantissa + 1) are exact.
    CHECK(value<H>(bits_of(sums[0])) == 128 && value<H>(bits_of(sums[2])) == 64 && value<H>(bits_of(sums[3])) == 128, "%s %f %f %f", type, value<H>(bits_of(sums[0])), value<H>(bits_of(sums[2])), value<H>(bits_of(sums[3])));
    functions<H, H2><<<kInputs / 128, 128>>>(a, out, pairs, differ, sums);
    CUDA(cudaDeviceSynchronize());
    CHECK(*differ == 0, "%s: %d", type, *differ);
    const H* o = out;
#define ROW(name, exact)                                                                                     \
    for (int i = 0; i < kInputs; ++i) {                                                                      \
        const double x = value<H>(bits_of(a[i]));                                                            \
        const unsigned wanted = rounded<H>(static_cast<Exact>(exact), rn), got = bits_of(o[i]);              \
        const int apart = static_cast<int>(wanted) - static_cast<int>(got);                                  \
        CHECK((apart >= -1 && apart <= 1) || (is_nan<H>(got) && is_nan<H>(wanted)), "%s h" #name "(%a) is %04x, not %04x", type, x, got, wanted); \
    }                                                                                                        \
    o += kInputs;
    FUNCTIONS(ROW)
#undef ROW
}

int main() {
    for (const bool on_host : {false, true}) {
        check_arithmetic<__half>("half", on_host);
        check_arithmetic<__nv_bfloat16>("bfloat16", on_host);
        check_conversions<__half>("half", on_host);
        check_conversions<__nv_bfloat16>("bfloat16", on_host);
    }
    check_functions<__half, __half2>("half");
    check_functions<__nv_bfloat16, __nv_bfloat162>("bfloat16");
    return finished();
}
