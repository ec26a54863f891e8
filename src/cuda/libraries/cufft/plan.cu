// cuFFT's plans: a transform as passes over the lines of each dimension.

#include <cufftXt.h>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "lines.cuh"

using namespace heddle_fft;

namespace {

using i64 = long long;

struct Plan {
    bool made = false;
    cufftType type = CUFFT_C2C;
    std::vector<i64> n;  // slowest first
    std::vector<i64> in_embed, out_embed;
    i64 in_stride = 1, in_dist = 0, out_stride = 1, out_dist = 0, batch = 1;
    bool dense_in = true, dense_out = true;  // the arrays as the type and the place of the result say
    cudaStream_t stream = nullptr;
    std::map<i64, void*> roots;
    void *work = nullptr, *split = nullptr;
    size_t bytes = 0;

    ~Plan() {
        for (auto& [length, p] : roots) cudaFree(p);
        cudaFree(work);
        cudaFree(split);
    }
};

std::mutex mutex;
std::map<cufftHandle, std::unique_ptr<Plan>> plans;
cufftHandle next_plan = 1;

Plan* find(cufftHandle handle) {
    const std::lock_guard lock(mutex);
    const auto at = plans.find(handle);
    return at == plans.end() ? nullptr : at->second.get();
}

bool is_double(cufftType type) {
    return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}
bool from_real(cufftType type) {
    return type == CUFFT_R2C || type == CUFFT_D2Z;
}
bool to_real(cufftType type) {
    return type == CUFFT_C2R || type == CUFFT_Z2D;
}

/// An array of the transform's shape: from element to element of each dimension, and from one of the batch to the next.
struct Layout {
    void* data;
    std::vector<i64> strides;
    i64 dist;
};

Layout embedded(void* data, const std::vector<i64>& embed, i64 stride, i64 dist) {
    Layout l{data, std::vector<i64>(embed.size()), dist};
    for (size_t d = embed.size(); d-- > 0; stride *= embed[d]) l.strides[d] = stride;
    return l;
}
Layout dense(void* data, std::vector<i64> sizes) {
    i64 total = 1;
    for (const i64 s : sizes) total *= s;
    return embedded(data, sizes, 1, total);
}

/// 4s first, then what is left of 2, then odd primes.
std::vector<int> radices_of(i64 n) {
    std::vector<int> out;
    for (; n % 4 == 0; n /= 4) out.push_back(4);
    for (int p = 2; n > 1; ++p)
        for (; n % p == 0; n /= p) out.push_back(p);
    return out;
}

template <typename C>
class Passes {
  public:
    Passes(Plan& plan, bool inverse) : plan_(plan), inverse_(inverse) {}

    bool ok() const { return ok_; }

    /// Transforms dimension d of `counts` (the others' sizes stand there, the batch last) from one layout to the other.
    void dimension(size_t d, const Layout& in, Kind in_kind, const Layout& out, Kind out_kind,
                   const std::vector<i64>& sizes) {
        const i64 n = plan_.n[d];
        std::vector<i64> counts, in_lines, out_lines;
        for (size_t o = sizes.size(); o-- > 0;) {
            if (o == d) continue;
            counts.push_back(sizes[o]);
            in_lines.push_back(in.strides[o]);
            out_lines.push_back(out.strides[o]);
        }
        counts.push_back(plan_.batch);
        in_lines.push_back(in.dist);
        out_lines.push_back(out.dist);
        while (counts.size() < 3) counts.push_back(1), in_lines.push_back(0), out_lines.push_back(0);

        Task<C> t{};
        t.inverse = inverse_;
        auto side = [&](const Layout& l, Kind kind, i64 stride, const std::vector<i64>& lines) {
            Side s{l.data, kind, stride, {lines[0], lines[1], lines[2], 0}, static_cast<int>(n), 1, 0};
            return s;
        };
        t.in = side(in, in_kind, in.strides[d], in_lines);
        t.out = side(out, out_kind, out.strides[d], out_lines);
        for (int k = 0; k < 3; ++k) t.counts[k] = counts[static_cast<size_t>(k)];
        t.counts[3] = 1;
        if (n <= kElements<C>)
            launch(t, static_cast<int>(n));
        else if (const i64 part = split_of(n); part != 0)
            launch_split(t, n, part);
        else
            launch_sums(t, n);
    }

  private:
    /// The divisor nearest to the root of n whose partner fits as well; 0 if there is none.
    static i64 split_of(i64 n) {
        i64 best = 0;
        for (i64 p = 2; p <= kElements<C> && p * p <= n; ++p)
            if (n % p == 0 && n / p <= kElements<C>) best = p;
        return best;
    }

