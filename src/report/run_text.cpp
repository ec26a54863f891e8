#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "report/audit_report.h"
#include "report/counters.h"
#include "report/figures.h"
#include "report/kernel_table.h"
#include "report/run_report.h"
#include "report/table.h"
#include "sim/rates.h"

namespace heddle::report {
namespace {

using enum Table::Align;

constexpr std::size_t kLabel = 14;      // width of the left column
constexpr std::size_t kHotLoads = 5;    // rows of the screen's table; the JSON record has all
constexpr std::size_t kNameWidth = 44;  // longer kernel names are cut

/// What a warp does in each state, as shown on the screen.
struct Cause {
    std::string_view name, meaning;
};
constexpr Cause kCauses[] = {
    {"issue", "issuing an instruction"},
    {"dependency", "waiting for an arithmetic result"},
    {"memory", "waiting for data from a load or atomic"},
    {"shared_memory", "waiting for data from shared or constant memory"},
    {"barrier", "at a barrier"},
    {"fence", "at a memory fence"},
    {"cta_wait", "waiting for another CTA's store"},
    {"pipe_busy", "ready, but its execution pipe is taken"},
    {"lsu_full", "ready, but the load/store unit is full"},
    {"not_selected", "ready, but another warp issued"},
    {"drain", "finished, but its last memory accesses are in flight"},
};

/// What is looked up in a cache, where that is not a sector.
constexpr std::pair<std::string_view, std::string_view> kLookups[] = {
    {"l1_tlb", "lines"}, {"l2_tlb", "pages"}, {"walk_cache", "page-table entries"}};

std::string lookups_of(std::string_view cache) {
    for (const auto& [name, what] : kLookups)
        if (name == cache) return std::string(what);
    return "read sectors";
}

std::string_view meaning_of(std::string_view cause) {
    const auto* it =
        std::find_if(std::begin(kCauses), std::end(kCauses), [&](const Cause& c) { return c.name == cause; });
    return it == std::end(kCauses) ? std::string_view{} : it->meaning;
}

std::string shortened(const std::string& name) {
    return name.size() <= kNameWidth ? name : name.substr(0, kNameWidth - 3) + "...";
}

std::string plural(u64 n, std::string_view one) {
    return grouped(n) + " " + std::string(one) + (n == 1 ? "" : "s");
}

class Screen {
  public:
    explicit Screen(const RunRecord& record) : r_(record) {}

    std::string text() {
        machine();
        applications();
        stalls();
        caches();
        throughputs();
        translation();
        for (const MemoryRecord& m : r_.memories) memory(m);
        loads();
        audit();
        simulation();
        return std::move(out_);
    }

  private:
    void line(std::string_view label, std::string_view text) {
        out_ += fmt::format("{:<{}}  {}\n", label, kLabel, text);
    }
    void block(std::string_view label, const Table& table) {
        if (!table.empty()) out_ += '\n' + std::string(label) + '\n' + table.text(2);
    }

    void machine() {
        line("machine", r_.core_hz == 0
                            ? r_.machine_name
                            : fmt::format("{}, core clock {}", r_.machine_name, frequency_text(r_.core_hz)));
        for (const PluginRecord& p : r_.plugins) line("plugin", p.file);
        if (r_.partial) line("partial", fmt::format("the run was cut short: {}", r_.partial_because));
        if (r_.core_hz != 0)
            line("time",
                 fmt::format("{} core cycles, {}", grouped(r_.cycles), time_text(r_.cycles, r_.core_hz)));
    }

    void applications() {
        if (r_.apps.size() == 1) {
            const AppRecord& a = r_.apps.front();
            u64 ctas = 0;
            for (const KernelRecord& k : a.kernels) ctas += k.ctas;
            line("application",
                 fmt::format("{}: {}, {}", a.name, plural(a.kernels.size(), "kernel"), plural(ctas, "CTA")));
            line("instructions", fmt::format("{} thread, {} warp", grouped(a.thread_instructions),
                                             grouped(a.warp_instructions)));
            if (a.cycles != 0)
                line("IPC", fmt::format("{} thread instructions, {} warp instructions per cycle",
                                        grouped_decimal(a.thread_instructions, a.cycles, 2),
                                        grouped_decimal(a.warp_instructions, a.cycles, 3)));
            return;
        }
        Table table({left, right, right, right, right, right, right, right, right, right, right});
        table.add({"application", "SMs", "started", "kernels", "cycles", "thread instr.", "thread IPC",
                   "warp IPC", "L2 MPKI", "DRAM bandwidth", "requests/activate"});
        for (const AppRecord& a : r_.apps) {
            auto counter = [&a](std::string_view name) { return counter_of(a, name); };
            const u64 activates = counter("dram.activates");
            const Rate misses = mpki(counter("l2.misses"), a.thread_instructions);
            const Wide bytes = Wide{counter("dram.read_bytes")} + counter("dram.write_bytes");
            table.add({shortened(a.name),
                       a.sms == 0 ? "" : fmt::format("{}-{}", a.first_sm, a.first_sm + a.sms - 1),
                       a.launches == 1 ? "once" : grouped(a.launches) + " times", grouped(a.kernels.size()),
                       grouped(a.cycles), grouped(a.thread_instructions),
                       a.cycles == 0 ? "" : grouped_decimal(a.thread_instructions, a.cycles, 2),
                       a.cycles == 0 ? "" : grouped_decimal(a.warp_instructions, a.cycles, 3),
                       misses ? grouped_decimal(misses.part, misses.whole, 2) : "",
                       a.cycles == 0 || bytes == 0 ? "" : bandwidth_text(bytes, a.cycles, r_.core_hz),
                       activates == 0 ? ""
                                      : grouped_decimal(Wide{counter("dram.reads")} + counter("dram.writes"),
                                                        activates, 2)});
        }
        if (!r_.apps.empty()) out_ += '\n' + table.text(0);
        ranking();
    }

