// Claims against what was measured.

#include <array>
#include <fmt/format.h>

#include "study/measurer.h"
#include "study/study.h"

namespace heddle::study {
namespace {

ScoredClaim scored(const Claim& c, const Measurer& measurer) {
    ScoredClaim s{&c, {}, {}, {}, Verdict::holds};
    for (std::size_t k = 0; k < c.measures.size(); ++k) {
        const Expression e(c.measures[k], measurer.names());
        Measured measured = measurer.value(e, s.margins.emplace_back());
        s.measured.push_back(measured.value);
        s.reasons.push_back(std::move(measured.why));
        s.verdict = worse(s.verdict, c.stated[k].judge(s.measured.back()));
    }
    return s;
}

/// The class of a measure: the first whose bound it keeps.
std::size_t class_of_measure(const RegimeClaim& c, double measured) {
    std::size_t k = 0;
    while (k < c.bounds.size() && c.bounds[k].judge(measured) != Verdict::holds) ++k;
    return k;
}

ScoredRow scored(const RegimeClaim& c, const RegimeRow& row, const Study& study, const Measurer& measurer) {
    const ExpressionNames names = names_of_row(study, c, row, measurer.names());
    ScoredRow s;
    Measured measured = measurer.value(Expression(expression_of(c, row), names), s.margin);
    s.measured = measured.value;
    s.reason = std::move(measured.why);
    s.ours = row.stated.show(s.measured, s.margin);
    s.verdict = row.stated.judge(s.measured);
    if (c.classes.empty() || !s.measured) return s;
    const std::size_t own = class_of_measure(c, *s.measured);
    const std::string name = own < c.classes.size() ? c.classes[own] : "none";
    s.ours = fmt::format("{} ({})", name, s.ours);
    s.verdict = name == row.paper ? Verdict::holds : Verdict::fails;
    return s;
}

ScoredRegime scored(const RegimeClaim& c, const Study& study, const Measurer& measurer) {
    ScoredRegime s{&c, {}, 0, Verdict::holds};
    for (const RegimeRow& row : c.rows) {
        s.rows.push_back(scored(c, row, study, measurer));
        s.near += s.rows.back().verdict == Verdict::holds;
        s.verdict = worse(s.verdict, s.rows.back().verdict);
    }
    // A workload that has no value is not near.
    if (!c.classes.empty())
        s.verdict = static_cast<double>(s.near) >= kNearShare * static_cast<double>(c.rows.size())
                        ? Verdict::holds
                        : Verdict::fails;
    return s;
}

}  // namespace

Scoreboard score(const Study& study, const Matrix& matrix) {
    const Measurer measurer(study, matrix);
    Scoreboard board;
    for (const RegimeClaim& c : study.regime) board.regime.push_back(scored(c, study, measurer));
    for (const Claim& c : study.claims) {
        board.claims.push_back(scored(c, measurer));
        ++board.totals[static_cast<std::size_t>(board.claims.back().verdict)];
    }
    return board;
}

std::vector<std::string> not_measured(const BoardResult& board) {
    std::vector<std::string> lines;
    const std::string where = board.name.empty() ? "" : " on board " + board.name;
    const auto add = [&](const config::Origin& place, const std::string& id, const std::string& why) {
        lines.push_back(fmt::format("{}: claim {} cannot be measured{}: {}", place.text(), id, where, why));
    };
    for (const ScoredRegime& s : board.score.regime)
        for (std::size_t k = 0; k < s.rows.size(); ++k)
            if (!s.rows[k].measured) add(s.claim->rows[k].origin, s.claim->id, s.rows[k].reason);
    for (const ScoredClaim& s : board.score.claims)
        for (std::size_t k = 0; k < s.measured.size(); ++k)
            if (!s.measured[k]) add(s.claim->origins[k], s.claim->id, s.reasons[k]);
    return lines;
}

}  // namespace heddle::study
