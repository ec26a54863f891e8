// cuFFT against sums on the host: every type, lengths of all kinds of factors, one to three dimensions, batches, strides, in place.

#include <cmath>
#include <cufft.h>
#include <cufftXt.h>
#include <vector>

#include "library.h"

using Complex = std::complex<double>;

/// The transform of one array of up to three dimensions, dimension by dimension.
static std::vector<Complex> transform(std::vector<Complex> x, const std::vector<int>& n, int sign) {
    size_t stride = 1;
    for (size_t d = n.size(); d-- > 0;) {
        const size_t length = static_cast<size_t>(n[d]);
        std::vector<Complex> roots(length), line(length);
        for (size_t k = 0; k < length; ++k)
            roots[k] =
                std::polar(1.0, sign * 2 * M_PI * static_cast<double>(k) / static_cast<double>(length));
        for (size_t start = 0; start < x.size(); ++start) {
            if (start / stride % length != 0) continue;
            for (size_t k = 0; k < length; ++k) {
                Complex sum = 0;
                for (size_t m = 0, at = 0; m < length; ++m, at = (at + k) % length)
                    sum += x[start + m * stride] * roots[at];
                line[k] = sum;
            }
            for (size_t k = 0; k < length; ++k) x[start + k * stride] = line[k];
        }
        stride *= length;
    }
    return x;
}

template <typename T>
struct Device {
    T* data = nullptr;
    size_t count;
    explicit Device(size_t n) : count(n) { OK(cudaMallocManaged(&data, n * sizeof(T))); }
    ~Device() { cudaFree(data); }
};

static void expect(const char* what, const std::vector<int>& n, Complex got, Complex want, double tolerance) {
    if (std::abs(got - want) <= tolerance) return;
    if (failures++ == 0) {
        std::printf("%s", what);
        for (int s : n) std::printf(" %d", s);
        std::printf(": (%g, %g), not (%g, %g)\n", got.real(), got.imag(), want.real(), want.imag());
    }
}

static size_t total(const std::vector<int>& n) {
    size_t t = 1;
    for (int s : n) t *= static_cast<size_t>(s);
    return t;
}

template <typename C, typename R>
struct Api;
template <>
struct Api<cufftComplex, float> {
    static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
    static constexpr double tolerance = 3e-6;
    static cufftResult both(cufftHandle h, cufftComplex* a, cufftComplex* b, int d) {
        return cufftExecC2C(h, a, b, d);
    }
    static cufftResult forward(cufftHandle h, float* a, cufftComplex* b) { return cufftExecR2C(h, a, b); }
    static cufftResult backward(cufftHandle h, cufftComplex* a, float* b) { return cufftExecC2R(h, a, b); }
};
template <>
struct Api<cufftDoubleComplex, double> {
    static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
    static constexpr double tolerance = 1e-14;
    static cufftResult both(cufftHandle h, cufftDoubleComplex* a, cufftDoubleComplex* b, int d) {
        return cufftExecZ2Z(h, a, b, d);
    }
    static cufftResult forward(cufftHandle h, double* a, cufftDoubleComplex* b) {
        return cufftExecD2Z(h, a, b);
    }
    static cufftResult backward(cufftHandle h, cufftDoubleComplex* a, double* b) {
        return cufftExecZ2D(h, a, b);
    }
};

static cufftHandle plan_of(const std::vector<int>& n, cufftType type, int batch) {
    cufftHandle h = 0;
    if (n.size() == 1)
        OK(cufftPlan1d(&h, n[0], type, batch));
    else if (n.size() == 2 && batch == 1)
        OK(cufftPlan2d(&h, n[0], n[1], type));
    else if (n.size() == 3 && batch == 1)
        OK(cufftPlan3d(&h, n[0], n[1], n[2], type));
    else
        OK(cufftPlanMany(&h, static_cast<int>(n.size()), const_cast<int*>(n.data()), nullptr, 1, 0, nullptr,
                         1, 0, type, batch));
    return h;
}

