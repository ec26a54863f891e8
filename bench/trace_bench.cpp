// Reading traces and recordings: warp instructions and bytes a second of CPU time, one core.
// The texts are those of the peer comparison (alu, vecadd, gather), written again here; a hardware trace is
// read too if its list is named by HEDDLE_BENCH_TRACE.

#include <benchmark/benchmark.h>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/printf.h>
#include <fstream>
#include <string>

#include "sim/random.h"
#include "trace/open.h"
#include "trace/recording.h"

using namespace heddle;

namespace {

struct Text {
    std::string lines;
    u32 count = 0;
    template <class... Args>
    void line(const char* format, Args... args) {
        lines += fmt::sprintf(format, args...) + '\n';
        ++count;
    }
};

constexpr u64 kA = 0x7f0000000000, kB = 0x7f0000200000, kC = 0x7f0000400000, kTable = 0x7f0000600000;

Text alu_warp(u64, Random&) {
    Text t;
    t.line("0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0");
    for (u32 k = 0; k < 256; ++k)
        t.line("%04x ffffffff 1 R%u FFMA 3 R%u R%u R%u 0 0", 16 + 16 * k, 8 + k % 16, 40 + k % 16, 8 + k % 16,
               60 + k % 16);
    t.line("%04x ffffffff 0 EXIT 0 0 0", 16 + 16 * 256);
    return t;
}

Text vecadd_warp(u64 warp, Random&) {
    Text t;
    const u64 i = warp * 128;
    t.line("0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0");
    t.line("0010 ffffffff 1 R6 S2R 0 0 0");
    t.line("0020 ffffffff 1 R3 S2R 0 0 0");
    t.line("0030 ffffffff 1 R6 IMAD 2 R6 R3 0 0");
    t.line("0040 ffffffff 0 ISETP.GE.AND 1 R6 0 0");
    t.line("0050 00000000 0 EXIT 0 0 0");
    t.line("0060 ffffffff 1 R7 IMAD.MOV.U32 2 R255 R255 0 4");
    t.line("0070 ffffffff 1 R4 IMAD.WIDE 2 R6 R7 0 0");
    t.line("0080 ffffffff 1 R2 IMAD.WIDE 2 R6 R7 0 0");
    t.line("0090 ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 0x%" PRIx64 " 4 0", kA + i);
    t.line("00a0 ffffffff 1 R3 LDG.E.SYS 1 R2 4 1 0x%" PRIx64 " 4 0", kB + i);
    t.line("00b0 ffffffff 1 R6 IMAD.WIDE 2 R6 R7 0 0");
    t.line("00c0 ffffffff 1 R9 FADD 2 R4 R3 0 0");
    t.line("00d0 ffffffff 0 STG.E.SYS 2 R6 R9 4 1 0x%" PRIx64 " 4 0", kC + i);
    t.line("00e0 ffffffff 0 EXIT 0 0 0");
    return t;
}

Text gather_warp(u64 warp, Random& random) {
    Text t;
    t.line("0000 ffffffff 1 R6 S2R 0 0 0");
    t.line("0050 ffffffff 1 R8 LDG.E.SYS 1 R4 4 1 0x%" PRIx64 " 4 0", kA + warp * 128);
    for (u32 k = 0; k < 8; ++k) {
        t.line("%04x ffffffff 1 R10 IMAD.WIDE 2 R8 R7 0 0", 0x60 + k * 48);
        u64 last = kTable + 4 * random.below(16 << 20);
        char text[1024];
        int size = std::snprintf(text, sizeof text, "%04x ffffffff 1 R12 LDG.E.SYS 1 R10 4 2 0x%" PRIx64,
                                 0x70 + k * 48, last);
        for (u32 lane = 1; lane < 32; ++lane) {
            const u64 next = kTable + 4 * random.below(16 << 20);
            size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size), " %" PRId64,
                                  static_cast<i64>(next - last));
            last = next;
        }
        t.lines.append(text, static_cast<std::size_t>(size)).append(" 0\n");
        ++t.count;
        t.line("%04x ffffffff 1 R9 FADD 2 R9 R12 0 0", 0x80 + k * 48);
    }
    t.line("0400 ffffffff 0 STG.E.SYS 2 R6 R9 4 1 0x%" PRIx64 " 4 0", kC + warp * 128);
    t.line("0410 ffffffff 0 EXIT 0 0 0");
    return t;
}

