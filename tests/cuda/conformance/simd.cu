// Every SIMD-in-a-word function, and the functions of dynamic programming, against plain arithmetic on each part.

#include <algorithm>
#include <cstdint>

#include "check.h"

// X(function without its 2 or 4, s or u: how parts are read, result from x and y). least, most: the type's range.
#define BINARY(X)                                                                   \
    X(vadd, u, x + y)                                                               \
    X(vaddss, s, std::clamp(x + y, least, most))                                    \
    X(vaddus, u, std::clamp(x + y, least, most))                                    \
    X(vsub, u, x - y)                                                               \
    X(vsubss, s, std::clamp(x - y, least, most))                                    \
    X(vsubus, u, std::clamp(x - y, least, most))                                    \
    X(vavgs, s, x + y >= 0 ? (x + y + 1) / 2 : -((1 - (x + y)) / 2))                \
    X(vavgu, u, (x + y + 1) / 2)                                                    \
    X(vhaddu, u, (x + y) / 2)                                                       \
    X(vmaxs, s, std::max(x, y))                                                     \
    X(vmaxu, u, std::max(x, y))                                                     \
    X(vmins, s, std::min(x, y))                                                     \
    X(vminu, u, std::min(x, y))                                                     \
    X(vabsdiffs, s, std::abs(x - y))                                                \
    X(vabsdiffu, u, std::abs(x - y))                                                \
    X(vcmpeq, u, x == y ? -1 : 0)                                                   \
    X(vcmpne, u, x != y ? -1 : 0)                                                   \
    X(vcmpges, s, x >= y ? -1 : 0)                                                  \
    X(vcmpgeu, u, x >= y ? -1 : 0)                                                  \
    X(vcmpgts, s, x > y ? -1 : 0)                                                   \
    X(vcmpgtu, u, x > y ? -1 : 0)                                                   \
    X(vcmples, s, x <= y ? -1 : 0)                                                  \
    X(vcmpleu, u, x <= y ? -1 : 0)                                                  \
    X(vcmplts, s, x < y ? -1 : 0)                                                   \
    X(vcmpltu, u, x < y ? -1 : 0)                                                   \
    X(vseteq, u, x == y)                                                            \
    X(vsetne, u, x != y)                                                            \
    X(vsetges, s, x >= y)                                                           \
    X(vsetgeu, u, x >= y)                                                           \
    X(vsetgts, s, x > y)                                                            \
    X(vsetgtu, u, x > y)                                                            \
    X(vsetles, s, x <= y)                                                           \
    X(vsetleu, u, x <= y)                                                           \
    X(vsetlts, s, x < y)                                                            \
    X(vsetltu, u, x < y)
#define UNARY(X)                                                                    \
    X(vabs, s, std::abs(x))                                                         \
    X(vabsss, s, std::min(std::abs(x), most))                                       \
    X(vneg, s, -x)                                                                  \
    X(vnegss, s, std::min(-x, most))
#define SUMS(X)                                                                     \
    X(vsads, s, std::abs(x - y))                                                    \
    X(vsadu, u, std::abs(x - y))
// X(function, s or u, result from x, y and z; sums wrap in the part's type T).
#define THREE(X)                                                                    \
    X(vimin3, std::min({x, y, z}))                                                  \
    X(vimax3, std::max({x, y, z}))                                                  \
    X(viaddmin, std::min(static_cast<long>(static_cast<T>(x + y)), z))              \
    X(viaddmax, std::max(static_cast<long>(static_cast<T>(x + y)), z))

constexpr int kInputs = 2048;

__global__ void device(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* o = out + i;
#define TWO_SIZES(name, sign, result) \
    *o = __##name##2(a[i], b[i]);     \
    o += kInputs;                     \
    *o = __##name##4(a[i], b[i]);     \
    o += kInputs;
    BINARY(TWO_SIZES)
    SUMS(TWO_SIZES)
#undef TWO_SIZES
#define TWO_SIZES(name, sign, result) \
    *o = __##name##2(a[i]);           \
    o += kInputs;                     \
    *o = __##name##4(a[i]);           \
    o += kInputs;
    UNARY(TWO_SIZES)
#undef TWO_SIZES
#define SIX(name, result)                          \
    *o = __##name##_s32(a[i], b[i], c[i]);         \
    o += kInputs;                                  \
    *o = __##name##_u32(a[i], b[i], c[i]);         \
    o += kInputs;                                  \
    *o = __##name##_s16x2(a[i], b[i], c[i]);       \
    o += kInputs;                                  \
    *o = __##name##_u16x2(a[i], b[i], c[i]);       \
    o += kInputs;                                  \
    *o = __##name##_s32_relu(a[i], b[i], c[i]);    \
    o += kInputs;                                  \
    *o = __##name##_s16x2_relu(a[i], b[i], c[i]);  \
    o += kInputs;
    THREE(SIX)
#undef SIX
}

