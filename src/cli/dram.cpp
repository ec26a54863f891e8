// heddle dram: a machine's memory on its own, fed from a file of requests.

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <optional>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/number.h"
#include "cli/overwrite.h"
#include "cli/plugins.h"
#include "config/machine_file.h"
#include "config/manual.h"
#include "dram/alone.h"
#include "dram/command_files.h"
#include "dram/geometry.h"
#include "machine/settings.h"
#include "report/audit_report.h"
#include "report/figures.h"
#include "report/run_report.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"

namespace heddle::cli {
namespace {

using config::Node;
using report::Wide;

constexpr const char* kInjection =
    "each clock, the next {} offered, in order; a refused one holds back all behind it";

Node number(u64 value) {
    return Node::scalar(std::to_string(value), true);
}

Node distribution(const Histogram& h) {
    Node out = Node::section();
    out.add("count", number(h.count()));
    if (h.count() == 0) return out;
    out.add("mean", Node::scalar(report::decimal(h.sum(), h.count(), 6), true));
    out.add("min", number(h.min()));
    out.add("p50", number(h.quantile(500)));
    out.add("p90", number(h.quantile(900)));
    out.add("p99", number(h.quantile(990)));
    out.add("max", number(h.max()));
    return out;
}

template <std::size_t N>
Node counts(const char* const (&names)[N], const std::array<u64, N>& values) {
    Node out = Node::section();
    for (std::size_t k = 0; k < N; ++k) out.add(names[k], number(values[k]));
    return out;
}

constexpr const char* kRows[] = {"hits", "misses", "conflicts"};
constexpr const char* kCommands[] = {"activate",     "precharge",   "precharge_all", "read",
                                     "read_auto",    "write",       "write_auto",    "refresh_all",
                                     "refresh_same", "refresh_bank"};
constexpr const char* kBus[] = {"data", "turnaround", "refresh", "bank", "idle"};

Node channel(const dram::AloneResult::PerChannel& c, u64 cycles) {
    const dram::Statistics& s = c.counts;
    Node out = Node::section();
    out.add("reads", number(s.reads));
    out.add("writes", number(s.writes));
    out.add("forwarded_reads", number(s.forwarded_reads));
    out.add("read_bytes", number(s.read_bytes));
    out.add("write_bytes", number(s.written_bytes));
    out.add("read_latency_cycles", distribution(s.read_latency));
    out.add("rows", counts(kRows, s.rows));
    out.add("commands", counts(kCommands, s.commands));
    out.add("bus_cycles", counts(kBus, s.bus_cycles));
    if (cycles != 0)
        out.add("mean_queue_length", Node::scalar(report::decimal(s.occupancy_cycles, cycles, 6), true));
    out.add("queue_length_found", distribution(c.queue));
    return out;
}

/// CPU time of the run alone, without reading the file.
struct Cost {
    u64 microseconds = 0;
    Wide per_second(u64 requests) const {
        return Wide{requests} * 1'000'000 / std::max<u64>(microseconds, 1);
    }
};

u64 cpu_microseconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<u64>(t.tv_sec) * 1'000'000 + static_cast<u64>(t.tv_nsec) / 1000;
}

class Dram final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("-m,--machine", machine_, "a name from 'heddle list machines', or a file (gtx480)")
            ->type_name("MACHINE");
        app.add_option("--memory", memory_, "which memory, if the machine has several")->type_name("NAME");
        app.add_option("--set", sets_, "set a key of the machine; repeatable")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        app.add_option("--requests-per-clock", per_clock_, "requests offered per clock (1)")->type_name("N");
        app.add_flag("--audit", audit_,
                     "check every command against its standard; exit code 3 on a violation");
        app.add_option(
               "--command-trace", commands_,
               "write every command to FILE (several channels: FILE.0, FILE.1, ...), for heddle audit")
            ->type_name("FILE");
        app.add_flag("--json", json_, "write the result as JSON");
        app.add_option("--plugin", plugins_, "load policies from a shared object; repeatable")
            ->type_name("FILE.so")
            ->allow_extra_args(false);
        app.footer(
            "FILE holds one request per line: '0xADDRESS R|W', '0xADDRESS READ|WRITE CYCLE' or\n'LD|ST "
            "0xADDRESS'; xz, gzip and zstd are unpacked.\nInjection: " +
            injection() + "; one with a CYCLE is not offered before it.");
    }

    ExitCode run(const Words& words) override {
        if (words.words.size() != 1)
            throw InputError(words.words.empty() ? "missing FILE: give a file of requests"
                                                 : "heddle dram takes one file of requests");
        dram::AloneOptions options;
        if (!per_clock_.empty()) {
            const u64 n = parse_count("--requests-per-clock", per_clock_);
            if (n == 0 || n > 1024)
                throw InputError(fmt::format("--requests-per-clock {}: expected 1 to 1024", per_clock_));
            options.requests_per_clock = static_cast<u32>(n);
        }
        options.audit = audit_;
        options.command_trace = commands_;
        loaded_ = load_plugins(plugins_);
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = machine_, .sets = sets_});
        const auto& [name, settings] = choose(machine);
        for (u32 k = 0; k < settings.channels && !commands_.empty(); ++k)
            refuse_overwriting("--command-trace", dram::command_file(commands_, k, settings.channels),
                               {words.words.front(), config::locate_machine(machine_)});
        const auto stream = dram::read_stream(words.words.front(), dram::memory_bytes(settings));

        // A GPU in front of the memory determines how physical addresses spread over its channels.
        std::optional<AddressMap> map;
        for (const auto& [gpu_name, gpu] : machine.gpus) {
            if (gpu.memory != name || map) continue;
            map.emplace(gpu.address_map, settings.channels, gpu.l2.slices_per_channel);
            map_of_ = fmt::format("as gpus.{}.address_map says", gpu_name);
            options.map = &*map;
        }
        if (!map) map_of_ = fmt::format("blocks of {} bytes in turn", options.interleave_bytes);

        const u64 before = cpu_microseconds();
        options.interrupted = &catch_interrupts();
        dram::AloneResult result;
        try {
            result = dram::run_alone(settings, stream, options);
        } catch (const dram::AloneInterrupted&) {
            note("interrupted");
            return kInterrupted;
        }
        const Cost cost{cpu_microseconds() - before};
        if (json_)
            print(json(name, settings, result, cost));
        else
            print_text(text(result, options, cost) +
                       fmt::format("scheduler: {}\n", settings.scheduler.name()));
        return kDone;
    }

  private:
    using Memory = std::pair<const std::string, dram::MemorySettings>;

    static std::string injection(u32 per_clock = 1) {
        return fmt::format(fmt::runtime(kInjection), per_clock == 1
                                                         ? std::string("request is")
                                                         : fmt::format("{} requests are", per_clock));
    }

    const Memory& choose(const MachineSettings& machine) const {
        std::vector<std::string_view> names;
        for (const auto& m : machine.memories) names.push_back(m.first);
        if (names.empty()) throw InputError(fmt::format("machine '{}' has no memory", machine_));
        if (memory_.empty()) {
            if (names.size() == 1) return *machine.memories.begin();
            throw InputError(fmt::format("machine '{}' has several memories; give --memory with one of: {}",
                                         machine_, join(names, ", ")));
        }
        const auto it = machine.memories.find(memory_);
        if (it == machine.memories.end())
            throw InputError(fmt::format("--memory {}: machine '{}' has no such memory{}", memory_, machine_,
                                         config::suggestion(memory_, names)));
        return *it;
    }

    std::string text(const dram::AloneResult& r, const dram::AloneOptions& options, const Cost& cost) const {
        return dram::to_text(r) + (r.audit ? "\n" + report::audit_line(*r.audit) : "") +
               fmt::format("\n{:<26}{:>16} {:<10}{} s, not counting reading the file\n",
                           "requests per CPU second",
                           report::grouped(static_cast<u64>(cost.per_second(r.requests))), "",
                           report::decimal(cost.microseconds, 1'000'000, 3)) +
               fmt::format("injection: {}\nchannels: {}\n", injection(options.requests_per_clock), map_of_);
    }

    std::string json(const std::string& name, const dram::MemorySettings& settings,
                     const dram::AloneResult& r, const Cost& cost) const {
        const dram::Statistics& s = r.total;
        Node root = Node::section();
        root.add("version", Node::scalar(heddle_version()));
        root.add("machine", Node::scalar(machine_));
        root.add("memory", Node::scalar(name));
        root.add("heading", Node::scalar(r.heading));
        if (!loaded_.empty()) root.add("plugins", report::plugins_node(loaded_));
        root.add("settings", config::describe(dram::MemorySettings::schema(), settings));
        root.add("channels", number(r.channels));
        root.add("channel_map", Node::scalar(map_of_));
        root.add("access_bytes", number(r.access_bytes));
        root.add("clock_hz", number(r.clock_hz));
        root.add("peak_bytes_per_s", number(r.peak_bytes_per_s));
        root.add("requests", number(r.requests));
        root.add("reads", number(s.reads));
        root.add("writes", number(s.writes));
        root.add("forwarded_reads", number(s.forwarded_reads));
        root.add("read_bytes", number(s.read_bytes));
        root.add("write_bytes", number(s.written_bytes));
        root.add("cycles", number(r.cycles));
        root.add("read_cycles", number(r.read_cycles));
        root.add("bandwidth_bytes_per_s", number(r.bytes_per_s()));
        root.add("memory_stall_cycles", number(r.blocked_clocks));
        root.add("front_end_stall_cycles", number(r.injection_clocks));
        root.add("read_latency_cycles", distribution(s.read_latency));
        root.add("refresh_read_latency_cycles", distribution(s.refresh_read_latency));
        root.add("write_latency_cycles", distribution(s.write_latency));
        root.add("rows", counts(kRows, s.rows));
        root.add("commands", counts(kCommands, s.commands));
        root.add("bus_cycles", counts(kBus, s.bus_cycles));
        Node per_channel = Node::list();
        for (const dram::AloneResult::PerChannel& c : r.by_channel)
            per_channel.children.push_back(channel(c, r.cycles));
        root.add("per_channel", std::move(per_channel));
        Node policy = Node::section();
        for (const dram::PolicyCounter& c : r.policy) policy.add(c.name, number(c.value));
        root.add("scheduler_counters", policy);
        if (r.audit) root.add("audit", report::audit_node(*r.audit));
        if (r.currents != nullptr) {
            Node energy = Node::section();
            energy.add("activates", number(r.energy.activate));
            energy.add("reads", number(r.energy.read));
            energy.add("writes", number(r.energy.write));
            energy.add("refreshes", number(r.energy.refresh));
            energy.add("background", number(r.energy.background));
            root.add("currents", Node::scalar(std::string(r.currents->name)));
            root.add("energy_picojoules", std::move(energy));
            root.add("average_milliwatts", number(r.energy.average_mw(r.cycles, r.clock_hz)));
        }
        root.add("cpu_seconds", Node::scalar(report::decimal(cost.microseconds, 1'000'000, 6), true));
        root.add("requests_per_cpu_second", number(static_cast<u64>(cost.per_second(r.requests))));
        return config::to_json(root) + '\n';
    }

    std::string machine_ = "gtx480", memory_, per_clock_, map_of_, commands_;
    std::vector<std::string> sets_, plugins_;
    std::vector<PluginRecord> loaded_;
    bool json_ = false, audit_ = false;
};

}  // namespace

std::unique_ptr<Command> make_dram() {
    return std::make_unique<Dram>();
}

}  // namespace heddle::cli
