// heddle run: one machine, one program, one result.

#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <sys/resource.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/number.h"
#include "cli/overwrite.h"
#include "cli/plugins.h"
#include "cli/progress.h"
#include "cli/run_audit.h"
#include "cli/source.h"
#include "config/machine_file.h"
#include "dram/command_files.h"
#include "gpu/share.h"
#include "machine/request_dump.h"
#include "machine/seeds.h"
#include "machine/simulation.h"
#include "report/run_report.h"
#include "report/trace_events.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "sim/output_file.h"
#include "study/run_spec.h"
#include "study/stream_hash.h"
#include "vm/page_profile.h"

namespace heddle::cli {
namespace {

constexpr const char* kDefaultSource = "bfs";

/// What this process and its children have used since they started.
SimulationRecord cost_so_far() {
    SimulationRecord cost;
    for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const timeval& t : {usage.ru_utime, usage.ru_stime})
            cost.cpu_microseconds += static_cast<u64>(t.tv_sec) * 1'000'000 + static_cast<u64>(t.tv_usec);
        cost.peak_memory_bytes = std::max(cost.peak_memory_bytes, static_cast<u64>(usage.ru_maxrss) * 1024);
    }
    return cost;
}

/// What the user should know about the input, besides the result.
void input_notes(const RunRecord& record) {
    for (const std::string& warning : record.warnings) note(warning);
    if (record.unknown_opcodes.empty()) return;
    std::string list;
    u64 count = 0;
    for (const UnknownOpcodeRecord& u : record.unknown_opcodes) {
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", u.opcode, u.count);
        count += u.count;
    }
    note(fmt::format(
        "{} warp instructions have opcodes that are in no table; they were timed as ordinary operations: {}",
        count, list));
}

