// What may not change a result: where a program's data lie, how a trace is written, whether a program is replayed.

#include <gtest/gtest.h>

#include "machine/lab.h"
#include "machine/random_program.h"
#include "trace/dump.h"
#include "trace/open.h"
#include "trace/pattern.h"
#include "trace/recording.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

std::vector<std::string> machine_sets() {
    return {"dram.channels=2", "l2.slices_per_channel=2", "l1.size=2KiB",          "l1.ways=2",
            "l2.size=8KiB",    "l2.write=back",           "l2.write_allocate=true"};
}

std::string result(std::unique_ptr<StreamSource> source) {
    RunRecord r = run(small_machine(machine_sets()), std::move(source));
    for (AppRecord& a : r.apps) a.name.clear();  // tells where it comes from
    return text_of(r);
}

constexpr u64 kMoved = u64{64} << 30;

PatternSettings pattern(PatternKind kind) {
    PatternSettings p;
    p.kind = kind;
    p.footprint = 1 << 20;
    p.ctas = 12;
    p.threads = 96;
    p.accesses = 4;
    p.read_percent = kind == PatternKind::chase ? 100 : 70;
    p.compute = 1;
    return p;
}

/// A kernel of loads, stores, shared memory and arithmetic as a tracer writes it.
TextKernel traced() {
    TextKernel kernel;
    kernel.grid = {3, 2, 1};
    kernel.block = {80, 1, 1};
    constexpr u64 array = 0x7f0000000000;
    Random random(5);
    for (u32 c = 0; c < 6; ++c) {
        TextCta cta{{c % 3, c / 3, 0}, {}};
        for (u32 w = 0; w < 3; ++w) {
            const u32 full = w < 2 ? 0xffffffff : 0xffff;
            TextWarp warp;
            auto add = [&](u64 pc, const char* opcode, const char* dst, std::vector<std::string> src,
                           u32 mask, std::vector<u64> addresses = {}) {
                TextInst i;
                i.pc = pc;
                i.opcode = opcode;
                i.dst = dst;
                i.src = std::move(src);
                i.mask = mask;
                i.mem_width = addresses.empty() && mask != 0 ? 0 : 4;
                i.addresses = std::move(addresses);
                warp.push_back(i);
            };
            auto lanes = [&](u64 base, i64 stride, u32 mask) {
                std::vector<u64> a;
                for (int k = 0; k < std::popcount(mask); ++k)
                    a.push_back(base + static_cast<u64>(k * stride));
                return a;
            };
            add(0x00, "IMAD.MOV.U32", "R1", {"R255"}, full);
            for (u32 turn = 0; turn < 4; ++turn) {
                add(0x10, "LDG.E", "R4", {"R2"}, full, lanes(array + (turn * 18 + c * 3 + w) * 128, 4, full));
                const u32 some = (static_cast<u32>(random.next()) & full) | 1;
                std::vector<u64> scattered;
                for (int k = 0; k < std::popcount(some); ++k)
                    scattered.push_back(array + random.below(1 << 18) * 4);
                add(0x20, "LDG.E", "R5", {"R4"}, some, scattered);
                add(0x30, "FFMA", "R6", {"R4", "R5", "R6"}, full);
                add(0x40, "STG.E", "", {"R2", "R6"}, full,
                    lanes(array + 0x400000 + (c * 3 + w) * 256, -8, full));
                add(0x50, "BAR.SYNC", "", {}, full);
            }
            add(0x60, "EXIT", "", {}, full);
            cta.warps.push_back(warp);
        }
        kernel.ctas.push_back(cta);
    }
    return kernel;
}

}  // namespace

TEST(Identity, WhereTheDataLieChangesNothing) {
    for (const PatternKind kind : {PatternKind::stream, PatternKind::strided, PatternKind::random,
                                   PatternKind::chase, PatternKind::gather, PatternKind::hotset}) {
        PatternSettings p = pattern(kind);
        const std::string here = result(make_pattern(p));
        p.base += kMoved;
        EXPECT_EQ(result(make_pattern(p)), here) << pattern_name(kind);
    }
    for (u64 seed = 0; seed < 3; ++seed)
        EXPECT_EQ(result(program({random_program(seed)})),
                  result(program({random_program(seed, {.base = kData + kMoved})})))
            << seed;
}

TEST(Identity, HowATraceIsWrittenChangesNothing) {
    const TextKernel kernel = traced();
    std::string first;
    for (const TextMode mode : {TextMode::list, TextMode::stride, TextMode::deltas, TextMode::tracer})
        for (const Packing packing : {Packing::plain, Packing::xz, Packing::gzip, Packing::zstd}) {
            if (packing != Packing::plain && mode != TextMode::tracer) continue;
            Folder folder;
            const std::string path =
                folder.write("k.traceg", packed(to_text(kernel, {.mode = mode}), packing));
            const std::string here = result(open_source(path));
            if (first.empty()) first = here;
            EXPECT_EQ(here, first) << static_cast<int>(mode) << " " << static_cast<int>(packing);
        }
    EXPECT_NE(first.find("gpu.sm.warp_instructions 396"), std::string::npos)
        << first;  // 6 CTAs, 3 warps, 22 each
}

TEST(Identity, AReplayIsTheProgram) {
    Folder folder;
    const std::string path = folder.path("program.hrec");
    for (const PatternKind kind : {PatternKind::stream, PatternKind::random, PatternKind::gather}) {
        record(*make_pattern(pattern(kind)), path);
        EXPECT_EQ(result(open_recording(path)), result(make_pattern(pattern(kind)))) << pattern_name(kind);
    }
    for (u64 seed = 20; seed < 23; ++seed) {
        // Two kernels with copies and synchronization between them.
        auto make = [&] {
            return program({CopyEvent{CopyKind::host_to_device, kData, 0, 4096, 0}, random_program(seed),
                            SyncEvent{SyncEvent::Kind::host_device, 0, 0},
                            random_program(seed + 10, {.stream = 3})});
        };
        record(*make(), path);
        EXPECT_EQ(result(open_recording(path)), result(make())) << seed;
    }
    record(*open_source(folder.write("k.traceg", to_text(traced(), {}))), path);
    EXPECT_EQ(result(open_recording(path)), result(open_source(folder.path("k.traceg"))));
}
