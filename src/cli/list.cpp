// heddle list: what there is to choose from.

#include <CLI/App.hpp>
#include <fmt/format.h>
#include <set>

#include "cli/command.h"
#include "cli/source.h"
#include "config/machine_file.h"
#include "config/manual.h"
#include "config/plugin.h"
#include "cuda/workload.h"
#include "machine/settings.h"
#include "report/figures.h"
#include "report/table.h"
#include "sim/error.h"
#include "study/result.h"
#include "study/study.h"

namespace heddle::cli {
namespace {

using report::Table;
using enum Table::Align;

std::string workloads() {
    Table programs({left, right, right, right, right, left});
    programs.add({"", "warp instructions", "footprint", "requests/load", "L2 MPKI", ""});
    for (const cuda::Workload& w : cuda::workloads()) {
        std::vector<std::string> row{w.name, "", "", "", "", w.about};
        if (w.measured) {
            const cuda::WorkloadCharacter& m = *w.measured;
            row = {w.name,
                   report::grouped(m.warp_instructions),
                   report::bytes_text(m.footprint_bytes),
                   report::decimal(m.requests_per_load_x100, 100, 2),
                   report::decimal(m.l2_mpki_x100, 100, 2),
                   w.about};
        }
        programs.add(row);
    }
    Table synthetic({left, left});
    for (const PatternEntry& p : patterns()) synthetic.add({std::string(p.name), std::string(p.about)});
    return "programs, as measured at their default size on gtx480 (misses per thousand thread "
           "instructions)\n" +
           programs.text(2) + "\nsynthetic patterns\n" + synthetic.text(2);
}

std::string machines() {
    Table table({left, left});
    for (const config::ShippedMachine& m : config::shipped_machines()) {
        const config::Node tree =
            config::read_machine(MachineSettings::schema(), {.machine = m.name, .sets = {}});
        const config::Node* about = tree.find("about");
        table.add({m.name, about != nullptr ? about->text : std::string{}});
    }
    return table.text(0);
}

/// Every policy under the key that chooses it.
std::string policies() {
    std::string out;
    for (const config::Place& place : config::all_places(MachineSettings::schema())) {
        if (place.entry != nullptr || place.key->point == nullptr) continue;
        Table table({left, left, left});
        for (const auto& [name, entry] : place.key->point->entries())
            table.add({std::string(name), std::string(entry.about),
                       entry.source.empty() ? std::string{} : fmt::format("[{}]", entry.source)});
        out +=
            fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", place.short_path, place.key->point->what()) +
            table.text(2);
    }
    return out;
}

/// The metrics of compare, results and studies; counters are metrics too.
std::string metrics() {
    Table table({left, left, left});
    for (const auto& row : study::metric_manual()) table.add(row);
    return table.text(0) +
           "and any counter of 'heddle run --stats \"\"', without its prefix where that is unambiguous; .N "
           "after an application's own\n";
}

struct Listing {
    std::string_view what;
    std::string (*text)();
};
constexpr Listing kListings[] = {{"workloads", workloads},
                                 {"machines", machines},
                                 {"policies", policies},
                                 {"studies", study::shipped_studies_text},
                                 {"metrics", metrics}};

class List final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("--plugin", plugins_, "load policies from a shared object; repeatable")
            ->type_name("FILE.so")
            ->allow_extra_args(false);
    }

    ExitCode run(const Words& words) override {
        for (const std::string& plugin : plugins_) config::load_plugin(plugin);
        std::vector<std::string_view> known;
        for (const Listing& l : kListings) known.push_back(l.what);
        if (words.words.size() != 1)
            throw InputError(fmt::format("heddle list {} of: workloads, machines, policies, studies, metrics",
                                         words.words.empty() ? "needs one" : "takes only one"));
        const std::string& what = words.words.front();
        for (const Listing& l : kListings) {
            if (l.what != what) continue;
            const std::string text = l.text();
            if (text.empty()) note(fmt::format("this version has no {}", what));
            print_text(text);
            return kDone;
        }
        throw InputError(fmt::format("there is no list of '{}'{}", what, config::suggestion(what, known)));
    }

  private:
    std::vector<std::string> plugins_;
};

}  // namespace

std::unique_ptr<Command> make_list() {
    return std::make_unique<List>();
}

}  // namespace heddle::cli
