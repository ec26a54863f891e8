// spmv: y = A x, A in compressed sparse rows.
// scalar: one thread a row, so the lanes of a warp read 32 distant pieces of A; vector: one warp a row (Bell, Garland,
// SC 2009). Either gathers x.

#include "../common/matrix.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

extern "C" __global__ void multiply_scalar(const u32* row, const u32* column, const float* value,
                                           const float* x, float* y, u32 rows) {
    const u32 r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    const u32 end = row[r + 1];
    for (u32 i = row[r]; i < end; ++i) sum += value[i] * x[column[i]];
    y[r] = sum;
}

extern "C" __global__ void multiply_vector(const u32* row, const u32* column, const float* value,
                                           const float* x, float* y, u32 rows) {
    const u32 r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (r >= rows) return;
    const u32 lane = threadIdx.x % 32;
    float sum = 0;
    const u32 end = row[r + 1];
    for (u32 i = row[r] + lane; i < end; i += 32) sum += value[i] * x[column[i]];
    for (u32 distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0) y[r] = sum;
}

void reference(const Matrix& a, const std::vector<float>& x, std::vector<float>& y,
               std::vector<float>& magnitude) {
    for (u32 r = 0; r < a.rows; ++r) {
        double sum = 0, size = 0;
        for (u32 i = a.row[r]; i < a.row[r + 1]; ++i) {
            const double term = double{a.value[i]} * double{x[a.column[i]]};
            sum += term;
            size += std::fabs(term);
        }
        y[r] = static_cast<float>(sum);
        magnitude[r] = static_cast<float>(size);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("spmv", "sparse matrix times vector", argc, argv);
    const bool scalar = args.choice("variant", "what multiplies a row", {"scalar", "vector"}) == "scalar";
    const u32 repeats = args.count("repeats", "multiplications by the same matrix", Sizes<u32>{1, 1, 1});
    const std::string input = args.text("input", "FILE", "Matrix Market file instead of a generated matrix");
    const GraphOptions options(args, {4096, 98'304, 2'097'152}, {8, 16, 16});
    args.done();
    Random random(args.seed());
    const Matrix a = input.empty() ? matrix_of(options.make(random), random) : read_matrix(input);
    std::vector<float> x(a.columns);
    for (float& v : x) v = random.between(-1, 1);

    DeviceArray<u32> row(a.row), column(a.column);
    DeviceArray<float> value(a.value), d_x(x), y(a.rows);
    for (u32 i = 0; i < repeats; ++i) {
        if (scalar)
            multiply_scalar<<<blocks(a.rows, kThreads), kThreads>>>(row.data(), column.data(), value.data(),
                                                                    d_x.data(), y.data(), a.rows);
        else
            multiply_vector<<<blocks(u64{a.rows} * 32, kThreads), kThreads>>>(
                row.data(), column.data(), value.data(), d_x.data(), y.data(), a.rows);
        must(cudaGetLastError());
    }

    std::printf("spmv: %u x %u, %u entries\n", a.rows, a.columns, a.entries());
    Verdict verdict("spmv");
    std::vector<float> expected(a.rows), magnitude(a.rows);
    reference(a, x, expected, magnitude);
    const std::vector<float> got = y.host();
    // The error of a sum grows with the sum of its terms' magnitudes.
    for (u32 r = 0; r < a.rows; ++r) verdict.near("y", r, got[r], expected[r], 1e-5f * magnitude[r] + 1e-6f);
    return verdict.exit_code();
}
