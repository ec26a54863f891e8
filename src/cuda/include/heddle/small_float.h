// The functions of a 16-bit floating-point type and of its pair, whose names and formats cuda_fp16.h and cuda_bf16.h
// define before this. Read once for each type. Meanings are those of the CUDA mathematics manual.

struct HEDDLE_H_RAW {
    unsigned short x;
};
struct __align__(4) HEDDLE_H2_RAW {
    unsigned short x, y;
};

struct __align__(2) HEDDLE_H {
    unsigned short bits;

    HEDDLE_H() = default;
    __host__ __device__ constexpr HEDDLE_H(const HEDDLE_H_RAW& r) : bits(r.x) {}
    __host__ __device__ operator HEDDLE_H_RAW() const {
        return HEDDLE_H_RAW{bits};
    }
    __host__ __device__ HEDDLE_H& operator=(const HEDDLE_H_RAW& r) {
        bits = r.x;
        return *this;
    }
    static __host__ __device__ HEDDLE_H from_bits(unsigned short b) {
        HEDDLE_H h;
        h.bits = b;
        return h;
    }
    static __host__ __device__ HEDDLE_H rounded(float f, heddle_small::Round mode) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_H_ARCH_FMA
        if (mode == heddle_small::nearest) {
            unsigned short r;
            asm("cvt.rn." HEDDLE_H_TYPE ".f32 %0, %1;" : "=h"(r) : "f"(f));
            return from_bits(r);
        }
#endif
        return from_bits(HEDDLE_H_FORMAT::from_float(f, mode));
    }
    __host__ __device__ float to_float() const {
#if defined(__CUDA_ARCH__) && HEDDLE_H_ARCH_ARITHMETIC == 530
        float f;
        asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
        return f;
#else
        return HEDDLE_H_FORMAT::to_float(bits);
#endif
    }

#if !defined(HEDDLE_NO_CONVERSIONS)
    __host__ __device__ HEDDLE_H(float f) : bits(rounded(f, heddle_small::nearest).bits) {}
    __host__ __device__ HEDDLE_H(double d) : HEDDLE_H(heddle_small::odd_float(d)) {}
    __host__ __device__ HEDDLE_H(short i) : HEDDLE_H(static_cast<float>(i)) {}
    __host__ __device__ HEDDLE_H(unsigned short i) : HEDDLE_H(static_cast<float>(i)) {}
    __host__ __device__ HEDDLE_H(int i) : HEDDLE_H(heddle_small::odd_float(static_cast<double>(i))) {}
    __host__ __device__ HEDDLE_H(unsigned i) : HEDDLE_H(heddle_small::odd_float(static_cast<double>(i))) {}
    __host__ __device__ HEDDLE_H(long i) : HEDDLE_H(heddle_small::odd_float(static_cast<long long>(i))) {}
    __host__ __device__ HEDDLE_H(unsigned long i)
        : HEDDLE_H(heddle_small::odd_float(static_cast<unsigned long long>(i))) {}
    __host__ __device__ HEDDLE_H(long long i) : HEDDLE_H(heddle_small::odd_float(i)) {}
    __host__ __device__ HEDDLE_H(unsigned long long i) : HEDDLE_H(heddle_small::odd_float(i)) {}
    __host__ __device__ operator float() const {
        return to_float();
    }
#else
    explicit __host__ __device__ HEDDLE_H(float f) : bits(rounded(f, heddle_small::nearest).bits) {}
    explicit __host__ __device__ HEDDLE_H(double d) : HEDDLE_H(heddle_small::odd_float(d)) {}
#endif
};

struct __align__(4) HEDDLE_H2 {
    HEDDLE_H x, y;

    HEDDLE_H2() = default;
    __host__ __device__ constexpr HEDDLE_H2(HEDDLE_H a, HEDDLE_H b) : x(a), y(b) {}
    __host__ __device__ constexpr HEDDLE_H2(const HEDDLE_H2_RAW& r)
        : x(HEDDLE_H_RAW{r.x}), y(HEDDLE_H_RAW{r.y}) {}
    __host__ __device__ operator HEDDLE_H2_RAW() const {
        return HEDDLE_H2_RAW{x.bits, y.bits};
    }
};

