#include "cli/batch.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/number.h"
#include "cli/terminal.h"
#include "config/plugin.h"
#include "sim/error.h"
#include "sim/output_file.h"
#include "study/applications.h"
#include "study/program_id.h"
#include "study/seeds.h"
#include "study/split_search.h"

namespace heddle::cli {
namespace {

/// What OutputFile calls it.
constexpr const char* kPage = "the page";

/// The file that this process executes, even if another has taken its name meanwhile.
constexpr const char* kThisProgram = "/proc/self/exe";

std::string time_left(double seconds) {
    const long s = std::lround(seconds);
    return s < 90 ? fmt::format("{} s", s) : fmt::format("{} min", (s + 30) / 60);
}

std::string progress_text(const study::BatchProgress& p) {
    std::string text = fmt::format("{} of {} runs", p.done, p.total);
    if (p.from_store != 0) text += fmt::format(", {} of them from the store", p.from_store);
    if (p.failed != 0) text += fmt::format(", {} failed", p.failed);
    if (p.running != 0) text += fmt::format(", {} running", p.running);
    if (p.seconds_left >= 0 && p.done != p.total)
        text += fmt::format(", about {} left", time_left(p.seconds_left));
    return text;
}

/// "gather on wg-w with seed 2", "a + b (application 2 alone) on wg-w".
std::string name_of(const study::PlannedRun& run) {
    const study::RunSpec& s = run.spec;
    return fmt::format("{}{} on {}{}", s.workload.name,
                       s.alone != 0 ? fmt::format(" (application {} alone)", s.alone) : "", s.variant.name,
                       s.seed ? fmt::format(" with seed {}", *s.seed) : "");
}

}  // namespace

void BatchOptions::declare(CLI::App& app) {
    app.add_option("--store", store_file_,
                   "where results are kept ($HEDDLE_STORE, else ~/.local/share/heddle/results.db)")
        ->type_name("FILE");
    app.add_option("-j,--jobs", jobs_, "runs at once (number of cores)")->type_name("N");
    app.add_flag("--strict-capacity", strict_capacity_, kStrictCapacityHelp);
    app.add_option("--plugin", plugins_, "load policies from a shared object; repeatable")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
}

void BatchOptions::declare_seeds(CLI::App& app) {
    app.add_option("--seeds", seeds_,
                   "make every run with each of these seeds (1-10, or 1,5,8-9); figures are means with 95 % "
                   "confidence intervals")
        ->type_name("SEEDS");
}

std::vector<u64> BatchOptions::seeds() const {
    if (!seeds_) return {};
    try {
        return study::parse_seeds(*seeds_);
    } catch (const InputError& error) {
        throw InputError(fmt::format("--seeds {}", error.what()));
    }
}

void BatchOptions::open_store() {
    using study::Store;
    const char* named = std::getenv("HEDDLE_STORE");
    const bool own_choice = !store_file_.empty() || (named != nullptr && *named != '\0');
    std::string path = store_file_;
    try {
        if (path.empty()) path = study::default_store();
        store_ = std::make_unique<Store>(path, Store::Open::serve);
    } catch (const InputError& error) {
        std::error_code ignored;
        if (own_choice || std::filesystem::exists(path, ignored)) throw;
        // Comparing works even without a writable home folder.
        note(fmt::format("results are not kept: {}", error.what()));
        store_ = std::make_unique<Store>(Store::kMemory, Store::Open::write);
    }
    if (!store_->writable())
        note(fmt::format("the store {} is read-only: missing runs are made but not kept", path));
}

void BatchOptions::open() {
    if (!jobs_.empty() && parse_count("-j", jobs_) == 0) throw InputError("-j 0: give at least 1");
    for (const std::string& plugin : plugins_) config::load_plugin(plugin);
    open_store();
    const std::string build = study::program_build_id();
    keys_ = std::make_unique<study::Keys>(
        build.empty() ? store_->digest(kThisProgram) : build,
        [](const std::string& path, void* store) { return static_cast<study::Store*>(store)->digest(path); },
        store_.get());
}

study::CommonOptions BatchOptions::common(std::vector<std::string> options) const {
    constexpr const char* kStrict = "--strict-capacity";
    // A study's file may have it too.
    if (strict_capacity_ && std::find(options.begin(), options.end(), kStrict) == options.end())
        options.emplace_back(kStrict);
    return {plugins_, std::move(options)};
}

study::CommonOptions BatchOptions::common(const SourceOptions& sources,
                                          const std::string& max_instructions) const {
    std::vector<std::string> options = sources.run_options();
    if (!max_instructions.empty())
        options.push_back(fmt::format(
            "--max-instructions={}", parse_positive("--max-instructions", max_instructions, "instructions")));
    return common(std::move(options));
}

ExitCode BatchOptions::divide(study::MatrixSpec& spec) {
    if (!study::wants_search(spec)) return kDone;
    // Created early, so that errors in the rest are reported before any run.
    const study::Matrix whole(spec, *keys_);
    study::Matrix search(study::search_of(spec, *keys_), *keys_);
    const ExitCode code = run(search);
    if (code != kInterrupted)
        for (const std::string& line : study::choose_divisions(spec, *keys_, search)) note(line);
    return code;
}

study::BatchOptions BatchOptions::workers() const {
    study::BatchOptions options;
    options.program = kThisProgram;
    options.jobs = jobs_.empty() ? std::max(1u, std::thread::hardware_concurrency())
                                 : static_cast<unsigned>(std::min<u64>(parse_count("-j", jobs_), 4096));
    options.interrupted = &catch_interrupts();
    return options;
}

std::optional<study::Streams> BatchOptions::streams(const study::MatrixSpec& spec) {
    bool shown = false;
    auto out = study::streams_of(spec, *store_, *keys_, workers(), [&](std::size_t done, std::size_t total) {
        if (isatty(STDERR_FILENO) == 0) return;
        show_progress(fmt::format("{} of {} inputs recorded", done, total));
        shown = true;
    });
    if (shown) erase_progress();
    if (!out) note("interrupted while the inputs were recorded; nothing was simulated or written");
    return out;
}

ExitCode BatchOptions::run(study::Matrix& matrix) {
    study::BatchOptions options = workers();
    std::string shown;
    if (isatty(STDERR_FILENO) != 0)
        options.progress = [&shown](const study::BatchProgress& p) {
            std::string text = progress_text(p);
            if (text == shown) return;
            shown = std::move(text);
            show_progress(shown);
        };
    const bool whole = matrix.run(*store_, options);
    if (!shown.empty()) erase_progress();
    for (const std::string& text : matrix.notes()) note(text);
    std::size_t finished = 0, failed = 0;
    for (const study::PlannedRun& run : matrix.runs()) {
        finished += run.result.has_value();
        if (run.error.empty()) continue;
        ++failed;
        std::fputs(
            ("heddle: " + presentable(fmt::format("{} failed: {}", name_of(run), run.error)) + '\n').c_str(),
            stderr);
    }
    if (!whole) {
        note(store_->writable() && store_->path() != study::Store::kMemory
                 ? fmt::format("interrupted: {} of {} runs are in {}; the same command continues from there",
                               finished, matrix.runs().size(), store_->path())
                 : fmt::format("interrupted: {} of {} runs had ended; they are not kept", finished,
                               matrix.runs().size()));
        return kInterrupted;
    }
    return failed == 0 ? kDone : kProgramFailed;
}

study::AppSpec app_spec(const SourceOptions& sources, study::Store& store, const std::string& word,
                        bool literal, const std::vector<std::string>& arguments) {
    const SourceFacts facts = sources.facts(word, literal, arguments);
    study::AppSpec app{facts.word, arguments, facts.identity, facts.seeded};
    for (const std::string& file : facts.files) app.identity += fmt::format("\nfile {}", store.digest(file));
    return app;
}

std::vector<study::Workload> workloads_of(const SourceOptions& sources, study::Store& store,
                                          const Words& words) {
    std::vector<study::Workload> out;
    for (const study::WordGroup& group : study::groups_of(words.words))
        for (std::size_t k = group.first; k < group.first + group.count; ++k) {
            const std::string& word = words.words[k];
            std::vector<std::string> arguments;
            if (k < words.workload_arguments.size()) arguments = words.workload_arguments[k];
            if (k + 1 == words.words.size() && !words.program_arguments.empty())
                arguments = words.program_arguments;
            std::string name = word;
            for (const std::string& a : arguments) name += " " + a;
            study::AppSpec app = app_spec(sources, store, word, words.literal, arguments);
            // The first after a '+' runs together with the word before it; words that follow run on their own.
            if (k == group.first && k != 0) {
                out.back().name += " + " + name;
                out.back().apps.push_back(std::move(app));
            } else {
                out.push_back({name, {std::move(app)}});
            }
        }
    return out;
}

std::vector<std::string> split_commas(const std::string& text) {
    std::vector<std::string> out(1);
    for (const char c : text)
        if (c == ',')
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

std::pair<std::string, std::vector<std::string>> split_set(const std::string& set) {
    const auto equals = set.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == set.size())
        throw InputError(fmt::format("--set {}: expected KEY=VALUE or KEY=VALUE,VALUE,...", set));
    std::vector<std::string> values(1);
    int depth = 0;
    for (const char c : set.substr(equals + 1)) {
        depth += (c == '[') - (c == ']');
        if (c == ',' && depth == 0)
            values.emplace_back();
        else
            values.back() += c;
    }
    for (const std::string& v : values)
        if (v.empty()) throw InputError(fmt::format("--set {}: a value is empty", set));
    return {set.substr(0, equals), values};
}

bool unicode_terminal() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        const std::string text = value;
        return text.find("UTF-8") != std::string::npos || text.find("utf8") != std::string::npos;
    }
    return false;
}

void write_page(const std::string& path, const study::PageInput& input, BatchOptions& batch) {
    write_file(path, study::page(input, batch.keys()), kPage);
}

void check_writable(const std::string& path) {
    OutputFile(path, kPage);
}

}  // namespace heddle::cli
