// heddle study: an experiment from its file, and its paper's claims.

#include "study/study.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/batch.h"
#include "cli/overwrite.h"
#include "sim/error.h"
#include "study/comparison.h"

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
        }
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
        const std::string file = study::locate_study(words.words.front());
        study::Study study = study::read_study(file);
        if (const std::vector<u64> seeds = batch_.seeds(); !seeds.empty()) study.seeds = seeds;
        if (page_ && html_.empty()) html_ = study.name + ".html";
        if (!html_.empty()) {
            refuse_overwriting(page_ ? "-o" : "--html", html_, {file});
            check_writable(html_);
        }
        batch_.open();
        check_options(study);
        study::check_machines(study);
        study::MatrixSpec plan = spec(study);
        const ExitCode searched = batch_.divide(plan);
        if (searched == kInterrupted) return searched;
        study::Matrix matrix(std::move(plan), batch_.keys());
        ExitCode code = batch_.run(matrix);
        if (code == kInterrupted) return code;
        if (code == kDone) code = searched;
        const study::Scoreboard board = study::score(study, matrix);
        for (const std::string& line : study::not_measured(board)) note(line);
        study::Comparison shown = study::compare(matrix);
        for (const std::string& line : study::untouched_by_seeds(shown)) note(line);
        if (!html_.empty())
            write_page(html_, {.title = "Heddle: " + study.name, .study = &study, .board = &board}, shown,
                       matrix, batch_);
        if (page_) {
            print(html_ + "\n");
            return code;
        }
        if (json_) {
            print(study::json_text(study::study_tree(study, board, matrix)));
            return code;
        }
        // What only claims use is not shown.
        shown.tables.resize(std::min(shown.tables.size(), study.metrics.size()));
        const std::string claims = study::scoreboard_text(study, board);
        print_text((study.about.empty() ? "" : study.about + "\n\n") +
                   study::comparison_text(shown, true, unicode_terminal()) +
                   (claims.empty() ? "" : "\n" + claims));
        return code;
    }

  private:
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
        spec.common = {batch_.plugins(), study.options};
        spec.seeds = study.seeds;
        return spec;
    }

    BatchOptions batch_;
    std::string html_;
    bool json_ = false, page_;
};

}  // namespace

std::unique_ptr<Command> make_study() {
    return std::make_unique<Study>(false);
}

std::unique_ptr<Command> make_report() {
    return std::make_unique<Study>(true);
}

}  // namespace heddle::cli