// Conversions. Suffixes: nearest even, to zero, down, up.
HEDDLE_SMALL float HEDDLE_H_TO(float)(HEDDLE_H h) {
    return h.to_float();
}
#define HEDDLE_ROUNDINGS(make) make(_rn, nearest) make(_rz, to_zero) make(_rd, down) make(_ru, up)
#define HEDDLE_FROM_FLOAT(suffix, mode)                         \
    HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(float, suffix)(float f) { \
        return HEDDLE_H::rounded(f, heddle_small::mode);        \
    }
HEDDLE_ROUNDINGS(HEDDLE_FROM_FLOAT)
#undef HEDDLE_FROM_FLOAT
#define HEDDLE_FROM_INTEGER(T, name, wide, suffix, mode)                                             \
    HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(name, suffix)(T i) {                                           \
        return HEDDLE_H::rounded(heddle_small::odd_float(static_cast<wide>(i)), heddle_small::mode); \
    }
/// Saturates; NaN is 0, and the lowest number (unsigned: half the range) of 64 bits.
#define HEDDLE_TO_INTEGER(T, name, least, beyond, not_a_number, suffix, whole)           \
    HEDDLE_SMALL T HEDDLE_H_TO(name##suffix)(HEDDLE_H h) {                               \
        const float f = whole(h.to_float());                                             \
        if (f != f) return not_a_number;                                                 \
        if (f < static_cast<float>(least)) return least;                                 \
        return f >= beyond ? static_cast<T>(~static_cast<T>(least)) : static_cast<T>(f); \
    }
#define HEDDLE_INTEGER(T, name, wide, least, beyond, not_a_number)       \
    HEDDLE_FROM_INTEGER(T, name, wide, _rn, nearest)                     \
    HEDDLE_FROM_INTEGER(T, name, wide, _rz, to_zero)                     \
    HEDDLE_FROM_INTEGER(T, name, wide, _rd, down)                        \
    HEDDLE_FROM_INTEGER(T, name, wide, _ru, up)                          \
    HEDDLE_TO_INTEGER(T, name, least, beyond, not_a_number, _rn, rintf)  \
    HEDDLE_TO_INTEGER(T, name, least, beyond, not_a_number, _rz, truncf) \
    HEDDLE_TO_INTEGER(T, name, least, beyond, not_a_number, _rd, floorf) \
    HEDDLE_TO_INTEGER(T, name, least, beyond, not_a_number, _ru, ceilf)
HEDDLE_INTEGER(short, short, double, -32768, 32768.0f, 0)
HEDDLE_INTEGER(unsigned short, ushort, double, 0, 65536.0f, 0)
HEDDLE_INTEGER(int, int, double, -2147483647 - 1, 2147483648.0f, 0)
HEDDLE_INTEGER(unsigned, uint, double, 0, 4294967296.0f, 0)
HEDDLE_INTEGER(long long, ll, long long, -9223372036854775807ll - 1, 9223372036854775808.0f,
               -9223372036854775807ll - 1)
