// Matrix multiplication by a warp: every shape and type of nvcuda::wmma in every layout, and PTX's wmma.load, wmma.store,
// mma and ldmatrix, with values whose sums are exact.

#include <mma.h>

#include <cstring>
#include <string>
#include <type_traits>

#include "check.h"

using namespace nvcuda;
namespace precision = wmma::experimental::precision;

/// The host's view of an element.
template <class T>
double as_double(T v) {
    if constexpr (std::is_same_v<T, __half>)
        return static_cast<double>(__half2float(v));
    else if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return static_cast<double>(__bfloat162float(v));
    else
        return static_cast<double>(v);
}

template <class T>
void fill(T* p, int n, int range) {
    for (int i = 0; i < n; ++i) {
        const int v = static_cast<int>(random_bits() % static_cast<unsigned>(2 * range + 1)) - range;
        p[i] = T(std::is_unsigned_v<T> ? v + range : v);
    }
}

template <int m, int n, int k, class T, class M, class C, class D, class AL, class BL>
__global__ void multiply(const M* a, const M* b, const C* c, D* d, int lda, int ldb, int ldc, bool columns) {
    const auto layout = columns ? wmma::mem_col_major : wmma::mem_row_major;
    wmma::fragment<wmma::matrix_a, m, n, k, T, AL> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, BL> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> fc;
    wmma::fragment<wmma::accumulator, m, n, k, D> fd;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + fd.x[i];
    wmma::store_matrix_sync(d, fd, ldc, layout);
}

template <int m, int n, int k, class T, class M, class C, class D, class AL, class BL>
void check_layouts(const char* name, bool columns) {
    constexpr bool a_row = std::is_same_v<AL, wmma::row_major>, b_row = std::is_same_v<BL, wmma::row_major>;
    // Lines that are longer than the matrix.
    const int lda = (a_row ? k : m) + 16, ldb = (b_row ? n : k) + 16, ldc = (columns ? m : n) + 8;
    M *a = managed<M>(64 * 64), *b = managed<M>(64 * 64);
    C* c = managed<C>(64 * 64);
    D* d = managed<D>(64 * 64);
    fill(a, 64 * 64, 7);
    fill(b, 64 * 64, 7);
    fill(c, 64 * 64, 50);
    multiply<m, n, k, T, M, C, D, AL, BL><<<1, 32>>>(a, b, c, d, lda, ldb, ldc, columns);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const int at = columns ? j * ldc + i : i * ldc + j;
            double want = as_double(c[at]);
            for (int x = 0; x < k; ++x)
                want += as_double(a[a_row ? i * lda + x : x * lda + i]) * as_double(b[b_row ? x * ldb + j : j * ldb + x]);
            CHECK(as_double(d[at]) == 2 * want, "%s %d%d%d (%d, %d): %f, not %f", name, a_row, b_row, columns, i, j, as_double(d[at]), 2 * want);
        }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}
template <int m, int n, int k, class T, class M, class C, class D>
void check(const char* name) {
    check_layouts<m, n, k, T, M, C, D, wmma::row_major, wmma::col_major>(name, false);
    check_layouts<m, n, k, T, M, C, D, wmma::col_major, wmma::row_major>(name, true);
}

