#pragma once
// The generators of curand_kernel.h: their states, curand_init, skipping ahead, and the 32 bits that they draw.
//
// XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). Subsequences are 2^67 numbers apart.
// MRG32k3a: P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators",
// Operations Research 47 (1999). Subsequences are 2^76 numbers apart, sequences 2^127.
// Philox4x32-10: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. A subsequence is the upper half of the
// counter: 2^64 counts, each of four numbers.

#include "heddle/random_jumps.h"

#define HEDDLE_RANDOM static __device__ __forceinline__

#define CURAND_2POW32 (4294967296.f)
#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_PI (3.1415926535897932)

// XORWOW.

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

HEDDLE_RANDOM void heddle_xorwow_step(unsigned int (&v)[5]) {
    const unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

/// `count` jumps of a table's unit: of each hexadecimal digit one, as the sum of the states that the polynomial names.
static __device__ void heddle_xorwow_jump(unsigned int (&v)[5], unsigned long long count,
                                          const unsigned int (*table)[15][5]) {
    for (int k = 0; count != 0; ++k, count >>= 4) {
        const unsigned int digit = count & 15;
        if (digit == 0) continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
        for (int word = 0; word < 5; ++word) {
            unsigned int bits = table[k][digit - 1][word];
            for (int bit = 0; bit < 32; ++bit, bits >>= 1) {
                const unsigned int mask = 0u - (bits & 1);
                for (int i = 0; i < 5; ++i) sum[i] ^= v[i] & mask;
                heddle_xorwow_step(v);
            }
        }
        for (int i = 0; i < 5; ++i) v[i] = sum[i];
    }
}

HEDDLE_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    heddle_xorwow_jump(state->v, n, heddle_random_steps);
    state->d += 362437u * static_cast<unsigned int>(n);
}
/// 2^67 steps add a multiple of 2^32 to the counter.
HEDDLE_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    heddle_xorwow_jump(state->v, n, heddle_random_sequences);
}

HEDDLE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW_t* state) {
    const unsigned int low = static_cast<unsigned int>(seed) ^ 0xaad26b49u;
    const unsigned int high = static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu;
    const unsigned int s = 1099087573u * low, t = 2591861531u * high;
    state->d = 6615241u + s + t;
    state->v[0] = 123456789u + s;
    state->v[1] = 362436069u ^ s;
    state->v[2] = 521288629u + t;
    state->v[3] = 88675123u ^ t;
    state->v[4] = 5783321u + s;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

HEDDLE_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
    heddle_xorwow_step(state->v);
    state->d += 362437u;
    return state->v[4] + state->d;
}

// Philox4x32-10.

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE;  // numbers of `output` that have been drawn
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

HEDDLE_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const unsigned int high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        const unsigned int high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}

HEDDLE_RANDOM void heddle_philox_count(curandStatePhilox4_32_10_t* s, unsigned long long n) {
    const unsigned long long low = s->ctr.x | static_cast<unsigned long long>(s->ctr.y) << 32, sum = low + n;
    s->ctr.x = static_cast<unsigned int>(sum);
    s->ctr.y = static_cast<unsigned int>(sum >> 32);
    if (sum < low && ++s->ctr.z == 0) ++s->ctr.w;
}

HEDDLE_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* s) {
    const unsigned long long high = (s->ctr.z | static_cast<unsigned long long>(s->ctr.w) << 32) + n;
    s->ctr.z = static_cast<unsigned int>(high);
    s->ctr.w = static_cast<unsigned int>(high >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
HEDDLE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* s) {
    s->STATE += static_cast<unsigned int>(n & 3);
    n /= 4;
    if (s->STATE > 3) {
        ++n;
        s->STATE -= 4;
    }
    heddle_philox_count(s, n);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}

HEDDLE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10_t* s) {
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}

HEDDLE_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* s) {
    const unsigned int drawn = s->STATE == 0   ? s->output.x
                               : s->STATE == 1 ? s->output.y
                               : s->STATE == 2 ? s->output.z
                                               : s->output.w;
    if (++s->STATE == 4) {
        s->STATE = 0;
        heddle_philox_count(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
    }
    return drawn;
}
/// The next four.
HEDDLE_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* s) {
    const uint4 old = s->output;
    heddle_philox_count(s, 1);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
    switch (s->STATE) {
        case 0:
            return old;
        case 1:
            return make_uint4(old.y, old.z, old.w, s->output.x);
        case 2:
            return make_uint4(old.z, old.w, s->output.x, s->output.y);
        default:
            return make_uint4(old.w, s->output.x, s->output.y, s->output.z);
    }
}

// MRG32k3a.

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define MRG32K3A_MOD1 4294967087ull
#define MRG32K3A_MOD2 4294944443ull
#define MRG32K3A_NORM (2.328306549295728e-10)