std::string write_trace(const char* name, Text (*warp)(u64, Random&), u32 ctas) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("heddle-bench-" + std::string(name))).string();
    std::ofstream out(path, std::ios::binary);
    out << "-kernel name = " << name << "\n-kernel id = 1\n-grid dim = (" << ctas
        << ",1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 70\n-cuda stream id = "
           "0\n"
           "-accelsim tracer version = 5\n\n#traces format = any\n\n";
    Random random(1);
    for (u32 c = 0; c < ctas; ++c) {
        out << "\n#BEGIN_TB\n\nthread block = " << c << ",0,0\n";
        for (u32 w = 0; w < 8; ++w) {
            const Text t = warp(c * 8 + w, random);
            out << "\nwarp = " << w << "\ninsts = " << t.count << "\n" << t.lines;
        }
        out << "\n#END_TB\n";
    }
    return path;
}

void read_stream(benchmark::State& state, const std::string& path) {
    u64 instructions = 0;
    for (auto _ : state) {
        instructions = 0;
        const auto source = open_source(path);
        for (ProgramEvent event; source->next(event);) {
            auto* launch = std::get_if<LaunchEvent>(&event);
            if (launch == nullptr) continue;
            const auto cta = launch->kernel->make_cta();
            while (launch->kernel->next_cta(*cta)) benchmark::DoNotOptimize(cta->words.data());
        }
    }
    // Counted apart, so that walking the words is not measured.
    const auto source = open_source(path);
    u64 text_bytes = 0;
    for (ProgramEvent event; source->next(event);) {
        auto* launch = std::get_if<LaunchEvent>(&event);
        if (launch == nullptr) continue;
        const KernelInfo& info = launch->kernel->info();
        const auto cta = launch->kernel->make_cta();
        while (launch->kernel->next_cta(*cta))
            for (u32 w = 0; w < cta->ranges.size(); ++w) {
                WarpCursor cursor = cta->cursor(w, info);
                for (DynInst inst; cursor.next(inst);) ++instructions;
            }
    }
    std::error_code no_file;
    if (const u64 size = std::filesystem::file_size(path, no_file); !no_file) text_bytes = size;
    const auto runs = static_cast<double>(state.iterations());
    state.counters["inst/s"] =
        benchmark::Counter(static_cast<double>(instructions) * runs, benchmark::Counter::kIsRate);
    state.counters["instructions"] = static_cast<double>(instructions);
    if (text_bytes > 4096)
        state.SetBytesProcessed(static_cast<i64>(text_bytes) * static_cast<i64>(state.iterations()));
}

void read_recording(benchmark::State& state, const std::string& path) {
    const std::string recording = path + ".rec";
    const auto source = open_source(path);
    const RecordingSummary summary = record(*source, recording);
    read_stream(state, recording);
    state.counters["file bytes"] = static_cast<double>(summary.bytes);
    std::filesystem::remove(recording);
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    const std::pair<const char*, std::string> traces[] = {
        {"alu-640", write_trace("alu-640", alu_warp, 640)},
        {"vecadd-1024", write_trace("vecadd-1024", vecadd_warp, 1024)},
        {"gather-64", write_trace("gather-64", gather_warp, 64)},
    };
    for (const auto& [name, path] : traces) {
        benchmark::RegisterBenchmark((std::string("text/") + name).c_str(), read_stream, path)
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark((std::string("recording/") + name).c_str(), read_recording, path)
            ->Unit(benchmark::kMillisecond);
    }
    if (const char* list = std::getenv("HEDDLE_BENCH_TRACE"))
        benchmark::RegisterBenchmark("text/hardware", read_stream, std::string(list))
            ->Unit(benchmark::kMillisecond);
    for (const char* pattern : {"pattern:alu,compute=16", "pattern:stream", "pattern:random"})
        benchmark::RegisterBenchmark(pattern, read_stream, std::string(pattern))
            ->Unit(benchmark::kMillisecond);
    benchmark::RunSpecifiedBenchmarks();
    for (const auto& [name, path] : traces) std::filesystem::remove(path);
    return 0;
}
