// gups: random updates of a large table, each an exclusive or with a pseudo-random number (HPC Challenge
// RandomAccess). Updates are atomic, so that the result is exact.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
/// The benchmark's generator: times x, modulo the polynomial x^64 + x^2 + x + 1 over GF(2). Bit by bit, since of
/// "x < 0 ? 7 : 0" clang 14 makes a bfe.u64 that yields 1 (docs/notes/clang-bfe.md).
__host__ __device__ u64 step(u64 x) {
    const u64 carry = x >> 63;
    return (x << 1) ^ carry ^ (carry << 1) ^ (carry << 2);
}

/// Thread t makes `each` updates, its numbers go on from start[t].
extern "C" __global__ void update(unsigned long long* table, u64 mask, const u64* start, u32 threads,
                                  u32 each) {
    const u32 t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= threads) return;
    u64 x = start[t];
    for (u32 i = 0; i < each; ++i) {
        x = step(x);
        atomicXor(&table[x & mask], static_cast<unsigned long long>(x));
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("gups", "random updates of a table", argc, argv);
    const u32 bits = args.count("log-table", "log2 of the table's 8-byte words", Sizes<u32>{14, 20, 25});
    const u32 threads = args.count("updaters", "threads that update", Sizes<u32>{4096, 65'536, 262'144});
    const u32 each = args.count("updates", "updates per thread", Sizes<u32>{16, 32, 64});
    args.done();
    if (bits > 34) args.fail("--log-table: at most 34");
    if (u64{threads} * each > u64{1} << 32) args.fail("--updaters times --updates: at most 4294967296");

    Random random(args.seed());
    std::vector<unsigned long long> table(std::size_t{1} << bits);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = i;
    std::vector<u64> start(threads);
    for (u64& s : start) s = random.next();

    DeviceArray<unsigned long long> d_table(table);
    DeviceArray<u64> d_start(start);
    const u64 mask = table.size() - 1;
    update<<<blocks(threads, kThreads), kThreads>>>(d_table.data(), mask, d_start.data(), threads, each);
    must(cudaGetLastError());

    for (u64 x : start)
        for (u32 i = 0; i < each; ++i) {
            x = step(x);
            table[x & mask] ^= x;
        }
    std::printf("gups: %llu words, %llu updates\n", static_cast<unsigned long long>(table.size()),
                static_cast<unsigned long long>(u64{threads} * each));
    Verdict verdict("gups");
    verdict.equal("table", d_table.host(), table);
    return verdict.exit_code();
}
