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

#include "config/manual.h"
#include "report/table.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/expression.h"
#include "study/seeds.h"
#include "study/study.h"

namespace heddle::study {
namespace {

namespace fs = std::filesystem;
using config::Node;

/// Refuses children of a section that have none of these names.
void only(const Node& node, std::initializer_list<std::string_view> names) {
    if (node.kind != Node::Kind::section) config::fail(node.origin, "expected a section of keys");
    for (const Node& child : node.children)
        if (std::find(names.begin(), names.end(), child.name) == names.end())
            config::fail(child.name_origin,
                         fmt::format("unknown key '{}'{}", child.name,
                                     config::suggestion(child.name, std::vector<std::string_view>(names))));
}

const std::string& text_of(const Node& node) {
    if (node.kind != Node::Kind::scalar)
        config::fail(node.origin, fmt::format("'{}' must be a single text", node.name));
    return node.text;
}

/// Where each of texts_of() stands.
std::vector<config::Origin> origins_of(const Node* node) {
    std::vector<config::Origin> out;
    if (node == nullptr || node->kind == Node::Kind::nothing) return out;
    if (node->kind != Node::Kind::list && node->kind != Node::Kind::section) return {node->origin};
    for (const Node& child : node->children)
        out.push_back(node->kind == Node::Kind::section ? child.name_origin : child.origin);
    return out;
}

/// A text or a list of texts; nothing gives none.
std::vector<std::string> texts_of(const Node* node) {
    std::vector<std::string> out;
    if (node == nullptr || node->kind == Node::Kind::nothing) return out;
    if (node->kind == Node::Kind::scalar) return {node->text};
    if (node->kind != Node::Kind::list)
        config::fail(node->origin, fmt::format("'{}' must be a text or a list", node->name));
    for (const Node& child : node->children) out.push_back(text_of(child));
    return out;
}

/// "KEY=VALUE", a list of them, or a section {KEY: VALUE}.
std::vector<std::string> settings_of(const Node* node) {
    std::vector<std::string> out;
    if (node != nullptr && node->kind == Node::Kind::section) {
        for (const Node& child : node->children) out.push_back(child.name + "=" + text_of(child));
    } else {
        out = texts_of(node);
        for (const std::string& set : out)
            if (set.find('=') == std::string::npos)
                config::fail(node->origin, fmt::format("'{}' is not KEY=VALUE", set));
    }
    return out;
}

/// "a + b" to {"a", "b"}.
std::vector<std::string> applications(const std::string& run, const config::Origin& origin) {
    std::vector<std::string> out;
    std::string rest = run + " + ";
    for (std::size_t at = 0; at < rest.size();) {
        const std::size_t end = rest.find(" + ", at);
        std::string word = rest.substr(at, end - at);
        while (!word.empty() && word.front() == ' ') word.erase(0, 1);
        while (!word.empty() && word.back() == ' ') word.pop_back();
        if (word.empty())
            config::fail(origin, fmt::format("'{}': an application is missing next to '+'", run));
        out.push_back(std::move(word));
        at = end + 3;
    }
    return out;
}

SmDivision division_of(const Node& node) {
    const std::string text = join(texts_of(&node), ",");
    try {
        return parse_division(text);
    } catch (const InputError& error) {
        config::fail(node.origin, error.what());
    }
}

StudyWorkload workload_of(const Node& node) {
    StudyWorkload w;
    w.origin = node.origin;
    if (node.kind == Node::Kind::scalar) {
        w.name = node.text;
        w.apps = applications(node.text, node.origin);
        return w;
    }
    only(node, {"name", "run", "sms"});
    const Node* run = node.find("run");
    if (run == nullptr) config::fail(node.origin, "a workload needs 'run'");
    const Node* name = node.find("name");
    w.name = name != nullptr ? text_of(*name) : text_of(*run);
    w.apps = applications(text_of(*run), run->origin);
    if (const Node* sms = node.find("sms")) {
        w.division = division_of(*sms);
        w.sms_origin = sms->origin;
        if (w.division.search && w.apps.size() == 1)
            config::fail(sms->origin,
                         "'search' divides SMs among several applications, but there is only one");
    }
    return w;
}

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
    explicit Reader(const Node& root) : root_(root) {}

