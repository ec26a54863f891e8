// heddle explain: what a key of a machine, or a policy, does.

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "config/manual.h"
#include "config/plugin.h"
#include "cuda/child.h"
#include "cuda/workload.h"
#include "machine/settings.h"
#include "report/table.h"
#include "sim/error.h"
#include "study/study_schema.h"

namespace heddle::cli {
namespace {

/// "study" means the keys of study files, "study.KEY" one of them.
constexpr std::string_view kStudy = "study";

/// Every key with its meaning, one a line.
std::string keys_of(const config::SchemaBase& schema) {
    report::Table table({report::Table::Align::left, report::Table::Align::left});
    for (const config::Place& place : config::all_places(schema)) {
        if (place.entry != nullptr) continue;
        table.add({place.short_path,
                   std::string(place.key->schema != nullptr ? place.key->schema->about()
                                                            : std::string_view(place.key->info.about))});
    }
    return table.text(0);
}

/// Of lines of explanations: longer ones are hard to read.
std::size_t explanation_width() {
    constexpr std::size_t kMost = 100;
    return report::screen_width() == 0 ? kMost : std::min(kMost, report::screen_width());
}

class Explain final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("--plugin", plugins_, "load policies from a shared object; repeatable")
            ->type_name("FILE.so")
            ->allow_extra_args(false);
        // Writes docs/reference.md; not for users.
        app.add_flag("--manual", manual_)->group("");
    }

    ExitCode run(const Words& words) override {
        for (const std::string& plugin : plugins_) config::load_plugin(plugin);
        if (manual_) {
            print(config::reference_manual(MachineSettings::schema(), "Reference of machine files") + "\n" +
                  config::reference_manual(study::StudyText::schema(), "Reference of study files"));
            return kDone;
        }
        if (words.words.empty()) print_text(keys_of(MachineSettings::schema()));
        for (const std::string& word : words.words) {
            if (&word != &words.words.front()) print("\n");
            if (cuda::is_workload(word))
                cuda::run_child({cuda::workload_program(word), "--help"});
            else if (word == kStudy)
                print_text(keys_of(study::StudyText::schema()));
            else if (word.starts_with(kStudy) && word[kStudy.size()] == '.')
                print_text(config::explain(study::StudyText::schema(), word.substr(kStudy.size() + 1),
                                           explanation_width()));
            else
                print_text(config::explain(MachineSettings::schema(), word, explanation_width()));
        }
        return kDone;
    }

  private:
    std::vector<std::string> plugins_;
    bool manual_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain() {
    return std::make_unique<Explain>();
}

}  // namespace heddle::cli
