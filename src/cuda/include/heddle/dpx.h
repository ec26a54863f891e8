#pragma once
// The functions of dynamic programming that CUDA 12 has for host and device: minima and maxima of sums, of three, against
// zero, with a flag, on 32 bits and on two halves of 16 (CUDA mathematics manual).

#define HEDDLE_DPX static __inline__ __host__ __device__

namespace heddle_dpx {

template <class T>
HEDDLE_DPX T least(T a, T b) {
    return b < a ? b : a;
}
template <class T>
HEDDLE_DPX T most(T a, T b) {
    return a < b ? b : a;
}
/// Sums wrap around.
HEDDLE_DPX int sum(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
HEDDLE_DPX unsigned sum(unsigned a, unsigned b) {
    return a + b;
}
HEDDLE_DPX short sum(short a, short b) {
    return static_cast<short>(a + b);
}
HEDDLE_DPX unsigned short sum(unsigned short a, unsigned short b) {
    return static_cast<unsigned short>(a + b);
}
template <class T, class F>
HEDDLE_DPX unsigned halves(unsigned a, unsigned b, unsigned c, F f) {
    const T low = f(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
    const T high = f(static_cast<T>(a >> 16), static_cast<T>(b >> 16), static_cast<T>(c >> 16));
    return static_cast<unsigned short>(low) | static_cast<unsigned>(static_cast<unsigned short>(high)) << 16;
}

struct Min3 {
    template <class T>
    __host__ __device__ T operator()(T a, T b, T c) const {
        return least(least(a, b), c);
    }
};
struct Max3 {
    template <class T>
    __host__ __device__ T operator()(T a, T b, T c) const {
        return most(most(a, b), c);
    }
};
struct AddMin {
    template <class T>
    __host__ __device__ T operator()(T a, T b, T c) const {
        return least(sum(a, b), c);
    }
};
struct AddMax {
    template <class T>
    __host__ __device__ T operator()(T a, T b, T c) const {
        return most(sum(a, b), c);
    }
};
template <class F>
struct Relu {
    template <class T>
    __host__ __device__ T operator()(T a, T b, T c) const {
        return most(F()(a, b, c), T(0));
    }
};

}  // namespace heddle_dpx

#define HEDDLE_DPX3(name, F)                                                          \
    HEDDLE_DPX int name##_s32(int a, int b, int c) {                                  \
        return heddle_dpx::F()(a, b, c);                                              \
    }                                                                                 \
    HEDDLE_DPX unsigned name##_u32(unsigned a, unsigned b, unsigned c) {              \
        return heddle_dpx::F()(a, b, c);                                              \
    }                                                                                 \
    HEDDLE_DPX unsigned name##_s16x2(unsigned a, unsigned b, unsigned c) {            \
        return heddle_dpx::halves<short>(a, b, c, heddle_dpx::F());                   \
    }                                                                                 \
    HEDDLE_DPX unsigned name##_u16x2(unsigned a, unsigned b, unsigned c) {            \
        return heddle_dpx::halves<unsigned short>(a, b, c, heddle_dpx::F());          \
    }                                                                                 \
    HEDDLE_DPX int name##_s32_relu(int a, int b, int c) {                             \
        return heddle_dpx::Relu<heddle_dpx::F>()(a, b, c);                            \
    }                                                                                 \
    HEDDLE_DPX unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {       \
        return heddle_dpx::halves<short>(a, b, c, heddle_dpx::Relu<heddle_dpx::F>()); \
    }
HEDDLE_DPX3(__vimin3, Min3)
HEDDLE_DPX3(__vimax3, Max3)
HEDDLE_DPX3(__viaddmin, AddMin)
HEDDLE_DPX3(__viaddmax, AddMax)
#undef HEDDLE_DPX3

#define HEDDLE_DPX2(name, three)                                    \
    HEDDLE_DPX int name##_s32_relu(int a, int b) {                  \
        return three##_s32_relu(a, b, b);                           \
    }                                                               \
    HEDDLE_DPX unsigned name##_s16x2_relu(unsigned a, unsigned b) { \
        return three##_s16x2_relu(a, b, b);                         \
    }
HEDDLE_DPX2(__vimin, __vimin3)
HEDDLE_DPX2(__vimax, __vimax3)
#undef HEDDLE_DPX2

// The flag says that the first argument is the result.
#define HEDDLE_DPX_FLAG(name, sign, three)                                                      \
    HEDDLE_DPX int name##_s32(int a, int b, bool* first) {                                      \
        return (*first = a sign b) ? a : b;                                                     \
    }                                                                                           \
    HEDDLE_DPX unsigned name##_u32(unsigned a, unsigned b, bool* first) {                       \
        return (*first = a sign b) ? a : b;                                                     \
    }                                                                                           \
    HEDDLE_DPX unsigned name##_s16x2(unsigned a, unsigned b, bool* high, bool* low) {           \
        *high = static_cast<short>(a >> 16) sign static_cast<short>(b >> 16);                   \
        *low = static_cast<short>(a) sign static_cast<short>(b);                                \
        return three##_s16x2(a, b, b);                                                          \
    }                                                                                           \
    HEDDLE_DPX unsigned name##_u16x2(unsigned a, unsigned b, bool* high, bool* low) {           \
        *high = static_cast<unsigned short>(a >> 16) sign static_cast<unsigned short>(b >> 16); \
        *low = static_cast<unsigned short>(a) sign static_cast<unsigned short>(b);              \
        return three##_u16x2(a, b, b);                                                          \
    }
HEDDLE_DPX_FLAG(__vibmin, <=, __vimin3)
HEDDLE_DPX_FLAG(__vibmax, >=, __vimax3)
#undef HEDDLE_DPX_FLAG
#undef HEDDLE_DPX
