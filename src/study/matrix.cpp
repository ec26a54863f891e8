#include "study/matrix.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <deque>
#include <fmt/format.h>

#include "config/machine_file.h"
#include "config/manual.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/workers.h"
#include "system/collect.h"
#include "system/simulation.h"
#include "trace/open.h"

namespace heddle::study {
namespace {

/// The names that a variant's records have, found out without a run.
std::vector<std::string> names_of(const Variant& variant, std::size_t most_apps) {
    Simulation simulation(config::load(
        Machine::schema(), {.machine = variant.machine, .sets = variant.sets, .directories = {}}));
    simulation.add(open_source("pattern:alu,ctas=1"));
    simulation.gpu().start();
    const RunRecord record = collect(simulation.gpu());
    std::vector<std::string> names;
    for (const CounterRecord& c : record.counters) names.push_back(c.name);
    for (const StallRecord& s : record.stalls) names.push_back("stall." + s.cause);
    for (std::size_t n = 1; n <= most_apps; ++n)
        for (const CounterRecord& c : record.apps.front().counters)
            names.push_back(fmt::format("{}.{}", c.name, n));
    return names;
}

StoredRun stored(const PlannedRun& run, const std::string& record, double seconds) {
    const RunSpec& s = run.spec;
    StoredRun r;
    r.key = run.key;
    r.saved = static_cast<i64>(std::time(nullptr));
    r.version = HEDDLE_VERSION;
    r.machine = s.variant.machine;
    r.settings = join(s.variant.sets, " ");
    std::vector<std::string> words;
    for (const AppSpec& app : s.workload.apps) {
        words.push_back(app.word);
        for (const std::string& a : app.arguments) words.back() += " " + a;
    }
    r.workload = join(words, " + ");
    r.sms = join(s.workload.sms, ",");
    r.alone = s.alone;
    r.seconds = seconds;
    r.record = record;
    return r;
}

/// What went wrong, from what a worker has written.
std::string reason(const WorkerEnd& end) {
    if (end.signal != 0)
        return fmt::format("its process was ended by signal {} ({})", end.signal, strsignal(end.signal));
    std::string text = end.error;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    constexpr std::string_view kName = "heddle: ";
    if (text.starts_with(kName)) text.erase(0, kName.size());
    return text.empty() ? fmt::format("its process ended with code {}", end.code) : text;
}

}  // namespace

Matrix::Matrix(MatrixSpec spec, Keys& keys) : spec_(std::move(spec)) {
    for (const Workload& w : spec_.workloads) most_apps_ = std::max(most_apps_, w.apps.size());
    names_ = names_of(spec_.variants.at(spec_.baseline), most_apps_);
    bool alone = false;
    for (const std::string& name : spec_.metrics) {
        metrics_.push_back(metric(name));
        alone |= metrics_.back().needs_alone;
    }
    cells_.resize(spec_.workloads.size());
    alone_.resize(spec_.workloads.size());
    for (std::size_t w = 0; w < spec_.workloads.size(); ++w) {
        const Workload& workload = spec_.workloads[w];
        alone_[w].resize(spec_.variants.size());
        for (std::size_t v = 0; v < spec_.variants.size(); ++v) {
            cells_[w].push_back(plan({spec_.variants[v], workload, 0, spec_.common}, keys));
            if (!alone || !workload.several()) continue;
            const Variant& on = spec_.variants[spec_.alone_on == AloneOn::baseline ? spec_.baseline : v];
            for (u32 a = 1; a <= workload.apps.size(); ++a)
                alone_[w][v].push_back(plan({on, workload, a, spec_.common}, keys));
        }
    }
}

std::size_t Matrix::plan(RunSpec spec, Keys& keys) {
    PlannedRun run;
    run.key = keys.key(spec);
    run.spec = std::move(spec);
    const auto [it, fresh] = by_key_.emplace(run.key, runs_.size());
    if (fresh) runs_.push_back(std::move(run));
    return it->second;
}

void Matrix::note(const std::string& text) {
    constexpr std::string_view kNote = "heddle: note: ";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        if (line.starts_with(kNote)) line.erase(0, kNote.size());
        if (!line.empty() && std::find(notes_.begin(), notes_.end(), line) == notes_.end())
            notes_.push_back(std::move(line));
        at = end + 1;
    }
}

void Matrix::finish(Store& store, PlannedRun& run, const std::string& out, double seconds) {
    run.result.emplace(out);
    run.record = out;
    run.seconds = seconds;
    store.put(stored(run, out, seconds));
}

bool Matrix::run(Store& store, const BatchOptions& options) {
    BatchProgress progress;
    progress.total = runs_.size();
    std::deque<std::size_t> waiting;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
        if (const auto record = store.record(runs_[k].key)) {
            runs_[k].result.emplace(*record);
            runs_[k].record = *record;
            runs_[k].from_store = true;
            ++progress.done;
            ++progress.from_store;
        } else {
            waiting.push_back(k);
        }
    }
    Workers workers(options.program);
    std::vector<u32> tries(runs_.size());
    const auto started = std::chrono::steady_clock::now();
    while (!waiting.empty() || workers.running() != 0) {
        if (options.interrupted != nullptr && options.interrupted->load(std::memory_order_relaxed))
            return false;
        while (!waiting.empty() && workers.running() < options.jobs) {
            workers.start(waiting.front(), arguments(runs_[waiting.front()].spec));
            waiting.pop_front();
        }
        progress.running = workers.running();
        const std::size_t made = progress.done - progress.from_store;
        if (made != 0) {
            const double spent =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
            progress.seconds_left =
                spent / static_cast<double>(made) * static_cast<double>(progress.total - progress.done);
        }
        if (options.progress) options.progress(progress);
        const auto end = workers.wait();
        if (!end) continue;
        PlannedRun& run = runs_[end->job];
        if (end->signal != 0 && tries[end->job]++ == 0) {
            // Perhaps somebody, or the system in want of memory, has killed it: once more, after the others.
            waiting.push_back(end->job);
            continue;
        }
        if (end->code != 0 || end->signal != 0) {
            run.error = reason(*end);
            ++progress.failed;
        } else {
            finish(store, run, end->out, end->seconds);
            note(end->error);
        }
        ++progress.done;
    }
    progress.running = 0;
    progress.seconds_left = 0;
    if (options.progress) options.progress(progress);
    return true;
}

const PlannedRun& Matrix::cell(std::size_t workload, std::size_t variant) const {
    return runs_[cells_[workload][variant]];
}

std::optional<double> Matrix::figure(const Metric& metric, std::size_t workload, std::size_t variant) const {
    const PlannedRun& run = cell(workload, variant);
    if (!run.result) return std::nullopt;
    std::vector<double> alone;
    for (const std::size_t k : alone_[workload][variant]) {
        if (!runs_[k].result) return std::nullopt;
        alone.push_back(runs_[k].result->ipc().at(0));
    }
    return value(metric, *run.result, alone);
}

}  // namespace heddle::study