template <typename C, typename R>
static void test(const std::vector<int>& n, int batch = 1) {
    using A = Api<C, R>;
    const size_t count = total(n), last = static_cast<size_t>(n.back()), half = last / 2 + 1,
                 rows = count / last;
    const double tolerance = A::tolerance * std::sqrt(static_cast<double>(count)) * 4;
    const size_t batches = static_cast<size_t>(batch);
    Device<C> in(count * batches), out(count * batches), spectrum(rows * half * batches);
    Device<R> real(count * batches), padded(2 * rows * half * batches);
    for (size_t i = 0; i < count * batches; ++i)
        in.data[i] = {static_cast<R>(random_value()), static_cast<R>(random_value())},
        real.data[i] = static_cast<R>(random_value());
    for (size_t b = 0; b < batches; ++b)
        for (size_t i = 0; i < count; ++i)
            padded.data[(b * rows + i / last) * 2 * half + i % last] = real.data[b * count + i];
    cufftHandle c2c = plan_of(n, A::c2c, batch), r2c = plan_of(n, A::r2c, batch),
                c2r = plan_of(n, A::c2r, batch);
    for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        OK(A::both(c2c, in.data, out.data, direction));
        OK(cudaDeviceSynchronize());
        for (size_t b = 0; b < batches; ++b) {
            std::vector<Complex> x(count);
            for (size_t i = 0; i < count; ++i) x[i] = {in.data[b * count + i].x, in.data[b * count + i].y};
            x = transform(x, n, direction);
            for (size_t i = 0; i < count; ++i)
                expect("C2C", n, {out.data[b * count + i].x, out.data[b * count + i].y}, x[i], tolerance);
        }
    }
    OK(A::both(c2c, in.data, in.data, CUFFT_INVERSE));
    OK(A::forward(r2c, real.data, spectrum.data));
    OK(A::forward(r2c, padded.data, reinterpret_cast<C*>(padded.data)));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < count * batches; ++i)
        expect("in place", n, {in.data[i].x, in.data[i].y}, {out.data[i].x, out.data[i].y}, 0);
    for (size_t b = 0; b < batches; ++b) {
        std::vector<Complex> x(count);
        for (size_t i = 0; i < count; ++i) x[i] = real.data[b * count + i];
        x = transform(x, n, CUFFT_FORWARD);
        for (size_t i = 0; i < rows * half; ++i) {
            const C s = spectrum.data[b * rows * half + i],
                    p = reinterpret_cast<C*>(padded.data)[b * rows * half + i];
            expect("R2C", n, {s.x, s.y}, x[i / half * last + i % half], tolerance);
            expect("R2C in place", n, {p.x, p.y}, {s.x, s.y}, 0);
        }
    }
    Device<R> back(count * batches);
    OK(A::backward(c2r, spectrum.data, back.data));
    OK(A::backward(c2r, reinterpret_cast<C*>(padded.data), padded.data));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < count * batches; ++i) {
        expect("C2R", n, back.data[i] / static_cast<double>(count), real.data[i], tolerance);
        expect("C2R in place", n, padded.data[i / last * 2 * half + i % last], back.data[i], 0);
    }
    OK(cufftDestroy(c2c));
    OK(cufftDestroy(r2c));
    OK(cufftDestroy(c2r));
}

/// Every third element of rows of 20, of which 5 are used; a batch of 4, two columns apart.
static void test_strides() {
    int n[2] = {6, 5}, in_embed[2] = {8, 20}, out_embed[2] = {6, 5};
    const int stride = 3, dist = 600, batch = 4;
    Device<cufftComplex> in(static_cast<size_t>(dist * batch)), out(30 * batch);
    for (size_t i = 0; i < in.count; ++i)
        in.data[i] = {static_cast<float>(random_value()), static_cast<float>(random_value())};
    cufftHandle h;
    OK(cufftPlanMany(&h, 2, n, in_embed, stride, dist, out_embed, batch, 1, CUFFT_C2C, batch));
    OK(cufftExecC2C(h, in.data, out.data, CUFFT_FORWARD));
    OK(cudaDeviceSynchronize());
    for (int b = 0; b < batch; ++b) {
        std::vector<Complex> x(30);
        for (int i = 0; i < 30; ++i) {
            const cufftComplex v = in.data[b * dist + (i / 5 * 20 + i % 5) * stride];
            x[static_cast<size_t>(i)] = {v.x, v.y};
        }
        x = transform(x, {6, 5}, CUFFT_FORWARD);
        for (int i = 0; i < 30; ++i)
            expect("strides", {6, 5}, {out.data[i * batch + b].x, out.data[i * batch + b].y},
                   x[static_cast<size_t>(i)], 1e-4);
    }
    OK(cufftDestroy(h));
    // The extended form, with sizes of 64 bits.
    long long length = 30;
    size_t work = 0;
    Device<cufftComplex> plain(30), extended(30);
    OK(cufftCreate(&h));
    OK(cufftXtMakePlanMany(h, 1, &length, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_32F, 1, &work,
                           CUDA_C_32F));
    OK(cufftXtExec(h, in.data, extended.data, CUFFT_INVERSE));
    OK(cufftExecC2C(h, in.data, plain.data, CUFFT_INVERSE));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < 30; ++i)
        expect("extended", {30}, {extended.data[i].x, extended.data[i].y}, {plain.data[i].x, plain.data[i].y},
               0);
    OK(cufftDestroy(h));
    if (cufftDestroy(h) != CUFFT_INVALID_PLAN ||
        cufftExecC2C(h, in.data, out.data, CUFFT_FORWARD) != CUFFT_INVALID_PLAN)
        ++failures, std::printf("a plan that is gone is taken\n");
    if (cufftPlan1d(&h, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE)
        ++failures, std::printf("a size of 0 is taken\n");
}

int main() {
    for (int n : {1, 2, 3, 8, 30, 64, 77, 101, 256, 500}) test<cufftComplex, float>({n}, 3);
    for (int n : {1, 16, 45, 128, 243}) test<cufftDoubleComplex, double>({n}, 2);
    // Lines in two steps, and one that has a factor too large for that.
    test<cufftComplex, float>({2304});
    test<cufftDoubleComplex, double>({3 * 5 * 7 * 11});
    test<cufftDoubleComplex, double>({1031});
    test<cufftComplex, float>({16, 24});
    test<cufftDoubleComplex, double>({9, 32}, 2);
    test<cufftComplex, float>({8, 5, 12});
    test<cufftDoubleComplex, double>({4, 6, 10}, 2);
    test_strides();
    return finished("cufft");
}
