// heddle study: an experiment from its file, and its paper's claims.

#include "study/study.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/batch.h"
#include "cli/overwrite.h"
#include "sim/error.h"
#include "sim/output_file.h"
#include "study/comparison.h"
#include "study/inputs.h"

namespace heddle::cli {
namespace {

class Study final : public Command {
  public:
    /// `page`: it writes an HTML page in place of text.
    explicit Study(bool page) : page_(page) {}

    void declare(CLI::App& app) override {
        if (page_) {
            app.add_option("-o,--output", html_, "the page (NAME.html)")->type_name("FILE");
        } else {
            app.add_flag("--json", json_, "write claims and figures as JSON");
            app.add_option("--html", html_, "write a page with charts that needs no network")
                ->type_name("FILE");
            app.add_flag("--freeze", freeze_,
                         "record the inputs and write the SHA-256 of each workload's stream into the study's "
                         "file, of both sizes; run nothing");
            app.add_flag("--verify", verify_,
                         "record the inputs and compare them with the file's hashes; run nothing");
        }
        app.add_flag("--small", small_,
                     "the study's small form; a shipped study's is also called NAME-small");
        app.add_flag("--regime", regime_,
                     "only what the file says of its workloads under the baseline, and only these runs");
        batch_.declare_seeds(app);
        batch_.declare(app);
    }

    ExitCode run(const Words& words) override {
        if (words.words.size() != 1)
            throw InputError(
                page_ ? "heddle report takes one name: a study from 'heddle study list', or a FILE.yaml; "
                        "heddle compare --html FILE writes a comparison's page"
                      : "heddle study takes one name: 'list', a study from that list, or a FILE.yaml");
        if (words.words.front() == "list") {
            print_text(study::shipped_studies_text());
            return kDone;
        }
        const study::StudyPlace place = study::locate_study(words.words.front());
        study::Study study = study::read_study(place.file);
        small_ |= place.small;
        if (freeze_ || verify_) return inputs(study);
        study::check_inputs(study);
        if (small_) study = study::small_form(std::move(study));
        if (const std::vector<u64> seeds = batch_.seeds(); !seeds.empty()) study.seeds = seeds;
        if (regime_) study = study::regime_form(study);
        if (page_ && html_.empty()) html_ = study.name + ".html";
        if (!html_.empty()) {
            refuse_overwriting(page_ ? "-o" : "--html", html_, {place.file});
            check_writable(html_);
        }
        batch_.open();
        return simulate(study);
    }

  private:
    /// The study on each of its boards, or as it is.
    static std::vector<study::Study> on_boards(const study::Study& study) {
        std::vector<study::Study> out;
        for (std::size_t b = 0; b < study.boards.size(); ++b) out.push_back(study::on_board(study, b));
        if (out.empty()) out.push_back(study);
        for (const study::Study& s : out) {
            check_options(s);
            study::check_machines(s);
        }
        return out;
    }

    ExitCode simulate(const study::Study& study) {
        const std::vector<study::Study> studies = on_boards(study);
        std::vector<study::MatrixSpec> plans;
        plans.reserve(studies.size());
        for (const study::Study& s : studies) plans.push_back(spec(s));
        if (!study::frozen(study).empty()) {
            const auto streams = batch_.streams(plans.front());
            if (!streams) return kInterrupted;
            study::compare_inputs(study, *streams);
        }
        // All are planned before anything runs.
        for (const study::MatrixSpec& plan : plans)
            if (plans.size() > 1 && !study::wants_search(plan)) study::Matrix(plan, batch_.keys());
        ExitCode code = kDone;
        std::vector<std::unique_ptr<study::Matrix>> matrices;
        std::vector<study::BoardResult> results;
        for (std::size_t b = 0; b < studies.size(); ++b) {
            const ExitCode searched = batch_.divide(plans[b]);
            if (searched == kInterrupted) return searched;
            matrices.push_back(std::make_unique<study::Matrix>(std::move(plans[b]), batch_.keys()));
            const ExitCode ran = batch_.run(*matrices.back());
            if (ran == kInterrupted) return ran;
            if (code == kDone) code = ran == kDone ? searched : ran;
            results.push_back({study.boards.empty() ? "" : study.boards[b].name, &studies[b],
                               matrices.back().get(), study::score(studies[b], *matrices.back())});
            for (const std::string& line : study::not_measured(results.back())) note(line);
        }
        show(results);
        return code;
    }

