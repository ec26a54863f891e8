// Every key of a machine file that describes the GPU matters: for each a program and a figure that move in the
// right direction when the key does. A key that is in neither table fails the test of completeness.

#include <gtest/gtest.h>

#include "config/manual.h"
#include "dram/scheduler.h"
#include "machine/knob_exceptions.h"
#include "machine/knob_programs.h"

using namespace heddle;
using namespace heddle::test;
using namespace heddle::test::programs;

namespace {

enum class Moves { up, down, either };

struct Knob {
    friend std::ostream& operator<<(std::ostream& out, const Knob& k) {
        return out << k.key << " from " << k.a << " to " << k.b << ": " << k.figure;
    }

    std::string key;  // full path; the machine's GPU is "gpu", its memory "dram"
    std::string a, b;
    std::function<Events()> program;
    std::string figure;  // "cycles" of all the applications, or a counter
    Moves moves;         // from a to b
    std::vector<std::string> sets = {};
};

const char* kClasses[] = {"int_add",  "int_mul", "int_mad", "int_div", "fp32_add", "fp32_mul", "fp32_mad",
                          "fp32_div", "fp64",    "sfu",     "tensor",  "branch",   "texture",  "other"};
constexpr OpClass kOps[] = {OpClass::int_add,  OpClass::int_mul,  OpClass::int_mad,  OpClass::int_div,
                            OpClass::fp32_add, OpClass::fp32_mul, OpClass::fp32_mad, OpClass::fp32_div,
                            OpClass::fp64,     OpClass::sfu,      OpClass::tensor,   OpClass::branch,
                            OpClass::texture,  OpClass::other};
static_assert(std::size(kClasses) == std::size(kOps));

std::vector<Knob> knobs() {
    const std::string g = "gpus.gpu.", m = "memories.dram.", t = g + "translation.",
                      on = t + "design=shared-tlb";
    const std::vector<std::string> shared = {on};
    const auto pages = [] { return chase(4096, 20, 2, true); };
    const auto scattered = [] { return scattered_pages(); };
    const auto up = Moves::up, down = Moves::down;
    auto alu = [] { return independent(OpClass::int_add); };
    auto l2_stream = [] { return stream(true); };
    auto dram_stream = [] { return stream(false); };
    auto far = [] { return chase(1024, 8); };
    auto near = [] { return chase(0, 8); };
    auto from_l2 = [] { return chase_in_l2(1024, 8); };
    const std::string little_l1 = g + "l1.size=1KiB", two_ways = g + "l1.ways=2";
    std::vector<Knob> k = {
        {g + "clock", "1GHz", "2GHz", far, "cycles", up},
        {g + "sms", "1", "2", many_ctas, "cycles", down},
        {g + "memory", "dram", "slow", far, "cycles", up},
        {g + "memory_latency", "0", "100", far, "cycles", up},
        {g + "launch_latency", "0", "500", twice, "cycles", up},
        {g + "concurrent_kernels", "32", "1", two_streams, "cycles", up},
        // SM
        {g + "sm.threads", "1536", "128", many_ctas, "cycles", up},
        {g + "sm.warps", "48", "4", many_ctas, "cycles", up},
        {g + "sm.ctas", "8", "2", many_ctas, "cycles", up},
        {g + "sm.registers", "32768", "4096", many_ctas, "cycles", up},
        {g + "sm.register_granule",
         "256",
         "4096",
         many_ctas,
         "cycles",
         up,
         {g + "sm.ops.int_add.latency=30"}},
        {g + "sm.schedulers", "2", "4", alu, "cycles", down},
        {g + "sm.warp_scheduler", "gto", "lrr", alu, "gpu.sm.warp_cycles.not_selected", up},
        {g + "sm.two_level.active",
         "1",
         "8",
         alu,
         "gpu.sm.warp_cycles.not_selected",
         up,
         {g + "sm.warp_scheduler=two_level"}},
        {g + "sm.unified", "0B", "64KiB", [] { return chase(128, 256, 2); }, "gpu.sm.l1.read_hits", up},
        {g + "sm.carveouts",
         "[0B, 32KiB]",
         "[48KiB]",
         [] { return chase(128, 256, 2); },
         "gpu.sm.l1.read_hits",
         down,
         {g + "sm.unified=64KiB"}},
        {g + "sm.shared_memory.size", "48KiB", "8KiB", many_ctas, "cycles", up},
        {g + "sm.shared_memory.latency", "24", "50", [] { return shared_words(1); }, "cycles", up},
        {g + "sm.shared_memory.cycles_per_pass", "1", "3", [] { return shared_words(2); }, "cycles", up},
        {g + "sm.shared_memory.banks", "32", "16", [] { return shared_words(1); },
         "gpu.sm.shared_extra_passes", up},
        {g + "sm.lsu.queue", "8", "1", scattered_then_compute, "cycles", up},
        {g + "sm.lsu.lines_per_cycle", "1", "4", scattered_hits, "cycles", down},
        {g + "sm.lsu.perfect_coalescing", "false", "true", scattered_hits, "cycles", down},
        {g + "sm.lsu.constant_latency", "8", "60", constants, "cycles", up},
        // L1
        {g + "l1.enabled", "true", "false", near, "cycles", up, {g + "l2.hit_latency=50"}},
        {g + "l1.size", "16KiB", "64KiB", [] { return chase(128, 256, 2); }, "gpu.sm.l1.read_hits", up},
        {g + "l1.ways", "4", "1", [] { return chase(16384, 4, 2); }, "gpu.sm.l1.read_hits", down},
        {g + "l1.sectored", "true", "false", far, "gpu.l2.read_sectors", up},
        {g + "l1.write", "through", "back", [] { return stores_to_one_line(true); }, "gpu.l2.writes", down},
        {g + "l1.write_allocate",
         "false",
         "true",
         [] { return stores_to_one_line(false); },
         "gpu.l2.writes",
         down,
         {g + "l1.write=back"}},
        {g + "l1.allocate",
         "on_fill",
         "on_miss",
         dram_stream,
         "gpu.sm.l1.stall_line_cycles",
         up,
         {little_l1, two_ways}},
        {g + "l1.mshrs", "64", "2", dram_stream, "gpu.sm.l1.stall_mshr_cycles", up},
        {g + "l1.mshr_merges", "32", "1", same_lines, "gpu.sm.l1.stall_merge_cycles", up},
        {g + "l1.latency", "30", "60", near, "cycles", up},
        {g + "l1.miss_latency", "1", "30", far, "cycles", up},
        {g + "l1.fill_latency", "1", "30", far, "cycles", up},
        {g + "l1.flush_at_kernel_start", "true", "false", twice, "gpu.sm.l1.read_hits", up},
        // Crossbar
        {g + "crossbar.latency", "8", "40", far, "cycles", up},
        {g + "crossbar.flit", "32B", "8B", l2_stream, "cycles", up},
        {g + "crossbar.request_header", "8B", "64B", l2_stream, "gpu.crossbar.requests.flits", up},
        {g + "crossbar.response_header", "8B", "64B", l2_stream, "gpu.crossbar.responses.flits", up},
        {g + "crossbar.credits", "8", "1", l2_stream, "cycles", up},
        {g + "crossbar.output_queue", "8", "1", store_stream, "gpu.sm.l1.stall_port_cycles", up},
        // L2
        {g + "l2.slices_per_channel", "1", "2", l2_stream, "cycles", down},
        {g + "l2.size", "64KiB", "8KiB", [] { return chase(128, 256, 2, true); }, "gpu.l2.read_hits", down},
        {g + "l2.ways", "8", "1", [] { return chase(65536, 4, 2, true); }, "gpu.l2.read_hits", down},
        {g + "l2.sectored", "true", "false", far, "dram.read_bursts", up},
        {g + "l2.write", "through", "back", [] { return stores_to_one_line(true); }, "dram.writes", down},
        {g + "l2.write_allocate",
         "false",
         "true",
         [] { return stores_to_one_line(false); },
         "dram.writes",
         down,
         {g + "l2.write=back"}},
        {g + "l2.allocate",
         "on_fill",
         "on_miss",
         dram_stream,
         "gpu.l2.stall_line_cycles",
         up,
         {g + "l2.size=1KiB", g + "l2.ways=2"}},
        {g + "l2.mshrs", "64", "2", dram_stream, "gpu.l2.stall_mshr_cycles", up},
        {g + "l2.mshr_merges",
         "32",
         "1",
         same_lines,
         "gpu.l2.stall_merge_cycles",
         up,
         {g + "l1.enabled=false"}},
        {g + "l2.front_latency", "0", "40", far, "cycles", up},
        {g + "l2.hit_latency", "10", "40", from_l2, "cycles", up},
        {g + "l2.banks", "1", "4", l2_stream, "cycles", down, {g + "crossbar.flit=256B"}},
        {g + "l2.bank_ports", "1", "4", l2_stream, "cycles", down, {g + "crossbar.flit=256B"}},
        {g + "l2.bank_queue", "8", "1", l2_stream, "gpu.l2.queue_wait_cycles", down},
        {g + "l2.bank_occupancy", "1", "20", l2_stream, "cycles", up},
        {g + "l2.port_bytes", "32B", "128B", l2_stream, "cycles", down, {g + "crossbar.flit=256B"}},
        {g + "l2.atomic_interval", "1", "4", reductions, "cycles", up},
        {g + "l2.same_word_interval", "0", "9", reductions, "cycles", up},
        {g + "l2.dram_queue",
         "64",
         "2",
         dram_stream,
         "gpu.l2.stall_dram_queue_cycles",
         up,
         {m + "read_queue=1"}},
        {g + "l2.reply_queue",
         "64",
         "1",
         l2_stream,
         "gpu.l2.stall_reply_queue_cycles",
         up,
         {g + "crossbar.flit=8B", g + "crossbar.output_queue=1"}},
        {g + "l2.insertion",
         "mru",
         "lru",
         [] { return chase(128, 256, 3, true); },
         "gpu.l2.read_hits",
         up,
         {g + "l2.size=16KiB"}},
        {g + "l2.fill_on_host_copy", "true", "false", from_l2, "cycles", up},
        {g + "l2.bypass", "none", "reads", near, "gpu.l2.bypassed", up},
        // Address map: lines 512 bytes apart
        {g + "address_map.interleave",
         "256B",
         "512B",
         [] { return stream(false, 4); },
         "cycles",
         down,
         {m + "channels=2", g + "address_map.hash=modulo"}},
        {g + "address_map.hash",
         "modulo",
         "xor_fold",
         [] { return stream(false, 4); },
         "cycles",
         down,
         {m + "channels=2"}},
        // Translation
        {t + "design", "none", "shared-tlb", pages, "cycles", up},
        {t + "page_size", "4KiB", "2MiB", pages, "gpu.translation.walks.count", down, shared},
        {t + "memory_manager", "in-order", "random", pages, "cycles", Moves::either, shared},
        {t + "random.seed", "1", "2", pages, "cycles", Moves::either, {on, t + "memory_manager=random"}},
        {t + "random.window",
         "2MiB",
         "64MiB",
         pages,
         "cycles",
         Moves::either,
         {on, t + "memory_manager=random"}},
        {t + "l1_tlb.entries", "64", "4", pages, "gpu.translation.l1_tlb.misses", up, shared},
        {t + "l1_tlb.ways",
         "0",
         "1",
         [] { return chase(8 * 4096, 4, 2, true); },
         "gpu.translation.l1_tlb.misses",
         up,
         {on, t + "l1_tlb.entries=8"}},
        {t + "l1_tlb.latency", "1", "9", pages, "cycles", up, shared},
        {t + "l1_tlb.mshrs", "64", "1", scattered, "gpu.translation.l1_tlb.stall_mshr_cycles", up, shared},
        {t + "l1_tlb.waiting", "1024", "2", scattered, "gpu.translation.l1_tlb.stall_waiting_cycles", up,
         shared},
        {t + "l1_tlb.invalidate", "15", "1500", freed_pages, "cycles", up, shared},
        {t + "l2_tlb.entries",
         "512",
         "16",
         pages,
         "gpu.translation.walks.count",
         up,
         {on, t + "l1_tlb.entries=1"}},
        {t + "l2_tlb.ways",
         "0",
         "1",
         [] { return chase(16 * 4096, 4, 2, true); },
         "gpu.translation.walks.count",
         up,
         {on, t + "l1_tlb.entries=1", t + "l2_tlb.entries=16"}},
        {t + "l2_tlb.ports",
         "1",
         "4",
         same_pages,
         "cycles",
         down,
         {on, t + "l1_tlb.entries=1", g + "sm.lsu.lines_per_cycle=4"}},
        {t + "l2_tlb.latency", "10", "50", pages, "cycles", up, shared},
        {t + "l2_tlb.invalidate", "200", "2000", freed_pages, "cycles", up, shared},
        {t + "walker.walks", "64", "1", scattered, "cycles", up, shared},
        {t + "walker.mshrs", "512", "2", scattered, "gpu.translation.walks.stall_mshr_cycles", up, shared},
        {t + "walk_cache.size",
         "8KiB",
         "16B",
         pages,
         "gpu.translation.walk_cache.hits",
         down,
         {t + "design=pwcache", t + "walk_cache.ways=0"}},
        {t + "walk_cache.ways",
         "0",
         "1",
         pages,
         "gpu.translation.walk_cache.hits",
         down,
         {t + "design=pwcache", t + "walk_cache.size=128B"}},
        {t + "walk_cache.latency", "10", "50", pages, "cycles", up, {t + "design=pwcache"}},
        // Memory
        {m + "standard", "gddr5", "ddr4", far, "cycles", up},
        {m + "clock", "1GHz", "500MHz", far, "cycles", up},
        {m + "channels", "1", "4", dram_stream, "cycles", down},
        {m + "map", "[]", "[byte:32, column:64, group:4, bank:4, row]", [] { return chase(128, 16); },
         "dram.row_misses", down},
        {m + "bank_hash", "none", "xor_row", [] { return conflicting_rows(false); }, "dram.row_conflicts",
         down},
        {m + "queues", "separate", "unified", [] { return conflicting_rows(true); }, "dram.row_hits",
         Moves::either},
        {m + "cpu_reserve", "0", "63", [] { return conflicting_rows(false); }, "cycles", up},
        {m + "read_queue", "64", "1", [] { return conflicting_rows(false); }, "cycles", up},
        {m + "write_queue", "64", "1", store_stream, "cycles", up},
        {m + "write_high",
         "32",
         "4",
         [] { return conflicting_rows(true); },
         "dram.row_hits",
         Moves::either,
         {m + "write_low=2"}},
        {m + "write_low",
         "1",
         "7",
         [] { return conflicting_rows(true); },
         "dram.bus_cycles.turnaround",
         up,
         {m + "write_high=8", m + "write_queue=16"}},
        {m + "write_budget",
         "65536",
         "1",
         [] { return conflicting_rows(true); },
         "dram.bus_cycles.turnaround",
         Moves::either,
         {m + "write_high=4", m + "write_low=1", m + "write_queue=8"}},
        {m + "write_age", "1000000000", "1", [] { return conflicting_rows(true); },
         "dram.bus_cycles.turnaround", Moves::either},
        {m + "drain_opens_rows",
         "true",
         "false",
         [] { return conflicting_rows(true); },
         "cycles",
         Moves::either,
         {m + "write_high=8", m + "write_low=4", m + "write_queue=16"}},
        {m + "release_at_activate",
         "false",
         "true",
         [] { return stream(false, 64); },
         "cycles",
         down,
         {m + "read_queue=2"}},
        {m + "scheduler", "fr-fcfs", "fcfs", [] { return conflicting_rows(false); }, "dram.row_conflicts",
         up},
        {m + "fr-fcfs-cap.cap",
         "1",
         "100",
         [] { return conflicting_rows(false); },
         "dram.row_conflicts",
         down,
         {m + "scheduler=fr-fcfs-cap"}},
        {m + "page_policy", "open", "closed", [] { return chase(32768, 8); }, "dram.row_conflicts", down},
        {m + "page_cap",
         "0",
         "1",
         [] { return chase(32, 8); },
         "dram.row_hits",
         down,
         {m + "page_policy=adaptive"}},
        {m + "page_timeout",
         "0",
         "20",
         [] { return chase(32, 8); },
         "dram.row_hits",
         down,
         {m + "page_policy=adaptive"}},
        {m + "refresh",
         "off",
         "all_bank",
         [] { return chase(1024, 60); },
         "cycles",
         up,
         {m + "timing.REFI=400cycles", m + "timing.RFC=100cycles"}},
        {m + "refresh_postpone",
         "0",
         "8",
         [] { return stream(false, 1); },
         "cycles",
         down,
         {m + "refresh=all_bank", m + "timing.REFI=400cycles", m + "timing.RFC=100cycles"}},
        {m + "forward_writes", "true", "false", read_after_write, "dram.forwarded_reads", down},
    };
    for (std::size_t c = 0; c < std::size(kOps); ++c) {
        const OpClass op = kOps[c], other = op == OpClass::int_add ? OpClass::fp32_add : OpClass::int_add;
        const std::string key = g + "sm.ops." + kClasses[c] + ".";
        const std::string name = other == OpClass::int_add ? "int_add" : "fp32_add";
        k.push_back({key + "latency", "4", "20", [op] { return dependent(op); }, "cycles", up});
        k.push_back({key + "interval", "1", "20", [op] { return independent(op); }, "cycles", up});
        k.push_back({key + "pipe",
                     "alu",
                     "tensor",
                     [=] { return side_by_side(op, other); },
                     "cycles",
                     down,
                     {key + "interval=6", g + "sm.ops." + name + ".interval=6", key + "latency=1"}});
    }
    for (const char* pipe : {"alu", "integer", "fp32", "fp64", "sfu", "tensor", "branch"})
        k.push_back({g + "sm.shared_pipes." + pipe,
                     "false",
                     "true",
                     [] { return independent(OpClass::fp64); },
                     "cycles",
                     up,
                     {g + "sm.ops.fp64.pipe=" + pipe}});
    return k;
}

MachineSettings machine_of(const Knob& knob, const std::string& value) {
    std::vector<std::string> sets;
    if (knob.key == "memories.dram.standard" && value == "ddr4")
        sets.insert(sets.end(), {"memories.dram.part=ddr4_8gb_x8", "memories.dram.speed=ddr4_2400r",
                                 "memories.dram.width_bits=64"});
    sets.insert(sets.end(), knob.sets.begin(), knob.sets.end());
    sets.push_back(knob.key + "=" + value);
    return small_machine(sets);
}

i64 figure(const Knob& knob, const std::string& value) {
    const RunRecord r = run(machine_of(knob, value), program(knob.program()));
    return static_cast<i64>(knob.figure == "cycles" ? r.cycles : counter(r, knob.figure));
}

std::string place_name(std::string path) {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"gpus.NAME", "gpus.gpu"}, {"memories.NAME", "memories.dram"}})
        if (path.starts_with(from)) path = to + path.substr(from.size());
    return path;
}