class Run final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("-m,--machine", machine_, "a name from 'heddle list machines', or a file (gtx480)")
            ->type_name("MACHINE");
        app.add_option("--set", sets_, "set a key of the machine; repeatable")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        app.add_option("--sms", sms_,
                       "SMs of each application joined by '+', from the first SM on (equal parts)")
            ->type_name("N,N,...");
        app.add_option("--alone", alone_,
                       "run only the Nth of several applications, on the SMs and shares that it would have")
            ->type_name("N");
        app.add_flag("--json", json_, "write the result as JSON");
        app.add_option("--stats", stats_, "show the counters that start with PREFIX; \"\" shows all")
            ->type_name("PREFIX");
        app.add_flag("--per-kernel", per_kernel_,
                     "show what each kernel did to the memory system, combining launches of the same name");
        app.add_option("--max-instructions", max_instructions_,
                       "stop after N thread instructions (500M, 1G, ...)")
            ->type_name("N");
        app.add_option("--max-cycles", max_cycles_, "stop after N core cycles (200k, 2M, ...)")
            ->type_name("N");
        app.add_option("--timeline", timeline_,
                       "sample the main counters every N core cycles into the JSON record")
            ->type_name("N");
        app.add_flag("--strict-capacity", strict_capacity_, kStrictCapacityHelp);
        app.add_flag("--audit", audit_,
                     "check every DRAM command against its standard; exit code 3 on a violation");
        app.add_option(
               "--command-trace", commands_,
               "write every DRAM command to FILE (several channels: FILE.0, FILE.1, ...), for heddle audit")
            ->type_name("FILE");
        app.add_option("--dump-requests", dump_,
                       "write the DRAM requests to FILE and the L2 requests to FILE.l2, for heddle dram")
            ->type_name("FILE");
        app.add_option("--page-profile", profile_,
                       "write how often DRAM was accessed for each page to FILE, for placement: oracle")
            ->type_name("FILE");
        app.add_option("--trace-requests", trace_,
                       "write the lives of sampled memory requests to FILE, for ui.perfetto.dev")
            ->type_name("FILE");
        app.add_option(
               "--trace-requests-every", trace_every_,
               "trace one in N memory instructions (1, doubled whenever the file would get too large)")
            ->type_name("N");
        app.add_option("--plugin", plugins_, "load policies from a shared object; repeatable")
            ->type_name("FILE.so")
            ->allow_extra_args(false);
        app.add_flag("--spec", spec_, "run what standard input says (study/run_spec.h)")->group("");
        source_.declare(app);
        app.footer(fmt::format("Without SOURCE the workload {} runs.", kDefaultSource));
    }

    ExitCode run(const Words& words) override {
        if (!spec_) return simulate(words);
        const std::string text(std::istreambuf_iterator<char>(std::cin), {});
        return run_spec(study::parse_spec(text));
    }

  private:
    /// What another process of Heddle wants.
    static ExitCode run_spec(const study::RunSpec& spec) {
        Run run;
        CLI::App app;
        run.declare(app);
        parse(app, spec.common.options);
        const auto once = [&app](const char* option, bool decided) {
            if (decided && app.count(option) != 0) throw InputError(fmt::format("{} is given twice", option));
        };
        once("--machine", true);
        once("--seed", spec.seed.has_value());
        once("--sms", !spec.workload.sms.empty());
        once("--alone", spec.alone != 0);
        run.json_ = true;
        run.machine_ = spec.variant.machine;
        run.sets_.insert(run.sets_.begin(), spec.variant.sets.begin(), spec.variant.sets.end());
        run.plugins_.insert(run.plugins_.begin(), spec.common.plugins.begin(), spec.common.plugins.end());
        if (spec.seed) run.source_.set_seed(*spec.seed);
        if (!spec.workload.sms.empty()) run.sms_ = join(spec.workload.sms, ",");
        if (spec.alone != 0) run.alone_ = std::to_string(spec.alone);
        return spec.hash ? run.hash(words_of(spec.workload.apps))
                         : run.simulate(words_of(spec.workload.apps));
    }

    /// The hash of the one application's stream, and no more.
    ExitCode hash(const Words& words) const {
        load_plugins(plugins_);
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = machine_, .sets = sets_});
        const auto sources = source_.open(words, kDefaultSource, {machine, machine_, true});
        print(study::stream_hash(*sources.front().stream) + '\n');
        return kDone;
    }

    static Words words_of(const std::vector<study::AppSpec>& apps) {
        Words words;
        for (const study::AppSpec& app : apps) {
            if (!words.words.empty()) words.words.emplace_back("+");
            words.words.push_back(app.word);
            words.workload_arguments.resize(words.words.size());
            words.workload_arguments.back() = app.arguments;
        }
        // Of a program, which is the last.
        if (!apps.empty()) words.program_arguments = apps.back().arguments;
        return words;
    }

    ExitCode simulate(const Words& words) {
        // Everything is checked before anything is simulated.
        RunOptions options;
        if (!max_instructions_.empty())
            options.max_instructions =
                parse_positive("--max-instructions", max_instructions_, "instructions");
        if (!max_cycles_.empty()) options.max_cycles = parse_positive("--max-cycles", max_cycles_, "cycles");
        if (!timeline_.empty()) options.timeline_cycles = parse_positive("--timeline", timeline_, "cycles");
        const u64 trace_every =
            trace_every_.empty() ? 1 : parse_positive("--trace-requests-every", trace_every_, "requests");
        if (trace_.empty() && !trace_every_.empty())
            throw InputError("--trace-requests-every has no effect without --trace-requests FILE");
        options.seed = source_.seed();
        options.strict_capacity = strict_capacity_;
        const std::vector<PluginRecord> plugins = load_plugins(plugins_);
        const std::vector<std::string> sets =
            source_.has_seed() ? with_seed(machine_, sets_, options.seed) : sets_;
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = machine_, .sets = sets});
        const auto shares =
            divide(machine, std::max<std::size_t>(1, SourceOptions::applications(words).size()));
        const std::size_t only = alone_.empty() ? 0 : alone();
        keep_inputs(words, machine);
        std::optional<OutputFile> profile_file;
        if (!profile_.empty()) profile_file.emplace(profile_, "the page profile");
        std::vector<PageAccesses> accesses;
        if (needs_page_profile(machine.placement)) {
            options.interrupted = &catch_interrupts();
            accesses = page_accesses(words, machine, shares, only, options);
        }
        auto sources = source_.open(words, kDefaultSource, {machine, machine_, json_}, only);
        Simulation simulation(machine, std::make_unique<AllOnFirst>(), std::move(accesses));
        add(simulation, sources, shares, only);

        std::optional<RunAudit> audit;
        if (audit_ || !commands_.empty()) audit.emplace(simulation, audit_, commands_);
        std::optional<RequestDump> dump;
        if (!dump_.empty()) dump.emplace(simulation.machine(), dump_);
        std::optional<report::TraceEventFile> trace_file;
        std::optional<Lifetimes> lives;
        if (!trace_.empty()) {
            trace_file.emplace(trace_);
            lives.emplace(simulation.machine(), trace_every);
        }
        const PageMoves* pages = simulation.machine().home().moves();
        if (profile_file && pages == nullptr)
            throw InputError(
                fmt::format("--page-profile: machine '{}' has one memory; pages are counted where a GPU "
                            "reaches several",
                            machine_));
        options.interrupted = &catch_interrupts();
        RunRecord record = record_of(simulation, options);
        if (profile_file) {
            profile_file->write(page_profile_text(pages->profile()));
            profile_file->finish();
        }
        if (audit) audit->finish(record.audit);
        if (dump) {
            dump->finish();
            if (dump->wrapped() != 0)
                record.warnings.push_back(
                    fmt::format("--dump-requests: {} lines beyond the end of the memory were wrapped around",
                                dump->wrapped()));
        }
        if (lives) trace_file->finish(*lives, machine_, heddle_version());
        record.version = heddle_version();
        record.machine_name = machine_;
        record.plugins = plugins;
        record.simulation = cost_so_far();

        const report::RunReportOptions shown{stats_, per_kernel_};
        if (json_)
            print(report::run_json(record, config::describe(MachineSettings::schema(), simulation.settings()),
                                   shown));
        else
            print_text(report::run_text(record, shown));
        input_notes(record);
        if (lives) note(fmt::format("{}: {}", trace_, report::sampled(*lives)));
        if (stats_)
            if (const std::string unmatched = report::unmatched_counters(record, *stats_); !unmatched.empty())
                note(unmatched);
        return record.partial_because == "interrupted" ? kInterrupted : kDone;
    }

    static void add(Simulation& simulation, std::vector<Source>& sources, const std::vector<Share>& shares,
                    std::size_t only) {
        for (std::size_t k = 0; k < sources.size(); ++k)
            simulation.add(std::move(sources[k].stream), std::move(sources[k].again),
                           shares[only == 0 ? k : only - 1]);
    }

    /// How often each page is accessed behind the caches while all of them stay in the host's memory.
    std::vector<PageAccesses> page_accesses(const Words& words, MachineSettings machine,
                                            const std::vector<Share>& shares, std::size_t only,
                                            const RunOptions& options) const {
        machine.placement = placement_policies().choose("host");
        machine.migration = migration_policies().choose("none");
        auto sources = source_.open(words, kDefaultSource, {machine, machine_, true}, only);
        Simulation simulation(machine);
        add(simulation, sources, shares, only);
        RunOptions silent = options;
        silent.timeline_cycles = 0;
        simulation.run(silent);
        const PageMoves* pages = simulation.machine().home().moves();
        return pages == nullptr ? std::vector<PageAccesses>() : pages->profile();
    }

    /// No result may replace what the run reads.
    void keep_inputs(const Words& words, const MachineSettings& machine) const {
        if (commands_.empty() && dump_.empty() && trace_.empty() && profile_.empty()) return;
        std::vector<std::string> inputs = SourceOptions::files(words);
        inputs.push_back(config::locate_machine(machine_));
        inputs.insert(inputs.end(), plugins_.begin(), plugins_.end());
        if (const auto profile = page_profile_of(machine.placement)) inputs.push_back(*profile);
        const u32 channels = machine.memories.at(the_gpu(machine, machine_).memory).channels;
        for (u32 k = 0; k < channels && !commands_.empty(); ++k)
            refuse_overwriting("--command-trace", dram::command_file(commands_, k, channels), inputs);
        if (!dump_.empty()) {
            refuse_overwriting("--dump-requests", dump_, inputs);
            refuse_overwriting("--dump-requests", dump_ + ".l2", inputs);
        }
        if (!trace_.empty()) refuse_overwriting("--trace-requests", trace_, inputs);
        if (!profile_.empty()) refuse_overwriting("--page-profile", profile_, inputs);
    }

    std::size_t alone() const { return static_cast<std::size_t>(parse_count("--alone", alone_)); }

    /// What each of the applications gets of the machine.
    std::vector<Share> divide(const MachineSettings& machine, std::size_t apps) const {
        if (!alone_.empty() && (alone() == 0 || alone() > apps))
            throw InputError(fmt::format("--alone {}: there {} {} application{}", alone_,
                                         apps == 1 ? "is" : "are", apps, apps == 1 ? "" : "s"));
        return divide_sms(the_gpu(machine, machine_).sms, static_cast<u32>(apps), parse_sms(sms_));
    }

    static RunRecord record_of(Simulation& simulation, RunOptions& options) {
        ProgressLine line;
        if (line.active()) options.progress = [&line](const RunProgress& p) { line.show(p); };
        return simulation.run(options);
    }

    SourceOptions source_;
    std::string machine_ = "gtx480", max_instructions_, max_cycles_, dump_, sms_, alone_, timeline_, trace_,
                trace_every_, commands_, profile_;
    std::vector<std::string> sets_, plugins_;
    std::optional<std::string> stats_;
    bool json_ = false, audit_ = false, per_kernel_ = false, strict_capacity_ = false, spec_ = false;
};

}  // namespace

std::unique_ptr<Command> make_run() {
    return std::make_unique<Run>();
}

}  // namespace heddle::cli
