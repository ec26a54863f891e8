// heddle results: what is in the store.

#include <CLI/App.hpp>
#include <algorithm>
#include <ctime>
#include <fmt/format.h>

#include "cli/batch.h"
#include "config/manual.h"
#include "config/node.h"
#include "report/figures.h"
#include "report/table.h"
#include "sim/error.h"
#include "study/comparison.h"
#include "study/result.h"

namespace heddle::cli {
namespace {

using report::Table;
using enum Table::Align;

std::string date_text(i64 seconds) {
    const std::time_t t = static_cast<std::time_t>(seconds);
    std::tm parts{};
    localtime_r(&t, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

std::string workload_text(const study::StoredRun& r) {
    std::string text = r.workload;
    if (!r.sms.empty()) text += " on " + r.sms + " SMs";
    if (r.alone != 0) text += fmt::format(", application {} alone", r.alone);
    return text;
}

/// "30d", "12h": seconds before now.
i64 parse_age(const std::string& text) {
    i64 n = 0;
    std::size_t k = 0;
    for (; k < text.size() && text[k] >= '0' && text[k] <= '9' && k < 9; ++k) n = n * 10 + (text[k] - '0');
    const std::string unit = text.substr(k);
    const i64 factor = unit == "d" ? 86'400 : unit == "h" ? 3'600 : unit == "min" ? 60 : 0;
    if (k == 0 || factor == 0)
        throw InputError(fmt::format("--older-than {}: expected an age such as 30d, 12h or 5min", text));
    return static_cast<i64>(std::time(nullptr)) - n * factor;
}

class Results final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("--store", store_file_,
                       "the store ($HEDDLE_STORE, else ~/.local/share/heddle/results.db)")
            ->type_name("FILE");
        app.add_option("-m,--machine", filter_.machine, "runs on machines whose name contains TEXT")
            ->type_name("TEXT");
        app.add_option("--workload", filter_.workload, "runs of workloads whose name contains TEXT")
            ->type_name("TEXT");
        app.add_option("--set", filter_.settings, "runs whose settings contain TEXT")->type_name("TEXT");
        app.add_option("--older-than", older_, "runs kept for longer than AGE: 30d, 12h")->type_name("AGE");
        app.add_option("--metric", metrics_, "columns of list and export (ipc,cycles)")
            ->type_name("NAME,...");
        app.add_flag("--json", json_, "list as JSON, export whole records");
        app.add_flag("--all", all_, "for delete: everything");
    }

    ExitCode run(const Words& words) override {
        const std::string what = words.words.empty() ? "list" : words.words.front();
        if (!words.words.empty()) filter_.keys.assign(words.words.begin() + 1, words.words.end());
        for (const std::string& key : filter_.keys)
            if (key.empty() || key.find_first_not_of("0123456789abcdef") != std::string::npos)
                throw InputError(
                    fmt::format("'{}' is not the start of a key; 'heddle results' shows the keys", key));
        if (!older_.empty()) filter_.before = parse_age(older_);
        const std::string_view known[] = {"list", "show", "export", "delete"};
        if (std::find(std::begin(known), std::end(known), what) == std::end(known))
            throw InputError(fmt::format("heddle results has no '{}'{}", what,
                                         config::suggestion(what, {std::begin(known), std::end(known)})));
        const bool change = what == "delete";
        study::Store store(store_file_.empty() ? study::default_store() : store_file_,
                           change ? study::Store::Open::write : study::Store::Open::read);
        if (change) return remove(store);
        if (what == "show") return show(store);
        what == "export" && json_ ? export_json(store) : list(store, what == "export");
        return kDone;
    }

  private:
    /// A column, and the error about its name as long as no run has such a metric.
    struct Column {
        std::string name, error = {};
        bool known = false;

        std::optional<double> value(const study::Result& result, const std::vector<std::string>& names) {
            try {
                const study::Metric metric = study::find_metric(name, names, result.ipc().size());
                known = true;
                return study::value(metric, result, {});
            } catch (const InputError& wrong) {
                if (error.empty()) error = wrong.what();
                return std::nullopt;
            }
        }
    };

    void list(study::Store& store, bool csv) {
        std::vector<Column> metrics;
        for (const std::string& name : split_commas(metrics_)) metrics.push_back({name});
        std::vector<Table::Align> align{left, left, left, left, left, right};
        std::vector<std::string> head{"key", "saved", "machine", "settings", "workload", "took"};
        for (const Column& m : metrics) {
            align.push_back(right);
            head.push_back(m.name);
        }
        Table table(align);
        table.add(head);
        std::string lines = "key,saved,version,machine,settings,workload,sms,alone,seconds";
        for (const Column& m : metrics) lines += "," + study::csv_cell(m.name);
        lines += '\n';
        std::string json = "[";
        u64 count = 0;
        store.each(filter_, true, [&](const study::StoredRun& r) {
            std::optional<study::Result> result;
            try {
                result.emplace(r.record);
            } catch (const InputError& error) {
                note(fmt::format("run {} of {}: {}", r.key, store.path(), error.what()));
            }
            std::vector<std::string> names;
            if (result)
                for (const auto& [name, value] : result->figures()) names.push_back(name);
            std::vector<std::string> row{r.key.substr(0, 10), date_text(r.saved),
                                         r.machine,           r.settings,
                                         workload_text(r),    fmt::format("{:.1f} s", r.seconds)};
            std::string line =
                fmt::format("{},{},{},{},{},{},{},{},{}", r.key, r.saved, r.version,
                            study::csv_cell(r.machine), study::csv_cell(r.settings),
                            study::csv_cell(r.workload), study::csv_cell(r.sms), r.alone, r.seconds);
            std::string fields;
            for (Column& m : metrics) {
                const auto value = result ? m.value(*result, names) : std::nullopt;
                row.push_back(value ? study::figure_text(*value) : "-");
                line += value ? fmt::format(",{}", *value) : std::string(",");
                if (value) fields += fmt::format(", \"{}\": {}", m.name, *value);
            }
            table.add(std::move(row));
            lines += line + '\n';
            json += fmt::format(
                "{}\n  {{\"key\": \"{}\", \"saved\": {}, \"version\": {}, \"machine\": {}, \"settings\": "
                "{}, "
                "\"workload\": {}, \"sms\": {}, \"alone\": {}, \"seconds\": {}{}}}",
                count == 0 ? "" : ",", r.key, r.saved, json_text(r.version), json_text(r.machine),
                json_text(r.settings), json_text(r.workload), json_text(r.sms), r.alone, r.seconds, fields);
            ++count;
        });
        for (const Column& m : metrics)
            if (!m.known && !m.error.empty()) throw InputError(m.error);
        if (csv)
            print(lines);
        else if (json_)
            print(json + (count == 0 ? "]\n" : "\n]\n"));
        else
            print_text(count == 0 ? fmt::format("no such run in {}\n", store.path())
                                  : table.text(0) + fmt::format("{} {} in {}\n", report::grouped(count),
                                                                count == 1 ? "run" : "runs", store.path()));
    }

    /// Records as they are, a list.
    void export_json(study::Store& store) {
        std::string between = "[\n";
        store.each(filter_, true, [&](const study::StoredRun& r) {
            print(fmt::format("{}{{\"key\": \"{}\", \"record\": {}}}", between, r.key, r.record));
            between = ",\n";
        });
        print(between == "[\n" ? "[]\n" : "\n]\n");
    }

    ExitCode show(study::Store& store) {
        if (filter_.keys.empty()) throw InputError("heddle results show needs the start of a key");
        u64 count = 0;
        store.each(filter_, true, [&](const study::StoredRun& r) {
            if (count++ == 0) print(r.record);
        });
        if (count == 0) throw InputError(fmt::format("{} has no run {}", store.path(), filter_.keys.front()));
        if (count > 1) note(fmt::format("{} runs match; this is the oldest", count));
        return kDone;
    }

    ExitCode remove(study::Store& store) {
        if (filter_.everything() && !all_)
            throw InputError("heddle results delete needs keys or a filter; --all deletes everything");
        const u64 n = store.remove(filter_);
        print(fmt::format("{} run{} deleted\n", report::grouped(n), n == 1 ? "" : "s"));
        return kDone;
    }

    static std::string json_text(const std::string& text) {
        return config::to_json(config::Node::scalar(text), 0);
    }

    study::Filter filter_;
    std::string store_file_, older_, metrics_ = "ipc,cycles";
    bool json_ = false, all_ = false;
};

}  // namespace

std::unique_ptr<Command> make_results() {
    return std::make_unique<Results>();
}

}  // namespace heddle::cli
