// What a trace asks of memory, held against counts made by other means: closed forms for a made trace, and
// for a hardware trace the independent counter tests/trace/count_trace.py.

#include <cstdio>
#include <gtest/gtest.h>
#include <set>

#include "built.h"
#include "trace/dump.h"
#include "trace/open.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

struct Facts {
    u64 kernel = 0, instructions = 0, loads = 0, stores = 0, sectors = 0, lines = 0;
    friend bool operator==(const Facts&, const Facts&) = default;
};

/// Global loads and stores with active lanes, the 32-byte sectors of each, the 128-byte lines of the kernel.
Facts facts_of(KernelStream& kernel) {
    Facts f{kernel.info().id};
    std::set<u64> lines;
    const auto cta = kernel.make_cta();
    while (kernel.next_cta(*cta))
        for (u32 w = 0; w < cta->ranges.size(); ++w) {
            WarpCursor cursor = cta->cursor(w, kernel.info());
            for (DynInst inst; cursor.next(inst);) {
                ++f.instructions;
                const StaticInst& s = kernel.static_insts()[inst.static_index];
                const bool load = s.mem == MemOp::load;
                if (s.space != MemSpace::global || (!load && s.mem != MemOp::store) || inst.mask == 0)
                    continue;
                ++(load ? f.loads : f.stores);
                std::set<u64> sectors;
                for_each_address(inst, [&](int, u64 address) {
                    for (u64 k = address / 32; k <= (address + s.access_bytes - 1) / 32; ++k)
                        sectors.insert(k);
                });
                f.sectors += sectors.size();
                for (const u64 sector : sectors) lines.insert(sector / 4);
            }
        }
    f.lines = lines.size();
    return f;
}

std::vector<Facts> facts_of(const std::string& path) {
    std::vector<Facts> facts;
    const auto source = open_source(path);
    for (ProgramEvent event; source->next(event);)
        if (auto* launch = std::get_if<LaunchEvent>(&event)) facts.push_back(facts_of(*launch->kernel));
    return facts;
}

std::ostream& operator<<(std::ostream& out, const Facts& f) {
    return out << "{" << f.kernel << ", " << f.instructions << ", " << f.loads << ", " << f.stores << ", "
               << f.sectors << ", " << f.lines << "}";
}

}  // namespace

TEST(TraceFacts, AVectorAdditionMovesTwelveSectorsAWarp) {
    // c[i] = a[i] + b[i] in 4 CTAs of 8 warps: four sectors and one line for each of three accesses.
    TextKernel kernel;
    kernel.grid = {4, 1, 1};
    kernel.block = {256, 1, 1};
    for (u32 c = 0; c < 4; ++c) {
        TextCta cta{{c, 0, 0}, {}};
        for (u32 w = 0; w < 8; ++w) {
            TextWarp warp;
            u64 pc = 0;
            for (const u64 array :
                 std::initializer_list<u64>{0x7f0000000000, 0x7f0000200000, 0x7f0000400000}) {
                TextInst i;
                i.pc = pc += 16;
                i.opcode = array == 0x7f0000400000 ? "STG.E.SYS" : "LDG.E.SYS";
                i.mem_width = 4;
                for (u64 lane = 0; lane < 32; ++lane)
                    i.addresses.push_back(array + ((c * 8 + w) * 32 + lane) * 4);
                warp.push_back(i);
            }
            TextInst exit;
            exit.pc = 64;
            exit.opcode = "EXIT";
            warp.push_back(exit);
            cta.warps.push_back(warp);
        }
        kernel.ctas.push_back(cta);
    }
    Folder folder;
    for (const TextMode mode : {TextMode::list, TextMode::stride, TextMode::deltas})
        EXPECT_EQ(facts_of(folder.write("k", to_text(kernel, {5, false, mode}))),
                  (std::vector<Facts>{{1, 32 * 4, 32 * 2, 32, 32 * 12, 32 * 3}}));
}

TEST(TraceFacts, AMisalignedWideAccessTouchesEachSectorThatItOverlaps) {
    // 32 lanes of 16 bytes from 8 bytes past a sector: 520 bytes touched, 17 sectors, 5 lines.
    TextKernel kernel;
    TextInst load;
    load.opcode = "LDG.E.128";
    load.mem_width = 16;
    for (u64 lane = 0; lane < 32; ++lane) load.addresses.push_back(0x7f0000000008 + lane * 16);
    TextInst exit;
    exit.pc = 16;
    exit.opcode = "EXIT";
    kernel.ctas = {{{0, 0, 0}, {{load, exit}}}};
    Folder folder;
    EXPECT_EQ(facts_of(folder.write("k", to_text(kernel, {}))), (std::vector<Facts>{{1, 2, 1, 0, 17, 5}}));
}

TEST(TraceFacts, TheHardwareTraceOfRodiniaBfsHasTheCountsOfAnIndependentCounter) {
    const std::string list = checkout("../shared/traces/bfs-rodinia/kernelslist.g");
    if (!std::filesystem::exists(list)) {
        std::printf(
            "             the trace bfs-rodinia is not beside the project: its facts were not compared\n");
        return;
    }
    // tests/trace/count_trace.py: kernel, warp instructions, loads, stores, sectors, lines.
    const std::vector<Facts> expected = {
        {1, 1799, 180, 21, 201, 65},          {2, 1814, 128, 40, 168, 53},
        {3, 3416, 468, 130, 598, 161},        {4, 2399, 128, 196, 324, 85},
        {5, 11183, 1888, 677, 2896, 348},     {6, 3494, 128, 488, 616, 97},
        {7, 29545, 5385, 2064, 13980, 745},   {8, 3584, 128, 512, 640, 97},
        {9, 39422, 6971, 2626, 40343, 1205},  {10, 3584, 128, 512, 640, 97},
        {11, 35795, 4538, 1200, 26861, 1226}, {12, 3314, 128, 440, 568, 97},
        {13, 15165, 1325, 116, 2390, 448},    {14, 1694, 128, 8, 136, 37},
        {15, 1637, 138, 2, 140, 39},          {16, 1664, 128, 0, 128, 32},
    };
    const std::vector<Facts> found = facts_of(list);
    EXPECT_EQ(found, expected);
    u64 instructions = 0;
    for (const Facts& f : found) instructions += f.instructions;
    EXPECT_EQ(instructions, 159509u);  // as published with the trace
}