/// Each DRAM scheduler has worked examples of its own, parameters included, in tests/dram.
bool of_a_dram_scheduler(const std::string& path) {
    for (const auto& [policy, entry] : dram::schedulers().entries())
        if (path.starts_with("memories.dram." + std::string(policy) + ".")) return true;
    return false;
}

class Knobs : public testing::TestWithParam<Knob> {};

}  // namespace

TEST_P(Knobs, AChangeOfTheKeyMovesItsFigure) {
    const Knob& knob = GetParam();
    const i64 a = figure(knob, knob.a), b = figure(knob, knob.b);
    switch (knob.moves) {
        case Moves::up:
            EXPECT_LT(a, b);
            break;
        case Moves::down:
            EXPECT_GT(a, b);
            break;
        case Moves::either:
            EXPECT_NE(a, b);
            break;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Knobs, testing::ValuesIn(knobs()), [](const auto& info) {
    std::string name = info.param.key;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

TEST(KnobTable, HasEveryKeyOrAReasonWhyNot) {
    std::vector<std::string> known, unused;
    for (const Knob& k : knobs()) known.push_back(k.key);
    for (const Exception& e : kExceptions) unused.push_back(e.key);
    for (const config::Place& place : config::all_places(MachineSettings::schema())) {
        if (place.key->kind == config::KeyKind::section || place.entry != nullptr) continue;
        const std::string path = place_name(place.path);
        bool excepted = false;
        for (const Exception& e : kExceptions) {
            const std::string_view key = e.key;
            if (path != key && !(key.ends_with('.') && path.starts_with(key))) continue;
            excepted = true;
            std::erase(unused, e.key);
        }
        const bool tested = std::find(known.begin(), known.end(), path) != known.end();
        EXPECT_FALSE(tested && excepted) << path << " is tested and excepted";
        EXPECT_TRUE(tested || excepted || of_a_dram_scheduler(path))
            << "nothing says what " << path << " does";
    }
    for (const std::string& key : unused) ADD_FAILURE() << "the exception " << key << " names nothing";
}

TEST(KnobTable, TheFullPathOfAKeyWorksAlsoWhereAnInstanceHasTheAliasForItsName) {
    const MachineSettings m =
        small_machine({"gpus.gpu.sms=7", "gpu.l1.latency=9", "memories.dram.channels=3"});
    EXPECT_EQ(m.gpus.at("gpu").sms, 7u);
    EXPECT_EQ(m.gpus.at("gpu").l1.latency, Cycle(9));
    EXPECT_EQ(m.memories.at("dram").channels, 3u);
    EXPECT_EQ(m.memories.at("slow").channels, 1u);
    // The alias alone still means every memory.
    EXPECT_EQ(small_machine({"dram.channels=4"}).memories.at("slow").channels, 4u);
}