    Study read(const std::string& name) {
        only(root_, {"about", "source", "machine", "set", "sms", "options", "seeds", "workloads", "sets",
                     "variants", "baseline", "alone", "metrics", "claims"});
        study_.name = name;
        if (const Node* n = root_.find("about")) study_.about = text_of(*n);
        if (const Node* n = root_.find("source")) study_.source = text_of(*n);
        study_.options = texts_of(root_.find("options"));
        if (const Node* n = root_.find("options")) study_.options_origin = n->origin;
        if (const Node* n = root_.find("seeds")) {
            try {
                study_.seeds = parse_seeds(join(texts_of(n), ","));
            } catch (const InputError& error) {
                config::fail(n->origin, error.what());
            }
        }
        workloads();
        sets();
        variants();
        if (const Node* n = root_.find("alone")) {
            if (text_of(*n) != "baseline" && n->text != "variant")
                config::fail(n->origin, "'alone' must be baseline or variant");
            study_.alone_on = n->text == "variant" ? AloneOn::variant : AloneOn::baseline;
        }
        study_.metrics = texts_of(root_.find("metrics"));
        study_.metric_origins = origins_of(root_.find("metrics"));
        if (study_.metrics.empty()) study_.metrics = {"performance"};
        if (const Node* n = root_.find("claims")) {
            if (n->kind != Node::Kind::list) config::fail(n->origin, "'claims' must be a list");
            for (const Node& child : n->children) claim(child);
        }
        return std::move(study_);
    }

  private:
    void workloads() {
        const Node* list = root_.find("workloads");
        if (list == nullptr || list->kind != Node::Kind::list || list->children.empty())
            config::fail(list != nullptr ? list->origin : root_.origin,
                         "a study needs a list of 'workloads'");
        const Node* sms = root_.find("sms");
        const SmDivision common = sms != nullptr ? division_of(*sms) : SmDivision{};
        for (const Node& child : list->children) {
            StudyWorkload w = workload_of(child);
            if (w.division.sms.empty() && !w.division.search && w.apps.size() > 1) {
                w.division = common;
                w.sms_origin = sms != nullptr ? sms->origin : w.origin;
            }
            for (const StudyWorkload& other : study_.workloads)
                if (other.name == w.name)
                    config::fail(child.origin, fmt::format("workload {} appears twice", w.name));
            study_.workloads.push_back(std::move(w));
        }
    }

    void sets() {
        const Node* sets = root_.find("sets");
        if (sets == nullptr) return;
        if (sets->kind != Node::Kind::section)
            config::fail(sets->origin, "'sets' must be a section: NAME: [WORKLOAD, ...]");
        for (const Node& child : sets->children) {
            std::vector<std::size_t> members;
            for (const std::string& name : texts_of(&child)) {
                try {
                    members.push_back(number_of(study_.workloads, name, "workload"));
                } catch (const InputError& error) {
                    config::fail(child.origin, error.what());
                }
            }
            if (members.empty()) config::fail(child.origin, "a set needs a workload");
            study_.sets.emplace(child.name, std::move(members));
        }
    }

    void variants() {
        const Node* machine = root_.find("machine");
        const std::string machine_name = machine != nullptr ? text_of(*machine) : "gtx480";
        const std::vector<std::string> common = settings_of(root_.find("set"));
        const VariantPlaces common_places{machine != nullptr ? machine->origin : root_.origin,
                                          origins_of(root_.find("set"))};
        const Node* variants = root_.find("variants");
        if (variants == nullptr) {
            study_.variants.push_back({machine_name, machine_name, common});
            study_.places.push_back(common_places);
            return;
        }
        if (variants->kind != Node::Kind::section || variants->children.empty())
            config::fail(variants->origin, "'variants' must be a section: NAME: KEY=VALUE");
        for (const Node& child : variants->children) {
            Variant v{child.name, machine_name, common};
            VariantPlaces places = common_places;
            const Node* own = &child;
            if (child.kind == Node::Kind::section) {
                only(child, {"machine", "set"});
                if (const Node* m = child.find("machine")) {
                    v.machine = text_of(*m);
                    places.machine = m->origin;
                }
                own = child.find("set");
            }
            for (std::string& set : settings_of(own)) v.sets.push_back(std::move(set));
            for (config::Origin& origin : origins_of(own)) places.sets.push_back(std::move(origin));
            study_.variants.push_back(std::move(v));
            study_.places.push_back(std::move(places));
        }
        if (const Node* baseline = root_.find("baseline")) {
            try {
                study_.baseline = number_of(study_.variants, text_of(*baseline), "variant");
            } catch (const InputError& error) {
                config::fail(baseline->origin, error.what());
            }
        }
    }

