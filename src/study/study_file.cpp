// Study files: YAML to a Study.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "config/machine_file.h"
#include "config/manual.h"
#include "cuda/workload.h"
#include "report/table.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/applications.h"
#include "study/expression.h"
#include "study/seeds.h"
#include "study/study.h"
#include "study/study_names.h"
#include "study/study_schema.h"

namespace heddle::study {
namespace {

namespace fs = std::filesystem;
using config::Located;
using config::LocatedList;
using config::Node;

std::vector<std::string> texts_of(const LocatedList& list) {
    std::vector<std::string> out;
    for (const Located& item : list.items) out.push_back(item.text);
    return out;
}

std::vector<config::Origin> origins_of(const LocatedList& list) {
    std::vector<config::Origin> out;
    for (const Located& item : list.items) out.push_back(item.origin);
    return out;
}

/// What `make` gives; what it complains of is at `origin`.
template <class Make>
auto at(const config::Origin& origin, Make make) {
    try {
        return make();
    } catch (const InputError& error) {
        config::fail(origin, error.what());
    }
}

SmDivision division_of(const LocatedList& sms) {
    return at(sms.origin, [&] { return parse_division(join(texts_of(sms), ",")); });
}

/// What stands for applications in the small form if the file does not say.
std::vector<std::vector<std::string>> small_of(std::vector<std::vector<std::string>> apps) {
    for (std::vector<std::string>& words : apps)
        if (cuda::is_workload(words.front())) words = {words.front(), "--size", "small"};
    return apps;
}

StudyWorkload study_workload_of(const WorkloadText& text) {
    StudyWorkload w;
    w.origin = text.run.origin;
    w.name = text.name.value_or(text.run.text);
    w.apps = at(w.origin, [&] { return applications_of(text.run.text); });
    w.small = text.small ? at(text.small->origin, [&] { return applications_of(text.small->text); })
                         : small_of(w.apps);
    if (w.small.size() != w.apps.size())
        config::fail(text.small->origin,
                     fmt::format("{} applications in place of {}", w.small.size(), w.apps.size()));
    if (text.sms) {
        w.division = division_of(*text.sms);
        w.sms_origin = text.sms->origin;
        if (w.division.search && w.apps.size() == 1)
            config::fail(text.sms->origin,
                         "'search' divides SMs among several applications, but there is only one");
    }
    return w;
}

/// Of a study with boards that names none.
const std::string kOnlyVariant = "machine";

template <class List>
std::size_t number_of(const List& list, const std::string& name, const char* what) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k].name == name) return k;
        names.push_back(list[k].name);
    }
    throw InputError(fmt::format("there is no {} '{}'{}", what, name, config::suggestion(name, names)));
}

std::vector<std::size_t> set_of(const Study& study, const std::string& name) {
    const auto it = study.sets.find(name);
    if (it != study.sets.end()) return it->second;
    std::vector<std::string_view> names;
    for (const auto& [known, members] : study.sets) names.push_back(known);
    throw InputError(fmt::format("there is no set '{}'{}", name, config::suggestion(name, names)));
}

class Reader {
  public:
    explicit Reader(const StudyText& text) : text_(text) {}

    Study read(const std::string& name) {
        study_.name = name;
        study_.about = text_.about.value_or("");
        study_.source = text_.source.value_or("");
        study_.options = texts_of(text_.options);
        study_.options_origin = text_.options.origin;
        if (text_.seeds)
            study_.seeds =
                at(text_.seeds->origin, [&] { return parse_seeds(join(texts_of(*text_.seeds), ",")); });
        boards();
        workloads();
        sets();
        variants();
        study_.alone_on = text_.alone;
        study_.metrics = texts_of(text_.metrics);
        study_.metric_origins = origins_of(text_.metrics);
        if (study_.metrics.empty()) study_.metrics = {"performance"};
        for (const RegimeText& r : text_.regime) {
            study_.regime.push_back(regime_of(r, study_));
            for (std::size_t k = 0; k + 1 < study_.regime.size(); ++k)
                if (study_.regime[k].id == r.id.text) appears_twice(r.id);
        }
        for (const ClaimText& c : text_.claims) claim(c);
        if (text_.inputs) study_.inputs = {hashes(text_.inputs->full), hashes(text_.inputs->small)};
        return std::move(study_);
    }

