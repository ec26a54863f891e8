// What only the device has of a 16-bit floating-point type (heddle/small_float.h): elementary functions, loads and
// stores with cache hints, shuffles, atomics. Read once for each type.

#define HEDDLE_DEVICE static __inline__ __device__

// In single precision, rounded once.
#define HEDDLE_FUNCTION(name, call)                            \
    HEDDLE_DEVICE HEDDLE_H h##name(HEDDLE_H a) {               \
        const float f = a.to_float();                          \
        return HEDDLE_H::rounded(call, heddle_small::nearest); \
    }                                                          \
    HEDDLE_DEVICE HEDDLE_H2 h2##name(HEDDLE_H2 a) {            \
        return HEDDLE_H2(h##name(a.x), h##name(a.y));          \
    }
HEDDLE_FUNCTION(sqrt, sqrtf(f))
HEDDLE_FUNCTION(rsqrt, rsqrtf(f))
HEDDLE_FUNCTION(rcp, 1.0f / f)
HEDDLE_FUNCTION(exp, expf(f))
HEDDLE_FUNCTION(exp2, exp2f(f))
HEDDLE_FUNCTION(exp10, exp10f(f))
HEDDLE_FUNCTION(log, logf(f))
HEDDLE_FUNCTION(log2, log2f(f))
HEDDLE_FUNCTION(log10, log10f(f))
HEDDLE_FUNCTION(sin, sinf(f))
HEDDLE_FUNCTION(cos, cosf(f))
HEDDLE_FUNCTION(tanh, tanhf(f))
HEDDLE_FUNCTION(floor, floorf(f))
HEDDLE_FUNCTION(ceil, ceilf(f))
HEDDLE_FUNCTION(trunc, truncf(f))
HEDDLE_FUNCTION(rint, rintf(f))
#undef HEDDLE_FUNCTION

#define HEDDLE_LOAD(name)                                                                    \
    HEDDLE_DEVICE HEDDLE_H name(const HEDDLE_H* p) {                                         \
        return HEDDLE_H::from_bits(name(reinterpret_cast<const unsigned short*>(p)));        \
    }                                                                                        \
    HEDDLE_DEVICE HEDDLE_H2 name(const HEDDLE_H2* p) {                                       \
        return heddle_small::bits_as<HEDDLE_H2>(name(reinterpret_cast<const unsigned*>(p))); \
    }
HEDDLE_LOAD(__ldg)
HEDDLE_LOAD(__ldcg)
HEDDLE_LOAD(__ldca)
HEDDLE_LOAD(__ldcs)
HEDDLE_LOAD(__ldlu)
HEDDLE_LOAD(__ldcv)
#undef HEDDLE_LOAD
#define HEDDLE_STORE(name)                                                        \
    HEDDLE_DEVICE void name(HEDDLE_H* p, HEDDLE_H v) {                            \
        name(reinterpret_cast<unsigned short*>(p), v.bits);                       \
    }                                                                             \
    HEDDLE_DEVICE void name(HEDDLE_H2* p, HEDDLE_H2 v) {                          \
        name(reinterpret_cast<unsigned*>(p), heddle_small::bits_as<unsigned>(v)); \
    }
HEDDLE_STORE(__stwb)
HEDDLE_STORE(__stcg)
HEDDLE_STORE(__stcs)
HEDDLE_STORE(__stwt)
#undef HEDDLE_STORE

#define HEDDLE_SHUFFLE(name, T)                                                                             \
    HEDDLE_DEVICE HEDDLE_H name(unsigned mask, HEDDLE_H v, T at, int width = warpSize) {                    \
        return HEDDLE_H::from_bits(                                                                         \
            static_cast<unsigned short>(name(mask, static_cast<unsigned>(v.bits), at, width)));             \
    }                                                                                                       \
    HEDDLE_DEVICE HEDDLE_H2 name(unsigned mask, HEDDLE_H2 v, T at, int width = warpSize) {                  \
        return heddle_small::bits_as<HEDDLE_H2>(name(mask, heddle_small::bits_as<unsigned>(v), at, width)); \
    }
HEDDLE_SHUFFLE(__shfl_sync, int)
HEDDLE_SHUFFLE(__shfl_up_sync, unsigned)
HEDDLE_SHUFFLE(__shfl_down_sync, unsigned)
HEDDLE_SHUFFLE(__shfl_xor_sync, int)
#undef HEDDLE_SHUFFLE

/// Adds atomically. The pair's halves are added one by one, as the manual has it: the pair as a whole is not one access.
HEDDLE_DEVICE HEDDLE_H atomicAdd(HEDDLE_H* p, HEDDLE_H v) {
#if __CUDA_ARCH__ >= HEDDLE_H_ARCH_ATOMIC
    unsigned short r;
    asm volatile("atom.add.noftz." HEDDLE_H_TYPE " %0, [%1], %2;" : "=h"(r) : "l"(p), "h"(v.bits) : "memory");
    return HEDDLE_H::from_bits(r);
#else
    unsigned short* const bits = reinterpret_cast<unsigned short*>(p);
    unsigned short old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __hadd(HEDDLE_H::from_bits(assumed), v).bits);
    } while (old != assumed);
    return HEDDLE_H::from_bits(old);
#endif
}
HEDDLE_DEVICE HEDDLE_H2 atomicAdd(HEDDLE_H2* p, HEDDLE_H2 v) {
#if __CUDA_ARCH__ >= HEDDLE_H_ARCH_ATOMIC
    unsigned r;
    asm volatile("atom.add.noftz." HEDDLE_H_TYPE "x2 %0, [%1], %2;"
                 : "=r"(r)
                 : "l"(p), "r"(heddle_small::bits_as<unsigned>(v))
                 : "memory");
    return heddle_small::bits_as<HEDDLE_H2>(r);
#else
    unsigned* const bits = reinterpret_cast<unsigned*>(p);
    unsigned old = *bits, assumed;
    do {
        assumed = old;
        old =
            atomicCAS(bits, assumed,
                      heddle_small::bits_as<unsigned>(__hadd2(heddle_small::bits_as<HEDDLE_H2>(assumed), v)));
    } while (old != assumed);
    return heddle_small::bits_as<HEDDLE_H2>(old);
#endif
}

#undef HEDDLE_DEVICE