/// Elements of less than a byte, in words.
template <class T, int k, bool bits>
__global__ void multiply_small(const unsigned* a, const unsigned* b, int* d) {
    wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, k, int> f;
    wmma::fill_fragment(f, 3);
    wmma::load_matrix_sync(fa, a, k);
    wmma::load_matrix_sync(fb, b, k);
    if constexpr (bits)
        wmma::bmma_sync(f, fa, fb, f);
    else
        wmma::mma_sync(f, fa, fb, f);
    wmma::store_matrix_sync(d, f, 8, wmma::mem_row_major);
}
template <class T, int k, int width, bool is_signed>
void check_small(const char* name) {
    unsigned *a = managed<unsigned>(32), *b = managed<unsigned>(32);
    int* d = managed<int>(64);
    for (int i = 0; i < 32; ++i) a[i] = random_bits(), b[i] = random_bits();
    multiply_small<T, k, width == 1><<<1, 32>>>(a, b, d);
    CUDA(cudaDeviceSynchronize());
    auto element = [](const unsigned* p, int at) {
        const int v = static_cast<int>(p[at * width / 32] >> at * width % 32 & ((1u << width) - 1));
        return is_signed && v >= 1 << (width - 1) ? v - (1 << width) : v;
    };
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            int want = 3;
            for (int x = 0; x < k; ++x) {
                const int p = element(a, i * k + x), q = element(b, j * k + x);
                want += width == 1 ? p ^ q : p * q;
            }
            CHECK(d[i * 8 + j] == want, "%s (%d, %d): %d, not %d", name, i, j, d[i * 8 + j], want);
        }
}

/// What nvcc writes for wmma: loads and stores are instructions.
__global__ void by_ptx(const __half* a, const __half* b, const float* c, float* d, __half* e) {
    __shared__ __align__(32) __half shared[256];
    for (int i = threadIdx.x; i < 256; i += 32) shared[i] = b[i];
    __syncwarp();
    unsigned ra[8], rb[8], re[4];
    float rc[8];
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]), "=r"(ra[4]), "=r"(ra[5]), "=r"(ra[6]), "=r"(ra[7])
                 : "l"(a), "r"(16));
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(rb[0]), "=r"(rb[1]), "=r"(rb[2]), "=r"(rb[3]), "=r"(rb[4]), "=r"(rb[5]), "=r"(rb[6]), "=r"(rb[7])
                 : "l"(__cvta_generic_to_shared(shared)), "r"(16));
    asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=f"(rc[0]), "=f"(rc[1]), "=f"(rc[2]), "=f"(rc[3]), "=f"(rc[4]), "=f"(rc[5]), "=f"(rc[6]), "=f"(rc[7])
                 : "l"(c));
    asm volatile("wmma.mma.sync.aligned.col.row.m16n16k16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
                 "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, %25, %26, %27};"
                 : "=r"(re[0]), "=r"(re[1]), "=r"(re[2]), "=r"(re[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(ra[4]), "r"(ra[5]), "r"(ra[6]), "r"(ra[7]), "r"(rb[0]),
                   "r"(rb[1]), "r"(rb[2]), "r"(rb[3]), "r"(rb[4]), "r"(rb[5]), "r"(rb[6]), "r"(rb[7]), "f"(rc[0]), "f"(rc[1]),
                   "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]));
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%0], {%1, %2, %3, %4}, %5;" ::"l"(e), "r"(re[0]), "r"(re[1]),
                 "r"(re[2]), "r"(re[3]), "r"(24)
                 : "memory");
    asm volatile("wmma.store.d.sync.aligned.col.m16n16k16.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"l"(d), "f"(rc[0]),
                 "f"(rc[1]), "f"(rc[2]), "f"(rc[3]), "f"(rc[4]), "f"(rc[5]), "f"(rc[6]), "f"(rc[7]), "r"(20)
                 : "memory");
}