HEDDLE_INTEGER(unsigned long long, ull, unsigned long long, 0, 18446744073709551616.0f, 1ull << 63)
HEDDLE_TO_INTEGER(signed char, char, -128, 128.0f, 0, _rz, truncf)
HEDDLE_TO_INTEGER(unsigned char, uchar, 0, 256.0f, 0, _rz, truncf)
#undef HEDDLE_FROM_INTEGER
#undef HEDDLE_TO_INTEGER
#undef HEDDLE_INTEGER
#undef HEDDLE_ROUNDINGS
HEDDLE_SMALL HEDDLE_H HEDDLE_H_AS_H(ushort)(unsigned short b) {
    return HEDDLE_H::from_bits(b);
}
HEDDLE_SMALL HEDDLE_H HEDDLE_H_AS_H(short)(short b) {
    return HEDDLE_H::from_bits(static_cast<unsigned short>(b));
}
HEDDLE_SMALL unsigned short HEDDLE_H_AS(ushort)(HEDDLE_H h) {
    return h.bits;
}
HEDDLE_SMALL short HEDDLE_H_AS(short)(HEDDLE_H h) {
    return static_cast<short>(h.bits);
}
HEDDLE_SMALL float __low2float(HEDDLE_H2 h) {
    return h.x.to_float();
}
HEDDLE_SMALL float __high2float(HEDDLE_H2 h) {
    return h.y.to_float();
}
HEDDLE_SMALL HEDDLE_H2 __lowhigh2highlow(HEDDLE_H2 h) {
    return HEDDLE_H2(h.y, h.x);
}
HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(float, )(float f) {
    return HEDDLE_H(f);
}
HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(double, )(double d) {
    return HEDDLE_H(d);
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(float, 2_rn)(float f) {
    return HEDDLE_H2(HEDDLE_H(f), HEDDLE_H(f));
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(floats, 2_rn)(float a, float b) {
    return HEDDLE_H2(HEDDLE_H(a), HEDDLE_H(b));
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(float2, 2_rn)(float2 f) {
    return HEDDLE_H2(HEDDLE_H(f.x), HEDDLE_H(f.y));
}
HEDDLE_SMALL float2 HEDDLE_H_TO(2float2)(HEDDLE_H2 h) {
    return make_float2(h.x.to_float(), h.y.to_float());
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(halves, 2)(HEDDLE_H a, HEDDLE_H b) {
    return HEDDLE_H2(a, b);
}
HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(low, )(HEDDLE_H2 h) {
    return h.x;
}
HEDDLE_SMALL HEDDLE_H HEDDLE_H_OF(high, )(HEDDLE_H2 h) {
    return h.y;
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(low, 2)(HEDDLE_H2 h) {
    return HEDDLE_H2(h.x, h.x);
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(high, 2)(HEDDLE_H2 h) {
    return HEDDLE_H2(h.y, h.y);
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(lows, 2)(HEDDLE_H2 a, HEDDLE_H2 b) {
    return HEDDLE_H2(a.x, b.x);
}
HEDDLE_SMALL HEDDLE_H2 HEDDLE_H_OF(highs, 2)(HEDDLE_H2 a, HEDDLE_H2 b) {
    return HEDDLE_H2(a.y, b.y);
}

// Arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_H_ARCH_ARITHMETIC
#define HEDDLE_BINARY(name, instruction, operation)                                              \
    HEDDLE_SMALL HEDDLE_H name(HEDDLE_H a, HEDDLE_H b) {                                         \
        unsigned short r;                                                                        \
        asm(instruction "." HEDDLE_H_TYPE " %0, %1, %2;" : "=h"(r) : "h"(a.bits), "h"(b.bits));  \
        return HEDDLE_H::from_bits(r);                                                           \
    }                                                                                            \
    HEDDLE_SMALL HEDDLE_H2 name##2(HEDDLE_H2 a, HEDDLE_H2 b) {                                   \
        unsigned r;                                                                              \
        asm(instruction "." HEDDLE_H_TYPE "x2 %0, %1, %2;"                                       \
            : "=r"(r)                                                                            \
            : "r"(heddle_small::bits_as<unsigned>(a)), "r"(heddle_small::bits_as<unsigned>(b))); \
        return heddle_small::bits_as<HEDDLE_H2>(r);                                              \
    }
#else
#define HEDDLE_BINARY(name, instruction, operation)                                           \
    HEDDLE_SMALL HEDDLE_H name(HEDDLE_H a, HEDDLE_H b) {                                      \
        return HEDDLE_H::rounded(a.to_float() operation b.to_float(), heddle_small::nearest); \
    }                                                                                         \
    HEDDLE_SMALL HEDDLE_H2 name##2(HEDDLE_H2 a, HEDDLE_H2 b) {                                \
        return HEDDLE_H2(name(a.x, b.x), name(a.y, b.y));                                     \
    }
#endif
HEDDLE_BINARY(__hadd, "add.rn", +)
HEDDLE_BINARY(__hsub, "sub.rn", -)
HEDDLE_BINARY(__hmul, "mul.rn", *)
#undef HEDDLE_BINARY
HEDDLE_SMALL HEDDLE_H __hfma(HEDDLE_H a, HEDDLE_H b, HEDDLE_H c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_H_ARCH_FMA
    unsigned short r;
    asm("fma.rn." HEDDLE_H_TYPE " %0, %1, %2, %3;" : "=h"(r) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return HEDDLE_H::from_bits(r);
#else
    return HEDDLE_H::rounded(heddle_small::odd_fma(a.to_float(), b.to_float(), c.to_float()),
                             heddle_small::nearest);
#endif
}
HEDDLE_SMALL HEDDLE_H2 __hfma2(HEDDLE_H2 a, HEDDLE_H2 b, HEDDLE_H2 c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_H_ARCH_FMA
    unsigned r;
    asm("fma.rn." HEDDLE_H_TYPE "x2 %0, %1, %2, %3;"
        : "=r"(r)
        : "r"(heddle_small::bits_as<unsigned>(a)), "r"(heddle_small::bits_as<unsigned>(b)),
          "r"(heddle_small::bits_as<unsigned>(c)));
    return heddle_small::bits_as<HEDDLE_H2>(r);
#else
    return HEDDLE_H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
HEDDLE_SMALL HEDDLE_H __hdiv(HEDDLE_H a, HEDDLE_H b) {
    return HEDDLE_H::rounded(a.to_float() / b.to_float(), heddle_small::nearest);
}
HEDDLE_SMALL HEDDLE_H __hneg(HEDDLE_H a) {
    return HEDDLE_H::from_bits(static_cast<unsigned short>(a.bits ^ 0x8000));
}
HEDDLE_SMALL HEDDLE_H __habs(HEDDLE_H a) {
    return HEDDLE_H::from_bits(a.bits & 0x7fff);
}
HEDDLE_SMALL bool __hisnan(HEDDLE_H a) {
    return a.to_float() != a.to_float();
}
HEDDLE_SMALL int __hisinf(HEDDLE_H a) {
    const float f = a.to_float();
    return f == __builtin_inff() ? 1 : f == -__builtin_inff() ? -1 : 0;
}
HEDDLE_SMALL HEDDLE_H __heddle_saturate(HEDDLE_H a) {
    const float f = a.to_float();
    return f > 0 ? (f < 1 ? a : HEDDLE_H::rounded(1.0f, heddle_small::nearest)) : HEDDLE_H::from_bits(0);
}
HEDDLE_SMALL HEDDLE_H __heddle_relu(HEDDLE_H a) {
    return (a.bits & 0x8000) != 0 && !__hisnan(a) ? HEDDLE_H::from_bits(0) : a;
}
/// The smaller (the larger); -0 is less than +0. Of a number and a NaN the number, with _nan the NaN.
HEDDLE_SMALL HEDDLE_H __heddle_select(HEDDLE_H a, HEDDLE_H b, bool larger, bool keep_nan) {
    const bool a_nan = __hisnan(a), b_nan = __hisnan(b);
    if (a_nan || b_nan) return (a_nan && b_nan) || keep_nan ? HEDDLE_H::from_bits(0x7fff) : a_nan ? b : a;
    const float fa = a.to_float(), fb = b.to_float();
    const bool a_less = fa < fb || (fa == fb && (a.bits & 0x8000) != 0);
    return a_less != larger ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= HEDDLE_H_ARCH_MINMAX
#define HEDDLE_EXTREME(name, instruction, larger, keep_nan)                                     \
    HEDDLE_SMALL HEDDLE_H name(HEDDLE_H a, HEDDLE_H b) {                                        \
        unsigned short r;                                                                       \
        asm(instruction "." HEDDLE_H_TYPE " %0, %1, %2;" : "=h"(r) : "h"(a.bits), "h"(b.bits)); \
        return HEDDLE_H::from_bits(r);                                                          \
    }
#else
#define HEDDLE_EXTREME(name, instruction, larger, keep_nan) \
    HEDDLE_SMALL HEDDLE_H name(HEDDLE_H a, HEDDLE_H b) {    \
        return __heddle_select(a, b, larger, keep_nan);     \
    }
#endif
HEDDLE_EXTREME(__hmin, "min", false, false)
HEDDLE_EXTREME(__hmax, "max", true, false)
HEDDLE_EXTREME(__hmin_nan, "min.NaN", false, true)
HEDDLE_EXTREME(__hmax_nan, "max.NaN", true, true)
#undef HEDDLE_EXTREME

#define HEDDLE_PAIRED1(name, single)                \
    HEDDLE_SMALL HEDDLE_H2 name(HEDDLE_H2 a) {      \
        return HEDDLE_H2(single(a.x), single(a.y)); \
    }
#define HEDDLE_PAIRED2(name, single)                          \
    HEDDLE_SMALL HEDDLE_H2 name(HEDDLE_H2 a, HEDDLE_H2 b) {   \
        return HEDDLE_H2(single(a.x, b.x), single(a.y, b.y)); \
    }
HEDDLE_PAIRED2(__h2div, __hdiv)
HEDDLE_PAIRED1(__hneg2, __hneg)
HEDDLE_PAIRED1(__habs2, __habs)
HEDDLE_PAIRED2(__hmin2, __hmin)
HEDDLE_PAIRED2(__hmax2, __hmax)
HEDDLE_PAIRED2(__hmin2_nan, __hmin_nan)
HEDDLE_PAIRED2(__hmax2_nan, __hmax_nan)
/// Versions that are never contracted, that saturate to 0 .. 1, that are 0 below 0.
#define HEDDLE_VARIANTS(base)                                  \
    HEDDLE_SMALL HEDDLE_H base##_rn(HEDDLE_H a, HEDDLE_H b) {  \
        return base(a, b);                                     \
    }                                                          \
    HEDDLE_SMALL HEDDLE_H base##_sat(HEDDLE_H a, HEDDLE_H b) { \
        return __heddle_saturate(base(a, b));                  \
    }                                                          \
    HEDDLE_PAIRED2(base##2_rn, base##_rn)                      \
    HEDDLE_PAIRED2(base##2_sat, base##_sat)
HEDDLE_VARIANTS(__hadd)
HEDDLE_VARIANTS(__hsub)
HEDDLE_VARIANTS(__hmul)
#undef HEDDLE_VARIANTS
HEDDLE_SMALL HEDDLE_H __hfma_sat(HEDDLE_H a, HEDDLE_H b, HEDDLE_H c) {
    return __heddle_saturate(__hfma(a, b, c));
}
HEDDLE_SMALL HEDDLE_H __hfma_relu(HEDDLE_H a, HEDDLE_H b, HEDDLE_H c) {
    return __heddle_relu(__hfma(a, b, c));
}
HEDDLE_SMALL HEDDLE_H2 __hfma2_sat(HEDDLE_H2 a, HEDDLE_H2 b, HEDDLE_H2 c) {
    return HEDDLE_H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
HEDDLE_SMALL HEDDLE_H2 __hfma2_relu(HEDDLE_H2 a, HEDDLE_H2 b, HEDDLE_H2 c) {
    return HEDDLE_H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/// The complex product of a and b, plus c.
HEDDLE_SMALL HEDDLE_H2 __hcmadd(HEDDLE_H2 a, HEDDLE_H2 b, HEDDLE_H2 c) {
    return HEDDLE_H2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                     __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// Comparisons: false if one is no number; with u: true. Of pairs: 1 or 0 each; with b: both; _mask: bits all set.
#define HEDDLE_COMPARE(name, operation)                      \
    HEDDLE_SMALL bool __h##name(HEDDLE_H a, HEDDLE_H b) {    \
        const float fa = a.to_float(), fb = b.to_float();    \
        return fa == fa && fb == fb && fa operation fb;      \
    }                                                        \
    HEDDLE_SMALL bool __h##name##u(HEDDLE_H a, HEDDLE_H b) { \
        const float fa = a.to_float(), fb = b.to_float();    \
        return fa != fa || fb != fb || fa operation fb;      \
    }                                                        \
    HEDDLE_COMPARE_PAIR(name)                                \
    HEDDLE_COMPARE_PAIR(name##u)
#define HEDDLE_COMPARE_PAIR(name)                                                             \
    HEDDLE_SMALL HEDDLE_H2 __h##name##2(HEDDLE_H2 a, HEDDLE_H2 b) {                           \
        return HEDDLE_H2(HEDDLE_H::rounded(__h##name(a.x, b.x), heddle_small::nearest),       \
                         HEDDLE_H::rounded(__h##name(a.y, b.y), heddle_small::nearest));      \
    }                                                                                         \
    HEDDLE_SMALL bool __hb##name##2(HEDDLE_H2 a, HEDDLE_H2 b) {                               \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
    }                                                                                         \
    HEDDLE_SMALL unsigned __h##name##2_mask(HEDDLE_H2 a, HEDDLE_H2 b) {                       \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0); \
    }
HEDDLE_COMPARE(eq, ==)
HEDDLE_COMPARE(ne, !=)
HEDDLE_COMPARE(lt, <)
HEDDLE_COMPARE(le, <=)
HEDDLE_COMPARE(gt, >)
HEDDLE_COMPARE(ge, >=)
#undef HEDDLE_COMPARE
#undef HEDDLE_COMPARE_PAIR
HEDDLE_SMALL HEDDLE_H2 __hisnan2(HEDDLE_H2 a) {
    return HEDDLE_H2(HEDDLE_H::rounded(__hisnan(a.x), heddle_small::nearest),
                     HEDDLE_H::rounded(__hisnan(a.y), heddle_small::nearest));
}

// Operators.
#define HEDDLE_OPERATORS(T, add, sub, mul, div, neg)   \
    HEDDLE_SMALL T operator+(const T& a, const T& b) { \
        return add(a, b);                              \
    }                                                  \
    HEDDLE_SMALL T operator-(const T& a, const T& b) { \
        return sub(a, b);                              \
    }                                                  \
    HEDDLE_SMALL T operator*(const T& a, const T& b) { \
        return mul(a, b);                              \
    }                                                  \
    HEDDLE_SMALL T operator/(const T& a, const T& b) { \
        return div(a, b);                              \
    }                                                  \
    HEDDLE_SMALL T& operator+=(T& a, const T& b) {     \
        return a = add(a, b);                          \
    }                                                  \
    HEDDLE_SMALL T& operator-=(T& a, const T& b) {     \
        return a = sub(a, b);                          \
    }                                                  \
    HEDDLE_SMALL T& operator*=(T& a, const T& b) {     \
        return a = mul(a, b);                          \
    }                                                  \
    HEDDLE_SMALL T& operator/=(T& a, const T& b) {     \
        return a = div(a, b);                          \
    }                                                  \
    HEDDLE_SMALL T operator+(const T& a) {             \
        return a;                                      \
    }                                                  \
    HEDDLE_SMALL T operator-(const T& a) {             \
        return neg(a);                                 \
    }                                                  \
    HEDDLE_SMALL T& operator++(T& a) {                 \
        return a = add(a, __heddle_one(a));            \
    }                                                  \
    HEDDLE_SMALL T& operator--(T& a) {                 \
        return a = sub(a, __heddle_one(a));            \
    }                                                  \
    HEDDLE_SMALL T operator++(T& a, int) {             \
        const T old = a;                               \
        ++a;                                           \
        return old;                                    \
    }                                                  \
    HEDDLE_SMALL T operator--(T& a, int) {             \
        const T old = a;                               \
        --a;                                           \
        return old;                                    \
    }
#define HEDDLE_COMPARISONS(T, prefix, suffix)    \
    HEDDLE_COMPARISON(T, ==, prefix##eq##suffix) \
    HEDDLE_COMPARISON(T, !=, prefix##ne##suffix) \
    HEDDLE_COMPARISON(T, <, prefix##lt##suffix)  \
    HEDDLE_COMPARISON(T, <=, prefix##le##suffix) \
    HEDDLE_COMPARISON(T, >, prefix##gt##suffix)  \
    HEDDLE_COMPARISON(T, >=, prefix##ge##suffix)
#define HEDDLE_COMPARISON(T, sign, name)                      \
    HEDDLE_SMALL bool operator sign(const T& a, const T& b) { \
        return name(a, b);                                    \
    }
#if !defined(HEDDLE_NO_OPERATORS)
HEDDLE_SMALL HEDDLE_H __heddle_one(HEDDLE_H) {
    return HEDDLE_H::rounded(1.0f, heddle_small::nearest);
}
HEDDLE_OPERATORS(HEDDLE_H, __hadd, __hsub, __hmul, __hdiv, __hneg)
HEDDLE_COMPARISONS(HEDDLE_H, __h, )
#endif
#if !defined(HEDDLE_NO_OPERATORS) && !defined(HEDDLE_NO_OPERATORS2)
HEDDLE_SMALL HEDDLE_H2 __heddle_one(HEDDLE_H2) {
    return HEDDLE_H2(__heddle_one(HEDDLE_H()), __heddle_one(HEDDLE_H()));
}
HEDDLE_OPERATORS(HEDDLE_H2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
HEDDLE_COMPARISONS(HEDDLE_H2, __hb, 2)
#endif
#undef HEDDLE_OPERATORS
#undef HEDDLE_COMPARISONS
#undef HEDDLE_COMPARISON

#if defined(__CUDA__)
#include "heddle/small_float_device.h"
#endif
#undef HEDDLE_PAIRED1
#undef HEDDLE_PAIRED2
