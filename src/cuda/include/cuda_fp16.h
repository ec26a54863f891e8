#pragma once
// Half precision: __half and __half2 with conversions, arithmetic and comparisons. Arithmetic on the device is one f16
// instruction each; on the host it goes through float, rounded once.

#include "cuda_runtime.h"

#if defined(__CUDA__)
#include "heddle/half_bits.h"

struct __half_raw {
    unsigned short x;
};

struct __half {
    unsigned short bits;

    __half() = default;
    __host__ __device__ __half(float f) : bits(heddle_half::from_float(f)) {}
    __host__ __device__ __half(double d) : bits(heddle_half::from_float(static_cast<float>(d))) {}
    __host__ __device__ __half(int i) : bits(heddle_half::from_float(static_cast<float>(i))) {}
    __host__ __device__ __half(__half_raw r) : bits(r.x) {}
    __host__ __device__ operator float() const { return heddle_half::to_float(bits); }
    __host__ __device__ operator __half_raw() const { return __half_raw{bits}; }
    static __host__ __device__ __half from_bits(unsigned short b) {
        __half h;
        h.bits = b;
        return h;
    }
};
typedef __half half;
__host__ __device__ inline heddle_half::Bits::operator __half() const {
    return __half::from_bits(bits);
}

struct __align__(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

#define HEDDLE_HALF static __inline__ __host__ __device__

HEDDLE_HALF __half __float2half(float f) {
    return __half(f);
}
HEDDLE_HALF __half __float2half_rn(float f) {
    return __half(f);
}
HEDDLE_HALF float __half2float(__half h) {
    return static_cast<float>(h);
}
HEDDLE_HALF __half __double2half(double d) {
    return __half(d);
}
HEDDLE_HALF __half __int2half_rn(int i) {
    return __half(i);
}
HEDDLE_HALF int __half2int_rz(__half h) {
    return static_cast<int>(static_cast<float>(h));
}
HEDDLE_HALF __half __ushort_as_half(unsigned short b) {
    return __half::from_bits(b);
}
HEDDLE_HALF unsigned short __half_as_ushort(__half h) {
    return h.bits;
}
HEDDLE_HALF __half __short_as_half(short b) {
    return __half::from_bits(static_cast<unsigned short>(b));
}
HEDDLE_HALF short __half_as_short(__half h) {
    return static_cast<short>(h.bits);
}
HEDDLE_HALF __half2 __halves2half2(__half a, __half b) {
    return __half2(a, b);
}
HEDDLE_HALF __half2 make_half2(__half a, __half b) {
    return __half2(a, b);
}
HEDDLE_HALF __half2 __half2half2(__half a) {
    return __half2(a, a);
}
HEDDLE_HALF __half2 __float2half2_rn(float f) {
    return __half2(__half(f), __half(f));
}
HEDDLE_HALF __half2 __floats2half2_rn(float a, float b) {
    return __half2(__half(a), __half(b));
}
HEDDLE_HALF __half2 __float22half2_rn(float2 f) {
    return __half2(__half(f.x), __half(f.y));
}
HEDDLE_HALF float2 __half22float2(__half2 h) {
    return make_float2(h.x, h.y);
}
HEDDLE_HALF __half __low2half(__half2 h) {
    return h.x;
}
HEDDLE_HALF __half __high2half(__half2 h) {
    return h.y;
}
HEDDLE_HALF float __low2float(__half2 h) {
    return h.x;
}
HEDDLE_HALF float __high2float(__half2 h) {
    return h.y;
}

HEDDLE_HALF __half __hadd(__half a, __half b) {
    return heddle_half::add(a.bits, b.bits);
}
HEDDLE_HALF __half __hsub(__half a, __half b) {
    return heddle_half::sub(a.bits, b.bits);
}
HEDDLE_HALF __half __hmul(__half a, __half b) {
    return heddle_half::mul(a.bits, b.bits);
}
HEDDLE_HALF __half __hfma(__half a, __half b, __half c) {
    return heddle_half::fma(a.bits, b.bits, c.bits);
}
HEDDLE_HALF __half __hdiv(__half a, __half b) {
    return __half(static_cast<float>(a) / static_cast<float>(b));
}
HEDDLE_HALF __half __hneg(__half a) {
    return __half::from_bits(a.bits ^ 0x8000);
}
HEDDLE_HALF __half __habs(__half a) {
    return __half::from_bits(a.bits & 0x7fff);
}
HEDDLE_HALF bool __heq(__half a, __half b) {
    return static_cast<float>(a) == static_cast<float>(b);
}
HEDDLE_HALF bool __hne(__half a, __half b) {
    return static_cast<float>(a) != static_cast<float>(b);
}
HEDDLE_HALF bool __hlt(__half a, __half b) {
    return static_cast<float>(a) < static_cast<float>(b);
}
HEDDLE_HALF bool __hle(__half a, __half b) {
    return static_cast<float>(a) <= static_cast<float>(b);
}
HEDDLE_HALF bool __hgt(__half a, __half b) {
    return static_cast<float>(a) > static_cast<float>(b);
}
HEDDLE_HALF bool __hge(__half a, __half b) {
    return static_cast<float>(a) >= static_cast<float>(b);
}
HEDDLE_HALF bool __hisnan(__half a) {
    return (a.bits & 0x7fff) > 0x7c00;
}
HEDDLE_HALF __half __hmin(__half a, __half b) {
    return __hisnan(a) || __hlt(b, a) ? b : a;
}
HEDDLE_HALF __half __hmax(__half a, __half b) {
    return __hisnan(a) || __hgt(b, a) ? b : a;
}
HEDDLE_HALF __half2 __hadd2(__half2 a, __half2 b) {
    return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
HEDDLE_HALF __half2 __hsub2(__half2 a, __half2 b) {
    return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
HEDDLE_HALF __half2 __hmul2(__half2 a, __half2 b) {
    return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
HEDDLE_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

HEDDLE_HALF __half operator+(__half a, __half b) {
    return __hadd(a, b);
}
HEDDLE_HALF __half operator-(__half a, __half b) {
    return __hsub(a, b);
}
HEDDLE_HALF __half operator*(__half a, __half b) {
    return __hmul(a, b);
}
HEDDLE_HALF __half operator/(__half a, __half b) {
    return __hdiv(a, b);
}
HEDDLE_HALF __half operator-(__half a) {
    return __hneg(a);
}
HEDDLE_HALF __half& operator+=(__half& a, __half b) {
    return a = a + b;
}
HEDDLE_HALF __half& operator-=(__half& a, __half b) {
    return a = a - b;
}
HEDDLE_HALF __half& operator*=(__half& a, __half b) {
    return a = a * b;
}
HEDDLE_HALF __half& operator/=(__half& a, __half b) {
    return a = a / b;
}
HEDDLE_HALF bool operator==(__half a, __half b) {
    return __heq(a, b);
}
HEDDLE_HALF bool operator!=(__half a, __half b) {
    return __hne(a, b);
}
HEDDLE_HALF bool operator<(__half a, __half b) {
    return __hlt(a, b);
}
HEDDLE_HALF bool operator<=(__half a, __half b) {
    return __hle(a, b);
}
HEDDLE_HALF bool operator>(__half a, __half b) {
    return __hgt(a, b);
}
HEDDLE_HALF bool operator>=(__half a, __half b) {
    return __hge(a, b);
}
HEDDLE_HALF __half2 operator+(__half2 a, __half2 b) {
    return __hadd2(a, b);
}
HEDDLE_HALF __half2 operator-(__half2 a, __half2 b) {
    return __hsub2(a, b);
}
HEDDLE_HALF __half2 operator*(__half2 a, __half2 b) {
    return __hmul2(a, b);
}

#undef HEDDLE_HALF

static __inline__ __device__ __half hsqrt(__half a) {
    return __half(sqrtf(a));
}
static __inline__ __device__ __half hrsqrt(__half a) {
    return __half(rsqrtf(a));
}
static __inline__ __device__ __half hrcp(__half a) {
    return __half(1.0f / static_cast<float>(a));
}
static __inline__ __device__ __half hexp(__half a) {
    return __half(expf(a));
}
static __inline__ __device__ __half hlog(__half a) {
    return __half(logf(a));
}
static __inline__ __device__ __half __ldg(const __half* p) {
    return __half::from_bits(__ldg(reinterpret_cast<const unsigned short*>(p)));
}
static __inline__ __device__ __half atomicAdd(__half* p, __half v) {
    unsigned short r;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(r) : "l"(p), "h"(v.bits) : "memory");
    return __half::from_bits(r);
}
#endif
