#pragma once
// Numbers of the distributions from a generator's 32 bits (heddle/random_generators.h).
//
// Uniform: (bits + 1/2) / 2^32 in single precision, 53 bits of two draws in double. Normal: Box and Muller's transform of two
// uniform numbers, of which the second result is kept for the next call.

HEDDLE_RANDOM float _curand_uniform(unsigned int x) {
    return x * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f);
}
HEDDLE_RANDOM double _curand_uniform_double_hq(unsigned int x, unsigned int y) {
    const unsigned long long z =
        static_cast<unsigned long long>(x) ^ (static_cast<unsigned long long>(y) << (53 - 32));
    return z * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}

/// (sin, cos) of the angle, times the radius.
HEDDLE_RANDOM float2 heddle_box_muller(float u, float angle) {
    const float s = sqrtf(-2.0f * logf(u));
    float2 r;
    __sincosf(angle, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
HEDDLE_RANDOM double2 heddle_box_muller_double(double u, double half_turns) {
    const double s = sqrt(-2.0 * log(u));
    double2 r;
    sincospi(half_turns, &r.x, &r.y);
    r.x *= s;
    r.y *= s;
    return r;
}
HEDDLE_RANDOM float2 _curand_box_muller(unsigned int x, unsigned int y) {
    constexpr float kTurn = 2.0f * static_cast<float>(CURAND_PI);
    return heddle_box_muller(_curand_uniform(x),
                             y * CURAND_2POW32_INV * kTurn + (CURAND_2POW32_INV * kTurn / 2.0f));
}
HEDDLE_RANDOM double2 _curand_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                                unsigned int y1) {
    return heddle_box_muller_double(_curand_uniform_double_hq(x0, x1),
                                    _curand_uniform_double_hq(y0, y1) * 2.0);
}

template <typename State>
HEDDLE_RANDOM float curand_uniform(State* s) {
    return _curand_uniform(curand(s));
}
template <typename State>
HEDDLE_RANDOM double curand_uniform_double(State* s) {
    const unsigned int x = curand(s), y = curand(s);
    return _curand_uniform_double_hq(x, y);
}
HEDDLE_RANDOM float curand_uniform(curandStateMRG32k3a_t* s) {
    return static_cast<float>(curand_MRG32k3a(s) * MRG32K3A_NORM);
}
HEDDLE_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* s) {
    return curand_MRG32k3a(s) * MRG32K3A_NORM;
}
HEDDLE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    return make_float4(_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z),
                       _curand_uniform(x.w));
}
HEDDLE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    return make_double2(_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w));
}
HEDDLE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* s) {
    const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

// Pairs of normal numbers.

template <typename State>
HEDDLE_RANDOM float2 curand_normal2(State* s) {
    const unsigned int x = curand(s), y = curand(s);
    return _curand_box_muller(x, y);
}
template <typename State>
HEDDLE_RANDOM double2 curand_normal2_double(State* s) {
    const unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return _curand_box_muller_double(x0, x1, y0, y1);
}
HEDDLE_RANDOM float2 curand_normal2(curandStateMRG32k3a_t* s) {
    const float u = curand_uniform(s);
    return heddle_box_muller(u, static_cast<float>(curand_MRG32k3a(s) * MRG32K3A_NORM * 2.0 * CURAND_PI));
}
HEDDLE_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t* s) {
    const double u = curand_uniform_double(s);
    return heddle_box_muller_double(u, curand_uniform_double(s) * 2.0);
}
HEDDLE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
HEDDLE_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* s) {
    const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

template <typename State>
HEDDLE_RANDOM float curand_normal(State* s) {
    if (s->boxmuller_flag != 0) {
        s->boxmuller_flag = 0;
        return s->boxmuller_extra;
    }
    const float2 pair = curand_normal2(s);
    s->boxmuller_extra = pair.y;
    s->boxmuller_flag = 1;
    return pair.x;
}
template <typename State>
HEDDLE_RANDOM double curand_normal_double(State* s) {
    if (s->boxmuller_flag_double != 0) {
        s->boxmuller_flag_double = 0;
        return s->boxmuller_extra_double;
    }
    const double2 pair = curand_normal2_double(s);
    s->boxmuller_extra_double = pair.y;
    s->boxmuller_flag_double = 1;
    return pair.x;
}

// Numbers whose logarithm is normal.

template <typename State>
HEDDLE_RANDOM float curand_log_normal(State* s, float mean, float stddev) {
    return expf(mean + stddev * curand_normal(s));
}
template <typename State>
HEDDLE_RANDOM double curand_log_normal_double(State* s, double mean, double stddev) {
    return exp(mean + stddev * curand_normal_double(s));
}
template <typename State>
HEDDLE_RANDOM float2 curand_log_normal2(State* s, float mean, float stddev) {
    const float2 n = curand_normal2(s);
    return make_float2(expf(mean + stddev * n.x), expf(mean + stddev * n.y));
}
template <typename State>
HEDDLE_RANDOM double2 curand_log_normal2_double(State* s, double mean, double stddev) {
    const double2 n = curand_normal2_double(s);
    return make_double2(exp(mean + stddev * n.x), exp(mean + stddev * n.y));
}
HEDDLE_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* s, float mean, float stddev) {
    const float4 n = curand_normal4(s);
    return make_float4(expf(mean + stddev * n.x), expf(mean + stddev * n.y), expf(mean + stddev * n.z),
                       expf(mean + stddev * n.w));
}

/// Poisson numbers: below 10 by products of uniform numbers (Knuth), else by transformed rejection (W. Hoermann, "The transformed
/// rejection method for generating Poisson random variables", Insurance: Mathematics and Economics 12, 1993, algorithm PTRS).
template <typename State>
static __device__ unsigned int curand_poisson(State* s, double lambda) {
    if (!(lambda > 0)) return 0;
    if (lambda < 10) {
        const double limit = exp(-lambda);
        double product = curand_uniform_double(s);
        unsigned int k = 0;
        for (; product > limit; ++k) product *= curand_uniform_double(s);
        return k;
    }
    const double root = sqrt(lambda), log_lambda = log(lambda);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s);
        const double distance = 0.5 - fabs(u), k = floor((2 * a / distance + b) * u + lambda + 0.43);
        if (distance >= 0.07 && v <= quick) return static_cast<unsigned int>(k);
        if (k < 0 || (distance < 0.013 && v > distance)) continue;
        if (log(v) + log(inverse) - log(a / (distance * distance) + b) <=
            -lambda + k * log_lambda - lgamma(k + 1))
            return static_cast<unsigned int>(k);
    }
}
HEDDLE_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* s, double lambda) {
    const unsigned int x = curand_poisson(s, lambda), y = curand_poisson(s, lambda);
    const unsigned int z = curand_poisson(s, lambda), w = curand_poisson(s, lambda);
    return make_uint4(x, y, z, w);
}

#undef HEDDLE_RANDOM
