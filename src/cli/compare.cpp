// heddle compare: workloads times variants, side by side.

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/batch.h"
#include "cli/number.h"
#include "config/manual.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/comparison.h"
#include "study/split_search.h"

namespace heddle::cli {
namespace {

/// One thing that varies: its values, each with the name that variants get from it.
struct Axis {
    std::vector<std::string> names, values;
    std::string key;  // empty: machines
};

class Compare final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("-m,--machine", machines_,
                       "machines to compare: names from 'heddle list machines', or files (gtx480)")
            ->type_name("M1,M2,...");
        app.add_option("--set", sets_,
                       "a key of the machine and the values to compare; several keys give every combination")
            ->type_name("KEY=V1,V2,...")
            ->allow_extra_args(false);
        app.add_option("--baseline", baseline_, "the variant to compare the others with (the first)")
            ->type_name("V");
        app.add_option("--metric", metrics_,
                       "what to show: names from 'heddle list metrics', or counters (performance)")
            ->type_name("NAME,...");
        app.add_option("--sms", sms_,
                       "SMs of each application joined by '+', or 'search' for the largest weighted speed-up "
                       "(equal parts)")
            ->type_name("N,N,...");
        app.add_option("--max-instructions", max_instructions_, "stop each run after N thread instructions")
            ->type_name("N");
        app.add_option("--html", html_, "write a page with charts that needs no network")->type_name("FILE");
        app.add_option("--timeline", timeline_,
                       "sample the main counters every N core cycles, for the page's charts")
            ->type_name("N");
        app.add_flag("--json", json_, "write the figures as JSON");
        app.add_flag("--csv", csv_, "write the figures as CSV, one per line");
        batch_.declare_seeds(app);
        batch_.declare(app);
        sources_.declare(app);
    }

    ExitCode run(const Words& words) override {
        if (json_ && csv_) throw InputError("give either --json or --csv, not both");
        if (words.words.empty()) throw InputError("missing WORKLOAD: give at least one");
        study::MatrixSpec spec;
        spec.common = common();
        spec.seeds = batch_.seeds();
        if (!spec.seeds.empty() && sources_.has_seed())
            throw InputError("give either --seed or --seeds, not both");
        if (!html_.empty()) check_writable(html_);
        batch_.open();
        spec.workloads = workloads_of(sources_, batch_.store(), words);
        const study::SmDivision sms = study::parse_division(sms_);
        for (study::Workload& w : spec.workloads) {
            if (w.several() || sms.sms.size() == 1) w.sms = sms.sms;
            w.search_sms = w.several() && sms.search;
        }
        if (sms.search && !study::wants_search(spec))
            throw InputError("--sms search divides SMs among applications joined by '+', but there are none");
        spec.variants = variants();
        spec.baseline = baseline(spec.variants);
        spec.metrics = split_commas(metrics_.empty() ? "performance" : metrics_);
        const ExitCode searched = batch_.divide(spec);
        if (searched == kInterrupted) return searched;
        study::Matrix matrix(std::move(spec), batch_.keys());
        ExitCode code = batch_.run(matrix);
        if (code == kInterrupted) return code;
        if (code == kDone) code = searched;
        const study::Comparison comparison = study::compare(matrix);
        for (const std::string& line : study::untouched_by_seeds(comparison)) note(line);
        if (!html_.empty()) {
            write_page(html_,
                       {.title = "Heddle: " + join(comparison.variants, ", "),
                        .comparisons = {&comparison},
                        .matrices = {&matrix}},
                       batch_);
            note(html_ + " is written; open it in a browser");
        }
        if (json_)
            print(study::json_text(study::comparison_tree(comparison, matrix)));
        else if (csv_)
            print(study::comparison_csv(comparison));
        else
            print_text(study::comparison_text(comparison, !metrics_.empty(), unicode_terminal()));
        return code;
    }

  private:
    study::CommonOptions common() const {
        study::CommonOptions c = batch_.common(sources_, max_instructions_);
        if (!timeline_.empty())
            c.options.push_back(
                fmt::format("--timeline={}", parse_positive("--timeline", timeline_, "cycles")));
        return c;
    }

    /// Every combination of machines and values. A variant's name says how it differs from the others.
    std::vector<study::Variant> variants() const {
        std::vector<Axis> axes(1);
        axes[0].names = axes[0].values = split_commas(machines_.empty() ? "gtx480" : machines_);
        for (const std::string& set : sets_) {
            auto [key, values] = split_set(set);
            axes.push_back({values, values, key});
        }
        // The same value on two axes would be ambiguous.
        std::size_t varying = 0;
        for (const Axis& a : axes) varying += a.values.size() > 1;
        if (varying > 1)
            for (Axis& a : axes) {
                if (a.key.empty()) continue;
                const std::string last = a.key.substr(a.key.rfind('.') + 1) + "=";
                for (std::string& name : a.names) name.insert(0, last);
            }
        std::vector<study::Variant> out{{"", "", {}}};
        for (const Axis& a : axes) {
            std::vector<study::Variant> next;
            for (const study::Variant& v : out)
                for (std::size_t k = 0; k < a.values.size(); ++k) {
                    study::Variant w = v;
                    if (a.key.empty())
                        w.machine = a.values[k];
                    else
                        w.sets.push_back(a.key + "=" + a.values[k]);
                    if (a.values.size() > 1) w.name.append(w.name.empty() ? "" : " ").append(a.names[k]);
                    next.push_back(std::move(w));
                }
            out = std::move(next);
        }
        if (out.size() == 1) out[0].name = out[0].machine;
        for (std::size_t k = 0; k < out.size(); ++k)
            for (std::size_t i = 0; i < k; ++i)
                if (out[i].name == out[k].name)
                    throw InputError(fmt::format("variant {} appears twice", out[k].name));
        return out;
    }

    std::size_t baseline(const std::vector<study::Variant>& variants) const {
        if (baseline_.empty()) return 0;
        std::vector<std::string_view> names;
        for (std::size_t k = 0; k < variants.size(); ++k) {
            if (variants[k].name == baseline_) return k;
            names.push_back(variants[k].name);
        }
        throw InputError(fmt::format("--baseline {}: there is no such variant{}", baseline_,
                                     config::suggestion(baseline_, names)));
    }

    BatchOptions batch_;
    SourceOptions sources_;
    std::string machines_, baseline_, metrics_, sms_, max_instructions_, html_, timeline_;
    std::vector<std::string> sets_;
    bool json_ = false, csv_ = false;
};

}  // namespace

std::unique_ptr<Command> make_compare() {
    return std::make_unique<Compare>();
}

}  // namespace heddle::cli
