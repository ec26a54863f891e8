// What a launch costs: 10,000 launches of a kernel of one warp, as a program that launches often sees it. `record` executes
// and records them, `replay` reads the recording and times it on gtx480.

#include <benchmark/benchmark.h>
#include <cstring>
#include <filesystem>

#include "config/machine_file.h"
#include "cuda/kernel_feed.h"
#include "machine/simulation.h"
#include "ptx/launch.h"
#include "trace/open.h"
#include "trace/recording.h"

using namespace heddle;

namespace {

constexpr u64 kLaunches = 10'000;

constexpr const char* kModule = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 data)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r1;
	ret;
}
)";

std::string file_name() {
    return (std::filesystem::temp_directory_path() / "heddle_launch_bench.rec").string();
}

void write_recording() {
    ptx::Context context;
    const auto program = context.load({ptx::Module::parse(kModule, "bench.ptx")});
    const u64 data = context.memory().allocate(ptx::MemoryKind::device, 4096);
    ptx::Launch launch;
    launch.kernel = program->kernel("k");
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    launch.args.resize(8);
    std::memcpy(launch.args.data(), &data, 8);
    RecordingWriter writer(std::make_unique<OutputFile>(file_name(), "the recording"), "bench",
                           Compression::fast);
    for (u64 k = 0; k < kLaunches; ++k) writer.add(LaunchEvent{cuda::feed_kernel(context, launch)});
    writer.finish();
}

void count_launches(benchmark::State& state) {
    state.counters["CPU time/launch"] =
        benchmark::Counter(static_cast<double>(state.iterations() * i64{kLaunches}),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    std::filesystem::remove(file_name());
}

void record(benchmark::State& state) {
    for (auto _ : state) write_recording();
    count_launches(state);
}

void replay(benchmark::State& state) {
    write_recording();
    const MachineSettings machine =
        config::load(MachineSettings::schema(), {.machine = "gtx480", .sets = {}});
    for (auto _ : state) {
        Simulation simulation(machine);
        simulation.add(open_recording(file_name()));
        simulation.run({});
    }
    count_launches(state);
}

}  // namespace

BENCHMARK(record)->Unit(benchmark::kMillisecond);
BENCHMARK(replay)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
