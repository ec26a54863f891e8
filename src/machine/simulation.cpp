#include "machine/simulation.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "config/machine_file.h"
#include "machine/collect.h"
#include "machine/design.h"
#include "machine/suspicions.h"
#include "sim/error.h"

namespace heddle {

namespace {

MachineSettings with_designs(MachineSettings settings) {
    apply_designs(settings);
    return settings;
}

}  // namespace

Simulation::Simulation(const MachineSettings& machine, std::unique_ptr<CtaPlacement> placement,
                       std::vector<PageAccesses> profile)
    : settings_(with_designs(machine)), machine_(settings_, std::move(placement), std::move(profile)) {}

RunProgress Simulation::progress() const {
    RunProgress p;
    p.cycles = machine_.now().v;
    for (const auto& app : machine_.applications()) {
        const KernelWork work = app->work();
        p.warp_instructions += work.warp_instructions;
        p.ctas_done += work.ctas_done;
        p.ctas_known += work.ctas;
    }
    return p;
}

std::string Simulation::beyond_capacity() const {
    const u64 used = machine_.used_bytes(), there = machine_.memory_bytes();
    if (used <= there) return {};
    const auto mib = [](u64 bytes) { return ceil_div(bytes, u64{1} << 20); };
    const bool alike = mib(used) == mib(there);
    const auto amount = [&](u64 bytes) {
        return alike ? fmt::format("{} bytes", bytes) : fmt::format("{} MiB", mib(bytes));
    };
    std::string names;
    for (const auto& memory : machine_.memories())
        names += (names.empty() ? "memories." : " and memories.") + memory->name();
    return fmt::format("{} of device memory are in use, but {} {} {}", amount(used), names,
                       machine_.memories().size() == 1 ? "has" : "have", amount(there));
}

RunRecord Simulation::run(const RunOptions& options) {
    constexpr u64 kLook = 4096;  // steps between looks at what need not be exact
    Machine& machine = machine_;
    machine.start();
    const bool strict = options.strict_capacity || settings_.capacity == CapacityRule::enforced;
    std::string cut;
    std::optional<RunRecord> record;
    TimelineRecord timeline;
    timeline.interval = options.timeline_cycles;
    Cycle next_sample = options.timeline_cycles == 0 ? kNever : Cycle(options.timeline_cycles);
    auto collect_all = [&] {
        record = collect(machine);
        if (options.timeline_cycles == 0) return;
        // The last sample belongs to the time whose totals the record has.
        if (timeline.cycles.empty() || timeline.cycles.back() < machine.now().v) sample(machine, timeline);
        record->timeline = std::move(timeline);
    };
    const Tick limit =
        options.max_cycles == 0 ? Tick{~u64{0}} : machine.clock().tick(Cycle(options.max_cycles));
    u64 last_progress = ~u64{0};
    Cycle last_change{0};
    for (u64 steps = 0;; ++steps) {
        const Engine::Due next = machine.engine().next();
        if (next.domain == nullptr) {
            if (machine.finished()) break;
            throw InvariantError(
                "deadlock: work remains, but nothing can happen any more. Who waits for whom:\n" +
                machine.describe());
        }
        // Writes may still be in flight when the last kernel has ended. What ticks on after them, refreshes and
        // epochs, is not part of the run.
        if (machine.finished()) {
            machine.stop_moves();
            if (machine.quiet()) break;
        }
        if (next.at >= limit && !record) {
            cut = "cycle limit";
            break;
        }
        if (steps % kLook == 0) {
            if (options.interrupted != nullptr && options.interrupted->load(std::memory_order_relaxed)) {
                cut = "interrupted";
                break;
            }
            if (options.progress) options.progress(progress());
            if (strict)
                if (const std::string beyond = beyond_capacity(); !beyond.empty()) throw InputError(beyond);
            const u64 now_progress = machine.progress();
            const Cycle now = machine.clock().at_or_after(next.at);
            if (now_progress != last_progress) {
                last_progress = now_progress;
                last_change = now;
            } else if (now - std::min(now, std::max(last_change, machine.host_copies().until())) >
                           settings_.watchdog.v &&
                       !machine.finished()) {
                throw InvariantError(fmt::format(
                    "livelock: nothing was issued, answered or sent for {} cycles. Who waits for whom:\n{}",
                    now - last_change, machine.describe()));
            }
        }
        const bool ended = machine.finished();
        next.domain->run_next();
        if (machine.now() >= next_sample && !record) {
            sample(machine, timeline);
            next_sample = machine.now() + options.timeline_cycles;
        }
        if (machine.finished() && !ended && machine.repeats()) {
            // What the others do after the last one's end is no longer counted; what is in flight has to arrive.
            machine.settle();
            collect_all();
            machine.halt();
        }
        if (options.max_instructions != 0 && machine.thread_instructions() >= options.max_instructions &&
            !record) {
            cut = "instruction limit";
            break;
        }
    }
    if (cut.empty())
        machine.check_conservation();
    else
        machine.settle();

    const bool partial = !cut.empty() && !record;
    if (!record) collect_all();
    for (const auto& described : settings_.memories)
        if (std::none_of(machine.memories().begin(), machine.memories().end(),
                         [&](const auto& used) { return used->name() == described.first; }))
            record->warnings.push_back(fmt::format("memories.{} is used by no GPU", described.first));
    if (const std::string beyond = beyond_capacity(); !beyond.empty()) {
        if (strict) throw InputError(beyond);
        record->warnings.push_back(beyond +
                                   "; it was simulated as if the memory had more rows (--strict-capacity "
                                   "makes this an error)");
    }
    record->seed = options.seed;
    record->partial = partial;
    if (partial) record->partial_because = cut;
    for (std::string& line : suspicions(machine, *record)) record->warnings.push_back(std::move(line));
    record->machine_yaml = config::to_yaml(config::describe(MachineSettings::schema(), settings_));
    return std::move(*record);
}

}  // namespace heddle
