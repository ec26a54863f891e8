// An unloaded access takes the sum of its stations' latencies: on three machines, whose numbers stand here, the
// cycle at which each of a chain of dependent loads has its data is computed and compared with the run.

#include <gtest/gtest.h>

#include "machine/lab.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// A machine as its designer would draw it; times in the clock of their part.
struct Stations {
    const char* name;
    u64 core_mhz, dram_mhz;
    u64 l1_hit, l1_miss, l1_fill;
    u64 crossbar, flit, request_header, response_header;
    u64 l2_front, l2_hit;
    u64 memory;            // fixed path to the DRAM controller
    u64 RCD, CL, RP, gap;  // gap: column command to column command of one line
    u64 BL = 2;
    u64 activate = 1;  // clocks that an activate takes; RCD and RP count from and to its last
    bool sectored;
    u64 other_row;  // bytes to the next row of the same bank of the same channel
    std::vector<std::string> memory_sets;

    std::vector<std::string> sets() const {
        auto num = [](u64 n) { return std::to_string(n); };
        std::vector<std::string> s = {
            "gpu.clock=" + num(core_mhz) + "MHz",
            "dram.clock=" + num(dram_mhz) + "MHz",
            "l1.latency=" + num(l1_hit),
            "l1.miss_latency=" + num(l1_miss),
            "l1.fill_latency=" + num(l1_fill),
            "crossbar.latency=" + num(crossbar),
            "crossbar.flit=" + num(flit) + "B",
            "crossbar.request_header=" + num(request_header) + "B",
            "crossbar.response_header=" + num(response_header) + "B",
            "l2.front_latency=" + num(l2_front),
            "l2.hit_latency=" + num(l2_hit),
            "memory_latency=" + num(memory),
            "dram.timing.RCD=" + num(RCD) + "cycles",
            "dram.timing.CL=" + num(CL) + "cycles",
            "dram.timing.RAS=" + num(RCD + 4) + "cycles",
            "dram.timing.RC=" + num(RCD + RP + 8) + "cycles",
            "dram.timing.RP=" + num(RP) + "cycles",
            "dram.timing.CCDL=" + num(gap) + "cycles",
            "gpu.address_map.hash=modulo",
            std::string("l1.sectored=") + (sectored ? "true" : "false"),
            std::string("l2.sectored=") + (sectored ? "true" : "false"),
        };
        s.insert(s.end(), memory_sets.begin(), memory_sets.end());
        return s;
    }

    // What follows is the way of a read, with t the cycle of issue; the result is the cycle from which an
    // instruction that uses the data may issue.
    u64 flits(u64 bytes) const { return (bytes + flit - 1) / flit; }
    u64 at_l2(u64 t) const {
        return t + l1_miss + crossbar + flits(request_header) - 1 + std::max<u64>(l2_front, 1);
    }
    u64 back(u64 at, u64 sectors) const {
        return at + crossbar + flits(response_header + 32 * sectors) - 1 + l1_fill;
    }
    u64 from_l2(u64 t, u64 sectors) const { return back(at_l2(t) + l2_hit, sectors); }
    enum class Row { closed, open, other };
    u64 from_dram(u64 t, u64 sectors, Row row) const {
        // One tick is 1/(core_mhz * dram_mhz) of a microsecond: a core cycle has dram_mhz ticks and vice versa.
        const u64 due = (at_l2(t) + memory) * dram_mhz;
        u64 clock = (due + core_mhz - 1) / core_mhz;
        // A message takes time: it can't arrive in the instant in which it is sent.
        if (memory == 0 && due % core_mhz == 0) ++clock;
        if (row == Row::other) clock += RP + RCD;
        if (row == Row::closed) clock += activate - 1 + RCD;
        clock += (sectors - 1) * gap + CL + BL;
        const u64 data = clock * core_mhz / dram_mhz + 1;  // strictly after the last beat
        return back(data, sectors);
    }
};

