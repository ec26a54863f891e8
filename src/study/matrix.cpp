#include "study/matrix.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>
#include <fmt/format.h>
#include <set>

#include "config/machine_file.h"
#include "config/manual.h"
#include "machine/collect.h"
#include "machine/simulation.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/page_run.h"
#include "study/statistics.h"
#include "study/workers.h"
#include "trace/open.h"

namespace heddle::study {
namespace {

/// The names that a variant's records have, found without a run.
std::vector<std::string> names_of(const Variant& variant, std::size_t most_apps) {
    Simulation simulation(config::load(
        MachineSettings::schema(), {.machine = variant.machine, .sets = variant.sets, .directories = {}}));
    simulation.add(open_source("pattern:alu,ctas=1"));
    simulation.machine().start();
    const RunRecord record = collect(simulation.machine());
    std::vector<std::string> names;
    for (const CounterRecord& c : record.counters) names.push_back(c.name);
    for (const StallRecord& s : record.stalls) names.push_back("stall." + s.cause);
    for (std::size_t n = 1; n <= most_apps; ++n)
        for (const CounterRecord& c : record.apps.front().counters)
            names.push_back(fmt::format("{}.{}", c.name, n));
    return names;
}

/// Adds the counters of another variant that those before do not have for anything ("gpu" and "gddr5" are owners).
void add_names(std::vector<std::string>& names, const Variant& variant, std::size_t most_apps) {
    auto what = [](const std::string& name) { return name.substr(name.find('.') + 1); };
    std::set<std::string> known;
    for (const std::string& name : names) known.insert(what(name));
    try {
        for (std::string& name : names_of(variant, most_apps))
            if (!known.contains(what(name))) names.push_back(std::move(name));
    } catch (const InputError&) {
        // Settings that need several applications, or results of their runs.
    }
}

/// What the variant's policies need from runs alone and have not been given.
std::vector<config::Profile> empty_profiles(const Variant& variant) {
    const MachineSettings machine = config::load(
        MachineSettings::schema(), {.machine = variant.machine, .sets = variant.sets, .directories = {}});
    std::vector<config::Profile> out = config::profiles(MachineSettings::schema(), &machine);
    std::erase_if(out, [](const config::Profile& p) { return p.values != 0; });
    return out;
}

StoredRun stored(const PlannedRun& run, const std::string& record, double seconds) {
    const RunSpec& s = run.spec;
    StoredRun r;
    r.key = run.key;
    r.saved = static_cast<i64>(std::time(nullptr));
    r.version = heddle_version();
    r.machine = s.variant.machine;
    r.settings = join(s.variant.sets, " ");
    if (s.seed) r.settings += fmt::format("{}seed={}", r.settings.empty() ? "" : " ", *s.seed);
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

}  // namespace

Matrix::Matrix(MatrixSpec spec, Keys& keys) : spec_(std::move(spec)), keys_(&keys) {
    for (const Workload& w : spec_.workloads) most_apps_ = std::max(most_apps_, w.apps.size());
    names_ = names_of(spec_.variants.at(spec_.baseline), most_apps_);
    for (const Variant& v : spec_.variants) add_names(names_, v, most_apps_);
    bool alone = false;
    for (const std::string& name : spec_.metrics) {
        try {
            metrics_.push_back(metric(name));
        } catch (const InputError& error) {
            const auto place = spec_.metric_places.find(name);
            if (place == spec_.metric_places.end()) throw;
            config::fail(place->second, error.what());
        }
        alone |= metrics_.back().needs_alone;
    }
    std::vector<std::vector<config::Profile>> profiles;
    for (const Variant& v : spec_.variants) profiles.push_back(empty_profiles(v));
    seeds_.assign(spec_.seeds.begin(), spec_.seeds.end());
    if (seeds_.empty()) seeds_.emplace_back();
    cells_.resize(spec_.workloads.size());
    for (std::size_t w = 0; w < spec_.workloads.size(); ++w) {
        const Workload& workload = spec_.workloads[w];
        cells_[w].resize(spec_.variants.size());
        for (std::size_t v = 0; v < spec_.variants.size(); ++v)
            for (const auto& seed : seeds_) {
                Cell& cell = cells_[w][v].emplace_back();
                cell.run = plan({spec_.variants[v], workload, 0, {}, spec_.common}, seed, keys);
                if (!workload.several() || (!alone && profiles[v].empty())) continue;
                const Variant& on = spec_.variants[spec_.alone_on == AloneOn::baseline ? spec_.baseline : v];
                for (u32 a = 1; a <= workload.apps.size(); ++a)
                    cell.alone.push_back(plan({on, workload, a, {}, spec_.common}, seed, keys));
                const auto is_this = [&cell](const Profiled& p) { return p.run == cell.run; };
                if (!profiles[v].empty() && std::none_of(profiled_.begin(), profiled_.end(), is_this))
                    profiled_.push_back({cell.run, cell.alone, profiles[v]});
            }
    }
}

/// A run that makes no random choice is the same with every seed, and planned once.
std::size_t Matrix::plan(RunSpec spec, std::optional<u64> seed, Keys& keys) {
    const auto& apps = spec.workload.apps;
    bool seeded = keys.seeded(spec.variant);
    for (std::size_t k = 0; k < apps.size(); ++k)
        seeded |= apps[k].seeded && (spec.alone == 0 || spec.alone == k + 1);
    if (seeded) spec.seed = seed;
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

void Matrix::take(PlannedRun& run, const std::string& text) {
    const nlohmann::ordered_json record = parse_record(text);
    run.result = Result::of(record);
    run.shown = page_run(record);
}

void Matrix::finish(Store& store, PlannedRun& run, const std::string& out, double seconds) {
    take(run, out);
    run.seconds = seconds;
    store.put(stored(run, out, seconds));
}

/// Gives a run what its policy needs to know about its applications alone. False if that is not known.
bool Matrix::fill(const Profiled& p) {
    PlannedRun& run = runs_[p.run];
    for (const config::Profile& profile : p.profiles) {
        std::string list;
        for (const std::size_t k : p.alone) {
            const auto value =
                runs_[k].result ? runs_[k].result->figure(profile.metric + ".1") : std::optional<double>{};
            if (!value) {
                run.error =
                    fmt::format("{}: an application's {} alone is not known", profile.key, profile.metric);
                return false;
            }
            list += fmt::format("{}{:.6f}{}", list.empty() ? "" : ", ", *value,
                                profile.unit == config::Unit::bandwidth ? "GB/s" : "");
        }
        run.spec.variant.sets.push_back(fmt::format("{}=[{}]", profile.key, list));
    }
    run.key = keys_->key(run.spec);
    return true;
}

bool Matrix::run(Store& store, const BatchOptions& options) {
    BatchProgress progress;
    progress.total = runs_.size();
    std::vector<std::size_t> first, profiled;
    for (std::size_t k = 0; k < runs_.size(); ++k)
        if (std::none_of(profiled_.begin(), profiled_.end(), [k](const Profiled& p) { return p.run == k; }))
            first.push_back(k);
    if (!make(store, options, first, progress)) return false;
    for (const Profiled& p : profiled_) {
        if (!runs_[p.run].error.empty() || runs_[p.run].result) continue;
        if (fill(p)) {
            profiled.push_back(p.run);
        } else {
            ++progress.failed;
            ++progress.done;
        }
    }
    if (!make(store, options, profiled, progress)) return false;
    progress.running = 0;
    progress.seconds_left = 0;
    if (options.progress) options.progress(progress);
    return true;
}

/// Makes those runs, as far as they are not in the store.
bool Matrix::make(Store& store, const BatchOptions& options, const std::vector<std::size_t>& which,
                  BatchProgress& progress) {
    std::deque<std::size_t> waiting;
    for (const std::size_t k : which) {
        if (const auto record = store.record(runs_[k].key)) {
            try {
                take(runs_[k], *record);
            } catch (const InputError& error) {
                throw InputError(
                    fmt::format("store {0}: run {1}: {2}; delete it with heddle results delete {1}",
                                store.path(), runs_[k].key, error.what()));
            }
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
            workers.start(waiting.front(), runs_[waiting.front()].spec);
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
        const auto ended = workers.wait();
        if (!ended) continue;
        const ChildEnd& end = ended->end;
        PlannedRun& run = runs_[ended->job];
        if (end.signal != 0 && tries[ended->job]++ == 0) {
            // Perhaps someone, or the system for lack of memory, has killed it: once more, after the others.
            waiting.push_back(ended->job);
            continue;
        }
        if (end.code != 0 || end.signal != 0) {
            run.error = why_it_failed(end);
            ++progress.failed;
        } else {
            finish(store, run, end.out, ended->seconds);
            note(end.error);
        }
        ++progress.done;
    }
    return true;
}

const PlannedRun& Matrix::cell(std::size_t workload, std::size_t variant, std::size_t repetition) const {
    return runs_[at(workload, variant, repetition).run];
}

const PlannedRun* Matrix::alone(std::size_t workload, std::size_t variant, std::size_t application) const {
    const auto& planned = at(workload, variant, 0).alone;
    return application < planned.size() ? &runs_[planned[application]] : nullptr;
}

std::optional<double> Matrix::figure(const Metric& metric, std::size_t workload, std::size_t variant) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < repetitions(); ++r) {
        const auto value = figure(metric, workload, variant, r);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    return values.size() == 1 ? values.front() : estimate(values).mean;
}

std::optional<double> Matrix::figure(const Metric& metric, std::size_t workload, std::size_t variant,
                                     std::size_t repetition) const {
    const PlannedRun& run = cell(workload, variant, repetition);
    if (!run.result) return std::nullopt;
    std::vector<double> alone;
    for (const std::size_t k : at(workload, variant, repetition).alone) {
        if (!runs_[k].result) return std::nullopt;
        alone.push_back(runs_[k].result->ipc().at(0));
    }
    return value(metric, *run.result, alone);
}

}  // namespace heddle::study