    const C* roots(i64 n) {
        void*& p = plan_.roots[n];
        if (p == nullptr) {
            if (cudaMalloc(&p, static_cast<size_t>(n) * sizeof(C)) != cudaSuccess) {
                ok_ = false;
                return nullptr;
            }
            fill_roots<<<static_cast<unsigned>((n + 255) / 256), 256, 0, plan_.stream>>>(static_cast<C*>(p),
                                                                                         static_cast<int>(n));
        }
        return static_cast<const C*>(p);
    }

    static i64 total(const Task<C>& t) { return t.counts[0] * t.counts[1] * t.counts[2] * t.counts[3]; }

    void launch(Task<C> t, int length) {
        t.length = length;
        t.total = total(t);
        t.roots = roots(length);
        t.stages = 0;
        if (length > 1)
            for (const int r : radices_of(length)) t.radices[t.stages++] = r;
        const i64 most = length == 1 ? 256 : 16, fit = kElements<C> / length;
        i64 lines = fit < most ? fit : most;
        if (t.total < lines) lines = t.total;
        t.lines_a_block = static_cast<int>(lines);
        const size_t bytes = 2 * static_cast<size_t>(length) * static_cast<size_t>(lines) * sizeof(C);
        transform_lines<<<static_cast<unsigned>((t.total + lines - 1) / lines), kThreads, bytes,
                          plan_.stream>>>(t);
    }

    /// The lines, densely, in the plan's buffer for lines that are made in two steps.
    bool split_buffer(const Task<C>& t, i64 n, Side& side) {
        if (plan_.split == nullptr && cudaMalloc(&plan_.split, plan_.bytes) != cudaSuccess)
            return ok_ = false;
        side = {plan_.split,
                Kind::complex,
                1,
                {0, n, n * t.counts[0], n * t.counts[0] * t.counts[1]},
                static_cast<int>(n),
                1,
                0};
        return true;
    }

    /// With n = first * second: transforms over the first factor, turned, then over the second.
    void launch_split(const Task<C>& t, i64 n, i64 first) {
        const i64 second = n / first;
        Side buffer;
        if (!split_buffer(t, n, buffer)) return;
        auto widened = [&](const Side& s, i64 step) {
            Side w = s;
            w.stride = s.stride * step;
            for (int k = 3; k > 0; --k) w.lines[k] = s.lines[k - 1];
            w.lines[0] = s.stride;
            w.step = static_cast<int>(step);
            w.first = 1;
            return w;
        };
        Task<C> a = t;
        for (int k = 3; k > 0; --k) a.counts[k] = t.counts[k - 1];
        Task<C> b = a;
        a.counts[0] = second;
        a.in = widened(t.in, second);
        a.out = buffer;
        a.out.stride = second;
        a.out.lines[0] = 1;
        a.turned = static_cast<int>(n);
        launch(a, static_cast<int>(first));
        b.counts[0] = first;
        b.in = buffer;
        b.in.lines[0] = second;
        b.out = widened(t.out, first);
        launch(b, static_cast<int>(second));
    }

    void launch_sums(const Task<C>& t, i64 n) {
        Side buffer;
        if (!split_buffer(t, n, buffer)) return;
        Task<C> a = t;
        a.length = static_cast<int>(n);
        a.total = total(t);
        a.roots = roots(n);
        a.out = buffer;
        for (int k = 0; k < 3; ++k) a.out.lines[k] = buffer.lines[k + 1];
        sum_lines<<<1024, kThreads, 0, plan_.stream>>>(a);
        // A copy: lines of one element, over the numbers of the elements first.
        Task<C> b = t;
        for (int k = 3; k > 0; --k) b.counts[k] = t.counts[k - 1], b.out.lines[k] = t.out.lines[k - 1];
        b.counts[0] = n;
        b.out.lines[0] = t.out.stride;
        b.out.step = 0;
        b.out.first = 1;
        b.in = buffer;
        b.in.lines[0] = 1;
        launch(b, 1);
    }