const Stations kMachines[] = {
    {.name = "gddr5",
     .core_mhz = 700,
     .dram_mhz = 924,
     .l1_hit = 35,
     .l1_miss = 3,
     .l1_fill = 5,
     .crossbar = 11,
     .flit = 32,
     .request_header = 8,
     .response_header = 8,
     .l2_front = 7,
     .l2_hit = 20,
     .memory = 60,
     .RCD = 12,
     .CL = 13,
     .RP = 11,
     .gap = 3,
     .sectored = true,
     .other_row = 2 * 16 * 2048,  // two channels; 16 banks with rows of 2 KiB
     .memory_sets = {"dram.channels=2"}},
    {.name = "hbm2",
     .core_mhz = 1132,
     .dram_mhz = 850,
     .l1_hit = 28,
     .l1_miss = 12,
     .l1_fill = 16,
     .crossbar = 31,
     .flit = 40,
     .request_header = 96 - 40,  // two flits
     .response_header = 24,
     .l2_front = 0,
     .l2_hit = 1,
     .memory = 17,
     .RCD = 15,
     .CL = 14,
     .RP = 16,
     .gap = 4,
     .activate = 2,
     .sectored = false,
     .other_row = 4 * 2 * 16 * 1024,  // four channels of two pseudo-channels; 16 banks with rows of 1 KiB
     .memory_sets = {"dram.standard=hbm2", "dram.part=hbm2_8gb", "dram.speed=hbm2_2000", "dram.channels=4",
                     "slices_per_channel=2"}},
    {.name = "shortest",
     .core_mhz = 1000,
     .dram_mhz = 1000,
     .l1_hit = 1,
     .l1_miss = 1,
     .l1_fill = 1,
     .crossbar = 1,
     .flit = 256,
     .request_header = 1,
     .response_header = 0,
     .l2_front = 1,
     .l2_hit = 1,
     .memory = 0,
     .RCD = 10,
     .CL = 9,
     .RP = 10,
     .gap = 2,
     .sectored = true,
     .other_row = 16 * 2048,
     .memory_sets = {}},
};

struct Step {
    const char* what;
    u64 address;
    u32 lanes = 1;
    bool bypass_l1 = false;
};

class Latency : public testing::TestWithParam<Stations> {
  protected:
    /// The cycle in which an instruction that uses the last load's data issues.
    u64 measured(const std::vector<Step>& steps, std::size_t count, bool copied_before = false) {
        auto k = kernel({}, [&](WarpWriter& w) {
            for (u16 s = 0; s < count; ++s) {
                std::vector<u64> a;
                for (u32 l = 0; l < steps[s].lanes; ++l) a.push_back(steps[s].address + 4 * l);
                w.memory(MemOp::load, s + 1, {s}, a, {.bypass_l1 = steps[s].bypass_l1},
                         steps[s].lanes == 32 ? 0 : 1);
            }
            w.use(static_cast<u16>(count));
        });
        std::vector<ScriptSource::Event> events;
        if (copied_before) events.push_back(CopyEvent{CopyKind::host_to_device, kData, 0, 1024, 0});
        events.push_back(k);
        const RunRecord r = run(small_machine(GetParam().sets()), program(std::move(events)));
        EXPECT_EQ(r.apps[0].kernels[0].start_cycle, 1u);
        return r.apps[0].kernels[0].start_cycle + r.apps[0].kernels[0].cycles - 1;
    }
};

}  // namespace

TEST_P(Latency, DependentLoadsTakeTheSumOfTheirStations) {
    const Stations& m = GetParam();
    using Row = Stations::Row;
    const u64 one = m.sectored ? 1 : 4;  // sectors that a miss of one lane brings
    const std::vector<Step> steps = {{"cold", kData},
                                     {"hit in L1", kData},
                                     {"hit in L2", kData, 1, true},
                                     {"other row of the bank", kData + m.other_row},
                                     {"a third row", kData + 2 * m.other_row},
                                     {"its next sector", kData + 2 * m.other_row + 32},
                                     {"whole line, row after", kData + 3 * m.other_row, 32},
                                     {"hit in L1, whole line", kData + 3 * m.other_row, 32}};
    std::vector<u64> expected;
    u64 t = 2;  // the kernel starts in cycle 1, its first instruction issues in the next
    auto next = [&](u64 at) { expected.push_back(t = at); };
    next(m.from_dram(t, one, Row::closed));
    next(t + m.l1_hit);
    next(m.from_l2(t, 1));
    next(m.from_dram(t, one, Row::other));
    next(m.from_dram(t, one, Row::other));
    next(m.sectored ? m.from_dram(t, 1, Row::open) : t + m.l1_hit);
    next(m.from_dram(t, 4, Row::other));
    next(t + m.l1_hit);
    for (std::size_t n = 1; n <= steps.size(); ++n)
        EXPECT_EQ(measured(steps, n), expected[n - 1]) << steps[n - 1].what;
}

TEST_P(Latency, DataThatAHostCopyLeftInL2TakeTheWayToL2AndBack) {
    const Stations& m = GetParam();
    const u64 sectors = m.sectored ? 1 : 4;
    const u64 first = m.from_l2(2, sectors);
    EXPECT_EQ(measured({{"from L2", kData + 256}}, 1, true), first);
    EXPECT_EQ(measured({{"from L2", kData + 256}, {"then", kData + 512, 32}}, 2, true), m.from_l2(first, 4));
}

INSTANTIATE_TEST_SUITE_P(Machines, Latency, testing::ValuesIn(kMachines),
                         [](const auto& info) { return std::string(info.param.name); });
