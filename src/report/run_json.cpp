#include <fmt/format.h>

#include "report/audit_report.h"
#include "report/counters.h"
#include "report/figures.h"
#include "report/run_report.h"
#include "sim/rates.h"

namespace heddle::report {
namespace {

using config::Node;

Node text(const std::string& value) {
    return Node::scalar(value);
}
Node number(u64 value) {
    return Node::scalar(std::to_string(value), true);
}
Node number(const std::string& value) {
    return Node::scalar(value, true);
}
Node boolean(bool value) {
    return Node::scalar(value ? "true" : "false", true);
}

constexpr unsigned kDigits = 6;

/// Adds numerator / denominator, if there is such a number.
void ratio(Node& to, const char* name, Wide numerator, Wide denominator) {
    if (denominator != 0) to.add(name, number(decimal(numerator, denominator, kDigits)));
}

/// The same without decimals.
void rate(Node& to, const char* name, const Rate& rate) {
    if (rate) to.add(name, number(decimal(rate.part, rate.whole, 0)));
}

Node distribution(const DistributionRecord& d) {
    Node out = Node::section();
    out.add("count", number(d.count));
    ratio(out, "mean", d.sum, d.count);
    out.add("p50", number(d.p50));
    out.add("p90", number(d.p90));
    out.add("p99", number(d.p99));
    out.add("max", number(d.max));
    return out;
}

void instructions(Node& to, u64 warp, u64 thread, u64 cycles) {
    to.add("warp_instructions", number(warp));
    to.add("thread_instructions", number(thread));
    ratio(to, "ipc", thread, cycles);
    ratio(to, "warp_ipc", warp, cycles);
}

/// What the kernel did to the memory system, leaving out what it did not do, since a program may launch often.
void kernel_memory(Node& to, const KernelRecord& k, const RunRecord& r) {
    const MemoryCounts& m = k.memory;
    Node& memory = to.add("memory", Node::section());
    if (k.shared) memory.add("shared", boolean(true));
    const auto count = [&memory](const char* name, u64 value) {
        if (value != 0) memory.add(name, number(value));
    };
    for (const auto& f : kMemoryCountNames) count(f.name, f.read(m));
    count("loads", k.loads);
    count("load_latency_cycles", k.load_latency_cycles);
    ratio(memory, "l1_hit_rate", m.l1_read_sector_hits, m.l1_read_sectors);
    ratio(memory, "l2_hit_rate", m.l2_read_sector_hits, m.l2_read_sectors);
    ratio(memory, "row_hit_rate", m.row_hits, Wide{m.row_hits} + m.row_misses + m.row_conflicts);
    ratio(memory, "mean_load_latency", k.load_latency_cycles, k.loads);
    rate(memory, "dram_bytes_per_s",
         bandwidth(Wide{m.dram_read_bytes} + m.dram_write_bytes, k.cycles, r.core_hz));
    Node& stalls = memory.add("warp_cycles", Node::section());
    for (std::size_t s = 0; s < std::min(r.stalls.size(), m.warp_cycles.size()); ++s)
        if (m.warp_cycles[s] != 0) stalls.add(r.stalls[s].cause, number(m.warp_cycles[s]));
}

Node kernels(const AppRecord& app, const RunRecord& r) {
    Node out = Node::list();
    for (const KernelRecord& k : app.kernels) {
        Node& kernel = out.add({}, Node::section());
        kernel.add("name", text(k.name));
        kernel.add("index", number(k.index));
        kernel.add("start_cycle", number(k.start_cycle));
        kernel.add("cycles", number(k.cycles));
        kernel.add("ctas", number(k.ctas));
        instructions(kernel, k.warp_instructions, k.thread_instructions, k.cycles);
        kernel_memory(kernel, k, r);
    }
    return out;
}

Node ranges(const AppRecord& app) {
    Node out = Node::list();
    for (const RangeRecord& r : app.ranges) {
        Node& range = out.add({}, Node::section());
        range.add("name", text(r.name));
        if (!r.domain.empty()) range.add("domain", text(r.domain));
        if (r.color != 0) range.add("color", text(fmt::format("#{:08x}", r.color)));
        if (r.is_mark) {
            range.add("mark_cycle", number(r.start_cycle));
            continue;
        }
        range.add("start_cycle", number(r.start_cycle));
        range.add("cycles", number(r.cycles));
        range.add("kernels", number(r.kernels));
    }
    return out;
}

Node apps(const RunRecord& r) {
    Node out = Node::list();
    for (const AppRecord& a : r.apps) {
        Node& app = out.add({}, Node::section());
        app.add("name", text(a.name));
        app.add("cycles", number(a.cycles));
        instructions(app, a.warp_instructions, a.thread_instructions, a.cycles);
        app.add("first_sm", number(a.first_sm));
        app.add("sms", number(a.sms));
        app.add("launches", number(a.launches));
        Node& counters = app.add("counters", Node::section());
        for (const CounterRecord& c : a.counters) {
            Node& counter = counters.add(c.name, Node::section());
            counter.add("value", number(c.value));
            counter.add("unit", text(c.unit));
        }
        app.add("kernels", kernels(a, r));
        if (!a.ranges.empty()) app.add("ranges", ranges(a));
    }
    return out;
}

Node memories(const RunRecord& r) {
    Node out = Node::section();
    for (const MemoryRecord& m : r.memories) {
        Node& memory = out.add(m.name, Node::section());
        memory.add("standard", text(m.standard));
        memory.add("channels", number(m.channels));
        memory.add("reads", number(m.reads));
        memory.add("writes", number(m.writes));
        memory.add("read_bytes", number(m.read_bytes));
        memory.add("write_bytes", number(m.write_bytes));
        memory.add("row_hits", number(m.row_hits));
        memory.add("row_misses", number(m.row_misses));
        memory.add("row_conflicts", number(m.row_conflicts));
        memory.add("peak_bytes_per_s", number(m.peak_bytes_per_s));
        memory.add("peak_bytes", number(m.peak_bytes));
        ratio(memory, "utilization", Wide{m.read_bytes} + m.write_bytes, m.peak_bytes);
    }
    return out;
}

Node caches(const RunRecord& r) {
    Node out = Node::section();
    for (const CacheRecord& c : r.caches) {
        Node& cache = out.add(c.name, Node::section());
        cache.add("accesses", number(c.accesses));
        cache.add("hits", number(c.hits));
        ratio(cache, "hit_rate", c.hits, c.accesses);
    }
    return out;
}

Node throughputs(const RunRecord& r) {
    Node out = Node::section();
    for (const ThroughputRecord& t : r.throughputs) {
        Node& level = out.add(t.name, Node::section());
        level.add("bytes", number(t.bytes));
        level.add("peak_bytes", number(t.peak_bytes));
        rate(level, "bytes_per_s", bandwidth(t.bytes, r.cycles, r.core_hz));
        ratio(level, "utilization", t.bytes, t.peak_bytes);
    }
    return out;
}

Node stalls(const RunRecord& r) {
    std::vector<u64> parts;
    for (const StallRecord& s : r.stalls) parts.push_back(s.warp_cycles);
    const std::vector<u64> per_mille = shares(parts, 1000);
    Node out = Node::section();
    for (std::size_t i = 0; i < r.stalls.size(); ++i) {
        Node& stall = out.add(r.stalls[i].cause, Node::section());
        stall.add("warp_cycles", number(parts[i]));
        stall.add("percent", number(decimal(per_mille[i], 10, 1)));
    }
    return out;
}

Node hot_loads(const RunRecord& r) {
    Node out = Node::list();
    for (const HotLoadRecord& h : r.hot_loads) {
        Node& load = out.add({}, Node::section());
        load.add("kernel", text(h.kernel));
        load.add("pc", number(h.pc));
        if (!h.where.empty()) load.add("where", text(h.where));
        load.add("executions", number(h.executions));
        load.add("requests", number(h.requests));
        load.add("wait_cycles", number(h.wait_cycles));
    }
    return out;
}

Node counters(const RunRecord& r, const std::string& prefix) {
    Node out = Node::section();
    for (const CounterRecord& c : r.counters) {
        if (!shows(prefix, c.name)) continue;
        Node& counter = out.add(c.name, Node::section());
        counter.add("value", number(c.value));
        counter.add("unit", text(c.unit));
    }
    return out;
}

Node simulation(const RunRecord& r) {
    u64 warp_instructions = 0;
    for (const AppRecord& a : r.apps) warp_instructions += a.warp_instructions;
    const SimulationRecord& s = r.simulation;
    Node out = Node::section();
    out.add("cpu_seconds", number(decimal(s.cpu_microseconds, 1'000'000, kDigits)));
    if (s.cpu_microseconds != 0)
        out.add("warp_instructions_per_cpu_second",
                number(decimal(Wide{warp_instructions} * 1'000'000, s.cpu_microseconds, 0)));
    out.add("peak_memory_bytes", number(s.peak_memory_bytes));
    return out;
}

}  // namespace

Node plugins_node(const std::vector<PluginRecord>& plugins) {
    Node out = Node::list();
    for (const PluginRecord& p : plugins) {
        Node& one = out.add({}, Node::section());
        one.add("file", text(p.file));
        one.add("sha256", text(p.sha256));
    }
    return out;
}

std::string run_json(const RunRecord& r, const Node& machine, const RunReportOptions& options) {
    Node root = Node::section();
    root.add("version", text(r.version));
    root.add("seed", number(r.seed));
    root.add("partial", boolean(r.partial));
    if (r.partial) root.add("partial_because", text(r.partial_because));
    root.add("cycles", number(r.cycles));
    root.add("core_hz", number(r.core_hz));
    Node& description = root.add("machine", Node::section());
    description.add("name", text(r.machine_name));
    description.add("description", machine);
    if (!r.plugins.empty()) root.add("plugins", plugins_node(r.plugins));
    root.add("apps", apps(r));
    root.add("memories", memories(r));
    root.add("caches", caches(r));
    if (!r.throughputs.empty()) root.add("throughput", throughputs(r));
    root.add("stalls", stalls(r));
    if (r.load_latency_cycles) root.add("load_latency_cycles", distribution(*r.load_latency_cycles));
    if (r.requests_per_load) root.add("requests_per_load", distribution(*r.requests_per_load));
    root.add("hot_loads", hot_loads(r));
    root.add("counters", counters(r, options.counters.value_or("")));
    if (!r.unknown_opcodes.empty()) {
        Node& unknown = root.add("unknown_opcodes", Node::section());
        for (const UnknownOpcodeRecord& u : r.unknown_opcodes) unknown.add(u.opcode, number(u.count));
    }
    if (!r.warnings.empty()) {
        Node& warnings = root.add("warnings", Node::list());
        for (const std::string& w : r.warnings) warnings.add({}, text(w));
    }
    if (r.timeline) {
        Node& timeline = root.add("timeline", Node::section());
        timeline.add("interval", number(r.timeline->interval));
        auto list = [&timeline](const std::string& name, const std::vector<u64>& values) {
            Node& out = timeline.add(name, Node::list());
            for (const u64 v : values) out.add({}, number(v));
        };
        list("cycle", r.timeline->cycles);
        for (const auto& series : r.timeline->series) list(series.name, series.values);
    }
    if (r.audit) root.add("audit", audit_node(*r.audit));
    root.add("simulation", simulation(r));
    return to_json(root) + '\n';
}

}  // namespace heddle::report
