#include "study/regime.h"

#include <algorithm>
#include <fmt/format.h>

#include "config/manual.h"
#include "sim/error.h"
#include "study/expression.h"
#include "study/study.h"
#include "study/study_schema.h"

namespace heddle::study {
namespace {

/// Of the one workload that a row's measure goes over; no set of a file has this name.
constexpr const char* kThisWorkload = "*";

Stated near_at(const config::Located& paper) {
    try {
        return Stated::near(paper.text);
    } catch (const InputError& error) {
        config::fail(paper.origin, error.what());
    }
}

std::size_t class_of(const RegimeClaim& claim, const config::Located& name) {
    const auto it = std::find(claim.classes.begin(), claim.classes.end(), name.text);
    if (it == claim.classes.end())
        config::fail(name.origin, fmt::format("there is no class '{}'{}", name.text,
                                              config::suggestion(
                                                  name.text, {claim.classes.begin(), claim.classes.end()})));
    return static_cast<std::size_t>(it - claim.classes.begin());
}

std::size_t workload_of(const Study& study, const std::string& name, const config::Origin& place) {
    std::vector<std::string_view> known;
    for (std::size_t w = 0; w < study.workloads.size(); ++w) {
        if (study.workloads[w].name == name) return w;
        known.push_back(study.workloads[w].name);
    }
    config::fail(place, fmt::format("there is no workload '{}'{}", name, config::suggestion(name, known)));
}

void add_each(RegimeClaim& claim, const RegimeText& text, const Study& study) {
    for (const auto& [name, bound] : text.classes) {
        claim.classes.push_back(name);
        try {
            claim.bounds.emplace_back(bound.bound.text, std::vector<std::string>{});
        } catch (const InputError& error) {
            config::fail(bound.bound.origin, error.what());
        }
        if (!claim.bounds.back().is_bound())
            config::fail(bound.bound.origin, fmt::format("class {}: '{}' is not a bound such as '< 20 %'",
                                                         name, bound.bound.text));
    }
    if (text.measure.items.size() != 1)
        config::fail(text.measure.origin,
                     fmt::format("'each' goes with one measure, not {}", text.measure.items.size()));
    if (text.paper)
        config::fail(text.paper->origin, "give either 'paper' or 'each', which says it of each workload");
    const config::Located& measure = text.measure.items.front();
    claim.each = true;
    for (const auto& [name, said] : text.each) {
        const Stated stated =
            claim.classes.empty() ? near_at(said.paper) : claim.bounds[class_of(claim, said.paper)];
        claim.rows.push_back({measure.text, said.paper.text, stated,
                              workload_of(study, name, said.paper.origin), said.note.value_or(""),
                              measure.origin});
    }
}

}  // namespace

RegimeClaim regime_of(const RegimeText& text, const Study& study) {
    RegimeClaim claim{text.id.text, text.statement, text.note.value_or(""), false, {}, {}, {}};
    if (!text.each.empty()) {
        add_each(claim, text, study);
        return claim;
    }
    if (!text.classes.empty())
        config::fail(text.id.origin, "'classes' need 'each', which says what class each workload has");
    if (!text.paper) config::fail(text.id.origin, "what the paper says is missing: give 'paper' or 'each'");
    const auto& numbers = text.paper->items;
    if (numbers.empty() || numbers.size() != text.measure.items.size())
        config::fail(text.paper->origin, fmt::format("{} measures, but {} numbers from the paper",
                                                     text.measure.items.size(), numbers.size()));
    for (std::size_t k = 0; k < numbers.size(); ++k)
        claim.rows.push_back({text.measure.items[k].text,
                              numbers[k].text,
                              near_at(numbers[k]),
                              0,
                              {},
                              text.measure.items[k].origin});
    return claim;
}

ExpressionNames names_of_row(const Study& study, const RegimeClaim& claim, const RegimeRow& row,
                             const ExpressionNames& names) {
    ExpressionNames out = names;
    out.variant = [&study, all = names.variant](const std::string& name) {
        const std::size_t variant = all(name);
        const auto& others = study.references;
        if (variant != study.baseline && std::find(others.begin(), others.end(), variant) == others.end())
            throw InputError(
                fmt::format("the regime is that of the baseline {} and of 'references', not of {}",
                            study.variants[study.baseline].name, name));
        return variant;
    };
    if (claim.each)
        out.set = [&row](const std::string& name) -> std::vector<std::size_t> {
            if (name != kThisWorkload)
                throw InputError(fmt::format("'over {}' does not go with 'each'", name));
            return {row.workload};
        };
    return out;
}

std::string expression_of(const RegimeClaim& claim, const RegimeRow& row) {
    return claim.each ? fmt::format("mean({} over {})", row.measure, kThisWorkload) : row.measure;
}

std::string_view regime_word(Verdict verdict) {
    return verdict == Verdict::holds ? "near" : verdict == Verdict::unknown ? "unknown" : "far";
}

}  // namespace heddle::study
