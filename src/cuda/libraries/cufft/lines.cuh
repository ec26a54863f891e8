#pragma once
// Transforms of many lines at once: a block reads some lines into shared memory, does all their butterflies there (Stockham's
// order, any radices), and writes them. Where lines of a length do not fit, the caller splits them in two (plan.cu).

#include <cufft.h>

namespace heddle_fft {

constexpr int kThreads = 256;
constexpr int kMaxRadices = 12;
/// Elements in a block's shared memory, twice: 32 KiB.
template <typename C>
constexpr int kElements = 16384 / static_cast<int>(sizeof(C));

template <typename C>
struct RealOf;
template <>
struct RealOf<cufftComplex> {
    using Type = float;
};
template <>
struct RealOf<cufftDoubleComplex> {
    using Type = double;
};

enum class Kind {
    complex,
    real,       // read: no imaginary part; written: without it
    hermitian,  // the second half of a line follows from the first: read so, or not written
};

/// Where the elements of the lines are. Lines are counted over four sizes, the first fastest.
struct Side {
    void* data;
    Kind kind;
    long long stride;    // from element to element
    long long lines[4];  // from line to line
    // The element's number in the whole transform's line, of `whole` elements: number * step + (first count of the line) * first.
    int whole, step, first;
};

template <typename C>
struct Task {
    Side in, out;
    int length, radices[kMaxRadices], stages;
    long long counts[4], total;
    bool inverse;
    const C* roots;  // exp(-2 pi i k / length)
    int turned;  // not 0: the result's element k of line a (of the first count) is turned by exp(-2 pi i k a / turned)
    int lines_a_block;
};

template <typename C>
__device__ __forceinline__ C multiply(C a, C b) {
    return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
template <typename C>
__device__ __forceinline__ C plus(C a, C b) {
    return C{a.x + b.x, a.y + b.y};
}
template <typename C>
__device__ __forceinline__ C minus(C a, C b) {
    return C{a.x - b.x, a.y - b.y};
}

/// exp(-2 pi i n / of), conjugated for the inverse.
__device__ __forceinline__ cufftComplex root_of(long long n, long long of, bool inverse, cufftComplex) {
    float s, c;
    sincospif(2.0f * static_cast<float>(n) / static_cast<float>(of), &s, &c);
    return {c, inverse ? s : -s};
}
__device__ __forceinline__ cufftDoubleComplex root_of(long long n, long long of, bool inverse,
                                                      cufftDoubleComplex) {
    double s, c;
    sincospi(2.0 * static_cast<double>(n) / static_cast<double>(of), &s, &c);
    return {c, inverse ? s : -s};
}

/// The place of a line's first element, and the count that splits of a line need.
__device__ __forceinline__ long long line_start(const Side& side, const long long (&counts)[4],
                                                long long line, int& first) {
    long long at = 0;
    for (int k = 0; k < 4; ++k) {
        const long long here = line % counts[k];
        if (k == 0) first = static_cast<int>(here);
        at += here * side.lines[k];
        line /= counts[k];
    }
    return at;
}

template <typename C>
__device__ __forceinline__ C read(const Side& side, long long line, int first, int element) {
    using R = typename RealOf<C>::Type;
    const long long at = line + element * side.stride;
    if (side.kind == Kind::complex) return static_cast<const C*>(side.data)[at];
    if (side.kind == Kind::real) return C{static_cast<const R*>(side.data)[at], 0};
    const int number = element * side.step + first * side.first;
    if (number <= side.whole / 2) {
        C v = static_cast<const C*>(side.data)[at];
        // What has no partner has no imaginary part.
        if (number == 0 || 2 * number == side.whole) v.y = 0;
        return v;
    }
    // The mirror image lies as far from the line's other end. Steps of the whole line are those of its numbers.
    const long long unit = side.step == 1 ? side.stride : side.lines[0];
    const C v = static_cast<const C*>(side.data)[at + (side.whole - 2LL * number) * unit];
    return C{v.x, -v.y};
}

template <typename C>
__device__ __forceinline__ void write(const Side& side, long long line, int first, int element, C v) {
    using R = typename RealOf<C>::Type;
    const long long at = line + element * side.stride;
    if (side.kind == Kind::real) {
        static_cast<R*>(side.data)[at] = v.x;
        return;
    }
    if (side.kind == Kind::hermitian && element * side.step + first * side.first > side.whole / 2) return;
    static_cast<C*>(side.data)[at] = v;
}

template <typename C>
__device__ C turned(const Task<C>& t, C v, int element, int first) {
    if (t.turned == 0) return v;
    return multiply(v, root_of(static_cast<long long>(element) * first % t.turned, t.turned, t.inverse, C()));
}

/// One stage for all lines of the block: `before` is the product of the radices so far.
template <typename C>
__device__ void butterflies(const Task<C>& t, const C* from, C* to, int radix, int before, int lines) {
    const int n = t.length, groups = n / radix, each = n / (before * radix);
    auto root = [&](int k) {
        C w = t.roots[k];
        if (t.inverse) w.y = -w.y;
        return w;
    };
    if (radix == 2 || radix == 4) {
        for (int i = static_cast<int>(threadIdx.x); i < groups * lines; i += kThreads) {
            const int line = i / groups, j = i % groups, k = j % before;
            const C* const x = from + line * n + j;
            C* const y = to + line * n + (j / before) * before * radix + k;
            if (radix == 2) {
                const C a = x[0], b = multiply(x[groups], root(k * each));
                y[0] = plus(a, b);
                y[before] = minus(a, b);
            } else {
                const C a = x[0], b = multiply(x[groups], root(k * each)),
                        c = multiply(x[2 * groups], root(2 * k * each)),
                        d = multiply(x[3 * groups], root(3 * k * each));
                const C p = plus(a, c), q = minus(a, c), r = plus(b, d);
                C s = minus(b, d);
                s = t.inverse ? C{-s.y, s.x} : C{s.y, -s.x};
                y[0] = plus(p, r);
                y[before] = plus(q, s);
                y[2 * before] = minus(p, r);
                y[3 * before] = minus(q, s);
            }
        }
        return;
    }
    // Any radix: a thread sums up one result.
    for (int i = static_cast<int>(threadIdx.x); i < n * lines; i += kThreads) {
        const int line = i / n, j = i % n % groups, s = i % n / groups, k = j % before;
        const C* const x = from + line * n + j;
        // Together the turn of the stage and that of the small transform.
        const int turn = (k * each + s * groups) % n;
        C sum = x[0];
        int at = 0;
        for (int m = 1; m < radix; ++m) {
            at += turn;
            if (at >= n) at -= n;
            sum = plus(sum, multiply(x[m * groups], root(at)));
        }
        to[line * n + (j / before) * before * radix + k + s * before] = sum;
    }
}

template <typename C>
__global__ __launch_bounds__(kThreads) void transform_lines(Task<C> t) {
    extern __shared__ __align__(16) unsigned char memory[];
    C *from = reinterpret_cast<C*>(memory), *to = from + t.length * t.lines_a_block;
    const long long line0 = static_cast<long long>(blockIdx.x) * t.lines_a_block;
    const int lines = static_cast<int>(t.total - line0 < t.lines_a_block ? t.total - line0 : t.lines_a_block);
    const int n = t.length;
    // Neighbouring threads go along whichever lies closer together.
    const bool across_in = t.in.stride > t.in.lines[0], across_out = t.out.stride > t.out.lines[0];
    for (int i = static_cast<int>(threadIdx.x); i < n * lines; i += kThreads) {
        const int line = across_in ? i % lines : i / n, element = across_in ? i / lines : i % n;
        int first;
        const long long at = line_start(t.in, t.counts, line0 + line, first);
        from[line * n + element] = read<C>(t.in, at, first, element);
    }
    int before = 1;
    for (int s = 0; s < t.stages; ++s) {
        __syncthreads();
        butterflies(t, from, to, t.radices[s], before, lines);
        before *= t.radices[s];
        C* const swap = from;
        from = to;
        to = swap;
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < n * lines; i += kThreads) {
        const int line = across_out ? i % lines : i / n, element = across_out ? i / lines : i % n;
        int first;
        const long long at = line_start(t.out, t.counts, line0 + line, first);
        write(t.out, at, first, element, turned(t, from[line * n + element], element, first));
    }
}

/// Lines whose length has a prime factor that does not fit: every result is a sum over its line. Not in place.
template <typename C>
__global__ void sum_lines(Task<C> t) {
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < t.total * t.length;
         i += step) {
        const int element = static_cast<int>(i % t.length);
        int first;
        const long long in = line_start(t.in, t.counts, i / t.length, first),
                        out = line_start(t.out, t.counts, i / t.length, first);
        C sum{0, 0};
        int at = 0;
        for (int m = 0; m < t.length; ++m) {
            C w = t.roots[at];
            if (t.inverse) w.y = -w.y;
            sum = plus(sum, multiply(read<C>(t.in, in, first, m), w));
            at += element;
            if (at >= t.length) at -= t.length;
        }
        write(t.out, out, first, element, sum);
    }
}

template <typename C>
__global__ void fill_roots(C* roots, int n) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= n) return;
    double s, c;
    sincospi(2.0 * k / n, &s, &c);
    roots[k] = C{static_cast<typename RealOf<C>::Type>(c), static_cast<typename RealOf<C>::Type>(-s)};
}

}  // namespace heddle_fft