/// The parts of the words, put together again from `f` of each; with `sum` their sum.
template <class T, class F>
unsigned parts(unsigned a, unsigned b, unsigned c, F f, bool sum = false) {
    unsigned packed = 0, total = 0;
    for (unsigned at = 0; at < 32; at += 8 * sizeof(T)) {
        const long v = f(static_cast<long>(static_cast<T>(a >> at)), static_cast<long>(static_cast<T>(b >> at)),
                         static_cast<long>(static_cast<T>(c >> at)));
        total += static_cast<unsigned>(v);
        packed |= (static_cast<unsigned>(v) & static_cast<unsigned>((1ull << 8 * sizeof(T)) - 1)) << at;
    }
    return sum ? total : packed;
}
template <class T>
struct Range {
    static constexpr long least = std::is_signed_v<T> ? -(1l << (8 * sizeof(T) - 1)) : 0;
    static constexpr long most = least + static_cast<long>((1ull << 8 * sizeof(T)) - 1);
};

// What the dot products give, each in its own words.
__global__ void dots(const unsigned* a, const unsigned* b, unsigned* to, int n) {
    const int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
    if (i >= n) return;
    const unsigned x = a[i], y = b[i], c = a[n - 1 - i];
    const int p = static_cast<int>(x), q = static_cast<int>(y), r = static_cast<int>(c);
    to[6 * i] = static_cast<unsigned>(__dp4a(p, q, r));
    to[6 * i + 1] = __dp4a(x, y, c);
    to[6 * i + 2] = static_cast<unsigned>(__dp2a_lo(p, q, r));
    to[6 * i + 3] = __dp2a_lo(x, y, c);
    to[6 * i + 4] = static_cast<unsigned>(__dp2a_hi(p, q, r));
    to[6 * i + 5] = __dp2a_hi(x, y, c);
    const auto part = [](unsigned word, int k) { return word >> 8 * k & 0xff; };
    const char4 sx = make_char4(part(x, 0), part(x, 1), part(x, 2), part(x, 3));
    const char4 sy = make_char4(part(y, 0), part(y, 1), part(y, 2), part(y, 3));
    const uchar4 uy = make_uchar4(part(y, 0), part(y, 1), part(y, 2), part(y, 3));
    const uchar4 ux = make_uchar4(part(x, 0), part(x, 1), part(x, 2), part(x, 3));
    const short2 hx = make_short2(x & 0xffff, x >> 16);
    const ushort2 wx = make_ushort2(x & 0xffff, x >> 16);
    if (__dp4a(sx, sy, r) != __dp4a(p, q, r) || __dp4a(ux, uy, c) != __dp4a(x, y, c) ||
        __dp2a_lo(hx, sy, r) != __dp2a_lo(p, q, r) || __dp2a_lo(wx, uy, c) != __dp2a_lo(x, y, c) ||
        __dp2a_hi(hx, sy, r) != __dp2a_hi(p, q, r) || __dp2a_hi(wx, uy, c) != __dp2a_hi(x, y, c))
        to[6 * i] = ~to[6 * i];
}

template <class Byte, class Half>
void compare_dots(const unsigned* a, const unsigned* b, const unsigned* seen, int n, int first) {
    for (int i = 0; i < n; ++i) {
        unsigned four = a[n - 1 - i], low = four, high = four;
        for (int k = 0; k < 4; ++k) {
            const int y = static_cast<Byte>(b[i] >> 8 * k);
            four += static_cast<unsigned>(static_cast<Byte>(a[i] >> 8 * k) * y);
            (k < 2 ? low : high) += static_cast<unsigned>(static_cast<Half>(a[i] >> 16 * (k % 2)) * y);
        }
        CHECK(seen[6 * i + first] == four, "%d: %x, not %x", i, seen[6 * i + first], four);
        CHECK(seen[6 * i + 2 + first] == low, "%d: %x, not %x", i, seen[6 * i + 2 + first], low);
        CHECK(seen[6 * i + 4 + first] == high, "%d: %x, not %x", i, seen[6 * i + 4 + first], high);
    }
}