    void claim(const Node& node) {
        only(node, {"id", "kind", "statement", "measure", "paper", "band", "note"});
        Claim c;
        auto text = [&node](const char* key, bool needed) {
            const Node* n = node.find(key);
            if (n == nullptr && needed) config::fail(node.origin, fmt::format("a claim needs '{}'", key));
            return n == nullptr ? std::string{} : text_of(*n);
        };
        c.id = text("id", true);
        c.kind = text("kind", false);
        c.statement = text("statement", true);
        c.note = text("note", false);
        for (const Claim& other : study_.claims)
            if (other.id == c.id) config::fail(node.origin, fmt::format("claim {} appears twice", c.id));
        const Node *measure = node.find("measure"), *paper = node.find("paper"), *band = node.find("band");
        if (measure == nullptr || paper == nullptr)
            config::fail(node.origin, fmt::format("claim {} needs 'measure' and 'paper'", c.id));
        c.measures = texts_of(measure);
        const std::vector<std::string> numbers = texts_of(paper);
        if (c.measures.empty() || numbers.size() != c.measures.size())
            config::fail(paper->origin, fmt::format("{} measures, but {} numbers from the paper",
                                                    c.measures.size(), numbers.size()));
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            const bool several = measure->kind == Node::Kind::list;
            c.origins.push_back(several ? measure->children[k].origin : measure->origin);
            try {
                c.stated.emplace_back(numbers[k],
                                      band == nullptr ? std::vector<std::string>{} : texts_of(band));
            } catch (const BandError& error) {
                config::fail(band != nullptr ? band->origin : paper->origin, error.what());
            } catch (const InputError& error) {
                config::fail(paper->kind == Node::Kind::list ? paper->children[k].origin : paper->origin,
                             error.what());
            }
        }
        study_.claims.push_back(std::move(c));
    }

    const Node& root_;
    Study study_;
};

Node read_tree(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw InputError(fmt::format("{} is a directory, not a study file", path));
    std::ifstream in(path, std::ios::binary);
    if (!in && errno == ENOENT) throw InputError(fmt::format("there is no study file {}", path));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        throw InputError(fmt::format("cannot read the study file {}: {}", path, std::strerror(errno)));
    Node tree = config::parse_yaml(text, path);
    if (tree.kind == Node::Kind::nothing) config::fail(tree.origin, "the study file is empty");
    return tree;
}

}  // namespace

Study read_study(const std::string& path) {
    const Node root = read_tree(path);
    Study study = Reader(root).read(fs::path(path).stem().string());
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

std::vector<std::string> metrics_of(const Study& study) {
    std::vector<std::string> metrics = study.metrics;
    const ExpressionNames names = names_of(study, metrics);
    for (const Claim& c : study.claims)
        for (std::size_t k = 0; k < c.measures.size(); ++k) {
            try {
                const Expression e(c.measures[k], names);
                if (e.is_truth() != c.stated[k].is_truth())
                    throw InputError(c.stated[k].is_truth()
                                         ? "'true' as the paper's value needs a comparison as the measure"
                                         : "a comparison as the measure needs 'true' as the paper's value");
            } catch (const InputError& error) {
                config::fail(c.origins[k], fmt::format("claim {}: {}", c.id, error.what()));
            }
        }
    return metrics;
}

std::map<std::string, config::Origin> metric_places(const Study& study) {
    std::map<std::string, config::Origin> places;
    for (std::size_t k = 0; k < study.metric_origins.size(); ++k)
        places.emplace(study.metrics[k], study.metric_origins[k]);
    std::vector<std::string> metrics = study.metrics;
    const ExpressionNames names = names_of(study, metrics);
    for (const Claim& c : study.claims)
        for (std::size_t k = 0; k < c.measures.size(); ++k) {
            const Expression read(c.measures[k], names);
            // Those that this measure is the first to name.
            for (const std::string& metric : metrics) places.emplace(metric, c.origins[k]);
        }
    return places;
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

std::string locate_study(const std::string& name) {
    if (name.find('/') != std::string::npos || name.ends_with(".yaml")) return name;
    std::vector<std::string> known;
    for (const ShippedStudy& s : shipped_studies()) {
        if (s.name == name) return s.path;
        known.push_back(s.name);
    }
    throw InputError(fmt::format("there is no study '{}'{}; a FILE.yaml also works", name,
                                 config::suggestion(name, {known.begin(), known.end()})));
}

}  // namespace heddle::study