    Plan& plan_;
    bool inverse_;
    bool ok_ = true;
};

template <typename C>
cufftResult run(Plan& p, void* in, void* out, bool inverse) {
    const size_t rank = p.n.size(), last = rank - 1;
    const bool real_in = from_real(p.type), real_out = to_real(p.type);
    // What is stored of the spectrum, and of a real array in the place of its spectrum.
    std::vector<i64> half = p.n, padded = p.n;
    if (real_in || real_out) half[last] = p.n[last] / 2 + 1;
    if (in == out) padded[last] = 2 * half[last];
    auto layout = [&](void* data, bool plain, bool real, const std::vector<i64>& embed, i64 stride,
                      i64 dist) {
        return plain ? dense(data, real ? padded : half) : embedded(data, embed, stride, dist);
    };
    const Layout from = layout(in, p.dense_in, real_in, p.in_embed, p.in_stride, p.in_dist);
    const Layout to = layout(out, p.dense_out, real_out, p.out_embed, p.out_stride, p.out_dist);
    Passes<C> passes(p, inverse);
    if (!real_out) {
        passes.dimension(last, from, real_in ? Kind::real : Kind::complex, to,
                         real_in ? Kind::hermitian : Kind::complex, p.n);
        for (size_t d = last; d-- > 0;) passes.dimension(d, to, Kind::complex, to, Kind::complex, half);
    } else {
        Layout at = from;
        if (rank > 1) {
            Layout work = dense(nullptr, half);
            const size_t bytes = static_cast<size_t>(work.dist * p.batch) * sizeof(C);
            if (p.work == nullptr && cudaMalloc(&p.work, bytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
            work.data = p.work;
            for (size_t d = 0; d < last; ++d) {
                passes.dimension(d, at, Kind::complex, work, Kind::complex, half);
                at = work;
            }
        }
        passes.dimension(last, at, Kind::hermitian, to, Kind::real, p.n);
    }
    if (!passes.ok()) return CUFFT_ALLOC_FAILED;
    return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

cufftResult execute(cufftHandle handle, void* in, void* out, cufftType type, int direction) {
    Plan* const p = find(handle);
    if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
    if (p->type != type) return CUFFT_INVALID_TYPE;
    if (in == nullptr || out == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    const bool inverse = direction == CUFFT_INVERSE;
    return is_double(type) ? run<cufftDoubleComplex>(*p, in, out, inverse)
                           : run<cufftComplex>(*p, in, out, inverse);
}

cufftResult make(cufftHandle handle, std::vector<i64> n, const i64* in_embed, i64 in_stride, i64 in_dist,
                 const i64* out_embed, i64 out_stride, i64 out_dist, cufftType type, i64 batch,
                 size_t* work) {
    Plan* const p = find(handle);
    if (p == nullptr || p->made) return CUFFT_INVALID_PLAN;
    if (type != CUFFT_C2C && type != CUFFT_R2C && type != CUFFT_C2R && type != CUFFT_Z2Z &&
        type != CUFFT_D2Z && type != CUFFT_Z2D)
        return CUFFT_INVALID_TYPE;
    if (n.empty() || n.size() > 3 || batch < 1) return CUFFT_INVALID_SIZE;
    i64 total = batch;
    for (const i64 s : n) {
        if (s < 1 || s > (is_double(type) ? 1 << 20 : 1 << 22)) return CUFFT_INVALID_SIZE;
        total *= s;
    }
    p->type = type;
    p->dense_in = in_embed == nullptr;
    p->dense_out = out_embed == nullptr;
    if (in_embed != nullptr) p->in_embed.assign(in_embed, in_embed + n.size());
    if (out_embed != nullptr) p->out_embed.assign(out_embed, out_embed + n.size());
    p->n = std::move(n);
    p->in_stride = in_stride;
    p->in_dist = in_dist;
    p->out_stride = out_stride;
    p->out_dist = out_dist;
    p->batch = batch;
    p->bytes = static_cast<size_t>(total) * (is_double(type) ? 16 : 8);
    p->made = true;
    if (work != nullptr) *work = p->bytes;
    return CUFFT_SUCCESS;
}

/// cufftPlan*: a handle and its plan at once.
template <typename Make>
cufftResult plan(cufftHandle* handle, const Make& make_it) {
    const cufftResult created = cufftCreate(handle);
    if (created != CUFFT_SUCCESS) return created;
    const cufftResult made = make_it(*handle);
    if (made != CUFFT_SUCCESS) cufftDestroy(*handle);
    return made;
}

cufftResult estimate(std::vector<i64> n, cufftType type, i64 batch, size_t* work) {
    cufftHandle handle;
    const cufftResult result = plan(
        &handle, [&](cufftHandle h) { return make(h, n, nullptr, 1, 0, nullptr, 1, 0, type, batch, work); });
    if (result == CUFFT_SUCCESS) cufftDestroy(handle);
    return result;
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
    if (handle == nullptr) return CUFFT_INVALID_VALUE;
    const std::lock_guard lock(mutex);
    *handle = next_plan++;
    plans[*handle] = std::make_unique<Plan>();
    return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
    const std::lock_guard lock(mutex);
    return plans.erase(handle) == 0 ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftMakePlan1d(cufftHandle h, int nx, cufftType type, int batch, size_t* work) {
    return make(h, {nx}, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle h, int nx, int ny, cufftType type, size_t* work) {
    return make(h, {nx, ny}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle h, int nx, int ny, int nz, cufftType type, size_t* work) {
    return make(h, {nx, ny, nz}, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlanMany64(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, long long* onembed, long long ostride, long long odist,
                                cufftType type, long long batch, size_t* work) {
    if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
    // Both or neither.
    if (inembed == nullptr || onembed == nullptr) inembed = onembed = nullptr;
    return make(h, std::vector<i64>(n, n + rank), inembed, istride, idist, onembed, ostride, odist, type,
                batch, work);
}
cufftResult cufftMakePlanMany(cufftHandle h, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* work) {
    if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
    std::vector<i64> sizes(n, n + rank), in, out;
    if (inembed != nullptr) in.assign(inembed, inembed + rank);
    if (onembed != nullptr) out.assign(onembed, onembed + rank);
    return cufftMakePlanMany64(h, rank, sizes.data(), in.empty() ? nullptr : in.data(), istride, idist,
                               out.empty() ? nullptr : out.data(), ostride, odist, type, batch, work);
}
cufftResult cufftPlan1d(cufftHandle* handle, int nx, cufftType type, int batch) {
    return plan(handle, [&](cufftHandle h) { return cufftMakePlan1d(h, nx, type, batch, nullptr); });
}
cufftResult cufftPlan2d(cufftHandle* handle, int nx, int ny, cufftType type) {
    return plan(handle, [&](cufftHandle h) { return cufftMakePlan2d(h, nx, ny, type, nullptr); });
}
cufftResult cufftPlan3d(cufftHandle* handle, int nx, int ny, int nz, cufftType type) {
    return plan(handle, [&](cufftHandle h) { return cufftMakePlan3d(h, nx, ny, nz, type, nullptr); });
}
cufftResult cufftPlanMany(cufftHandle* handle, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
    return plan(handle, [&](cufftHandle h) {
        return cufftMakePlanMany(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                                 nullptr);
    });
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    Plan* const p = find(handle);
    if (p == nullptr) return CUFFT_INVALID_PLAN;
    p->stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
    return find(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
    return find(handle) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftGetSize(cufftHandle handle, size_t* work) {
    const Plan* const p = find(handle);
    if (p == nullptr) return CUFFT_INVALID_PLAN;
    if (work == nullptr) return CUFFT_INVALID_VALUE;
    *work = p->bytes;
    return CUFFT_SUCCESS;
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work) {
    return estimate({nx}, type, batch, work);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work) {
    return estimate({nx, ny}, type, 1, work);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work) {
    return estimate({nx, ny, nz}, type, 1, work);
}
cufftResult cufftGetVersion(int* version) {
    if (version == nullptr) return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
    if (value == nullptr) return CUFFT_INVALID_VALUE;
    *value = type == MAJOR_VERSION ? CUFFT_VER_MAJOR : 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                long long idist, cudaDataType in_type, long long* onembed, long long ostride,
                                long long odist, cudaDataType out_type, long long batch, size_t* work,
                                cudaDataType execution) {
    constexpr struct {
        cudaDataType in, out, execution;
        cufftType type;
    } kTypes[] = {
        {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
    };
    for (const auto& t : kTypes)
        if (t.in == in_type && t.out == out_type && t.execution == execution)
            return cufftMakePlanMany64(h, rank, n, inembed, istride, idist, onembed, ostride, odist, t.type,
                                       batch, work);
    return CUFFT_NOT_SUPPORTED;
}
cufftResult cufftXtExec(cufftHandle h, void* in, void* out, int direction) {
    const Plan* const p = find(h);
    if (p == nullptr) return CUFFT_INVALID_PLAN;
    if (from_real(p->type)) direction = CUFFT_FORWARD;
    if (to_real(p->type)) direction = CUFFT_INVERSE;
    return execute(h, in, out, p->type, direction);
}

cufftResult cufftExecC2C(cufftHandle h, cufftComplex* in, cufftComplex* out, int direction) {
    return execute(h, in, out, CUFFT_C2C, direction);
}
cufftResult cufftExecR2C(cufftHandle h, cufftReal* in, cufftComplex* out) {
    return execute(h, in, out, CUFFT_R2C, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex* in, cufftReal* out) {
    return execute(h, in, out, CUFFT_C2R, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
    return execute(h, in, out, CUFFT_Z2Z, direction);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* in, cufftDoubleComplex* out) {
    return execute(h, in, out, CUFFT_D2Z, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* in, cufftDoubleReal* out) {
    return execute(h, in, out, CUFFT_Z2D, CUFFT_INVERSE);
}

}  // extern "C"
