// heddle model: the bandwidth model's prediction for applications, beside simulation.

#include <CLI/App.hpp>
#include <fmt/format.h>
#include <map>

#include "cli/batch.h"
#include "config/machine_file.h"
#include "config/unit.h"
#include "gpu/share.h"
#include "machine/settings.h"
#include "sim/error.h"
#include "study/model_report.h"

namespace heddle::cli {
namespace {

class Model final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("-m,--machine", machine_, "a name from 'heddle list machines', or a file (gtx480)")
            ->type_name("MACHINE");
        app.add_option("--set", sets_, "set a key of the machine; repeatable")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        app.add_option("--sms", sms_, "SMs of each application joined by '+' (equal parts)")
            ->type_name("N,N,...");
        app.add_option("--capacity", capacity_,
                       "bandwidth that the applications share, such as 80GB/s (the memory's peak)")
            ->type_name("BANDWIDTH");
        app.add_option("--max-instructions", max_instructions_, "stop each run after N thread instructions")
            ->type_name("N");
        app.add_flag("--json", json_, "write the figures as JSON");
        batch_.declare(app);
        sources_.declare(app);
    }

    ExitCode run(const Words& words) override {
        if (words.words.empty())
            throw InputError(
                "missing APP: 'a' models one application alone, 'a + b' two that share the machine");
        const double capacity = capacity_gb();
        const study::CommonOptions common = batch_.common(sources_, max_instructions_);
        batch_.open();
        // Workloads with the same number of applications have the same variants: one matrix.
        std::map<std::size_t, study::MatrixSpec> specs;
        const std::vector<u32> sms = parse_sms(sms_);
        for (study::Workload& w : workloads_of(sources_, batch_.store(), words)) {
            if (w.several() || sms.size() == 1) w.sms = sms;
            specs[w.apps.size()].workloads.push_back(std::move(w));
        }
        const study::Variant machine{machine_, machine_, sets_};
        const std::string own = own_scheduler();
        std::vector<study::AloneReport> alone;
        std::vector<study::MixReport> mixes;
        ExitCode code = kDone;
        for (auto& [apps, spec] : specs) {
            spec.variants = apps == 1 ? std::vector{machine} : study::mix_variants(machine, apps);
            spec.metrics = {apps == 1 ? "ipc" : "ws"};
            spec.common = common;
            study::Matrix matrix(std::move(spec), batch_.keys());
            const ExitCode ended = batch_.run(matrix);
            if (ended == kInterrupted) return ended;
            if (ended != kDone) code = ended;
            for (std::size_t w = 0; w < matrix.spec().workloads.size(); ++w) {
                const std::string& name = matrix.spec().workloads[w].name;
                bool said = false;
                if (apps == 1) {
                    if (auto report = study::alone_report(name, matrix.cell(w, 0))) {
                        alone.push_back(std::move(*report));
                        said = true;
                    }
                } else if (auto report = study::mix_report(matrix, w, capacity, own)) {
                    mixes.push_back(std::move(*report));
                    said = true;
                }
                if (!said && ended == kDone)
                    note(fmt::format("{}: no L2 misses, so the model does not apply", name));
            }
        }
        json_ ? print(study::model_json(alone, mixes)) : print_text(study::model_text(alone, mixes));
        return code;
    }

  private:
    double capacity_gb() const {
        if (capacity_.empty()) return 0;
        config::Number number;
        const std::string wrong = config::parse_number(capacity_, config::Unit::bandwidth, number);
        if (!wrong.empty()) throw InputError(fmt::format("--capacity {}: {}", capacity_, wrong));
        if (number.value <= 0) throw InputError("--capacity: expected more than 0");
        return static_cast<double>(number.value) / 1e9;
    }

    /// Of the memory behind the GPU's L2.
    std::string own_scheduler() const {
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = machine_, .sets = sets_, .directories = {}});
        const std::string& name = machine.memories.at(the_gpu(machine, machine_).memory).scheduler.name();
        return name.empty() ? "fr-fcfs" : name;
    }

    BatchOptions batch_;
    SourceOptions sources_;
    std::string machine_ = "gtx480", sms_, capacity_, max_instructions_;
    std::vector<std::string> sets_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_model() {
    return std::make_unique<Model>();
}

}  // namespace heddle::cli
