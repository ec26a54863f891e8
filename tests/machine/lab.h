#pragma once
// Small machines and hand-built programs for tests of the whole machine.
//
//     Kernel k({.threads = 32});
//     k.each_warp([&](WarpWriter& w) { w.load(1, {}, w.lanes(kData, 4)); w.alu(OpClass::int_add, 2, {1}); });
//     RunRecord r = run(small_machine({"l1.latency=30"}), program({k.done()}));
//
// A kernel's first CTA starts at cycle F; its warps can issue from F + 1; the kernel ends in the cycle after
// the last warp's last instruction if nothing is left in flight. So a warp whose instructions issue in the
// cycles F + 1 ... F + n gives a kernel of n + 1 cycles.

#include <gtest/gtest.h>

#include "config/machine_file.h"
#include "machine/simulation.h"
#include "sim/error.h"
#include "trace/script_source.h"

namespace heddle::test {

inline constexpr u64 kData = u64{1} << 32;

/// Two SMs, one GDDR5 channel, one L2 slice, everything at 1 GHz; another memory that nothing uses. Each of `sets` is as on the command line.
inline MachineSettings small_machine(const std::vector<std::string>& sets = {}) {
    constexpr const char* text = R"(
gpus:
  gpu:
    clock: 1GHz
    sms: 2
    memory: dram
    sm: {threads: 1536, warps: 48, ctas: 8}
    l1: {size: 16KiB, ways: 4}
    l2: {size: 64KiB, ways: 8}
memories:
  dram: {standard: gddr5, part: gddr5_1gb_x32, speed: gddr5_4000}
  slow: {standard: gddr5, part: gddr5_1gb_x32, speed: gddr5_4000, clock: 250MHz}
)";
    config::Node tree = config::parse_yaml(text, "small");
    for (const std::string& set : sets) config::apply_set(MachineSettings::schema(), tree, set);
    MachineSettings machine;
    config::bind(MachineSettings::schema(), tree, &machine);
    return machine;
}

struct KernelShape {
    u32 ctas = 1;
    u32 threads = 32;
    u32 lanes = 32;  // of a warp
    u32 shared_bytes = 0;
    u32 registers = 0;  // of a thread
    u64 stream = 0;
    bool cooperative = false;
    const char* name = "kernel";
};

/// Writes one warp's instructions. Registers are 0 to 63.
class WarpWriter {
  public:
    using Registers = std::initializer_list<u16>;
    WarpWriter(ScriptKernel& kernel, CtaWriter& out, u32 cta, u32 warp)
        : cta(cta), warp(warp), kernel_(kernel), out_(out) {
        const u64 first = u64{warp} * kernel.info.warp_lanes;
        const u64 live = std::min<u64>(kernel.info.block.count() - first, kernel.info.warp_lanes);
        full = live >= 64 ? ~u64{0} : (u64{1} << live) - 1;
    }

    const u32 cta, warp;
    u64 full = 0;                                          // lanes as launched
    static constexpr int kNone = StaticInst::kNoRegister;  // no result

    /// Addresses of all lanes as launched: base + lane * stride.
    std::vector<u64> lanes(u64 base, i64 stride) const {
        std::vector<u64> a;
        for (int k = 0; k < std::popcount(full); ++k) a.push_back(base + static_cast<u64>(k * stride));
        return a;
    }

    void alu(OpClass op = OpClass::int_add, int dst = kNone, Registers src = {}) {
        StaticInst i;
        i.op = op;
        registers(i, dst, src);
        out_.add(intern(i), full);
    }
    void use(u16 reg) { alu(OpClass::int_add, kNone, {reg}); }
    void barrier(u8 id = 0, u8 warps = 0, bool arrive_only = false) {
        StaticInst i;
        i.op = OpClass::barrier;
        i.barrier_id = id;
        i.barrier_warps = warps;
        i.barrier_arrive_only = arrive_only;
        out_.add(intern(i), full);
    }
    void fence() { alu(OpClass::fence); }
    /// Closes the group of asynchronous copies, or waits until at most `keep` closed groups are unfinished.
    void copies(AsyncRole role, u8 keep = 0) {
        StaticInst i;
        i.async_role = role;
        i.async_keep = keep;
        out_.add(intern(i), full);
    }
    void exit(u64 mask) {
        StaticInst i;
        i.op = OpClass::exit;
        out_.add(intern(i), mask);
    }
    void signal(u32 edge) { out_.edge(EdgeKind::signal, edge); }
    void wait(u32 edge) { out_.edge(EdgeKind::wait, edge); }

    struct Access {
        MemSpace space = MemSpace::global;
        u8 bytes = 4;
        bool bypass_l1 = false;
    };
    /// `addresses` are those of the lanes in `mask` (0: all), ascending; none: predicated off.
    void memory(MemOp op, int dst, Registers src, const std::vector<u64>& addresses, Access how,
                u64 mask = 0) {
        StaticInst i;
        i.op = OpClass::memory;
        i.mem = op;
        i.space = how.space;
        i.access_bytes = how.bytes;
        i.bypass_l1 = how.bypass_l1;
        registers(i, dst, src);
        out_.add(intern(i), addresses.empty() ? 0 : mask != 0 ? mask : full, addresses);
    }
    void load(int dst, Registers src, const std::vector<u64>& addresses) {
        memory(MemOp::load, dst, src, addresses, {});
    }
    /// By lane 0 alone.
    void load1(int dst, Registers src, u64 address, bool bypass_l1 = false) {
        memory(MemOp::load, dst, src, {address}, {.bypass_l1 = bypass_l1}, 1);
    }
    void store(Registers src, const std::vector<u64>& addresses) {
        memory(MemOp::store, kNone, src, addresses, {});
    }
    void store1(u64 address) { memory(MemOp::store, kNone, {}, {address}, {}, 1); }
    void shared(MemOp op, int dst, Registers src, const std::vector<u64>& offsets, u8 bytes = 4) {
        memory(op, dst, src, offsets, {.space = MemSpace::shared, .bytes = bytes});
    }