  private:
    static Hashes hashes(const std::vector<std::pair<std::string, HashText>>& texts) {
        Hashes out;
        for (const auto& [name, text] : texts) out.emplace_back(name, text.sha256);
        return out;
    }

    [[noreturn]] static void appears_twice(const Located& id) {
        config::fail(id.origin, fmt::format("claim {} appears twice", id.text));
    }

    void boards() {
        for (const auto& [name, text] : text_.boards)
            study_.boards.push_back(
                {name, text.machine.text, texts_of(text.set), {text.machine.origin, origins_of(text.set)}});
        // A default has no line.
        if (!study_.boards.empty() && text_.machine.origin.line != 0)
            config::fail(text_.machine.origin,
                         "give either 'machine' or 'boards', which name their machines");
    }

    void workloads() {
        const SmDivision common = text_.sms ? division_of(*text_.sms) : SmDivision{};
        for (const WorkloadText& text : text_.workloads) {
            StudyWorkload w = study_workload_of(text);
            if (w.division.sms.empty() && !w.division.search && w.apps.size() > 1) {
                w.division = common;
                w.sms_origin = text_.sms ? text_.sms->origin : w.origin;
            }
            for (const StudyWorkload& other : study_.workloads)
                if (other.name == w.name)
                    config::fail(w.origin, fmt::format("workload {} appears twice", w.name));
            study_.workloads.push_back(std::move(w));
        }
    }

    void sets() {
        for (const auto& [name, set] : text_.sets) {
            std::vector<std::size_t> members;
            for (const Located& member : set.workloads.items)
                members.push_back(at(member.origin, [&study = study_, &member = member] {
                    return number_of(study.workloads, member.text, "workload");
                }));
            if (members.empty()) config::fail(set.workloads.origin, "a set needs a workload");
            study_.sets.emplace(name, std::move(members));
        }
    }

    void variants() {
        const std::vector<std::string> common = texts_of(text_.set);
        const VariantPlaces common_places{text_.machine.origin, origins_of(text_.set)};
        for (const auto& [name, text] : text_.variants) {
            Variant v{name, text_.machine.text, common};
            study_.own_machine.push_back(text.machine.has_value());
            VariantPlaces places = common_places;
            if (text.machine) {
                v.machine = text.machine->text;
                places.machine = text.machine->origin;
            }
            for (const Located& set : text.set.items) {
                v.sets.push_back(set.text);
                places.sets.push_back(set.origin);
            }
            study_.variants.push_back(std::move(v));
            study_.places.push_back(std::move(places));
        }
        if (study_.variants.empty()) {
            // Named like its machine, unless that is not the same everywhere.
            const std::string& name = study_.boards.empty() ? text_.machine.text : kOnlyVariant;
            study_.variants.push_back({name, text_.machine.text, common});
            study_.places.push_back(common_places);
            study_.own_machine.push_back(false);
        }
        if (text_.baseline)
            study_.baseline = at(text_.baseline->origin,
                                 [&] { return number_of(study_.variants, text_.baseline->text, "variant"); });
        for (const config::Located& reference : text_.references.items)
            study_.references.push_back(
                at(reference.origin, [&] { return number_of(study_.variants, reference.text, "variant"); }));
    }

