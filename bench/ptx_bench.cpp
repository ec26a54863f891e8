// PTX execution alone: warp instructions a second of CPU time, one core, recording included.
// `arithmetic` is a chain of f32 and integer operations in a loop, `memory` loads and stores in every third instruction,
// `divergent` a loop whose lanes leave at different times, `atomics` adds to scattered words.

#include <benchmark/benchmark.h>
#include <cstring>
#include <string>

#include "ptx/launch.h"

using namespace heddle;
using namespace heddle::ptx;

namespace {

constexpr const char* kHead = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 rounds)
{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .f32 %f<16>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [rounds];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	mul.wide.u32 %rd2, %r5, 4;
	add.s64 %rd3, %rd1, %rd2;
	cvt.rn.f32.u32 %f1, %r5;
	mov.f32 %f2, 0f3F000000;
	mov.u32 %r6, 0;
	mov.u32 %r7, %r5;
LOOP:
)";
constexpr const char* kTail = R"(
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p1, %r6, %r1;
	@%p1 bra LOOP;
	cvt.rzi.u32.f32 %r8, %f1;
	xor.b32 %r8, %r8, %r7;
	st.global.u32 [%rd3], %r8;
	ret;
}
)";

std::string repeat(const char* text, int n) {
    std::string s;
    for (int k = 0; k < n; ++k) s += text;
    return s;
}

/// Counts words as a recorder would receive them.
struct Counter final : KernelSink {
    void begin_kernel(const KernelInfo&, const std::vector<StaticInst>&) override {}
    void begin_cta(u64, Dim3) override {}
    void words(u64, u32, std::span<const u32> w) override { count += w.size(); }
    void end_cta(u64) override {}
    void end_kernel() override {}
    u64 count = 0;
};

void run(benchmark::State& state, const std::string& body, u32 rounds) {
    Context context;
    const auto program = context.load({Module::parse(kHead + body + kTail, "bench.ptx")});
    const u32 blocks = 64, threads = 256;
    const u64 data = context.memory().allocate(MemoryKind::device, u64{blocks} * threads * 4);
    Launch launch;
    launch.kernel = program->kernel("k");
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.args.resize(16);
    std::memcpy(launch.args.data(), &data, 8);
    std::memcpy(launch.args.data() + 8, &rounds, 4);
    u64 instructions = 0, words = 0;
    for (auto _ : state) {
        Counter counter;
        Execution execution(context, launch, &counter);
        execution.run();
        instructions += execution.stats().warp_instructions;
        words += counter.count;
    }
    state.counters["warp_instructions/s"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
    state.counters["words/instruction"] = static_cast<double>(words) / static_cast<double>(instructions);
}

void arithmetic(benchmark::State& state) {
    run(state,
        repeat(
            "\tfma.rn.f32 %f1, %f1, %f2, %f2;\n\tadd.f32 %f3, %f1, %f2;\n\tmul.f32 %f4, %f3, %f2;\n"
            "\tmad.lo.u32 %r7, %r7, 1664525, 1013904223;\n\tshr.u32 %r9, %r7, 3;\n\txor.b32 %r7, %r7, %r9;\n"
            "\tmax.f32 %f1, %f1, %f4;\n",
            4),
        40);
}
void memory(benchmark::State& state) {
    run(state,
        repeat("\tld.global.f32 %f5, [%rd3];\n\tadd.f32 %f1, %f1, %f5;\n\tmul.f32 %f6, %f5, "
               "%f2;\n\tst.global.f32 [%rd3], %f6;\n"
               "\tld.global.f32 %f7, [%rd3];\n\tfma.rn.f32 %f1, %f7, %f2, %f1;\n",
               4),
        40);
}
void gather(benchmark::State& state) {
    run(state,
        repeat("\tmad.lo.u32 %r7, %r7, 1664525, 1013904223;\n\tshr.u32 %r9, %r7, 18;\n\tmul.wide.u32 %rd4, "
               "%r9, 4;\n"
               "\tadd.s64 %rd5, %rd1, %rd4;\n\tld.global.u32 %r10, [%rd5];\n\txor.b32 %r7, %r7, %r10;\n",
               4),
        40);
}
void atomics(benchmark::State& state) {
    run(state,
        repeat("\tmad.lo.u32 %r7, %r7, 1664525, 1013904223;\n\tshr.u32 %r9, %r7, 18;\n\tmul.wide.u32 %rd4, "
               "%r9, 4;\n"
               "\tadd.s64 %rd5, %rd1, %rd4;\n\tred.global.add.u32 [%rd5], 1;\n",
               4),
        40);
}
void divergent(benchmark::State& state) {
    run(state,
        "\tand.b32 %r9, %r5, 7;\n\tadd.u32 %r10, %r9, 1;\nINNER:\n\tfma.rn.f32 %f1, %f1, %f2, "
        "%f2;\n\tsub.u32 %r10, %r10, 1;\n"
        "\tsetp.ne.u32 %p2, %r10, 0;\n\t@%p2 bra INNER;\n",
        40);
}

}  // namespace

BENCHMARK(arithmetic)->Unit(benchmark::kMillisecond);
BENCHMARK(memory)->Unit(benchmark::kMillisecond);
BENCHMARK(gather)->Unit(benchmark::kMillisecond);
BENCHMARK(atomics)->Unit(benchmark::kMillisecond);
BENCHMARK(divergent)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
