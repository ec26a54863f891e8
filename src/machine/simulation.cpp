#include "machine/simulation.h"

#include <fmt/format.h>
#include <optional>

#include "config/machine_file.h"
#include "dram/geometry.h"
#include "machine/collect.h"
#include "machine/design.h"
#include "machine/suspicions.h"
#include "sim/error.h"

namespace heddle {

Simulation::Simulation(const MachineSettings& machine) : machine_(machine) {
    the_gpu(machine, machine.about.value_or(""));
    apply_designs(machine_);
    const auto& [name, gpu] = *machine_.gpus.begin();
    const dram::MemorySettings& memory = machine_.memories.at(gpu.memory);
    const u64 dram_hz = dram::resolve(memory).clock_hz;
    const u64 clocks[] = {gpu.clock_hz, dram_hz};
    const u64 common = common_clock_hertz(clocks);
    memory_ = std::make_unique<MemoryNode>(gpu.memory, memory, Clock(dram_hz, common / dram_hz),
                                           gpu.translation.on() ? &pressure_ : nullptr);
    gpu_ = std::make_unique<Gpu>(name, gpu, Clock(gpu.clock_hz, common / gpu.clock_hz), *memory_, pressure_);
    // At the same instant the memory goes first: the order is fixed, and messages take at least one cycle anyway.
    engine_.add(*memory_);
    engine_.add(*gpu_);
}

RunProgress Simulation::progress() const {
    RunProgress p;
    p.cycles = gpu_->now().v;
    for (const auto& app : gpu_->applications()) {
        const KernelWork work = app->work();
        p.warp_instructions += work.warp_instructions;
        p.ctas_done += work.ctas_done;
        p.ctas_known += work.ctas;
    }
    return p;
}

std::string Simulation::beyond_capacity() const {
    const u64 used = gpu_->used_bytes(), there = memory_->bytes();
    if (used <= there) return {};
    const auto mib = [](u64 bytes) { return ceil_div(bytes, u64{1} << 20); };
    const bool alike = mib(used) == mib(there);
    const auto amount = [&](u64 bytes) {
        return alike ? fmt::format("{} bytes", bytes) : fmt::format("{} MiB", mib(bytes));
    };
    return fmt::format("{} of device memory are in use, but memories.{} has {}", amount(used),
                       memory_->name(), amount(there));
}

RunRecord Simulation::run(const RunOptions& options) {
    constexpr u64 kLook = 4096;  // steps between looks at what need not be exact
    Gpu& gpu = *gpu_;
    gpu.start();
    std::string cut;
    std::optional<RunRecord> record;
    TimelineRecord timeline;
    timeline.interval = options.timeline_cycles;
    Cycle next_sample = options.timeline_cycles == 0 ? kNever : Cycle(options.timeline_cycles);
    auto collect_all = [&] {
        record = collect(gpu);
        if (options.timeline_cycles == 0) return;
        // The last sample belongs to the time whose totals the record has.
        if (timeline.cycles.empty() || timeline.cycles.back() < gpu.now().v) sample(gpu, timeline);
        record->timeline = std::move(timeline);
    };
    const Tick limit = options.max_cycles == 0 ? Tick{~u64{0}} : gpu.clock().tick(Cycle(options.max_cycles));
    u64 last_progress = ~u64{0};
    Cycle last_change{0};
    for (u64 steps = 0;; ++steps) {
        const Engine::Due next = engine_.next();
        if (next.domain == nullptr) {
            if (gpu.finished()) break;
            throw InvariantError(
                "deadlock: work remains, but nothing can happen any more. Who waits for whom:\n" +
                gpu.describe());
        }
        // Writes may still be in flight when the last kernel has ended. What ticks on after them, refreshes and
        // epochs, is not part of the run.
        if (gpu.finished() && gpu.quiet()) break;
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
            if (options.strict_capacity)
                if (const std::string beyond = beyond_capacity(); !beyond.empty()) throw InputError(beyond);
            const u64 now_progress = gpu.progress();
            const Cycle now = gpu.clock().at_or_after(next.at);
            if (now_progress != last_progress) {
                last_progress = now_progress;
                last_change = now;
            } else if (now - last_change > machine_.watchdog.v && !gpu.finished()) {
                throw InvariantError(fmt::format(
                    "livelock: nothing was issued, answered or sent for {} cycles. Who waits for whom:\n{}",
                    now - last_change, gpu.describe()));
            }
        }
        const bool ended = gpu.finished();
        next.domain->run_next();
        if (gpu.now() >= next_sample && !record) {
            sample(gpu, timeline);
            next_sample = gpu.now() + options.timeline_cycles;
        }
        if (gpu.finished() && !ended && gpu.repeats()) {
            // What the others do after the last one's end is no longer counted; what is in flight has to arrive.
            gpu.settle();
            collect_all();
            gpu.halt();
        }
        if (options.max_instructions != 0 && gpu.thread_instructions() >= options.max_instructions &&
            !record) {
            cut = "instruction limit";
            break;
        }
    }
    if (cut.empty())
        gpu.check_conservation();
    else
        gpu.settle();

    const bool partial = !cut.empty() && !record;
    if (!record) collect_all();
    for (const auto& [memory, settings] : machine_.memories)
        if (memory != memory_->name())
            record->warnings.push_back(fmt::format("memories.{} is used by no GPU", memory));
    if (const std::string beyond = beyond_capacity(); !beyond.empty()) {
        if (options.strict_capacity) throw InputError(beyond);
        record->warnings.push_back(beyond +
                                   "; it was simulated as if the memory had more rows (--strict-capacity "
                                   "makes this an error)");
    }
    record->seed = options.seed;
    record->partial = partial;
    if (partial) record->partial_because = cut;
    for (std::string& line : suspicions(gpu, *record)) record->warnings.push_back(std::move(line));
    record->machine_yaml = config::to_yaml(config::describe(MachineSettings::schema(), machine_));
    return std::move(*record);
}

}  // namespace heddle
