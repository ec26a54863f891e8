#pragma once
// The arithmetic that the library's kernels share, for real and complex numbers alike.

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace heddle_blas {

template <typename T>
struct Traits {
    using Real = T;
    static constexpr bool complex = false;
};
template <>
struct Traits<cuComplex> {
    using Real = float;
    static constexpr bool complex = true;
};
template <>
struct Traits<cuDoubleComplex> {
    using Real = double;
    static constexpr bool complex = true;
};
template <typename T>
using Real = typename Traits<T>::Real;

#define HEDDLE_BLAS_FN __host__ __device__ __forceinline__

template <typename T>
HEDDLE_BLAS_FN T from_real(Real<T> r) {
    if constexpr (Traits<T>::complex)
        return T{r, 0};
    else
        return r;
}
template <typename T>
HEDDLE_BLAS_FN T zero() {
    return from_real<T>(0);
}
template <typename T>
HEDDLE_BLAS_FN T one() {
    return from_real<T>(1);
}
template <typename T>
HEDDLE_BLAS_FN T add(T a, T b) {
    if constexpr (Traits<T>::complex)
        return T{a.x + b.x, a.y + b.y};
    else
        return a + b;
}
template <typename T>
HEDDLE_BLAS_FN T negate(T a) {
    if constexpr (Traits<T>::complex)
        return T{-a.x, -a.y};
    else
        return -a;
}
template <typename T>
HEDDLE_BLAS_FN T conjugate(T a) {
    if constexpr (Traits<T>::complex)
        return T{a.x, -a.y};
    else
        return a;
}
template <typename T>
HEDDLE_BLAS_FN T mul(T a, T b) {
    if constexpr (Traits<T>::complex)
        return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    else
        return a * b;
}
/// a * b + c.
template <typename T>
HEDDLE_BLAS_FN T mul_add(T a, T b, T c) {
    if constexpr (Traits<T>::complex)
        return T{c.x + a.x * b.x - a.y * b.y, c.y + a.x * b.y + a.y * b.x};
    else
        return a * b + c;
}
template <typename T>
HEDDLE_BLAS_FN T scale(Real<T> s, T a) {
    if constexpr (Traits<T>::complex)
        return T{s * a.x, s * a.y};
    else
        return s * a;
}
/// Division by Smith's method for complex numbers, so that nothing overflows in between.
template <typename T>
HEDDLE_BLAS_FN T divide(T a, T b) {
    if constexpr (Traits<T>::complex) {
        const Real<T> bx = b.x < 0 ? -b.x : b.x, by = b.y < 0 ? -b.y : b.y;
        if (bx >= by) {
            const Real<T> r = b.y / b.x, d = b.x + b.y * r;
            return T{(a.x + a.y * r) / d, (a.y - a.x * r) / d};
        }
        const Real<T> r = b.x / b.y, d = b.x * r + b.y;
        return T{(a.x * r + a.y) / d, (a.y * r - a.x) / d};
    } else {
        return a / b;
    }
}
template <typename T>
HEDDLE_BLAS_FN bool is_zero(T a) {
    if constexpr (Traits<T>::complex)
        return a.x == 0 && a.y == 0;
    else
        return a == T(0);
}
template <typename T>
HEDDLE_BLAS_FN Real<T> real_part(T a) {
    if constexpr (Traits<T>::complex)
        return a.x;
    else
        return a;
}
/// |re| + |im|: what asum and amax measure.
template <typename T>
HEDDLE_BLAS_FN Real<T> abs1(T a) {
    if constexpr (Traits<T>::complex)
        return (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y);
    else
        return a < 0 ? -a : a;
}

/// The sum over the lanes of a warp, in each of them.
template <typename T>
__device__ __forceinline__ T warp_sum(T v) {
    for (int half = 16; half > 0; half /= 2) {
        if constexpr (Traits<T>::complex) {
            v.x += __shfl_xor_sync(0xffffffffu, v.x, half);
            v.y += __shfl_xor_sync(0xffffffffu, v.y, half);
        } else {
            v += __shfl_xor_sync(0xffffffffu, v, half);
        }
    }
    return v;
}

/// An element as it lies in memory to the type that is computed in, and back.
template <typename To, typename From>
HEDDLE_BLAS_FN To convert(From v) {
    if constexpr (std::is_same_v<To, From>) {
        return v;
    } else if constexpr (std::is_same_v<From, __half> || std::is_same_v<From, __nv_bfloat16>) {
        return convert<To>(static_cast<float>(v));
    } else if constexpr (std::is_same_v<To, __half> || std::is_same_v<To, __nv_bfloat16>) {
        return To(static_cast<float>(v));
    } else {
        return static_cast<To>(v);
    }
}

/// alpha or beta: a value, or a place in device memory that holds it when the kernel runs.
template <typename T>
struct Scalar {
    T value;
    const T* place;

    __device__ T get() const { return place != nullptr ? *place : value; }
};

}  // namespace heddle_blas