    static u64 counter_of(const AppRecord& app, std::string_view name) {
        for (const CounterRecord& c : app.counters)
            if (c.name == name) return c.value;
        return 0;
    }

    /// What a DRAM scheduler that measures applications in windows has found.
    void ranking() {
        Table table({left, right, right, right});
        table.add({"application", "went first", "L2 MPKI of a channel", "bytes per window"});
        bool any = false;
        for (const AppRecord& a : r_.apps) {
            const SchedulerWindowsRecord w = a.scheduler_windows.value_or(SchedulerWindowsRecord{});
            any |= w.windows != 0;
            table.add(
                {shortened(a.name), w.windows == 0 ? "" : percent(w.first_windows, w.windows),
                 w.mpki_windows == 0 ? "" : grouped_decimal(w.mpki_sum, Wide{w.mpki_windows} * 1'000'000, 3),
                 w.windows == 0 ? "" : grouped_decimal(w.window_bytes, w.windows, 1)});
        }
        if (any) block("what the DRAM scheduler measured, mean over windows and channels", table);
        for (const MemoryRecord& m : r_.memories)
            if (m.rank_changes)
                out_ += fmt::format("{}the order of applications changed {} over all channels\n",
                                    any ? "  " : "\n",
                                    m.rank_changes == 1 ? "once" : grouped(*m.rank_changes) + " times");
    }

    void stalls() {
        std::vector<const StallRecord*> order;
        std::vector<u64> parts;
        for (const StallRecord& s : r_.stalls)
            if (s.warp_cycles != 0) order.push_back(&s);
        std::stable_sort(order.begin(), order.end(),
                         [](const auto* a, const auto* b) { return a->warp_cycles > b->warp_cycles; });
        parts.reserve(order.size());
        for (const auto* s : order) parts.push_back(s->warp_cycles);
        const std::vector<u64> per_mille = shares(parts, 1000);
        Table table({left, right, left});
        for (std::size_t i = 0; i < order.size() && per_mille[i] != 0; ++i)
            table.add({order[i]->cause, decimal(per_mille[i], 10, 1) + " %",
                       std::string(meaning_of(order[i]->cause))});
        block("where the cycles of resident warps went", table);
    }

    void caches() {
        Table table({left, right, right, left});
        for (const CacheRecord& c : r_.caches)
            if (c.accesses != 0)
                table.add({c.name, percent(c.hits, c.accesses), "hits of " + grouped(c.accesses),
                           lookups_of(c.name)});
        block("caches", table);
    }

    void throughputs() {
        Table table({left, right, right});
        for (const ThroughputRecord& t : r_.throughputs)
            if (t.bytes != 0 && t.peak_bytes != 0 && r_.cycles != 0 && r_.core_hz != 0)
                table.add({t.name, bandwidth_text(t.bytes, r_.cycles, r_.core_hz),
                           percent(t.bytes, t.peak_bytes) + " of peak"});
        block("bandwidth", table);
    }

    /// A counter of address translation; 0 without it.
    u64 translated(std::string_view name) const {
        const std::string wanted = ".translation." + std::string(name);
        for (const CounterRecord& c : r_.counters)
            if (c.name.ends_with(wanted)) return c.value;
        return 0;
    }

    void translation() {
        const u64 walks = translated("walks.count");
        if (walks == 0) return;
        const auto latency = [&](const char* of) {
            return grouped(translated(std::string("walks.latency_") + of));
        };
        // A run that was cut short may have begun walks and ended none.
        const auto mean = [&](const char* sum, const char* count, u32 digits) {
            return grouped_decimal(translated(sum), std::max<u64>(translated(count), 1), digits);
        };
        Table table({left, left});
        table.add(
            {"walks",
             fmt::format("{}; mean {} cycles; 50 % within {}, 90 % within {}, 99 % within {}, longest {}",
                         grouped(walks), mean("walks.cycles", "walks.ended", 1), latency("p50"),
                         latency("p90"), latency("p99"), latency("max"))});
        table.add({"outstanding", fmt::format("mean {} while any are in progress",
                                              mean("walks.over_cycles", "walks.busy_cycles", 1))});
        table.add({"warps", fmt::format("mean {} stalled per miss, at most {}",
                                        mean("l1_tlb.stalled_warps", "l1_tlb.misses", 2),
                                        grouped(translated("l1_tlb.most_stalled_warps")))});
        table.add({"reads", fmt::format("{}, {} of them in DRAM", grouped(translated("walks.reads")),
                                        percent(translated("walks.reads_in_dram"),
                                                std::max<u64>(translated("walks.reads"), 1)))});
        block("page walks", table);
    }