/// One component after `count` times what the matrix does.
static __device__ void heddle_mrg_jump(unsigned int (&s)[3], unsigned long long count,
                                       const unsigned int (&start)[3][3], unsigned long long mod) {
    unsigned long long m[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = start[i][j];
    for (; count != 0; count >>= 1) {
        if (count & 1) {
            unsigned long long t[3];
            for (int i = 0; i < 3; ++i)
                t[i] = ((m[i][0] * s[0] % mod + m[i][1] * s[1] % mod) + m[i][2] * s[2] % mod) % mod;
            for (int i = 0; i < 3; ++i) s[i] = static_cast<unsigned int>(t[i]);
        }
        unsigned long long q[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                q[i][j] =
                    ((m[i][0] * m[0][j] % mod + m[i][1] * m[1][j] % mod) + m[i][2] * m[2][j] % mod) % mod;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[i][j] = q[i][j];
    }
}

// The step of each component, and its powers 2^76 and 2^127, modulo the component's modulus.
static __device__ const unsigned int heddle_mrg_1_step[3][3] = {
    {0u, 1u, 0u}, {0u, 0u, 1u}, {4294156359u, 1403580u, 0u}};
static __device__ const unsigned int heddle_mrg_1_subsequence[3][3] = {{82758667u, 1871391091u, 4127413238u},
                                                                       {3672831523u, 69195019u, 1871391091u},
                                                                       {3672091415u, 3528743235u, 69195019u}};
static __device__ const unsigned int heddle_mrg_1_sequence[3][3] = {{2427906178u, 3580155704u, 949770784u},
                                                                    {226153695u, 1230515664u, 3580155704u},
                                                                    {1988835001u, 986791581u, 1230515664u}};
static __device__ const unsigned int heddle_mrg_2_step[3][3] = {
    {0u, 1u, 0u}, {0u, 0u, 1u}, {4293573854u, 0u, 527612u}};
static __device__ const unsigned int heddle_mrg_2_subsequence[3][3] = {
    {1511326704u, 3759209742u, 1610795712u},
    {4292754251u, 1511326704u, 3889917532u},
    {3859662829u, 4292754251u, 3708466080u}};
static __device__ const unsigned int heddle_mrg_2_sequence[3][3] = {{1464411153u, 277697599u, 1610723613u},
                                                                    {32183930u, 1464411153u, 1022607788u},
                                                                    {2824425944u, 32183930u, 2093834863u}};

HEDDLE_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* s) {
    heddle_mrg_jump(s->s1, n, heddle_mrg_1_step, MRG32K3A_MOD1);
    heddle_mrg_jump(s->s2, n, heddle_mrg_2_step, MRG32K3A_MOD2);
}
HEDDLE_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* s) {
    heddle_mrg_jump(s->s1, n, heddle_mrg_1_subsequence, MRG32K3A_MOD1);
    heddle_mrg_jump(s->s2, n, heddle_mrg_2_subsequence, MRG32K3A_MOD2);
}
HEDDLE_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* s) {
    heddle_mrg_jump(s->s1, n, heddle_mrg_1_sequence, MRG32K3A_MOD1);
    heddle_mrg_jump(s->s2, n, heddle_mrg_2_sequence, MRG32K3A_MOD2);
}

HEDDLE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a_t* s) {
    for (int i = 0; i < 3; ++i) s->s1[i] = s->s2[i] = 12345;
    if (seed != 0) {
        const unsigned long long x = static_cast<unsigned int>(seed) ^ 0x55555555u;
        const unsigned long long y = static_cast<unsigned int>(seed >> 32) ^ 0xAAAAAAAAu;
        s->s1[0] = static_cast<unsigned int>(x * s->s1[0] % MRG32K3A_MOD1);
        s->s1[1] = static_cast<unsigned int>(y * s->s1[1] % MRG32K3A_MOD1);
        s->s1[2] = static_cast<unsigned int>(x * s->s1[2] % MRG32K3A_MOD1);
        s->s2[0] = static_cast<unsigned int>(y * s->s2[0] % MRG32K3A_MOD2);
        s->s2[1] = static_cast<unsigned int>(x * s->s2[1] % MRG32K3A_MOD2);
        s->s2[2] = static_cast<unsigned int>(y * s->s2[2] % MRG32K3A_MOD2);
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}

/// A whole number from 1 to the first modulus.
HEDDLE_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t* s) {
    const unsigned long long p =
        (1403580ull * s->s1[1] % MRG32K3A_MOD1 + MRG32K3A_MOD1 - 810728ull * s->s1[0] % MRG32K3A_MOD1) %
        MRG32K3A_MOD1;
    s->s1[0] = s->s1[1];
    s->s1[1] = s->s1[2];
    s->s1[2] = static_cast<unsigned int>(p);
    const unsigned long long q =
        (527612ull * s->s2[2] % MRG32K3A_MOD2 + MRG32K3A_MOD2 - 1370589ull * s->s2[0] % MRG32K3A_MOD2) %
        MRG32K3A_MOD2;
    s->s2[0] = s->s2[1];
    s->s2[1] = s->s2[2];
    s->s2[2] = static_cast<unsigned int>(q);
    return static_cast<double>(p > q ? p - q : p + MRG32K3A_MOD1 - q);
}
/// Stretched over 32 bits.
HEDDLE_RANDOM unsigned int curand(curandStateMRG32k3a_t* s) {
    return static_cast<unsigned int>(curand_MRG32k3a(s) * 1.000000048662);
}
