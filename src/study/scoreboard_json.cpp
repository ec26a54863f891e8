// A study's claims and results as JSON.

#include <nlohmann/json.hpp>

#include "study/comparison.h"
#include "study/scoreboard_text.h"

namespace heddle::study {
namespace {

using nlohmann::ordered_json;

void put_value(ordered_json& v, const std::string& ours, const std::optional<double>& measured,
               const std::string& reason, const std::optional<double>& margin) {
    v["ours"] = ours;
    if (measured)
        v["value"] = *measured;
    else
        v["reason"] = reason;
    if (margin) v["margin"] = *margin;
}

/// What was measured on one board.
ordered_json measured_tree(const ScoredClaim& s) {
    ordered_json out{{"measured", ours_text(s)}, {"verdict", verdict_name(s.verdict)}};
    out["values"] = ordered_json::array();
    for (std::size_t k = 0; k < s.measured.size(); ++k) {
        const Stated& stated = s.claim->stated[k];
        ordered_json v{{"measure", s.claim->measures[k]}, {"paper", stated.text()}};
        if (const std::string band = stated.band_text(); !band.empty()) v["band"] = band;
        put_value(v, stated.show(s.measured[k], s.margins[k]), s.measured[k], s.reasons[k], s.margins[k]);
        out["values"].push_back(std::move(v));
    }
    return out;
}

ordered_json measured_tree(const ScoredRegime& s, const Study& study) {
    ordered_json out{{"measured", ours_text(s)}, {"verdict", regime_word(s.verdict)}};
    if (s.claim->each) {
        out["near"] = s.near;
        out["of"] = s.rows.size();
    }
    out["values"] = ordered_json::array();
    for (std::size_t k = 0; k < s.rows.size(); ++k) {
        const RegimeRow& row = s.claim->rows[k];
        ordered_json v;
        if (s.claim->each) v["workload"] = study.workloads[row.workload].name;
        v["measure"] = row.measure;
        v["paper"] = row.paper;
        put_value(v, s.rows[k].ours, s.rows[k].measured, s.rows[k].reason, s.rows[k].margin);
        v["verdict"] = regime_word(s.rows[k].verdict);
        if (!row.note.empty()) v["note"] = row.note;
        out["values"].push_back(std::move(v));
    }
    return out;
}

/// Into a claim: what its one machine measured, or what each board did.
template <class MeasuredOn>
void put_measured(ordered_json& claim, const std::vector<BoardResult>& boards,
                  const MeasuredOn& measured_on) {
    for (const BoardResult& b : boards) {
        ordered_json measured = measured_on(b);
        if (b.name.empty())
            claim.update(measured);
        else
            claim["boards"][b.name] = std::move(measured);
    }
}

ordered_json totals_tree(const Scoreboard& board) {
    ordered_json out;
    for (std::size_t v = 0; v < board.totals.size(); ++v)
        out[std::string(verdict_name(static_cast<Verdict>(v)))] = board.totals[v];
    return out;
}

}  // namespace

ordered_json study_tree(const std::vector<BoardResult>& boards) {
    const Study& study = *boards.front().study;
    ordered_json out;
    out["study"] = study.name;
    out["about"] = study.about;
    out["source"] = study.source;
    for (std::size_t k = 0; k < study.regime.size(); ++k) {
        const RegimeClaim& c = study.regime[k];
        ordered_json claim{{"id", c.id}, {"statement", c.statement}, {"paper", paper_text(c)}};
        put_measured(claim, boards,
                     [&](const BoardResult& b) { return measured_tree(b.score.regime[k], *b.study); });
        if (!c.note.empty()) claim["note"] = c.note;
        out["regime"].push_back(std::move(claim));
    }
    out["claims"] = ordered_json::array();
    for (std::size_t k = 0; k < study.claims.size(); ++k) {
        const Claim& c = study.claims[k];
        ordered_json claim{{"id", c.id}};
        if (!c.kind.empty()) claim["kind"] = c.kind;
        claim["statement"] = c.statement;
        claim["paper"] = paper_text(c);
        put_measured(claim, boards, [&](const BoardResult& b) { return measured_tree(b.score.claims[k]); });
        if (!c.note.empty()) claim["note"] = c.note;
        out["claims"].push_back(std::move(claim));
    }
    for (const BoardResult& b : boards) {
        ordered_json result{{"totals", totals_tree(b.score)},
                            {"comparison", comparison_tree(compare(*b.matrix), *b.matrix)}};
        if (b.name.empty()) {
            out.update(result);
        } else {
            ordered_json board{{"name", b.name}, {"machine", b.study->boards.front().machine}};
            board.update(result);
            out["boards"].push_back(std::move(board));
        }
    }
    return out;
}

}  // namespace heddle::study