    void memory(const MemoryRecord& m) {
        const u64 bytes = m.read_bytes + m.write_bytes;
        const u64 outcomes = m.row_hits + m.row_misses + m.row_conflicts;
        Table table({left, left});
        if (r_.cycles != 0 && r_.core_hz != 0) {
            std::string text = bandwidth_text(bytes, r_.cycles, r_.core_hz);
            if (m.peak_bytes != 0)
                text += fmt::format(", {} of {} peak", percent(bytes, m.peak_bytes),
                                    bandwidth_text(m.peak_bytes_per_s, 1, 1));
            table.add({"bandwidth", text});
        }
        table.add({"traffic",
                   fmt::format("{} read, {} written", bytes_text(m.read_bytes), bytes_text(m.write_bytes))});
        table.add({"requests", fmt::format("{} reads, {} writes", grouped(m.reads), grouped(m.writes))});
        if (outcomes != 0) {
            const u64 parts[] = {m.row_hits, m.row_misses, m.row_conflicts};
            const std::vector<u64> s = shares(parts, 1000);
            table.add(
                {"rows", fmt::format("{} % hits, {} % misses (closed row), {} % conflicts (another row open)",
                                     decimal(s[0], 10, 1), decimal(s[1], 10, 1), decimal(s[2], 10, 1))});
        }
        block(fmt::format("memory {}: {}{}", m.name, m.standard.empty() ? "" : m.standard + ", ",
                          plural(m.channels, "channel")),
              table);
    }

    void loads() {
        Table table({left, left});
        if (const auto& l = r_.load_latency_cycles; l && l->count != 0)
            table.add(
                {"latency",
                 fmt::format("mean {} cycles; 50 % within {}, 90 % within {}, 99 % within {}, longest {}",
                             grouped_decimal(l->sum, l->count, 1), grouped(l->p50), grouped(l->p90),
                             grouped(l->p99), grouped(l->max))});
        if (const auto& q = r_.requests_per_load; q && q->count != 0)
            table.add({"requests", fmt::format("mean {} per load after coalescing, at most {}",
                                               grouped_decimal(q->sum, q->count, 2), grouped(q->max))});
        block("global loads", table);
        hot_loads();
    }

    void hot_loads() {
        u64 waited = 0;
        for (const StallRecord& s : r_.stalls)
            if (s.cause == "memory") waited = s.warp_cycles;
        Table table({left, right, right, right, right, right, left});
        table.add({"kernel", "PC", "executions", "requests each", "wait each", "of memory waits", ""});
        std::size_t rows = 0;
        for (const HotLoadRecord& h : r_.hot_loads) {
            if (rows == kHotLoads || h.wait_cycles == 0 || h.executions == 0) break;
            table.add({shortened(h.kernel), fmt::format("{:#x}", h.pc), grouped(h.executions),
                       grouped_decimal(h.requests, h.executions, 2),
                       grouped_decimal(h.wait_cycles, h.executions, 1),
                       waited == 0 ? "" : percent(h.wait_cycles, waited), h.where});
            ++rows;
        }
        if (rows != 0) block("loads that warps waited for most (cycles)", table);
    }

    void audit() {
        if (r_.audit) out_ += "\n" + audit_line(*r_.audit);
    }

    void simulation() {
        const SimulationRecord& s = r_.simulation;
        u64 warp_instructions = 0;
        for (const AppRecord& a : r_.apps) warp_instructions += a.warp_instructions;
        if (s.cpu_microseconds == 0) return;
        out_ += '\n';
        line("simulation",
             fmt::format("{} warp instructions per CPU second ({} s), peak memory {}",
                         grouped_decimal(Wide{warp_instructions} * 1'000'000, s.cpu_microseconds, 0),
                         decimal(s.cpu_microseconds, 1'000'000, 2), bytes_text(s.peak_memory_bytes)));
    }

    const RunRecord& r_;
    std::string out_;
};

}  // namespace

std::string run_text(const RunRecord& record, const RunReportOptions& options) {
    std::string out = Screen(record).text();
    if (options.per_kernel) out += kernel_table(record);
    if (!options.counters) return out;
    Table table({left, right, left});
    for (const CounterRecord& c : record.counters)
        if (shows(*options.counters, c.name)) table.add({c.name, grouped(c.value), c.unit});
    if (!table.empty()) out += "\ncounters\n" + table.text(2);
    return out;
}

}  // namespace heddle::report