  private:
    static void registers(StaticInst& i, int dst, Registers src) {
        i.dst[0] = static_cast<u16>(dst);
        std::copy(src.begin(), src.end(), i.src.begin());
    }
    u32 intern(StaticInst i) {
        auto& table = kernel_.table;
        for (u32 k = 0; k < table.size(); ++k) {
            i.pc = table[k].pc;
            if (i == table[k]) return k;
        }
        i.pc = table.size() * 16;
        table.push_back(i);
        return static_cast<u32>(table.size() - 1);
    }

    ScriptKernel& kernel_;
    CtaWriter& out_;
};

/// A kernel whose every warp is written by a function of (CTA, warp).
template <class Write>
std::shared_ptr<const ScriptKernel> kernel(const KernelShape& shape, Write write) {
    auto k = std::make_shared<ScriptKernel>();
    k->info.name = shape.name;
    k->info.id = 1;
    k->info.grid = {shape.ctas, 1, 1};
    k->info.block = {shape.threads, 1, 1};
    k->info.warp_lanes = shape.lanes;
    k->info.shared_bytes = shape.shared_bytes;
    k->info.registers = shape.registers;
    k->info.register_names = 64;
    k->info.stream = shape.stream;
    k->info.cooperative = shape.cooperative;
    k->info.place = "program:7";
    for (u32 c = 0; c < shape.ctas; ++c) {
        CtaStream& cta = k->ctas.emplace_back();
        CtaWriter out(cta, k->info);
        out.begin({c, 0, 0});
        for (u32 w = 0; w < k->info.warps_per_cta(); ++w) {
            out.begin_warp();
            WarpWriter writer(*k, out, c, w);
            write(writer);
            out.end_warp();
        }
    }
    return k;
}

inline std::unique_ptr<StreamSource> program(std::vector<ScriptSource::Event> events) {
    return std::make_unique<ScriptSource>(std::move(events));
}

inline RunRecord run(const MachineSettings& machine, std::unique_ptr<StreamSource> source,
                     const RunOptions& options = {}) {
    Simulation simulation(machine);
    simulation.add(std::move(source));
    return simulation.run(options);
}

/// Runs one kernel on a small machine.
template <class Write>
RunRecord run(const std::vector<std::string>& sets, const KernelShape& shape, Write write) {
    return run(small_machine(sets), program({kernel(shape, write)}));
}
/// And its cycles, first CTA's start to end.
template <class Write>
u64 cycles(const std::vector<std::string>& sets, const KernelShape& shape, Write write) {
    return run(sets, shape, write).apps.at(0).kernels.at(0).cycles;
}

/// Of a RunRecord or an AppRecord.
template <class Record>
u64 counter(const Record& record, std::string_view name) {
    for (const CounterRecord& c : record.counters)
        if (c.name == name) return c.value;
    ADD_FAILURE() << "no counter " << name;
    return 0;
}
inline u64 stall(const RunRecord& record, std::string_view cause) {
    for (const StallRecord& s : record.stalls)
        if (s.cause == cause) return s.warp_cycles;
    ADD_FAILURE() << "no state " << cause;
    return 0;
}

/// Everything but what the simulation itself cost, as text: two runs are the same if it is.
inline std::string text_of(const RunRecord& r) {
    std::string t;
    auto put = [&t](std::string_view name, auto... values) {
        t += name;
        ((t += ' ', t += std::to_string(values)), ...);
        t += '\n';
    };
    put(r.machine_yaml, r.seed, r.partial, r.cycles, r.core_hz);
    for (const AppRecord& a : r.apps) {
        put(a.name, a.cycles, a.warp_instructions, a.thread_instructions);
        for (const CounterRecord& c : a.counters) put(c.name, c.value);
        for (const KernelRecord& k : a.kernels)
            put(k.name, k.index, k.start_cycle, k.cycles, k.ctas, k.warp_instructions, k.thread_instructions);
    }
    for (const MemoryRecord& m : r.memories)
        put(m.name, m.reads, m.writes, m.read_bytes, m.write_bytes, m.row_hits, m.row_misses, m.row_conflicts,
            m.peak_bytes_per_s, m.peak_bytes);
    for (const CacheRecord& c : r.caches) put(c.name, c.accesses, c.hits);
    for (const StallRecord& s : r.stalls) put(s.cause, s.warp_cycles);
    auto distribution = [&](const std::optional<DistributionRecord>& d) {
        if (d) put("distribution", d->count, d->sum, d->p50, d->p90, d->p99, d->max);
    };
    distribution(r.load_latency_cycles);
    distribution(r.requests_per_load);
    for (const HotLoadRecord& h : r.hot_loads) put(h.kernel, h.pc, h.executions, h.requests, h.wait_cycles);
    for (const CounterRecord& c : r.counters) put(c.name, c.value);
    return t;
}

/// The message of the error E that `act` throws; empty if it throws none.
template <class E, class Act>
std::string error_of(Act act) {
    try {
        act();
    } catch (const E& error) {
        return error.what();
    }
    return {};
}

}  // namespace heddle::test