/// mma with its stated fragments, A by ldmatrix and B by its transposed form.
__global__ void by_mma(const __half* a, const __half* b, float* d) {
    __shared__ __align__(16) __half sa[16 * 16], sb[16 * 8];
    for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
    __syncwarp();
    const unsigned lane = threadIdx.x;
    unsigned ra[4], rb[2];
    float c[4] = {1, 2, 3, 4};
    // Matrices of A: rows 0 to 7 and 8 to 15, then the same of columns 8 to 15.
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(sa + lane % 16 * 16 + lane / 16 * 8));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "l"(__cvta_generic_to_shared(sb + lane % 16 * 8)));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (unsigned k = 0; k < 4; ++k) d[(lane / 4 + k / 2 * 8) * 8 + lane % 4 * 2 + k % 2] = c[k];
}
/// Bytes, by the places that the manual states.
__global__ void by_mma_of_bytes(const signed char* a, const signed char* b, int* d) {
    const unsigned group = threadIdx.x / 4, in_group = threadIdx.x % 4;
    auto word = [](const signed char* p) { return *reinterpret_cast<const unsigned*>(p); };
    unsigned ra[4], rb[2];
    for (unsigned k = 0; k < 4; ++k) ra[k] = word(a + (group + k % 2 * 8) * 32 + in_group * 4 + k / 2 * 16);
    for (unsigned k = 0; k < 2; ++k) rb[k] = word(b + group * 32 + in_group * 4 + k * 16);
    int c[4] = {};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (unsigned k = 0; k < 4; ++k) d[(group + k / 2 * 8) * 8 + in_group * 2 + k % 2] = c[k];
}

void check_ptx() {
    __half *a = managed<__half>(256), *b = managed<__half>(256), *e = managed<__half>(24 * 16);
    float *c = managed<float>(256), *d = managed<float>(20 * 16);
    fill(a, 256, 7);
    fill(b, 256, 7);
    fill(c, 256, 50);
    by_ptx<<<1, 32>>>(a, b, c, d, e);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            double want = static_cast<double>(c[j * 16 + i]);
            for (int k = 0; k < 16; ++k) want += as_double(a[k * 16 + i]) * as_double(b[k * 16 + j]);
            CHECK(as_double(e[i * 24 + j]) == want, "(%d, %d): %f, not %f", i, j, as_double(e[i * 24 + j]), want);
            CHECK(d[j * 20 + i] == c[j * 16 + i]);
        }
    by_mma<<<1, 32>>>(a, b, d);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            double want = 1 + j % 2 + (i >= 8 ? 2 : 0);
            for (int k = 0; k < 16; ++k) want += as_double(a[i * 16 + k]) * as_double(b[k * 8 + j]);
            CHECK(static_cast<double>(d[i * 8 + j]) == want, "(%d, %d): %f, not %f", i, j, static_cast<double>(d[i * 8 + j]), want);
        }
    signed char *p = managed<signed char>(16 * 32), *q = managed<signed char>(8 * 32);
    int* r = managed<int>(128);
    fill(p, 16 * 32, 127);
    fill(q, 8 * 32, 127);
    by_mma_of_bytes<<<1, 32>>>(p, q, r);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            int want = 0;
            for (int k = 0; k < 32; ++k) want += p[i * 32 + k] * q[j * 32 + k];
            CHECK(r[i * 8 + j] == want, "(%d, %d): %d, not %d", i, j, r[i * 8 + j], want);
        }
}

int main() {
    using bf16 = __nv_bfloat16;
    check<16, 16, 16, __half, __half, float, float>("half to float");
    check<16, 16, 16, __half, __half, __half, __half>("half to half");
    check<32, 8, 16, __half, __half, float, __half>("half from float");
    check<8, 32, 16, __half, __half, __half, float>("half from half");
    check<16, 16, 16, bf16, bf16, float, float>("bfloat16");
    check<32, 8, 16, bf16, bf16, float, float>("bfloat16 32 x 8");
    check<8, 32, 16, bf16, bf16, float, float>("bfloat16 8 x 32");
    check<16, 16, 8, wmma::precision::tf32, float, float, float>("tf32");
    check<8, 8, 4, double, double, double, double>("double");
    check<16, 16, 16, signed char, signed char, int, int>("bytes");
    check<32, 8, 16, signed char, signed char, int, int>("bytes 32 x 8");
    check<8, 32, 16, unsigned char, unsigned char, int, int>("bytes 8 x 32");
    check_small<precision::s4, 32, 4, true>("s4");
    check_small<precision::u4, 32, 4, false>("u4");
    check_small<precision::b1, 128, 1, false>("b1");
    check_ptx();
    return finished();
}
