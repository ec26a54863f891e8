// cuRAND's host API.
//
// XORWOW and MRG32k3a have 4096 generators, one for each of the first subsequences, which take turns: number n of the whole
// sequence is number n / 4096 of subsequence n mod 4096. Numbers that are made from two (normal ones) count in pairs. Philox's
// numbers come in the order of its counter.

#include <curand.h>
#include <curand_kernel.h>

struct curandGenerator_st {
    curandRngType_t type;
    bool host;  // results go to host memory
    cudaStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    unsigned long long position = 0;  // numbers that have been made, from the offset on
    void* states = nullptr;           // of the generators that take turns; null: to be set up
};

namespace {

constexpr int kTurns = 4096, kThreads = 256;

template <typename State>
__global__ void set_up(State* states, unsigned long long seed, unsigned long long offset) {
    const unsigned long long t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned long long before = offset > t ? (offset - t + kTurns - 1) / kTurns : 0;
    curand_init(seed, t, before, &states[t]);
}

// What a draw gives: how many results, and of how many 32-bit numbers of Philox.

struct Bits {
    using Result = unsigned int;
    static constexpr int results = 1, draws = 1;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        *out = curand(s);
    }
};
struct Uniform {
    using Result = float;
    static constexpr int results = 1, draws = 1;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        *out = curand_uniform(s);
    }
};
struct UniformDouble {
    using Result = double;
    static constexpr int results = 1, draws = 2;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        *out = curand_uniform_double(s);
    }
};
struct Normal {
    using Result = float;
    static constexpr int results = 2, draws = 2;
    float mean, stddev;
    bool log;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        const float2 n = curand_normal2(s);
        out[0] = mean + stddev * n.x;
        out[1] = mean + stddev * n.y;
        if (log) out[0] = expf(out[0]), out[1] = expf(out[1]);
    }
};
struct NormalDouble {
    using Result = double;
    static constexpr int results = 2, draws = 4;
    double mean, stddev;
    bool log;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        const double2 n = curand_normal2_double(s);
        out[0] = mean + stddev * n.x;
        out[1] = mean + stddev * n.y;
        if (log) out[0] = exp(out[0]), out[1] = exp(out[1]);
    }
};
struct Poisson {
    using Result = unsigned int;
    static constexpr int results = 1, draws = 0;  // any number of them: a subsequence for each result
    double lambda;
    template <typename State>
    __device__ void operator()(State* s, Result* out) const {
        *out = curand_poisson(s, lambda);
    }
};

/// The generators in turns: generator t makes the elements of its turn, `first` being the turn of element 0.
template <typename State, typename Draw>
__global__ void take_turns(State* states, unsigned first, size_t elements, Draw draw,
                           typename Draw::Result* out) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    State s = states[t];
    for (size_t e = (t + kTurns - first) % kTurns; e < elements; e += kTurns)
        draw(&s, out + e * Draw::results);
    states[t] = s;
}

template <typename Draw>
__global__ void in_order(unsigned long long seed, unsigned long long position, size_t elements, Draw draw,
                         typename Draw::Result* out) {
    const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t e = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; e < elements; e += step) {
        curandStatePhilox4_32_10_t s;
        if (Draw::draws == 0)
            curand_init(seed, position + e + 1, 0, &s);
        else
            curand_init(seed, 0, position + e * Draw::draws, &s);
        draw(&s, out + e * Draw::results);
    }
}

template <typename State, typename Draw>
curandStatus_t run_turns(curandGenerator_t g, size_t elements, const Draw& draw, typename Draw::Result* out) {
    if (g->states == nullptr) {
        if (cudaMalloc(&g->states, kTurns * sizeof(State)) != cudaSuccess)
            return CURAND_STATUS_ALLOCATION_FAILED;
        set_up<<<kTurns / kThreads, kThreads, 0, g->stream>>>(static_cast<State*>(g->states), g->seed,
                                                              g->offset);
        g->position = g->offset;
    }
    take_turns<<<kTurns / kThreads, kThreads, 0, g->stream>>>(
        static_cast<State*>(g->states), static_cast<unsigned>(g->position % kTurns), elements, draw, out);
    g->position += elements;
    return CURAND_STATUS_SUCCESS;
}

template <typename Draw>
curandStatus_t generate(curandGenerator_t g, typename Draw::Result* out, size_t n, const Draw& draw) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    if (n % Draw::results != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (n == 0) return CURAND_STATUS_SUCCESS;
    const size_t bytes = n * sizeof(*out), elements = n / Draw::results;
    typename Draw::Result* place = out;
    if (g->host && cudaMalloc(&place, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
    curandStatus_t status = CURAND_STATUS_SUCCESS;
    if (g->type == CURAND_RNG_PSEUDO_XORWOW) {
        status = run_turns<curandStateXORWOW_t>(g, elements, draw, place);
    } else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) {
        status = run_turns<curandStateMRG32k3a_t>(g, elements, draw, place);
    } else {
        const size_t blocks = (elements + kThreads - 1) / kThreads;
        in_order<<<static_cast<unsigned>(blocks < 65535 ? blocks : 65535), kThreads, 0, g->stream>>>(
            g->seed, g->offset + g->position, elements, draw, place);
        g->position += elements * (Draw::draws == 0 ? 1 : Draw::draws);
    }
    if (cudaPeekAtLastError() != cudaSuccess) status = CURAND_STATUS_LAUNCH_FAILURE;
    if (g->host) {
        cudaMemcpyAsync(out, place, bytes, cudaMemcpyDeviceToHost, g->stream);
        cudaStreamSynchronize(g->stream);
        cudaFree(place);
    }
    return status;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool host) {
    if (generator == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
    if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
    if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return CURAND_STATUS_TYPE_ERROR;
    *generator = new curandGenerator_st{type, host};
    return CURAND_STATUS_SUCCESS;
}

/// From the beginning again, with the next number.
curandStatus_t restart(curandGenerator_t g) {
    cudaFree(g->states);
    g->states = nullptr;
    g->position = 0;
    return CURAND_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    cudaFree(g->states);
    delete g;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
    if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    if (value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
             : type == MINOR_VERSION ? CURAND_VER_MINOR
                                     : CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    g->seed = seed;
    return restart(g);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    return restart(g);
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
    if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    const bool known = order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                       order == CURAND_ORDERING_PSEUDO_LEGACY;
    return known ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t, unsigned int) {
    return CURAND_STATUS_TYPE_ERROR;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
    return g == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* out, size_t n) {
    return generate(g, out, n, Bits{});
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) {
    return generate(g, out, n, Uniform{});
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) {
    return generate(g, out, n, UniformDouble{});
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean, float stddev) {
    return generate(g, out, n, Normal{mean, stddev, false});
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                          double stddev) {
    return generate(g, out, n, NormalDouble{mean, stddev, false});
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean, float stddev) {
    return generate(g, out, n, Normal{mean, stddev, true});
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                             double stddev) {
    return generate(g, out, n, NormalDouble{mean, stddev, true});
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int* out, size_t n, double lambda) {
    if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
    return generate(g, out, n, Poisson{lambda});
}

}  // extern "C"