    void claim(const ClaimText& text) {
        Claim c;
        c.id = text.id.text;
        c.kind = text.kind.value_or("");
        c.statement = text.statement;
        c.note = text.note.value_or("");
        for (const Claim& other : study_.claims)
            if (other.id == c.id) appears_twice(text.id);
        for (const RegimeClaim& other : study_.regime)
            if (other.id == c.id) appears_twice(text.id);
        c.measures = texts_of(text.measure);
        c.origins = origins_of(text.measure);
        const std::vector<Located>& numbers = text.paper.items;
        if (c.measures.empty() || numbers.size() != c.measures.size())
            config::fail(text.paper.origin, fmt::format("{} measures, but {} numbers from the paper",
                                                        c.measures.size(), numbers.size()));
        const std::vector<std::string> band = text.band ? texts_of(*text.band) : std::vector<std::string>{};
        for (const Located& number : numbers) {
            try {
                c.stated.emplace_back(number.text, band);
            } catch (const BandError& error) {
                config::fail(text.band ? text.band->origin : number.origin, error.what());
            } catch (const InputError& error) {
                config::fail(number.origin, error.what());
            }
        }
        study_.claims.push_back(std::move(c));
    }

    const StudyText& text_;
    Study study_;
};

Node read_tree(const std::string& path) {
    Node tree = config::parse_yaml(read_study_text(path), path);
    if (tree.kind == Node::Kind::nothing) config::fail(tree.origin, "the study file is empty");
    return tree;
}

}  // namespace

std::string read_study_text(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw InputError(fmt::format("{} is a directory, not a study file", path));
    std::ifstream in(path, std::ios::binary);
    if (!in && errno == ENOENT) throw InputError(fmt::format("there is no study file {}", path));
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        throw InputError(fmt::format("cannot read the study file {}: {}", path, std::strerror(errno)));
    return text;
}

Study read_study(const std::string& path) {
    const Node root = read_tree(path);
    StudyText text;
    config::bind(StudyText::schema(), root, &text);
    if (text.workloads.empty()) config::fail(root.origin, "a study needs a list of 'workloads'");
    Study study = Reader(text).read(fs::path(path).stem().string());
    study.file = path;
    // An invalid claim is found before anything runs.
    metrics_of(study);
    return study;
}

ExpressionNames names_of(const Study& study, std::vector<std::string>& metrics) {
    ExpressionNames names;
    names.metric = [&metrics](const std::string& name) {
        const auto it = std::find(metrics.begin(), metrics.end(), name);
        if (it != metrics.end()) return static_cast<std::size_t>(it - metrics.begin());
        metrics.push_back(name);
        return metrics.size() - 1;
    };
    names.variant = [&study](const std::string& name) { return number_of(study.variants, name, "variant"); };
    names.workload = [&study](const std::string& name) {
        return number_of(study.workloads, name, "workload");
    };
    names.set = [&study](const std::string& name) { return set_of(study, name); };
    names.workloads = study.workloads.size();
    return names;
}

namespace {

/// Reads every measure and shows it to `visit`; what is wrong with one is at its place.
void each_measure(const Study& study, std::vector<std::string>& metrics,
                  const std::function<void(const Expression&, const Stated&, const config::Origin&)>& visit) {
    const ExpressionNames names = names_of(study, metrics);
    const auto read = [&](const std::string& id, const std::string& measure, const ExpressionNames& known,
                          const Stated& stated, const config::Origin& origin) {
        try {
            visit(Expression(measure, known), stated, origin);
        } catch (const InputError& error) {
            config::fail(origin, fmt::format("claim {}: {}", id, error.what()));
        }
    };
    for (const RegimeClaim& c : study.regime)
        for (const RegimeRow& row : c.rows)
            read(c.id, expression_of(c, row), names_of_row(study, c, row, names), row.stated, row.origin);
    for (const Claim& c : study.claims)
        for (std::size_t k = 0; k < c.measures.size(); ++k)
            read(c.id, c.measures[k], names, c.stated[k], c.origins[k]);
}

}  // namespace

std::vector<std::string> metrics_of(const Study& study) {
    std::vector<std::string> metrics = study.metrics;
    each_measure(study, metrics, [](const Expression& e, const Stated& stated, const config::Origin&) {
        if (e.is_truth() != stated.is_truth())
            throw InputError(stated.is_truth()
                                 ? "'true' as the paper's value needs a comparison as the measure"
                                 : "a comparison as the measure needs 'true' as the paper's value");
    });
    return metrics;
}

