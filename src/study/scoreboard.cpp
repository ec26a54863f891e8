// Claims against what was measured.

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/table.h"
#include "sim/text.h"
#include "study/comparison.h"
#include "study/expression.h"
#include "study/study.h"

namespace heddle::study {

ExpressionNames names_of(const Study& study, std::vector<std::string>& metrics);  // study_file.cpp

namespace {

using report::Table;
using enum Table::Align;

/// A narrow screen's table breaks statements itself.
std::size_t statement_width() {
    constexpr std::size_t kWidth = 60, kWide = 120;
    const std::size_t screen = report::screen_width();
    return screen == 0 || screen >= kWide ? kWidth : ~std::size_t{0};
}

std::string paper_text(const Claim& c) {
    std::string out;
    for (const Stated& s : c.stated) out += (out.empty() ? "" : " / ") + s.text();
    return out;
}

std::string ours_text(const ScoredClaim& s) {
    std::string out;
    for (std::size_t k = 0; k < s.measured.size(); ++k)
        out += (out.empty() ? "" : " / ") + s.claim->stated[k].show(s.measured[k], s.margins[k]);
    return out;
}

}  // namespace

Scoreboard score(const Study& study, const Matrix& matrix) {
    std::vector<std::string> metrics = study.metrics;
    const ExpressionNames names = names_of(study, metrics);
    // Of one seed; of the mean over all for those that have no number.
    const auto figures_of = [&](std::optional<std::size_t> repetition) -> FigureOf {
        return [&, repetition](std::size_t name, std::size_t variant, std::size_t workload) -> Measured {
            const Metric metric = matrix.metric(metrics[name]);
            const auto v = repetition ? matrix.figure(metric, workload, variant, *repetition)
                                      : matrix.figure(metric, workload, variant);
            if (v) return *v;
            const bool ran = matrix.cell(workload, variant, repetition.value_or(0)).result.has_value();
            return {v, ran ? "its run has no such figure" : "its run failed"};
        };
    };
    const auto measure = [&](const Expression& e, const std::vector<std::string>& workloads,
                             std::optional<double>& margin) -> Measured {
        if (matrix.repetitions() == 1 || e.is_truth()) return e.value(figures_of({}), workloads);
        std::vector<double> sample;
        for (std::size_t r = 0; r < matrix.repetitions(); ++r) {
            Measured one = e.value(figures_of(r), workloads);
            if (!one.value) return one;
            sample.push_back(*one.value);
        }
        const Estimate estimated = estimate(sample);
        margin = estimated.margin;
        return estimated.mean;
    };
    std::vector<std::string> workloads;
    for (const StudyWorkload& w : study.workloads) workloads.push_back(w.name);
    Scoreboard board;
    for (const Claim& c : study.claims) {
        ScoredClaim s{&c, {}, {}, {}, Verdict::holds};
        for (std::size_t k = 0; k < c.measures.size(); ++k) {
            Measured measured =
                measure(Expression(c.measures[k], names), workloads, s.margins.emplace_back());
            s.measured.push_back(measured.value);
            s.reasons.push_back(std::move(measured.why));
            s.verdict = worse(s.verdict, c.stated[k].judge(s.measured.back()));
        }
        ++board.totals[static_cast<std::size_t>(s.verdict)];
        board.claims.push_back(std::move(s));
    }
    return board;
}

std::string scoreboard_text(const Study& study, const Scoreboard& board) {
    if (board.claims.empty()) return {};
    Table table({left, left, right, right, left});
    table.add({"claim", "", "paper", "ours", "verdict"});
    for (const ScoredClaim& s : board.claims) {
        const std::vector<std::string> lines = wrapped(s.claim->statement, statement_width());
        table.add({s.claim->id, lines[0], paper_text(*s.claim), ours_text(s),
                   std::string(verdict_name(s.verdict))});
        for (std::size_t k = 1; k < lines.size(); ++k) table.add({"", lines[k], "", "", ""});
    }
    std::string total;
    for (std::size_t v = 0; v < board.totals.size(); ++v)
        if (board.totals[v] != 0)
            total += fmt::format("{}{} {}", total.empty() ? "" : ", ", verdict_name(static_cast<Verdict>(v)),
                                 board.totals[v]);
    return fmt::format("claims of {}\n{}total of {}: {}\n", study.source.empty() ? study.name : study.source,
                       table.text(2), board.claims.size(), total);
}

std::vector<std::string> not_measured(const Scoreboard& board) {
    std::vector<std::string> lines;
    for (const ScoredClaim& s : board.claims)
        for (std::size_t k = 0; k < s.measured.size(); ++k)
            if (!s.measured[k])
                lines.push_back(fmt::format("{}: claim {} cannot be measured: {}", s.claim->origins[k].text(),
                                            s.claim->id, s.reasons[k]));
    return lines;
}

nlohmann::ordered_json study_tree(const Study& study, const Scoreboard& board, const Matrix& matrix) {
    using json = nlohmann::ordered_json;
    json out;
    out["study"] = study.name;
    out["about"] = study.about;
    out["source"] = study.source;
    out["claims"] = json::array();
    for (const ScoredClaim& s : board.claims) {
        json c{{"id", s.claim->id}};
        if (!s.claim->kind.empty()) c["kind"] = s.claim->kind;
        c["statement"] = s.claim->statement;
        c["paper"] = paper_text(*s.claim);
        c["measured"] = ours_text(s);
        c["verdict"] = verdict_name(s.verdict);
        if (!s.claim->note.empty()) c["note"] = s.claim->note;
        c["values"] = json::array();
        for (std::size_t k = 0; k < s.measured.size(); ++k) {
            json v{{"measure", s.claim->measures[k]}, {"paper", s.claim->stated[k].text()}};
            if (const std::string band = s.claim->stated[k].band_text(); !band.empty()) v["band"] = band;
            v["ours"] = s.claim->stated[k].show(s.measured[k], s.margins[k]);
            if (s.measured[k])
                v["value"] = *s.measured[k];
            else
                v["reason"] = s.reasons[k];
            if (s.margins[k]) v["margin"] = *s.margins[k];
            c["values"].push_back(std::move(v));
        }
        out["claims"].push_back(std::move(c));
    }
    for (std::size_t v = 0; v < board.totals.size(); ++v)
        out["totals"][std::string(verdict_name(static_cast<Verdict>(v)))] = board.totals[v];
    out["comparison"] = comparison_tree(compare(matrix), matrix);
    return out;
}

}  // namespace heddle::study