int main() {
    unsigned *a = managed<unsigned>(kInputs), *b = managed<unsigned>(kInputs), *c = managed<unsigned>(kInputs);
    unsigned* out = managed<unsigned>(200 * kInputs);
    const unsigned edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, ~0u,
                              0x80808080, 0x7f7f7f7f, 0x80008000, 0x01010101, 0x00ff00ff};
    for (int i = 0; i < kInputs; ++i) {
        a[i] = i < 256 ? edges[i / 16] : random_bits();
        b[i] = i < 256 ? edges[i % 16] : i % 3 == 0 ? a[i] ^ (1u << i % 32) : random_bits();
        c[i] = random_bits() >> i % 32;
    }
    device<<<kInputs / 128, 128>>>(a, b, c, out);
    CUDA(cudaDeviceSynchronize());
    const unsigned* o = out;
    using s2 = std::int16_t;
    using s4 = std::int8_t;
    using u2 = std::uint16_t;
    using u4 = std::uint8_t;
    auto compare = [&](const char* name, auto reference) {
        for (int i = 0; i < kInputs; ++i)
            CHECK(o[i] == reference(a[i], b[i], c[i]), "%s(%08x, %08x, %08x) is %08x, not %08x", name, a[i], b[i],
                  c[i], o[i], reference(a[i], b[i], c[i]));
        o += kInputs;
    };
#define PARTS(name, T, result, sum)                                                           \
    compare(#name, [](unsigned p, unsigned q, unsigned r) {                                   \
        return parts<T>(                                                                      \
            p, q, r,                                                                          \
            [](long x, [[maybe_unused]] long y, [[maybe_unused]] long z) -> long {            \
                [[maybe_unused]] constexpr long least = Range<T>::least, most = Range<T>::most; \
                return result;                                                                \
            },                                                                                \
            sum);                                                                             \
    });
#define TWO_SIZES(name, sign, result)        \
    PARTS(name##2, sign##2, result, false)   \
    PARTS(name##4, sign##4, result, false)
#define TWO_SUMS(name, sign, result)         \
    PARTS(name##2, sign##2, result, true)    \
    PARTS(name##4, sign##4, result, true)
    BINARY(TWO_SIZES)
    SUMS(TWO_SUMS)
    UNARY(TWO_SIZES)
#define WITH_TYPE(name, T_, result)                                                                     \
    compare(#name, [](unsigned p, unsigned q, unsigned r) {                                             \
        return parts<T_>(p, q, r, [](long x, long y, long z) -> long {                                  \
            [[maybe_unused]] typedef T_ T;                                                              \
            return result;                                                                              \
        });                                                                                             \
    });
#define SIX(name, result)                                        \
    WITH_TYPE(name##_s32, std::int32_t, (result))                \
    WITH_TYPE(name##_u32, std::uint32_t, (result))               \
    WITH_TYPE(name##_s16x2, std::int16_t, (result))              \
    WITH_TYPE(name##_u16x2, std::uint16_t, (result))             \
    WITH_TYPE(name##_s32_relu, std::int32_t, std::max(0l, (result))) \
    WITH_TYPE(name##_s16x2_relu, std::int16_t, std::max(0l, (result)))
    THREE(SIX)

    // Two arguments, and the flags that say that the first is the result.
    for (int i = 0; i < kInputs; ++i) {
        const int x = static_cast<int>(a[i]), y = static_cast<int>(b[i]);
        bool flag = false, high = false, low = false;
        CHECK(__vimax_s32_relu(x, y) == std::max({x, y, 0}));
        CHECK(__vimin_s32_relu(x, y) == std::max(std::min(x, y), 0));
        CHECK(__vibmax_s32(x, y, &flag) == std::max(x, y) && flag == (x >= y));
        CHECK(__vibmin_s32(x, y, &flag) == std::min(x, y) && flag == (x <= y));
        CHECK(__vibmax_u32(a[i], b[i], &flag) == std::max(a[i], b[i]) && flag == (a[i] >= b[i]));
        CHECK(__vibmin_u16x2(a[i], b[i], &high, &low) ==
              (std::min(a[i] >> 16, b[i] >> 16) << 16 | std::min(a[i] & 0xffff, b[i] & 0xffff)));
        CHECK(high == (a[i] >> 16 <= b[i] >> 16) && low == ((a[i] & 0xffff) <= (b[i] & 0xffff)));
    }
    unsigned* const seen = managed<unsigned>(6 * kInputs);
    dots<<<(kInputs + 127) / 128, 128>>>(a, b, seen, kInputs);
    CUDA(cudaDeviceSynchronize());
    compare_dots<std::int8_t, std::int16_t>(a, b, seen, kInputs, 0);
    compare_dots<std::uint8_t, std::uint16_t>(a, b, seen, kInputs, 1);
    return finished();
}