std::map<std::string, config::Origin> metric_places(const Study& study) {
    std::map<std::string, config::Origin> places;
    for (std::size_t k = 0; k < study.metric_origins.size(); ++k)
        places.emplace(study.metrics[k], study.metric_origins[k]);
    std::vector<std::string> metrics = study.metrics;
    each_measure(study, metrics, [&](const Expression&, const Stated&, const config::Origin& origin) {
        // Those that this measure is the first to name.
        for (const std::string& metric : metrics) places.emplace(metric, origin);
    });
    return places;
}

Study regime_form(const Study& study) {
    if (study.regime.empty())
        throw InputError(fmt::format(
            "{}: there is no 'regime' in it: nothing says what its workloads are like", study.file));
    Study out = study;
    out.claims.clear();
    out.metrics.clear();
    out.metric_origins.clear();
    std::vector<std::size_t> kept{study.baseline};
    std::copy_if(study.references.begin(), study.references.end(), std::back_inserter(kept),
                 [&](std::size_t v) { return v != study.baseline; });
    out.variants.clear();
    out.places.clear();
    out.own_machine.clear();
    out.references.clear();
    for (const std::size_t v : kept) {
        if (!out.variants.empty()) out.references.push_back(out.variants.size());
        out.variants.push_back(study.variants[v]);
        out.places.push_back(study.places[v]);
        out.own_machine.push_back(study.own_machine[v]);
    }
    out.baseline = 0;
    std::set<std::size_t> used;
    std::vector<std::string> metrics;
    each_measure(out, metrics, [&](const Expression& e, const Stated&, const config::Origin&) {
        used.merge(e.workloads());
    });
    std::vector<std::size_t> place(study.workloads.size());
    out.workloads.clear();
    for (const std::size_t w : used) {
        place[w] = out.workloads.size();
        out.workloads.push_back(study.workloads[w]);
    }
    // Sets with a workload that nothing looks at are not looked at either.
    std::erase_if(out.sets, [&](const auto& set) {
        return std::any_of(set.second.begin(), set.second.end(),
                           [&](std::size_t w) { return !used.contains(w); });
    });
    for (auto& [name, members] : out.sets)
        for (std::size_t& w : members) w = place[w];
    for (RegimeClaim& c : out.regime)
        for (RegimeRow& row : c.rows) row.workload = place[row.workload];
    return out;
}

std::vector<ShippedStudy> shipped_studies() {
    std::vector<ShippedStudy> out;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(shipped_folder("studies", "studies"), error)) {
        if (entry.path().extension() != ".yaml") continue;
        const Node tree = read_tree(entry.path().string());
        const Node* about = tree.find("about");
        out.push_back({entry.path().stem().string(), entry.path().string(),
                       about != nullptr ? about->text : std::string{}});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
}

std::string shipped_studies_text() {
    using enum report::Table::Align;
    report::Table table({left, left});
    for (const ShippedStudy& s : shipped_studies()) table.add({s.name, s.about});
    return table.text(0);
}

StudyPlace locate_study(const std::string& name) {
    if (name.find('/') != std::string::npos || name.ends_with(".yaml")) return {name};
    const bool small = name.ends_with(kSmallEnd);
    const std::string whole = small ? name.substr(0, name.rfind(kSmallEnd)) : name;
    std::vector<std::string> known;
    std::optional<StudyPlace> of_small;
    for (const ShippedStudy& s : shipped_studies()) {
        if (s.name == name) return {s.path};
        if (small && s.name == whole) of_small = StudyPlace{s.path, true};
        known.push_back(s.name);
    }
    if (of_small) return *of_small;
    throw InputError(fmt::format("there is no study '{}'{}; a FILE.yaml also works", name,
                                 config::suggestion(name, {known.begin(), known.end()})));
}

}  // namespace heddle::study