    void show(const std::vector<study::BoardResult>& results) {
        const study::Study& study = *results.front().study;
        std::vector<study::Comparison> shown;
        shown.reserve(results.size());
        for (const study::BoardResult& r : results) shown.push_back(study::compare(*r.matrix));
        for (std::size_t b = 0; b < results.size(); ++b)
            for (const std::string& line : study::untouched_by_seeds(shown[b]))
                note(results[b].name.empty() ? line : fmt::format("board {}: {}", results[b].name, line));
        if (!html_.empty()) {
            study::PageInput input{"Heddle: " + study.name, &results, {}, {}};
            for (std::size_t b = 0; b < results.size(); ++b) {
                input.comparisons.push_back(&shown[b]);
                input.matrices.push_back(results[b].matrix);
            }
            write_page(html_, input, batch_);
        }
        if (page_) return print(html_ + "\n");
        if (json_) return print(study::json_text(study::study_tree(results)));
        std::string text = study.about.empty() ? "" : study.about + "\n\n";
        for (std::size_t b = 0; b < results.size(); ++b) {
            // What only claims use is not shown.
            shown[b].tables.resize(std::min(shown[b].tables.size(), study.metrics.size()));
            if (shown[b].tables.empty()) continue;
            if (!results[b].name.empty())
                text += fmt::format("board {}: {}\n\n", results[b].name,
                                    results[b].study->boards.front().machine);
            text += study::comparison_text(shown[b], true, unicode_terminal()) + '\n';
        }
        const std::string claims = study::scoreboard_text(results);
        if (claims.empty() && text.ends_with("\n\n")) text.pop_back();
        print_text(text + claims);
    }

    /// --freeze and --verify.
    ExitCode inputs(const study::Study& study) {
        if (freeze_ && verify_) throw InputError("give either --freeze or --verify, not both");
        if (json_ || regime_ || !html_.empty() || !batch_.seeds().empty())
            throw InputError(fmt::format("{} runs nothing; of other options of a study it takes --small only",
                                         freeze_ ? "--freeze" : "--verify"));
        return freeze_ ? freeze(study) : verify(study);
    }

    ExitCode freeze(const study::Study& study) {
        {  // It can be written: known before long recordings.
            const OutputFile writable(study.file, "the study file");
        }
        batch_.open();
        const auto full = small_ ? study::Streams() : record(study);
        const auto small = full ? record(study::small_form(study)) : std::nullopt;
        if (!small) return kInterrupted;
        const bool changed = study::freeze(study.file, *full, *small);
        print(fmt::format("{}: {} inputs, {}\n", study.file, small->size(),
                          changed ? "frozen" : "frozen already"));
        return kDone;
    }

    ExitCode verify(const study::Study& study) {
        study::check_inputs(study);
        const study::Study form = small_ ? study::small_form(study) : study;
        if (study::frozen(form).empty())
            throw InputError(fmt::format(
                "{0}: no hashes to compare with; heddle study {0} --freeze writes them", study.file));
        batch_.open();
        const auto streams = record(form);
        if (!streams) return kInterrupted;
        study::compare_inputs(form, *streams);
        print(fmt::format("{}: {} inputs are the frozen ones\n", form.name, streams->size()));
        return kDone;
    }

    /// Nothing if interrupted.
    std::optional<study::Streams> record(const study::Study& study) {
        return batch_.streams(spec(on_boards(study).front()));
    }

    /// These are options of heddle run, whose errors would otherwise come from every run.
    static void check_options(const study::Study& study) {
        try {
            CLI::App app;
            const auto run = make_run();
            run->declare(app);
            const Arguments given = split(app, study.options);
            if (!given.words.words.empty())
                throw InputError(
                    fmt::format("'{}' is not an option of heddle run", given.words.words.front()));
            const auto is_seed = [](const std::string& o) {
                return o == "--seed" || o.starts_with("--seed=");
            };
            if (!study.seeds.empty() && std::any_of(study.options.begin(), study.options.end(), is_seed))
                throw InputError("give either --seed or several seeds, not both");
        } catch (const InputError& error) {
            config::fail(study.options_origin, error.what());
        }
    }

    study::MatrixSpec spec(const study::Study& study) {
        study::MatrixSpec spec;
        const SourceOptions sources;
        for (const study::StudyWorkload& w : study.workloads) {
            study::Workload workload{w.name, {}, w.division.sms, w.division.search};
            try {
                for (std::vector<std::string> words : w.apps) {
                    const std::string word = words.front();
                    words.erase(words.begin());
                    if (workload.apps.size() + 1 != w.apps.size() &&
                        kind_of(word, false) == SourceKind::program)
                        throw InputError("a program takes everything that follows it, so name it last");
                    workload.apps.push_back(app_spec(sources, batch_.store(), word, false, words));
                }
            } catch (const InputError& error) {
                config::fail(w.origin, error.what());
            }
            spec.workloads.push_back(std::move(workload));
        }
        spec.variants = study.variants;
        spec.baseline = study.baseline;
        spec.alone_on = study.alone_on;
        spec.metrics = study::metrics_of(study);
        spec.metric_places = study::metric_places(study);
        spec.common = batch_.common(study.options);
        spec.seeds = study.seeds;
        return spec;
    }

    BatchOptions batch_;
    std::string html_;
    bool json_ = false, freeze_ = false, verify_ = false, small_ = false, regime_ = false, page_;
};

}  // namespace

std::unique_ptr<Command> make_study() {
    return std::make_unique<Study>(false);
}

std::unique_ptr<Command> make_report() {
    return std::make_unique<Study>(true);
}

}  // namespace heddle::cli
